#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "repose/base/json.h"
#include "repose/base/settings.h"

namespace repose::farm {

/// The members of an object of a job, read one by one; each error has its place.
class Fields {
 public:
  Fields(const JsonView& view, std::vector<std::string> names)
      : view_(view), names_(std::move(names)) {}

  const JsonView& view() const { return view_; }
  /// An object, and no member but those named.
  Result<Done> known() const;
  /// What is absent leaves `out` as it is, unless it is required.
  Result<Done> text(const char* name, std::string* out, bool required = false) const;
  Result<Done> number(const char* name, const Range& range, double* out,
                      bool required = false) const;
  Result<Done> whole(const char* name, const std::array<std::int64_t, 2>& range, std::int64_t* out,
                     bool required = false) const;
  Result<Done> flag(const char* name, bool* out) const;

  /// Empty where it is absent.
  template <class T>
  Result<std::vector<T>> list(const char* name,
                              const std::function<Result<T>(const JsonView&)>& read) const {
    std::vector<T> out;
    const auto found = view_.find(name);
    if (!found) return out;
    if (found->kind() != JsonKind::array) return found->error("not a list", "[ ... ]");
    std::optional<InputError> bad;
    found->each([&](const JsonView& v) {
      auto one = read(v);
      if (one)
        out.push_back(std::move(*one));
      else
        bad = one.error();
      return !bad;
    });
    if (bad) return *bad;
    return out;
  }

  /// At the member, or at the object where it is absent.
  InputError error(const char* name, const std::string& wrong, const std::string& right) const;

 private:
  JsonView view_;
  std::vector<std::string> names_;
};

}  // namespace repose::farm
