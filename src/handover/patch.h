#pragma once

#include "reading.h"
#include "text_patch.h"

namespace repose::handover {

/// A start tag as it is written: bytes of the document's text.
struct XmlTag {
  struct Attribute {
    std::string name;
    std::size_t begin = 0, end = 0;  // of name="value"
  };
  std::size_t begin = 0;     // of '<'
  std::size_t name_end = 0;  // after the element's name
  std::size_t end = 0;       // after '>'
  bool empty = false;        // closed by "/>"
  std::vector<Attribute> attributes;

  const Attribute* find(const std::string& name) const;
  /// After the last attribute.
  std::size_t room() const { return attributes.empty() ? name_end : attributes.back().end; }
};
XmlTag tag_of(const At& at);
/// The bytes between an element's tags; empty and at the end of the tag where it holds nothing.
struct XmlInside {
  std::size_t begin = 0, end = 0;
};
XmlInside inside_of(const At& at);

/// Changes of the texts of some documents; what they do not touch stays.
class Patch {
 public:
  /// Replaces bytes [begin, end) of a document's text.
  void replace(const XmlDocument& document, std::size_t begin, std::size_t end, std::string text);
  /// Sets an attribute, in the place of the first of `instead_of` that stands there.
  void set(const At& at, const std::string& name, const std::string& value,
           const std::vector<std::string>& instead_of = {});
  bool touches(const XmlDocument& document) const { return edits_.contains(&document); }
  /// The text with all its changes.
  std::string text(const XmlDocument& document) const;

 private:
  std::map<const XmlDocument*, TextPatch> edits_;
};

/// The digits that read back to the same bits.
std::string digits(std::initializer_list<double> values);

}  // namespace repose::handover
