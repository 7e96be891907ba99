#pragma once

#include <algorithm>
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
  /// Bytes of the UTF-8 letter beyond ASCII that begins there; 0: none does.
  static std::size_t letter_at(const std::string& text, std::size_t at) {
    constexpr struct {
      unsigned mask, lead, least;
    } kLengths[] = {{0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
    constexpr unsigned kLast = 0x10FFFF, kSurrogates = 0xD800, kSurrogatesEnd = 0xE000;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    for (std::size_t more = 1; more <= 3; ++more) {
      const auto& [mask, lead, least] = kLengths[more - 1];
      if ((byte(at) & mask) != lead || at + more >= text.size()) continue;
      unsigned letter = byte(at) & ~mask;
      for (std::size_t k = 1; k <= more; ++k) {
        if ((byte(at + k) & 0xC0U) != 0x80U) return 0;
        letter = letter << 6U | (byte(at + k) & 0x3FU);
      }
      const bool surrogate = letter >= kSurrogates && letter < kSurrogatesEnd;
      return letter < least || letter > kLast || surrogate ? 0 : more + 1;
    }
    return 0;
  }
  /// What is neither printable ASCII nor UTF-8 becomes '?': names are names, not data.
  void quote(const std::string& text) {
    text_ += '"';
    for (std::size_t at = 0; at < text.size();) {
      const char c = text[at];
      const std::size_t letter = letter_at(text, at);
      if (c == '"' || c == '\\') text_ += '\\';
      if (letter > 0)
        text_.append(text, at, letter);
      else
        text_ += c >= ' ' && c <= '~' ? c : '?';
      at += std::max<std::size_t>(letter, 1);
    }
    text_ += '"';
  }

  std::string text_;
  bool fresh_ = true;
};

}  // namespace cad
