#include "patch.h"

#include <algorithm>

#include <fmt/format.h>

namespace repose::handover {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

}  // namespace

const XmlTag::Attribute* XmlTag::find(const std::string& name) const {
  for (const Attribute& attribute : attributes)
    if (attribute.name == name) return &attribute;
  return nullptr;
}

XmlTag tag_of(const At& at) {
  const std::string& text = at.document->text();
  const auto next = [&](std::size_t i) { return i < text.size() ? text[i] : '>'; };
  auto i = static_cast<std::size_t>(at.node.offset_debug());
  XmlTag out;
  out.begin = i - 1;
  const auto name_ends = [&](std::size_t k) {
    const char c = next(k);
    return is_space(c) || c == '>' || c == '/' || c == '=';
  };
  while (!name_ends(i)) ++i;
  out.name_end = i;
  while (true) {
    while (is_space(next(i))) ++i;
    if (next(i) == '/' || next(i) == '>') break;
    XmlTag::Attribute attribute;
    attribute.begin = i;
    while (!name_ends(i)) ++i;
    attribute.name = text.substr(attribute.begin, i - attribute.begin);
    while (is_space(next(i)) || next(i) == '=') ++i;
    const char quote = next(i);
    const std::size_t close = text.find(quote, i + 1);
    REPOSE_CHECK(close != std::string::npos, "a tag that was read ends");
    i = attribute.end = close + 1;
    out.attributes.push_back(std::move(attribute));
  }
  out.empty = next(i) == '/';
  out.end = std::min(text.find('>', i), text.size() - 1) + 1;
  return out;
}

XmlInside inside_of(const At& at) {
  const XmlTag tag = tag_of(at);
  if (tag.empty) return {tag.end, tag.end};
  // the closing tag follows what the last child closes
  const auto children = elements(at);
  std::size_t from = tag.end;
  if (!children.empty()) {
    const At& last = children.back();
    const XmlInside below = inside_of(last);
    const std::string& text = at.document->text();
    from = tag_of(last).empty ? below.end : text.find('>', below.end) + 1;
  }
  // comments may hold what looks like it
  const std::string& text = at.document->text();
  const std::string close = "</" + at.name();
  while (true) {
    const std::size_t comment = text.find("<!--", from), end = text.find(close, from);
    REPOSE_CHECK(end != std::string::npos, "an element that was read ends");
    if (comment == std::string::npos || comment > end) return {tag.end, end};
    from = text.find("-->", comment);
    REPOSE_CHECK(from != std::string::npos, "a comment that was read ends");
  }
}

void Patch::replace(const XmlDocument& document, std::size_t begin, std::size_t end,
                    std::string text) {
  edits_[&document].replace(begin, end, std::move(text));
}

void Patch::set(const At& at, const std::string& name, const std::string& value,
                const std::vector<std::string>& instead_of) {
  const XmlTag tag = tag_of(at);
  const XmlTag::Attribute* there = tag.find(name);
  for (const std::string& other : instead_of)
    if (there == nullptr) there = tag.find(other);
  const std::string written = fmt::format("{}=\"{}\"", name, value);
  if (there != nullptr)
    replace(*at.document, there->begin, there->end, written);
  else
    replace(*at.document, tag.room(), tag.room(), " " + written);
}

std::string Patch::text(const XmlDocument& document) const {
  const auto found = edits_.find(&document);
  return found == edits_.end() ? document.text() : found->second.text(document.text());
}

std::string digits(std::initializer_list<double> values) {
  std::string out;
  for (const double value : values) out += fmt::format("{}{}", out.empty() ? "" : " ", value + 0.0);
  return out;
}

}  // namespace repose::handover
