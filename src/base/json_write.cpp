#include "repose/base/json_write.h"

#include <cmath>

#include <fmt/format.h>

#include "repose/base/check.h"
#include "repose/base/json.h"

#include "utf8.h"

namespace repose {

namespace {

constexpr std::size_t kColumns = 100;
constexpr std::uint32_t kReplacement = 0xFFFD;  // stands for bytes that are no text

std::string number_text(double number) {
  REPOSE_CHECK(std::isfinite(number), "only finite numbers can be written as JSON");
  return fmt::format("{}", number);
}

/// One character other than those with an escape of their own; answers its length in bytes.
std::size_t append_character(std::string& out, const std::string& text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x20) {
    out += fmt::format("\\u{:04x}", static_cast<unsigned>(first));
    return 1;
  }
  const std::size_t length = utf8_length(text, at);
  if (length == 0) {
    append_utf8(out, kReplacement);
    return 1;
  }
  out.append(text, at, length);
  return length;
}

}  // namespace

Json known(double number) {
  return std::isfinite(number) ? Json(number) : Json();
}

Json::Json(const JsonView& read) {
  switch (read.kind()) {
    case JsonKind::null:
      held_ = nullptr;
      break;
    case JsonKind::boolean:
      held_ = read.boolean();
      break;
    case JsonKind::number:
      if (const auto whole = read.integer())
        held_ = *whole;
      else
        held_ = read.number();
      break;
    case JsonKind::text:
      held_ = read.text();
      break;
    case JsonKind::array: {
      Array elements;
      read.each([&](const JsonView& element) {
        elements.emplace_back(element);
        return true;
      });
      held_ = std::move(elements);
      break;
    }
    case JsonKind::object: {
      Object members;
      read.each_member([&](const JsonView& key, const JsonView& value) {
        members.emplace_back(key.text(), Json(value));
        return true;
      });
      held_ = std::move(members);
      break;
    }
  }
}

Json& Json::operator[](std::string_view key) {
  Object* members = object();
  REPOSE_CHECK(members != nullptr, "only an object has members");
  for (auto& [name, value] : *members)
    if (name == key) return value;
  return members->emplace_back(key, Json()).second;
}

void Json::push_back(Json element) {
  REPOSE_CHECK(array() != nullptr, "only an array has elements");
  array()->push_back(std::move(element));
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        i += append_character(out, text, i) - 1;
    }
  }
  return out + '"';
}

std::string Json::line() const {
  std::string out;
  append_line(out);
  return out;
}

std::string Json::pretty() const {
  std::string out;
  append_pretty(out, 0, 0, kColumns);
  return out + '\n';
}

std::string Json::tall() const {
  std::string out;
  append_pretty(out, 0, 0, 0);
  return out + '\n';
}

void Json::append_line(std::string& out) const {
  struct Visit {
    std::string& out;
    void operator()(std::nullptr_t) const { out += "null"; }
    void operator()(bool b) const { out += b ? "true" : "false"; }
    void operator()(std::int64_t i) const { out += std::to_string(i); }
    void operator()(double d) const { out += number_text(d); }
    void operator()(const std::string& s) const { out += quoted(s); }
    void operator()(const Array& a) const {
      out += '[';
      for (std::size_t i = 0; i < a.size(); ++i) {
        if (i > 0) out += ", ";
        a[i].append_line(out);
      }
      out += ']';
    }
    void operator()(const Object& o) const {
      out += '{';
      for (std::size_t i = 0; i < o.size(); ++i) {
        if (i > 0) out += ", ";
        out += quoted(o[i].first) + ": ";
        o[i].second.append_line(out);
      }
      out += '}';
    }
  };
  std::visit(Visit{out}, held_);
}

// the length of line(), or anything above `limit` once that is passed
std::size_t Json::line_length(std::size_t limit) const {
  std::size_t length = 2;
  if (const auto* items = array()) {
    for (const Json& item : *items) {
      if (length > limit) return length;
      length += item.line_length(limit) + 2;
    }
    return length;
  }
  if (const auto* members = object()) {
    for (const auto& [key, member] : *members) {
      if (length > limit) return length;
      length += key.size() + 6 + member.line_length(limit);
    }
    return length;
  }
  return line().size();
}

void Json::append_pretty(std::string& out, std::size_t indent, std::size_t taken,
                         std::size_t columns) const {
  const bool nested = array() != nullptr || object() != nullptr;
  const bool fits = indent > 0 && taken + line_length(columns) <= columns;
  if (!nested || fits) return append_line(out);
  const std::string margin(indent + 2, ' ');
  bool first = true;
  const auto begin_item = [&] {
    out += first ? "\n" : ",\n";
    out += margin;
    first = false;
  };
  if (const auto* items = array()) {
    out += '[';
    for (const Json& item : *items) {
      begin_item();
      item.append_pretty(out, indent + 2, indent + 2, columns);
    }
  } else {
    out += '{';
    for (const auto& [key, member] : *object()) {
      begin_item();
      const std::string head = quoted(key) + ": ";
      out += head;
      member.append_pretty(out, indent + 2, indent + 2 + head.size(), columns);
    }
  }
  if (!first) out += '\n' + std::string(indent, ' ');
  out += array() != nullptr ? ']' : '}';
}

}  // namespace repose
