#include "repose/base/json_write.h"

#include <cmath>

#include <fmt/format.h>

#include "repose/base/check.h"

namespace repose {

namespace {

constexpr std::size_t kColumns = 100;

std::string number_text(double number) {
  REPOSE_CHECK(std::isfinite(number), "only finite numbers can be written as JSON");
  return fmt::format("{}", number);
}

}  // namespace

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
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
        if (static_cast<unsigned char>(c) < 0x20)
          out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
          out += c;
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
  append_pretty(out, 0, 0);
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

void Json::append_pretty(std::string& out, std::size_t indent, std::size_t taken) const {
  const bool nested = array() != nullptr || object() != nullptr;
  const bool fits = indent > 0 && taken + line_length(kColumns) <= kColumns;
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
      item.append_pretty(out, indent + 2, indent + 2);
    }
  } else {
    out += '{';
    for (const auto& [key, member] : *object()) {
      begin_item();
      const std::string head = quoted(key) + ": ";
      out += head;
      member.append_pretty(out, indent + 2, indent + 2 + head.size());
    }
  }
  if (!first) out += '\n' + std::string(indent, ' ');
  out += array() != nullptr ? ']' : '}';
}

}  // namespace repose
