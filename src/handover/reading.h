#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "repose/base/json.h"
#include "repose/base/xml.h"
#include "repose/handover/handover.h"
#include "repose/math/pose.h"

namespace repose::handover {

/// An element of one of the files.
struct At {
  const XmlDocument* document = nullptr;
  pugi::xml_node node;

  std::string name() const { return node.name(); }
  bool is(const char* element) const { return name() == element; }
  At child(const char* element) const { return {document, node.child(element)}; }
  explicit operator bool() const { return static_cast<bool>(node); }
  /// "arm.xml:12:5"
  std::string place() const;
};

/// Bad input found deep inside a file: thrown by the readers of this room, caught at its door.
struct Refused {
  InputError error;
};

/// A text of a file and where it stands: the value of an attribute, or what an element holds.
struct Word {
  std::string text;
  At at;
  std::string attribute;  // empty: the element's own text

  InputError error(std::string wrong, std::string right) const;
  [[noreturn]] void refuse(std::string wrong, std::string right) const;
};

/// A text that is neither XML nor JSON.
struct TextFile {
  std::string file, text;

  /// An error at a byte of it, with line and column, both from 1.
  InputError error(std::size_t byte, std::string pointer, std::string wrong,
                   std::string right) const;
};
/// A byte of such a text. The text must outlive it.
struct TextSpot {
  const TextFile* text = nullptr;
  std::size_t byte = 0;
  std::string pointer;  // "/World/Cup"
};

/// Where something stands in a file of whatever format.
class Where {
 public:
  Where() = default;
  Where(const At& at) : held_(Word{"", at, ""}) {}  // NOLINT: implicit by design
  Where(const Word& word) : held_(word) {}          // NOLINT
  Where(const JsonView& view) : held_(view) {}      // NOLINT
  Where(TextSpot spot) : held_(std::move(spot)) {}  // NOLINT

  InputError error(std::string wrong, std::string right) const;
  [[noreturn]] void refuse(std::string wrong, std::string right) const;
  /// "arm.xml:12:5"
  std::string place() const;

 private:
  std::variant<std::monostate, Word, JsonView, TextSpot> held_;
};
[[noreturn]] void refuse(const Where& at, std::string wrong, std::string right);

std::optional<Word> attribute_of(const At& at, const char* name);
/// The text between the element's tags.
Word text_of(const At& at);
/// The text of a child, if there is one.
std::optional<Word> text_of(const At& at, const char* child);
/// The attribute, or the place that lacks it.
Word needed(const At& at, const char* name);

/// The elements right below, in order.
std::vector<At> elements(const At& at);

/// Finite numbers between blanks, from `least` to `most` of them.
std::vector<double> numbers(const Word& word, std::size_t least, std::size_t most);
double number(const Word& word);
/// At least kLeastLength.
double length(const Word& word);
Vec3 vector(const Word& word);
bool truth(const Word& word);

/// Lengths that the scene format takes, m.
inline constexpr double kLeastLength = 1e-9, kFarthestPlace = 1e9;

/// What files hold and Repose does not use, sort by sort.
class Notes {
 public:
  void add(const Where& at, const std::string& what);
  std::vector<Unused> take() { return std::move(found_); }

 private:
  std::vector<Unused> found_;
  std::map<std::string, std::size_t> index_;
};

/// The files of one scene, its own first.
class Files {
 public:
  static constexpr std::size_t kMostFiles = 512;
  static constexpr int kDeepest = 16;                                // files within one another
  static constexpr std::size_t kMostBytes = std::size_t{256} << 20;  // of all together

  explicit Files(std::string main) : main_(std::move(main)) {}
  /// The scene's own.
  At add_main(std::string text);
  /// Another file that `by` names. Refused: one that is not there, one that is being read already
  /// (a circle), too many.
  At add(const std::filesystem::path& path, const Word& by);
  /// A text that stands for a file which `by` names.
  At add_text(std::string text, const Word& by);

  const std::string& main() const { return main_; }
  std::filesystem::path folder() const { return std::filesystem::path(main_).parent_path(); }
  /// The document that named this one; null of the first.
  const XmlDocument* parent(const XmlDocument& document) const;

  struct Entry {
    XmlDocument document;
    At by;  // the element that names it; none of the first
  };
  const std::deque<Entry>& entries() const { return entries_; }

 private:
  const Entry& entry(const XmlDocument& document) const;

  std::string main_;
  std::deque<Entry> entries_;
  std::size_t bytes_ = 0;
};

}  // namespace repose::handover
