#include <charconv>

#include <fmt/format.h>

#include "repose/base/json.h"

#include "utf8.h"

namespace repose {

namespace {

/// ~ and / are written ~0 and ~1 (RFC 6901).
std::string escaped_token(const std::string& key) {
  std::string out;
  for (const char c : key) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  }
  return out;
}

}  // namespace

const char* to_text(JsonKind kind) {
  switch (kind) {
    case JsonKind::null:
      return "null";
    case JsonKind::boolean:
      return "true or false";
    case JsonKind::number:
      return "a number";
    case JsonKind::text:
      return "a text";
    case JsonKind::array:
      return "a list";
    case JsonKind::object:
      return "an object";
  }
  REPOSE_CHECK(false, "unknown kind of JSON value");
}

JsonView JsonDocument::root() const {
  return JsonView(*this, 0);
}

InputError JsonDocument::error_at(std::size_t byte, std::string wrong, std::string right) const {
  InputError error;
  error.file = file_;
  error.line = 1;
  error.column = 1;
  for (std::size_t i = 0; i < byte && i < text_.size(); ++i) {
    if (text_[i] == '\n') {
      ++error.line;
      error.column = 1;
    } else if ((static_cast<unsigned char>(text_[i]) & 0xC0u) != 0x80u) {
      ++error.column;
    }
  }
  error.wrong = std::move(wrong);
  error.right = std::move(right);
  return error;
}

std::optional<std::int64_t> JsonView::integer() const {
  if (kind() != JsonKind::number || !node().whole) return std::nullopt;
  const auto digits = raw();
  std::int64_t out = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (failed != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return out;
}

std::string_view JsonView::raw() const {
  return std::string_view(document_->text()).substr(node().begin, node().end - node().begin);
}

std::string JsonView::text() const {
  auto inner = raw();
  inner.remove_prefix(1);
  inner.remove_suffix(1);
  if (!node().escaped) return std::string(inner);
  std::string out;
  for (std::size_t i = 0; i < inner.size();) {
    if (inner[i] != '\\') {
      out += inner[i++];
    } else {
      append_unescaped(out, inner, i);
      i += escape_length(inner, i);
    }
  }
  return out;
}

std::optional<JsonView> JsonView::find(std::string_view key) const {
  std::optional<JsonView> found;
  if (kind() != JsonKind::object) return found;
  each_member([&](JsonView name, JsonView value) {
    const auto raw_name = name.raw();
    const bool same =
        name.node().escaped ? name.text() == key : raw_name.substr(1, raw_name.size() - 2) == key;
    if (same) found = value;
    return !same;
  });
  return found;
}

std::string JsonView::pointer() const {
  // down from the root: at each level the child whose span of nodes holds this one
  std::string out;
  const auto& nodes = document_->nodes();
  const auto holds = [&](std::uint32_t at) {
    return at <= index_ && (nodes[at].after == 0 || index_ < nodes[at].after);
  };
  std::uint32_t at = 0;
  while (at != index_) {
    const bool object = nodes[at].kind == JsonKind::object;
    std::uint32_t child = at + 1;
    for (std::size_t i = 0;; ++i) {
      const std::uint32_t held = object ? child + 1 : child;
      if (child == index_ || holds(held)) {
        out += '/';
        out += object ? escaped_token(JsonView(*document_, child).text()) : std::to_string(i);
        if (child == index_) return out;
        at = held;
        break;
      }
      child = nodes[held].after;
    }
  }
  return out;
}

std::string JsonView::shown() const {
  constexpr std::size_t kShownBytes = 60;
  // on one line; only so many bytes are read
  constexpr std::size_t kReadBytes = 8 * kShownBytes;
  const auto whole = raw();
  std::string all;
  bool text = false;  // spaces count there
  for (std::size_t k = 0; k < std::min(whole.size(), kReadBytes); ++k) {
    const char c = whole[k];
    if (c == '"' && (k == 0 || whole[k - 1] != '\\')) text = !text;
    const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!space || text)
      all += c;
    else if (all.back() != ' ' && all.back() != '[' && all.back() != '{')
      all += ' ';
  }
  const auto closes = [&](std::size_t k) {
    return all[k] == ' ' && (all[k + 1] == ']' || all[k + 1] == '}');
  };
  for (std::size_t k = 0; k + 1 < all.size();)
    if (closes(k))
      all.erase(k, 1);
    else
      ++k;
  if (whole.size() <= kReadBytes && all.size() <= kShownBytes) return all;
  std::size_t cut = std::min(kShownBytes, all.size());
  while (cut > 0 && cut < all.size() && (static_cast<unsigned char>(all[cut]) & 0xC0u) == 0x80u)
    --cut;
  // a bracket that was opened is closed
  const char* end = all[0] == '[' ? " ]" : all[0] == '{' ? " }" : "";
  return all.substr(0, cut) + (*end != 0 ? " ..." : "...") + end;
}

InputError JsonView::error(std::string wrong, std::string right) const {
  InputError error = document_->error_at(node().begin, std::move(wrong), std::move(right));
  error.pointer = pointer();
  error.value = shown();
  return error;
}

std::size_t JsonView::byte_of_column(int column) const {
  std::size_t at = node().begin + 1;
  const std::string& text = document_->text();
  for (int i = 1; i < column && at + 1 < node().end; ++i) {
    const std::size_t escape = text[at] == '\\' ? escape_length(text, at) : 0;
    const std::size_t length = escape > 0 ? escape : utf8_length(text, at);
    at += length > 0 ? length : 1;
  }
  return at;
}

}  // namespace repose
