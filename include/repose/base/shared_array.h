#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace repose {

/// An array whose copies share their elements until one of them is edited: saving a state of a
/// million points costs a pointer for every array that did not change. As safe between threads as a
/// shared_ptr: copies may be read and edited by different threads, one copy by one thread alone.
template <class T>
class SharedArray {
 public:
  SharedArray() = default;
  SharedArray(std::vector<T> values)  // NOLINT(google-explicit-constructor)
      : values_(values.empty() ? nullptr : std::make_shared<std::vector<T>>(std::move(values))) {}
  SharedArray(std::initializer_list<T> values) : SharedArray(std::vector<T>(values)) {}

  const std::vector<T>& view() const { return values_ ? *values_ : none(); }
  /// The elements to be changed; copied first if another array shares them. The reference holds
  /// until this array is copied, assigned or destroyed.
  std::vector<T>& edit() {
    if (!values_) values_ = std::make_shared<std::vector<T>>();
    if (values_.use_count() > 1) values_ = std::make_shared<std::vector<T>>(*values_);
    return *values_;
  }

  std::size_t size() const { return values_ ? values_->size() : 0; }
  bool empty() const { return size() == 0; }
  const T& operator[](std::size_t i) const { return (*values_)[i]; }
  auto begin() const { return view().begin(); }
  auto end() const { return view().end(); }

  /// The two hold the same elements in memory.
  bool shares(const SharedArray& other) const { return values_ == other.values_; }
  friend bool operator==(const SharedArray& a, const SharedArray& b) {
    return a.values_ == b.values_ || a.view() == b.view();
  }

 private:
  static const std::vector<T>& none() {
    static const std::vector<T> empty;
    return empty;
  }
  std::shared_ptr<std::vector<T>> values_;
};

}  // namespace repose
