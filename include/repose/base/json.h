#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repose/base/result.h"

namespace repose {

enum class JsonKind : std::uint8_t { null, boolean, number, text, array, object };
/// "a number", "an object", ...
const char* to_text(JsonKind kind);

class JsonView;

/// A parsed text in which every value knows its place. JSON as in RFC 8259 (UTF-8), and beyond it
/// `//` and `/* */` comments and one comma after the last element. Refused: duplicate keys, numbers
/// that a double cannot hold, nesting deeper than kMaxDepth, control characters in texts.
class JsonDocument {
 public:
  static constexpr int kMaxDepth = 64;
  static constexpr std::size_t kMaxBytes = std::size_t{1} << 27;
  static constexpr std::size_t kMaxValues = std::size_t{1} << 24;

  /// `file` is the name that errors give; `most_values` may be fewer than kMaxValues, for texts
  /// that are not to be trusted with as much memory.
  static Result<std::shared_ptr<const JsonDocument>> parse(std::string text, std::string file,
                                                           std::size_t most_values = kMaxValues);
  static Result<std::shared_ptr<const JsonDocument>> read(const std::string& path);

  JsonView root() const;
  const std::string& file() const { return file_; }
  const std::string& text() const { return text_; }

  /// A value in pre-order: the children of a value follow it; an object's alternate key and value.
  struct Node {
    std::uint32_t begin = 0, end = 0;  // bytes of the text
    std::uint32_t after = 0;           // index of the first node that is not below this one
    std::uint32_t count = 0;           // elements of an array, members of an object
    JsonKind kind = JsonKind::null;
    bool escaped = false;  // text: holds backslashes
    bool whole = false;    // number: written without fraction and exponent
    double number = 0.0;   // number; boolean as 0 or 1
  };
  const std::vector<Node>& nodes() const { return nodes_; }

  /// An error at a byte of the text, with line and column (in characters, both from 1).
  InputError error_at(std::size_t byte, std::string wrong, std::string right) const;

 private:
  friend class JsonParser;
  JsonDocument() = default;

  std::string file_;
  std::string text_;
  std::vector<Node> nodes_;
};

/// One value of a document, cheap to copy. The document must outlive it.
class JsonView {
 public:
  JsonView(const JsonDocument& document, std::uint32_t index)
      : document_(&document), index_(index) {}

  JsonKind kind() const { return node().kind; }
  std::uint32_t index() const { return index_; }
  const JsonDocument& document() const { return *document_; }

  double number() const { return node().number; }
  bool boolean() const { return node().number != 0.0; }
  /// The number if it is written as a whole one and fits 64 bits.
  std::optional<std::int64_t> integer() const;
  /// The decoded text.
  std::string text() const;
  /// The undecoded bytes of the value.
  std::string_view raw() const;

  std::size_t size() const { return node().count; }
  /// The member's value, if there is one.
  std::optional<JsonView> find(std::string_view key) const;

  /// Calls visit(JsonView) on each element until it answers false; answers whether it never did.
  template <class Visit>
  bool each(Visit&& visit) const {
    std::uint32_t at = index_ + 1;
    for (std::uint32_t i = 0; i < node().count; ++i) {
      if (!visit(JsonView(*document_, at))) return false;
      at = document_->nodes()[at].after;
    }
    return true;
  }
  /// Calls visit(JsonView key, JsonView value) on each member until it answers false.
  template <class Visit>
  bool each_member(Visit&& visit) const {
    std::uint32_t at = index_ + 1;
    for (std::uint32_t i = 0; i < node().count; ++i) {
      if (!visit(JsonView(*document_, at), JsonView(*document_, at + 1))) return false;
      at = document_->nodes()[at + 1].after;
    }
    return true;
  }

  /// From the root, e.g. "/bodies/3/shape"; of a key, that of its value.
  std::string pointer() const;
  /// The value's own text for error messages, shortened.
  std::string shown() const;
  /// An error at this value: its place, pointer and text filled in.
  InputError error(std::string wrong, std::string right = {}) const;
  /// The byte of the document where character `column` (from 1) of this text stands.
  std::size_t byte_of_column(int column) const;

 private:
  const JsonDocument::Node& node() const { return document_->nodes()[index_]; }

  const JsonDocument* document_;
  std::uint32_t index_;
};

}  // namespace repose
