#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "repose/base/settings.h"

/// Whole numbers from `least` to `most`, both allowed.
struct WholeRange {
  std::int64_t least = 0, most = 0;
};

/// One option, or one argument without dashes.
struct Option {
  std::string name;       // "--out", or "SCENE"
  std::string about;      // one sentence
  std::string takes;      // what stands after it: "NUMBER", "PATH", ...; empty: a flag
  std::string joint;      // what stands between the parts of its value, as x in 800x500
  std::string otherwise;  // its default as help shows it; empty: none is shown
  int count = 1;          // of what it takes; kAnyNumber: one or more, and it may be repeated
  bool required = false;
  /// Reads what was given, as often as `count` says. Its error has no place yet.
  std::function<repose::Result<repose::Done>(const std::vector<std::string>&)> take;

  static constexpr int kAnyNumber = -1;
};

/// A subcommand and what it may be asked. Each call binds an option to a variable, which holds the
/// default; the variable must live until the subcommand has run. Names with dashes are options, the
/// others are arguments by their order. Numbers are finite and lie in their range, whole numbers
/// are written as such, paths are not empty: whatever is not so is refused with the option's name,
/// the value, and what would be right.
class Command {
 public:
  Command(std::string name, std::string about, std::function<int()> action);

  Command& text(const char* name, std::string& value, const char* about);
  /// May be repeated.
  Command& texts(const char* name, std::vector<std::string>& values, const char* about);
  Command& path(const char* name, std::filesystem::path& value, const char* about);
  /// A file with one of these endings (".png").
  Command& file(const char* name, std::filesystem::path& value,
                const std::vector<std::string>& endings, const char* about);
  Command& number(const char* name, double& value, const repose::Range& range, const char* about);
  /// Just so many numbers; empty unless given.
  Command& numbers(const char* name, std::vector<double>& values, int count,
                   const repose::Range& range, const char* about);
  /// Two numbers with `between` between them, as in -55,20.
  Command& number_pair(const char* name, std::optional<std::array<double, 2>>& value, char between,
                       const std::array<repose::Range, 2>& ranges, const char* about);
  Command& whole(const char* name, int& value, WholeRange range, const char* about);
  Command& whole(const char* name, std::optional<std::int64_t>& value, WholeRange range,
                 const char* about);
  /// Two of them with `between` between them, as in 1280x800.
  Command& whole_pair(const char* name, std::array<int, 2>& value, char between, WholeRange range,
                      const char* about);
  /// False unless given.
  Command& flag(const char* name, bool& value, const char* about);
  /// A flag that switches off what is on.
  Command& flag_off(const char* name, bool& value, const char* about);

  /// The option described last must be given.
  Command& required();
  /// Help shows the default of the option described last.
  Command& shows_default(const std::string& text);
  /// At least one of these options must be given.
  Command& needs_one_of(std::vector<std::string> names);
  /// From the first word on that it does not know, all are handed on as they are.
  Command& hands_on(std::vector<std::string>& words);

  const std::string& name() const { return name_; }
  const std::string& about() const { return about_; }
  const std::vector<Option>& options() const { return options_; }
  const std::vector<std::string>& one_of() const { return one_of_; }
  std::vector<std::string>* handed_on() const { return handed_on_; }  // nullptr: none are
  int act() const { return action_(); }

 private:
  Command& add(Option option);

  std::string name_, about_;
  std::vector<Option> options_;
  std::vector<std::string> one_of_;
  std::vector<std::string>* handed_on_ = nullptr;
  std::function<int()> action_;
};

/// The whole command line: subcommands, help, version.
class CommandLine {
 public:
  /// `examples` stand below the help of the program.
  CommandLine(std::string about, std::string examples, std::string version);

  Command& subcommand(const char* name, const char* about, std::function<int()> action);

  /// Reads the words and does what they ask: the exit code of the chosen subcommand, or of bad
  /// input. Help and version are printed and nothing else is done.
  int run(int argc, const char* const* argv) const;

 private:
  std::string about_, examples_, version_;
  std::list<Command> commands_;
};
