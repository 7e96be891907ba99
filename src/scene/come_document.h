#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pugixml.hpp>

#include "repose/base/result.h"
#include "repose/base/settings.h"

namespace repose {

/// An XML document whose elements know their line and column. The first error that is met stays.
class ComeDocument {
 public:
  /// The text in UTF-8; ISO 8859-1 where its declaration says so.
  static Result<ComeDocument> parse(std::string text, const std::string& file);

  pugi::xml_node root() const;
  /// The first comment before the root, without blanks around it; empty if there is none.
  std::string about() const;
  InputError error(pugi::xml_node at, const std::string& attribute, const std::string& value,
                   std::string wrong, std::string right) const;

 private:
  ComeDocument() = default;
  void place(std::ptrdiff_t offset, InputError& out) const;

  std::string text_, file_;
  std::unique_ptr<pugi::xml_document> document_;
};

/// An element and how its attributes are read; the first error ends it.
class ComeReader {
 public:
  explicit ComeReader(const ComeDocument& document) : document_(document) {}
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
  const ComeDocument& document_;
};

}  // namespace repose
