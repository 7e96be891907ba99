// What each kind of option accepts.
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line.h"

namespace {

namespace fs = std::filesystem;
using repose::Done;
using repose::InputError;
using repose::Result;
using repose::SettingInfo;
using repose::SettingType;
using repose::SettingValue;

using Words = std::vector<std::string>;

InputError refuse(const std::string& value, std::string wrong, std::string right) {
  InputError error;
  error.value = value.empty() ? "an empty text" : value;
  error.wrong = std::move(wrong);
  error.right = std::move(right);
  return error;
}

/// By the same rules as a method's settings.
Result<double> number_of(const std::string& word, const repose::Range& range) {
  SettingInfo row;
  row.type = SettingType::number;
  row.range = range;
  const auto read = repose::setting_from_text(row, word);
  const bool any = std::isinf(range.min) && std::isinf(range.max);
  if (!read) return refuse(word, read.error().wrong, any ? "a finite number" : read.error().right);
  return std::get<double>(*read);
}

Result<std::int64_t> whole_of(const std::string& word, WholeRange range) {
  const std::string right = fmt::format("a whole number in [{}, {}]", range.least, range.most);
  std::int64_t out = 0;
  const char* end = word.data() + word.size();
  const auto [stop, failed] = std::from_chars(word.data(), end, out);
  if (failed == std::errc::result_out_of_range && stop == end)
    return refuse(word, "out of range", right);
  if (failed != std::errc{} || stop != end) return refuse(word, "not a whole number", right);
  if (out < range.least || out > range.most) return refuse(word, "out of range", right);
  return out;
}

/// The two words that `between` parts.
Result<std::array<std::string, 2>> halves_of(const std::string& word, char between,
                                             const std::string& example) {
  const auto at = word.find(between);
  if (at == std::string::npos)
    return refuse(word, "not two numbers", "two numbers as in " + example);
  return std::array{word.substr(0, at), word.substr(at + 1)};
}

/// Both halves of the word, each by its own rule; an error tells the whole word.
template <class T, class Read>
Result<std::array<T, 2>> pair_of(const std::string& word, char between, const std::string& example,
                                 Read read) {
  const auto halves = halves_of(word, between, example);
  if (!halves) return halves.error();
  std::array<T, 2> out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto half = read((*halves)[i], i);
    if (!half) return refuse(word, half.error().wrong, half.error().right);
    out[i] = static_cast<T>(*half);
  }
  return out;
}

Result<fs::path> path_of(const std::string& word) {
  if (word.empty()) return refuse(word, "not a path", "the path of a file or folder");
  return fs::path(word);
}

Option option_of(const char* name, const char* about, const char* takes) {
  Option out;
  out.name = name;
  out.about = about;
  out.takes = takes;
  return out;
}

/// Sets `value` to what `read` makes of the one word.
template <class T, class Read>
auto taker(T& value, Read read) {
  return [&value, read](const Words& words) -> Result<Done> {
    auto found = read(words.back());
    if (!found) return found.error();
    value = std::move(*found);
    return Done{};
  };
}

auto flag_taker(bool& value, bool when_given) {
  return taker(value, [when_given](const std::string& word) -> Result<bool> {
    if (word != "true" && word != "false") return refuse(word, "not a flag", "true or false");
    return (word == "true") == when_given;
  });
}

}  // namespace

Command::Command(std::string name, std::string about, std::function<int()> action)
    : name_(std::move(name)), about_(std::move(about)), action_(std::move(action)) {}

Command& Command::add(Option option) {
  options_.push_back(std::move(option));
  return *this;
}

Command& Command::text(const char* name, std::string& value, const char* about) {
  Option option = option_of(name, about, "TEXT");
  option.take = [&value](const Words& words) -> Result<Done> {
    value = words.back();
    return Done{};
  };
  return add(std::move(option));
}

Command& Command::texts(const char* name, std::vector<std::string>& values, const char* about) {
  Option option = option_of(name, about, "TEXT");
  option.count = Option::kAnyNumber;
  option.take = [&values](const Words& words) -> Result<Done> {
    values = words;
    return Done{};
  };
  return add(std::move(option));
}

