#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pugixml.hpp>

#include "repose/base/result.h"
#include "repose/base/settings.h"

namespace repose {

/// An XML document whose elements know their line and column. Entities are not expanded, a DOCTYPE
/// is passed over, nothing outside the text is read.
class XmlDocument {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{128} << 20;
  static constexpr int kDeepest = 128;  // elements within one another

  /// The text in UTF-8; ISO 8859-1 where its declaration says so. Refused: what is no well-formed
  /// XML, more than kMostBytes, elements more than kDeepest within one another.
  static Result<XmlDocument> parse(std::string text, const std::string& file);

  pugi::xml_node root() const;
  const std::string& file() const { return file_; }
  /// As it was parsed: in UTF-8. Byte `offset_debug()` of it is where an element's name begins.
  const std::string& text() const { return text_; }
  /// A text made from it, in the encoding in which the document came.
  std::string encoded(std::string utf8) const;
  /// The first comment before the root, without blanks around it; empty if there is none.
  std::string about() const;
  InputError error(pugi::xml_node at, const std::string& attribute, const std::string& value,
                   std::string wrong, std::string right) const;

 private:
  XmlDocument() = default;
  void place(std::ptrdiff_t offset, InputError& out) const;
  /// The first element that lies too deep; null if there is none.
  pugi::xml_node too_deep() const;

  std::string text_, file_;
  bool latin_ = false;  // it came as ISO 8859-1
  std::unique_ptr<pugi::xml_document> document_;
};

/// An element and how its attributes are read; the first error ends it.
class XmlReader {
 public:
  explicit XmlReader(const XmlDocument& document) : document_(document) {}
  std::optional<InputError> error;

  /// Nothing but these attributes and child elements stands in it.
  bool holds(pugi::xml_node at, const std::vector<std::string>& attributes,
             const std::vector<std::string>& children);
  /// The one child of that name.
  pugi::xml_node only(pugi::xml_node at, const char* child);
  bool number(pugi::xml_node at, const char* name, const Range& range, double& out);
  /// Where it is not given `out` stays.
  bool optional_number(pugi::xml_node at, const char* name, const Range& range, double& out);
  bool text(pugi::xml_node at, const char* name, std::string& out);
  bool flag(pugi::xml_node at, const char* name, bool& out);
  bool fail(pugi::xml_node at, const std::string& attribute, std::string wrong, std::string right);

 private:
  const XmlDocument& document_;
};

}  // namespace repose
