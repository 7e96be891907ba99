#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_set>

#include <fmt/format.h>

#include "repose/base/json.h"
#include "repose/base/plain_file.h"

#include "utf8.h"

namespace repose {

/// One pass over the text with its own stack, so that no input can exhaust the program's.
class JsonParser {
 public:
  JsonParser(JsonDocument& document, std::size_t most_values)
      : d_(document), text_(document.text_), most_values_(most_values) {}

  std::optional<InputError> run() {
    if (text_.compare(0, 3, "\xEF\xBB\xBF") == 0) at_ = 3;
    if (!skip() || !value()) return std::move(error_);
    while (!open_.empty())
      if (!next()) return std::move(error_);
    if (!skip()) return std::move(error_);
    if (at_ != text_.size()) {
      fail(at_, "something follows the end of the document", "nothing after the last bracket");
      return std::move(error_);
    }
    return std::nullopt;
  }

 private:
  bool fail(std::size_t byte, std::string wrong, std::string right) {
    error_ = d_.error_at(byte, std::move(wrong), std::move(right));
    if (!open_.empty()) error_->pointer = JsonView(d_, open_.back()).pointer();
    return false;
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  // past white space and comments
  bool skip() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
        ++at_;
      } else if (c == '/' && text_.compare(at_, 2, "//") == 0) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '/' && text_.compare(at_, 2, "/*") == 0) {
        const auto end = text_.find("*/", at_ + 2);
        if (end == std::string::npos) return fail(at_, "this comment never ends", "a closing */");
        at_ = end + 2;
      } else {
        break;
      }
    }
    return true;
  }

  std::uint32_t add(JsonKind kind) {
    JsonDocument::Node node;
    node.begin = static_cast<std::uint32_t>(at_);
    node.kind = kind;
    d_.nodes_.push_back(node);
    return static_cast<std::uint32_t>(d_.nodes_.size() - 1);
  }
  void close(std::uint32_t index) {
    d_.nodes_[index].end = static_cast<std::uint32_t>(at_);
    d_.nodes_[index].after = static_cast<std::uint32_t>(d_.nodes_.size());
  }

  // a scalar, or the opening of an array or object
  bool value() {
    if (d_.nodes_.size() >= most_values_)
      return fail(at_, "too many values",
                  fmt::format("at most {} values in one file", most_values_));
    switch (peek()) {
      case '{':
        return open(JsonKind::object);
      case '[':
        return open(JsonKind::array);
      case '"':
        return string();
      case 't':
        return word("true", JsonKind::boolean, 1.0);
      case 'f':
        return word("false", JsonKind::boolean, 0.0);
      case 'n':
        if (text_.compare(at_, 3, "nan") == 0) return not_finite();
        return word("null", JsonKind::null, 0.0);
      case 'N':
      case 'I':
      case 'i':
      case '+':
        return not_finite();
      default:
        return number();
    }
  }

  bool open(JsonKind kind) {
    if (open_.size() >= static_cast<std::size_t>(JsonDocument::kMaxDepth))
      return fail(at_, "nested too deeply",
                  fmt::format("at most {} brackets inside one another", JsonDocument::kMaxDepth));
    open_.push_back(add(kind));
    ++at_;
    return true;
  }

  bool word(std::string_view wanted, JsonKind kind, double number) {
    if (text_.compare(at_, wanted.size(), wanted) != 0) return not_a_value();
    const auto index = add(kind);
    d_.nodes_[index].number = number;
    at_ += wanted.size();
    close(index);
    return true;
  }

  bool not_finite() {
    const std::string_view rest = std::string_view(text_).substr(at_, 9);
    for (const std::string_view name : {"NaN", "nan", "Infinity", "inf", "+"})
      if (rest.substr(0, name.size()) == name)
        return fail(at_, "not a finite number", "a finite number such as 0.5 or -0.002");
    return not_a_value();
  }
  bool not_a_value() {
    if (at_ >= text_.size()) return ends_early();
    return fail(at_, fmt::format("no value can begin with {}", shown_character(text_, at_)),
                "a number, a text in double quotes, true, false, [ or {");
  }
  bool ends_early() {
    if (d_.nodes_.empty()) return fail(text_.size(), "the file is empty", "a value, as { ... }");
    return fail(text_.size(), "the file ends too early", "a closing bracket for every open one");
  }

  bool number() {
    const std::size_t begin = at_;
    std::size_t p = at_;
    const auto digits = [&] {
      const std::size_t first = p;
      while (p < text_.size() && text_[p] >= '0' && text_[p] <= '9') ++p;
      return p - first;
    };
    if (text_.compare(p, 1, "-") == 0) ++p;
    if (text_.compare(p, 3, "Inf") == 0 || text_.compare(p, 3, "inf") == 0 ||
        text_.compare(p, 3, "NaN") == 0 || text_.compare(p, 3, "nan") == 0)
      return fail(at_, "not a finite number", "a finite number such as 0.5 or -0.002");
    const bool leading_zero = p < text_.size() && text_[p] == '0';
    const std::size_t whole_digits = digits();
    if (whole_digits == 0) return not_a_value();
    bool good = !(leading_zero && whole_digits > 1);
    bool whole = true;
    if (p < text_.size() && text_[p] == '.') {
      ++p;
      good = digits() > 0 && good;
      whole = false;
    }
    if (p < text_.size() && (text_[p] == 'e' || text_[p] == 'E')) {
      ++p;
      if (p < text_.size() && (text_[p] == '+' || text_[p] == '-')) ++p;
      good = digits() > 0 && good;
      whole = false;
    }
    if (!good) return fail(begin, "not a number", "digits such as 0.5, -12 or 2E3");
    return add_number(p, whole);
  }
  bool add_number(std::size_t end, bool whole) {
    double parsed = 0.0;
    const auto [stop, failed] = std::from_chars(text_.data() + at_, text_.data() + end, parsed);
    if (failed != std::errc{} || stop != text_.data() + end)
      return fail(at_, "no double can hold this number",
                  "a number that is not so large or so small");
    const auto index = add(JsonKind::number);
    d_.nodes_[index].number = parsed;
    d_.nodes_[index].whole = whole;
    at_ = end;
    close(index);
    return true;
  }

  bool string() {
    const auto index = add(JsonKind::text);
    std::size_t p = at_ + 1;
    for (;; ++p) {
      if (p >= text_.size()) return fail(at_, "this text never ends", "a closing double quote");
      const auto c = static_cast<unsigned char>(text_[p]);
      if (c == '"') break;
      if (c < 0x20)
        return fail(p, "a line break or control character inside a text", "\\n, \\t or \\u00XX");
      if (c == '\\') {
        const std::size_t length = escape_length(text_, p);
        if (length == 0)
          return fail(p, "not an escape", "\\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\uXXXX");
        d_.nodes_[index].escaped = true;
        p += length - 1;
      } else if (c >= 0x80) {
        const std::size_t length = utf8_length(text_, p);
        if (length == 0) return fail(p, "not UTF-8", "a file saved as UTF-8");
        p += length - 1;
      }
    }
    at_ = p + 1;
    close(index);
    return true;
  }

  /// What is missing before an element that follows another without a comma: nearly always the
  /// comma, at the end of the line before.
  std::string comma_or(char closing) const {
    const std::size_t last = text_.find_last_not_of(" \n\t\r", at_ - 1);
    const bool same_line = text_.find('\n', last) >= at_;
    if (same_line) return fmt::format("a comma before it, or {}", closing);
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<long>(last), '\n');
    return fmt::format("a comma at the end of line {}, or {}", line, closing);
  }

  // after an opening bracket or an element: the next element or the closing bracket
  bool next() {
    if (!skip()) return false;
    const std::uint32_t parent = open_.back();
    const bool object = d_.nodes_[parent].kind == JsonKind::object;
    const char closing = object ? '}' : ']';
    if (at_ >= text_.size()) return ends_early();
    if (d_.nodes_[parent].count > 0 && peek() != closing) {
      if (peek() != ',')
        return fail(at_, fmt::format("unexpected {}", shown_character(text_, at_)),
                    comma_or(closing));
      ++at_;
      if (!skip()) return false;
    }
    if (peek() == closing) {
      ++at_;
      close(parent);
      if (object && !keys_differ(parent)) return false;
      open_.pop_back();
      return true;
    }
    ++d_.nodes_[parent].count;
    return (!object || key()) && value();
  }

  bool key() {
    if (peek() != '"')
      return at_ >= text_.size()
                 ? ends_early()
                 : fail(at_, fmt::format("unexpected {}", shown_character(text_, at_)),
                        "a key in double quotes");
    if (!string() || !skip()) return false;
    if (peek() != ':')
      return at_ >= text_.size() ? ends_early() : fail(at_, "no colon after the key", "a colon");
    ++at_;
    return skip();
  }

  bool keys_differ(std::uint32_t object) {
    constexpr std::uint32_t kFewKeys = 12;
    const JsonView view(d_, object);
    std::optional<JsonView> twice;
    bool escaped = false;
    view.each_member([&](JsonView name, JsonView) {
      escaped = escaped || d_.nodes_[name.index()].escaped;
      return true;
    });
    if (d_.nodes_[object].count <= kFewKeys && !escaped) {
      std::array<std::string_view, kFewKeys> seen;
      std::size_t count = 0;
      view.each_member([&](JsonView name, JsonView) {
        const auto raw = name.raw();
        for (std::size_t i = 0; i < count; ++i)
          if (seen[i] == raw) twice = name;
        seen[count++] = raw;
        return !twice;
      });
    } else {
      std::unordered_set<std::string> seen;
      view.each_member([&](JsonView name, JsonView) {
        if (!seen.insert(name.text()).second) twice = name;
        return !twice;
      });
    }
    if (!twice) return true;
    error_ = twice->error("this key stands here twice", "each key once");
    return false;
  }

  JsonDocument& d_;
  const std::string& text_;
  std::size_t most_values_;
  std::size_t at_ = 0;
  std::vector<std::uint32_t> open_;
  std::optional<InputError> error_;
};

Result<std::shared_ptr<const JsonDocument>> JsonDocument::parse(std::string text, std::string file,
                                                                std::size_t most_values) {
  std::shared_ptr<JsonDocument> document(new JsonDocument);
  document->file_ = std::move(file);
  if (text.size() > kMaxBytes) {
    InputError error;
    error.file = document->file_;
    error.value = fmt::format("{} bytes", text.size());
    error.wrong = "the file is too large";
    error.right =
        fmt::format("at most {} bytes; keep large meshes in files of their own", kMaxBytes);
    return error;
  }
  document->text_ = std::move(text);
  if (auto error = JsonParser(*document, most_values).run()) return std::move(*error);
  return std::shared_ptr<const JsonDocument>(std::move(document));
}

Result<std::shared_ptr<const JsonDocument>> JsonDocument::read(const std::string& path) {
  auto text = read_plain_file(path, kMaxBytes, "the path of a JSON file");
  if (!text) return text.error();
  return parse(std::move(*text), path);
}

}  // namespace repose
