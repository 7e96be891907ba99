#include "repose/base/xml.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "repose/base/json_write.h"
#include "repose/base/nearest.h"

namespace repose {

namespace {

constexpr std::size_t kDeclaration = 200;  // characters in which an encoding may be declared

bool is_latin(const std::string& text) {
  std::string head = text.substr(0, kDeclaration);
  std::transform(head.begin(), head.end(), head.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto end = head.find("?>");
  return head.starts_with("<?xml") && end != std::string::npos &&
         head.substr(0, end).find("iso-8859-1") != std::string::npos;
}

std::string from_latin(const std::string& text) {
  constexpr unsigned kAscii = 0x80, kLeading = 0xC0, kFollowing = 0x3F;
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < kAscii) {
      out += c;
      continue;
    }
    out += static_cast<char>(kLeading | byte >> 6U);
    out += static_cast<char>(kAscii | (byte & kFollowing));
  }
  return out;
}

/// The inverse of from_latin; what has no such byte becomes a question mark.
std::string to_latin(const std::string& text) {
  constexpr unsigned kAscii = 0x80, kLastLead = 0xC3, kFollowing = 0x3F;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < kAscii) {
      out += text[i];
      continue;
    }
    const unsigned next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
    out += lead <= kLastLead ? static_cast<char>((lead & 3U) << 6U | (next & kFollowing)) : '?';
    while (i + 1 < text.size() && (static_cast<unsigned char>(text[i + 1]) & 0xC0U) == kAscii) ++i;
  }
  return out;
}

/// "/come/scene/patient[1]/..." of an element: the way to it, counting among its like from 1.
std::string way_to(pugi::xml_node at) {
  std::string out;
  for (; at && at.type() == pugi::node_element; at = at.parent()) {
    int place = 1;
    for (auto before = at.previous_sibling(at.name()); before;
         before = before.previous_sibling(at.name()))
      ++place;
    const bool alone = place == 1 && !at.next_sibling(at.name());
    out = (alone ? fmt::format("/{}", at.name()) : fmt::format("/{}[{}]", at.name(), place)) + out;
  }
  return out;
}

}  // namespace

Result<XmlDocument> XmlDocument::parse(std::string text, const std::string& file) {
  XmlDocument out;
  out.file_ = file;
  out.latin_ = is_latin(text);
  out.text_ = out.latin_ ? from_latin(text) : std::move(text);
  InputError error;
  error.file = file;
  if (out.text_.size() > kMostBytes) {
    error.wrong = fmt::format("{} bytes", out.text_.size());
    error.right = fmt::format("at most {}", kMostBytes);
    return error;
  }
  out.document_ = std::make_unique<pugi::xml_document>();
  // entities other than the five of XML stay as they are written; a DOCTYPE is passed over
  const auto parsed =
      out.document_->load_buffer(out.text_.data(), out.text_.size(),
                                 pugi::parse_default | pugi::parse_comments, pugi::encoding_utf8);
  if (!parsed) {
    out.place(parsed.offset, error);
    error.wrong = fmt::format("broken XML: {}", parsed.description());
    error.right = "a well-formed document";
    return error;
  }
  if (const auto deep = out.too_deep())
    return out.error(deep, "", "", "elements lie too deep within one another",
                     fmt::format("at most {} levels", kDeepest));
  return out;
}

pugi::xml_node XmlDocument::too_deep() const {
  // along the tree without recursion: down, to the side, up
  int depth = 1;
  pugi::xml_node at = root();
  while (at) {
    if (depth > kDeepest) return at;
    if (const auto below = at.first_child()) {
      at = below;
      ++depth;
      continue;
    }
    while (at && !at.next_sibling()) {
      at = at.parent();
      --depth;
    }
    if (depth < 1) break;
    at = at.next_sibling();
  }
  return {};
}

pugi::xml_node XmlDocument::root() const {
  return document_->document_element();
}

std::string XmlDocument::encoded(std::string utf8) const {
  return latin_ ? to_latin(utf8) : std::move(utf8);
}

std::string XmlDocument::about() const {
  for (const pugi::xml_node node : document_->children()) {
    if (node.type() == pugi::node_element) break;
    if (node.type() != pugi::node_comment) continue;
    std::string text = node.value();
    std::replace(text.begin(), text.end(), '\n', ' ');
    const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
  }
  return {};
}

