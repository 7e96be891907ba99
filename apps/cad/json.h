#pragma once

#include <cmath>
#include <cstdio>
#include <string>

namespace cad {

/// JSON written as it goes, with the digits that read back to the same bits.
class JsonText {
 public:
  JsonText& key(const char* name) {
    comma();
    quote(name);
    text_ += ':';
    fresh_ = true;
    return *this;
  }
  JsonText& open(char bracket) {
    comma();
    text_ += bracket;
    fresh_ = true;
    return *this;
  }
  JsonText& close(char bracket) {
    text_ += bracket;
    fresh_ = false;
    return *this;
  }
  JsonText& value(const std::string& text) {
    comma();
    quote(text);
    return *this;
  }
  JsonText& value(const char* text) { return value(std::string(text)); }
  JsonText& value(bool truth) {
    comma();
    text_ += truth ? "true" : "false";
    return *this;
  }
  JsonText& value(int number) {
    comma();
    text_ += std::to_string(number);
    return *this;
  }
  /// What is no number becomes null, which the reader refuses.
  JsonText& value(double number) {
    comma();
    if (!std::isfinite(number)) {
      text_ += "null";
      return *this;
    }
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.17g", number);
    text_ += digits;
    return *this;
  }
  /// A value that is JSON already.
  JsonText& raw(const std::string& json) {
    comma();
    text_ += json;
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  void comma() {
    if (!fresh_) text_ += ',';
    fresh_ = false;
  }
  /// Bytes that are no printable ASCII become '?': names are names, not data.
  void quote(const std::string& text) {
    text_ += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') text_ += '\\';
      text_ += c >= ' ' && c <= '~' ? c : '?';
    }
    text_ += '"';
  }

  std::string text_;
  bool fresh_ = true;
};

}  // namespace cad
