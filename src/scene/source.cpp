#include "repose/scene/source.h"

#include <charconv>

namespace repose {

namespace {

/// One step of a JSON pointer down from `at`.
std::optional<JsonView> child(JsonView at, const std::string& token) {
  if (at.kind() == JsonKind::object) {
    std::string key;
    for (std::size_t i = 0; i < token.size(); ++i) {
      const bool escape = token[i] == '~' && i + 1 < token.size();
      key += escape ? (token[++i] == '1' ? '/' : '~') : token[i];
    }
    return at.find(key);
  }
  std::size_t wanted = 0;
  const auto [end, failed] = std::from_chars(token.data(), token.data() + token.size(), wanted);
  std::optional<JsonView> found;
  if (at.kind() != JsonKind::array || failed != std::errc{} || end != token.data() + token.size())
    return found;
  at.each([&](JsonView item) {
    if (wanted-- == 0) found = item;
    return !found;
  });
  return found;
}

}  // namespace

InputError SceneSources::locate(SourcePlace place, InputError error) const {
  if (place.document >= documents_.size()) return error;
  const JsonDocument& document = *documents_[place.document];
  JsonView at(document, place.node);
  const std::string base = at.pointer();
  // down the pointer as far as the file goes
  bool whole = true;
  for (std::size_t begin = 0; begin < error.pointer.size();) {
    const std::size_t end = std::min(error.pointer.find('/', begin + 1), error.pointer.size());
    const auto next = child(at, error.pointer.substr(begin + 1, end - begin - 1));
    whole = next.has_value();
    if (!whole) break;
    at = *next;
    begin = end;
  }
  InputError out = at.error(error.wrong, error.right);
  if (whole && error.column > 0 && at.kind() == JsonKind::text) {
    const InputError inner = document.error_at(at.byte_of_column(error.column), "", "");
    out.line = inner.line;
    out.column = inner.column;
  }
  if (!error.value.empty()) out.value = error.value;
  out.pointer = base + error.pointer;
  return out;
}

}  // namespace repose
