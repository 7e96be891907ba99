#include "reading.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "repose/base/plain_file.h"

namespace repose::handover {

namespace {

std::string place_text(const InputError& error) {
  return fmt::format("{}:{}:{}", error.file, error.line, error.column);
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

}  // namespace

std::string At::place() const {
  return Where(*this).place();
}

InputError Word::error(std::string wrong, std::string right) const {
  constexpr std::size_t kShown = 60;  // characters
  const std::string shown = text.size() > kShown ? text.substr(0, kShown) + "..." : text;
  return at.document->error(at.node, attribute, shown, std::move(wrong), std::move(right));
}

void Word::refuse(std::string wrong, std::string right) const {
  throw Refused{error(std::move(wrong), std::move(right))};
}

InputError TextFile::error(std::size_t byte, std::string pointer, std::string wrong,
                           std::string right) const {
  const std::size_t end = std::min(byte, text.size());
  const auto before = std::string_view(text).substr(0, end);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  InputError out;
  out.file = file;
  out.line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  out.column = 1 + static_cast<int>(end - line_begin);
  out.pointer = std::move(pointer);
  out.wrong = std::move(wrong);
  out.right = std::move(right);
  return out;
}

InputError Where::error(std::string wrong, std::string right) const {
  if (const auto* word = std::get_if<Word>(&held_)) return word->error(wrong, right);
  if (const auto* json = std::get_if<JsonView>(&held_)) return json->error(wrong, right);
  if (const auto* spot = std::get_if<TextSpot>(&held_))
    return spot->text->error(spot->byte, spot->pointer, wrong, right);
  InputError out;
  out.wrong = std::move(wrong);
  out.right = std::move(right);
  return out;
}

void Where::refuse(std::string wrong, std::string right) const {
  throw Refused{error(std::move(wrong), std::move(right))};
}

std::string Where::place() const {
  return place_text(error("", ""));
}

void refuse(const Where& at, std::string wrong, std::string right) {
  at.refuse(std::move(wrong), std::move(right));
}

std::optional<Word> attribute_of(const At& at, const char* name) {
  const auto found = at.node.attribute(name);
  if (!found) return std::nullopt;
  return Word{found.value(), at, name};
}

Word text_of(const At& at) {
  return Word{at.node.text().get(), at, ""};
}

std::optional<Word> text_of(const At& at, const char* child) {
  const At found = at.child(child);
  if (!found) return std::nullopt;
  return text_of(found);
}

Word needed(const At& at, const char* name) {
  auto found = attribute_of(at, name);
  if (!found)
    refuse(at, fmt::format("<{}> has no attribute {}", at.name(), name),
           fmt::format("{}=\"...\"", name));
  return *found;
}

std::vector<At> elements(const At& at) {
  std::vector<At> out;
  for (const pugi::xml_node child : at.node.children())
    if (child.type() == pugi::node_element) out.push_back({at.document, child});
  return out;
}

std::vector<double> numbers(const Word& word, std::size_t least, std::size_t most) {
  std::vector<double> out;
  const char* at = word.text.data();
  const char* const end = at + word.text.size();
  while (true) {
    while (at != end && is_blank(*at)) ++at;
    if (at == end) break;
    if (*at == '+' && at + 1 != end) ++at;
    double value = 0.0;
    const auto [after, failed] = std::from_chars(at, end, value);
    if (failed != std::errc{} || (after != end && !is_blank(*after)) || !std::isfinite(value))
      word.refuse("not a number", word.text.find("${") != std::string::npos
                                      ? "the file written out by xacro: xacro FILE > robot.urdf"
                                      : "finite numbers between blanks");
    if (std::abs(value) > kFarthestPlace)
      word.refuse("a number too large", fmt::format("numbers up to {:g}", kFarthestPlace));
    out.push_back(value);
    if (out.size() > most) break;
    at = after;
  }
  if (out.size() < least || out.size() > most)
    word.refuse(fmt::format("{} numbers", out.size() > most ? "too many" : "too few"),
                least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most));
  return out;
}

double number(const Word& word) {
  return numbers(word, 1, 1)[0];
}

double length(const Word& word) {
  const double value = number(word);
  if (!(value >= kLeastLength))
    word.refuse("not a length", fmt::format("at least {:g} m", kLeastLength));
  return value;
}

Vec3 vector(const Word& word) {
  const auto found = numbers(word, 3, 3);
  return {found[0], found[1], found[2]};
}

bool truth(const Word& word) {
  for (const char* yes : {"true", "1", "True"})
    if (word.text == yes) return true;
  for (const char* no : {"false", "0", "False"})
    if (word.text == no) return false;
  word.refuse("neither true nor false", "\"true\" or \"false\"");
}

void Notes::add(const Where& at, const std::string& what) {
  const auto [found, fresh] = index_.emplace(what, found_.size());
  if (fresh)
    found_.push_back({what, at.place(), 1});
  else
    ++found_[found->second].count;
}

At Files::add_main(std::string text) {
  bytes_ = text.size();
  auto document = XmlDocument::parse(std::move(text), main_);
  if (!document) throw Refused{document.error()};
  entries_.push_back({std::move(*document), {}});
  const XmlDocument& kept = entries_.back().document;
  return {&kept, kept.root()};
}

At Files::add(const std::filesystem::path& path, const Word& by) {
  const auto same = [&](const XmlDocument& other) {
    std::error_code failed;
    return std::filesystem::equivalent(path, other.file(), failed) && !failed;
  };
  int depth = 1;
  for (const XmlDocument* above = by.at.document; above != nullptr; above = parent(*above)) {
    if (same(*above)) by.refuse("the file contains itself", "files that do not go in a circle");
    if (++depth > kDeepest)
      by.refuse("files lie too deep within one another", fmt::format("at most {}", kDeepest));
  }
  if (entries_.size() >= kMostFiles)
    by.refuse("too many files", fmt::format("at most {} in one scene", kMostFiles));
  auto text = read_plain_file(path.string(), XmlDocument::kMostBytes, "the path of a file");
  if (!text) by.refuse(text.error().wrong, "a file that is there: " + path.string());
  bytes_ += text->size();
  if (bytes_ > kMostBytes)
    by.refuse("too many bytes", fmt::format("at most {} in all files together", kMostBytes));
  auto document = XmlDocument::parse(std::move(*text), path.string());
  if (!document) throw Refused{document.error()};
  entries_.push_back({std::move(*document), by.at});
  const XmlDocument& kept = entries_.back().document;
  return {&kept, kept.root()};
}

At Files::add_text(std::string text, const Word& by) {
  auto document = XmlDocument::parse(std::move(text), by.text);
  if (!document) throw Refused{document.error()};
  entries_.push_back({std::move(*document), by.at});
  const XmlDocument& kept = entries_.back().document;
  return {&kept, kept.root()};
}

const Files::Entry& Files::entry(const XmlDocument& document) const {
  for (const Entry& entry : entries_)
    if (&entry.document == &document) return entry;
  REPOSE_CHECK(false, "a document that is none of these files");
}

const XmlDocument* Files::parent(const XmlDocument& document) const {
  return entry(document).by.document;
}

}  // namespace repose::handover