Command& Command::path(const char* name, fs::path& value, const char* about) {
  Option option = option_of(name, about, "PATH");
  option.take = taker(value, path_of);
  return add(std::move(option));
}

Command& Command::file(const char* name, fs::path& value, const std::vector<std::string>& endings,
                       const char* about) {
  Option option = option_of(name, about, "FILE");
  option.take = taker(value, [endings](const std::string& word) -> Result<fs::path> {
    const std::string ending = fs::path(word).extension().string();
    for (const std::string& known : endings)
      if (ending == known) return path_of(word);
    return refuse(word, "not a name of such a file",
                  fmt::format("a name that ends in {}", fmt::join(endings, " or ")));
  });
  return add(std::move(option));
}

Command& Command::number(const char* name, double& value, const repose::Range& range,
                         const char* about) {
  Option option = option_of(name, about, "NUMBER");
  option.take = taker(value, [range](const std::string& word) { return number_of(word, range); });
  return add(std::move(option));
}

Command& Command::numbers(const char* name, std::vector<double>& values, int count,
                          const repose::Range& range, const char* about) {
  Option option = option_of(name, about, "NUMBER");
  option.count = count;
  option.take = [&values, range](const Words& words) -> Result<Done> {
    std::vector<double> read;
    for (const std::string& word : words) {
      const auto number = number_of(word, range);
      if (!number) return number.error();
      read.push_back(*number);
    }
    values = std::move(read);
    return Done{};
  };
  return add(std::move(option));
}

Command& Command::number_pair(const char* name, std::optional<std::array<double, 2>>& value,
                              char between, const std::array<repose::Range, 2>& ranges,
                              const char* about) {
  Option option = option_of(name, about, "TEXT");
  option.joint = between;
  option.take = taker(value, [=](const std::string& word) {
    return pair_of<double>(
        word, between, fmt::format("-55{}20", between),
        [&](const std::string& half, std::size_t i) { return number_of(half, ranges[i]); });
  });
  return add(std::move(option));
}

Command& Command::whole_pair(const char* name, std::array<int, 2>& value, char between,
                             WholeRange range, const char* about) {
  Option option = option_of(name, about, "TEXT");
  option.joint = between;
  option.take = taker(value, [=](const std::string& word) {
    return pair_of<int>(
        word, between, fmt::format("800{}500", between),
        [&](const std::string& half, std::size_t) { return whole_of(half, range); });
  });
  return add(std::move(option));
}

Command& Command::whole(const char* name, int& value, WholeRange range, const char* about) {
  Option option = option_of(name, about, "COUNT");
  option.take = taker(value, [range](const std::string& word) -> Result<int> {
    const auto read = whole_of(word, range);
    if (!read) return read.error();
    return static_cast<int>(*read);
  });
  return add(std::move(option));
}

Command& Command::whole(const char* name, std::optional<std::int64_t>& value, WholeRange range,
                        const char* about) {
  Option option = option_of(name, about, "COUNT");
  option.take = taker(value, [range](const std::string& word) { return whole_of(word, range); });
  return add(std::move(option));
}

Command& Command::flag(const char* name, bool& value, const char* about) {
  Option option = option_of(name, about, "");
  option.take = flag_taker(value, true);
  return add(std::move(option));
}

Command& Command::flag_off(const char* name, bool& value, const char* about) {
  Option option = option_of(name, about, "");
  option.take = flag_taker(value, false);
  return add(std::move(option));
}

Command& Command::required() {
  options_.back().required = true;
  return *this;
}

Command& Command::shows_default(const std::string& text) {
  options_.back().otherwise = text;
  return *this;
}

Command& Command::needs_one_of(std::vector<std::string> names) {
  one_of_ = std::move(names);
  return *this;
}

Command& Command::hands_on(std::vector<std::string>& words) {
  handed_on_ = &words;
  return *this;
}
