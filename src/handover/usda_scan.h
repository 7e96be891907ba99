#pragma once

#include "usda_layer.h"

namespace repose::handover {

/// Walks through the text of a layer.
class UsdScan {
 public:
  UsdScan(const UsdLayer& layer, std::size_t at, std::size_t end)
      : layer_(layer), at_(at), end_(end) {}
  explicit UsdScan(const UsdLayer& layer) : UsdScan(layer, 0, layer.text.size()) {}

  std::size_t at() const { return at_; }
  void go_to(std::size_t byte) { at_ = byte; }
  /// Past blanks, ends of lines, comments.
  void skip_blanks();
  /// Also past `;`, which parts statements.
  void skip_breaks();
  bool ends() const { return at_ >= end_; }
  char peek() const { return ends() ? '\0' : layer_.text[at_]; }
  bool take(char c);
  void expect(char c, const char* where);
  /// Letters, digits, `_` and `:`; empty where none stands.
  std::string word();
  /// A text in one or three quotes of either kind, without them; escapes are resolved.
  std::string quoted();
  /// What stands between @ or @@@.
  std::string asset();
  /// What stands between < and >.
  std::string path();
  /// Past a value of any kind: its bytes.
  UsdRange value();
  /// Past what stands in brackets that begin here.
  void skip_brackets();

  [[noreturn]] void refuse(std::string wrong, std::string right) const {
    refuse_at(at_, std::move(wrong), std::move(right));
  }
  [[noreturn]] void refuse_at(std::size_t byte, std::string wrong, std::string right) const;

 private:
  bool is_quote() const { return peek() == '"' || peek() == '\''; }

  const UsdLayer& layer_;
  std::size_t at_, end_;
};

}  // namespace repose::handover