void XmlDocument::place(std::ptrdiff_t offset, InputError& out) const {
  const auto end = std::clamp<std::ptrdiff_t>(offset, 0, static_cast<std::ptrdiff_t>(text_.size()));
  const auto until = text_.begin() + end;
  out.line = 1 + static_cast<int>(std::count(text_.begin(), until, '\n'));
  const auto line = std::find(std::make_reverse_iterator(until), text_.rend(), '\n');
  out.column = 1 + static_cast<int>(std::distance(line.base(), until));
}

InputError XmlDocument::error(pugi::xml_node at, const std::string& attribute,
                              const std::string& value, std::string wrong,
                              std::string right) const {
  InputError out;
  out.file = file_;
  out.pointer = way_to(at) + (attribute.empty() ? "" : "/@" + attribute);
  if (!value.empty()) out.value = quoted(value);
  out.wrong = std::move(wrong);
  out.right = std::move(right);
  std::ptrdiff_t offset = at.offset_debug();
  // names lie in the text that was parsed, each where it stood
  if (const auto found = at.attribute(attribute.c_str()); found && offset >= 0)
    offset += found.name() - at.name();
  if (offset >= 0) place(offset, out);
  return out;
}

bool XmlReader::fail(pugi::xml_node at, const std::string& attribute, std::string wrong,
                     std::string right) {
  if (!error)
    error = document_.error(at, attribute, at.attribute(attribute.c_str()).value(),
                            std::move(wrong), std::move(right));
  return false;
}

bool XmlReader::holds(pugi::xml_node at, const std::vector<std::string>& attributes,
                      const std::vector<std::string>& children) {
  const auto known = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (auto attribute = at.first_attribute(); attribute; attribute = attribute.next_attribute()) {
    const std::string name = attribute.name();
    if (!known(attributes, name))
      return fail(at, name, fmt::format("<{}> has no such attribute", at.name()),
                  suggestion(name, attributes));
    if (attribute != at.attribute(name.c_str()))
      return fail(at, name, "the attribute stands twice", "each attribute once");
  }
  for (const pugi::xml_node child : at.children()) {
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)
      return fail(at, "", "text between the elements", "elements alone");
    if (child.type() == pugi::node_element && !known(children, child.name()))
      return fail(child, "", fmt::format("<{}> holds no such element", at.name()),
                  suggestion(child.name(), children));
  }
  return true;
}

pugi::xml_node XmlReader::only(pugi::xml_node at, const char* child) {
  const auto found = at.child(child);
  if (!found) {
    fail(at, "", fmt::format("<{}> holds no <{}>", at.name(), child),
         fmt::format("one <{}>", child));
  } else if (found.next_sibling(child)) {
    fail(found.next_sibling(child), "", fmt::format("a second <{}>", child), "one of them");
  }
  return error ? pugi::xml_node() : found;
}

bool XmlReader::number(pugi::xml_node at, const char* name, const Range& range, double& out) {
  if (!at.attribute(name))
    return fail(at, "", fmt::format("<{}> has no attribute {}", at.name(), name),
                fmt::format("{}=\"...\", a number in {}", name, range.text()));
  return optional_number(at, name, range, out);
}

bool XmlReader::optional_number(pugi::xml_node at, const char* name, const Range& range,
                                double& out) {
  const auto attribute = at.attribute(name);
  if (!attribute) return true;
  const std::string_view text = attribute.value();
  double value = 0.0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    return fail(at, name, "not a number", "a number such as 0.012");
  if (!range.contains(value)) return fail(at, name, "out of range", "a number in " + range.text());
  out = value;
  return true;
}

bool XmlReader::text(pugi::xml_node at, const char* name, std::string& out) {
  const auto attribute = at.attribute(name);
  if (attribute && *attribute.value() != '\0') {
    out = attribute.value();
    return true;
  }
  return fail(at, attribute ? name : "", fmt::format("<{}> needs a {}", at.name(), name),
              fmt::format("{}=\"...\"", name));
}

bool XmlReader::flag(pugi::xml_node at, const char* name, bool& out) {
  const auto attribute = at.attribute(name);
  if (!attribute) return true;
  const std::string value = attribute.value();
  if (value != "true" && value != "false")
    return fail(at, name, "neither true nor false", "\"true\" or \"false\"");
  out = value == "true";
  return true;
}

}  // namespace repose
