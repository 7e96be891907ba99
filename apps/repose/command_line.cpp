// The one file that knows the library which splits a command line into words and lays out help.
#include "command_line.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "repose/base/nearest.h"

#include "commands.h"
#include "messages.h"

namespace {

using repose::Done;
using repose::InputError;
using repose::Result;

using Words = std::vector<std::string>;

/// Values are read by Option::take once all words are sorted out.
const CLI::callback_t kLater = [](const CLI::results_t&) { return true; };

void add_option(CLI::App& app, const Option& option) {
  if (option.takes.empty()) {
    app.add_flag(option.name, option.about);
    return;
  }
  auto* added = app.add_option(option.name, kLater, option.about);
  added->type_name(option.takes)->required(option.required);
  if (!option.otherwise.empty()) added->default_str(option.otherwise);
  const bool argument = !option.name.starts_with("-");
  if (option.count != Option::kAnyNumber)
    added->expected(option.count);
  else if (argument)
    added->expected(1, CLI::detail::expected_max_vector_size);
  else
    added->take_all();
}

void add_command(CLI::App& program, const Command& command) {
  CLI::App* app = program.add_subcommand(command.name(), command.about());
  for (const Option& option : command.options()) add_option(*app, option);
  app->prefix_command(command.handed_on() != nullptr);
}

InputError bad_option(const std::string& name, const InputError& found) {
  InputError error = found;
  error.pointer = name;
  return error;
}

Result<Done> take_options(const CLI::App& app, const Command& command) {
  if (command.handed_on() != nullptr) *command.handed_on() = app.remaining();
  bool one_given = command.one_of().empty();
  for (const Option& option : command.options()) {
    const CLI::Option* given = app.get_option(option.name);
    if (given->count() == 0) continue;
    for (const std::string& name : command.one_of()) one_given |= name == option.name;
    if (auto done = option.take(given->results()); !done)
      return bad_option(option.name, done.error());
  }
  if (one_given) return Done{};
  InputError error;
  error.pointer = command.name();
  error.wrong = "nothing is asked for";
  error.right = fmt::format("at least one of {}", fmt::join(command.one_of(), ", "));
  return error;
}

/// Names of options, or else of subcommands, that a wrong word may have been meant to be.
std::vector<std::string> names_like(const std::string& word, const std::list<Command>& commands,
                                    const Command* chosen) {
  std::vector<std::string> out;
  const bool option = word.starts_with("-");
  if (option) out.emplace_back("--help");
  if (option && chosen != nullptr)
    for (const Option& known : chosen->options())
      if (known.name.starts_with("-")) out.push_back(known.name);
  if (!option && chosen == nullptr)
    for (const Command& command : commands) out.push_back(command.name());
  if (option && chosen == nullptr) out.emplace_back("--version");
  return out;
}

/// Of the subcommand, where one was chosen.
std::string where_help_is(const Command* chosen) {
  return chosen == nullptr ? "see repose --help"
                           : fmt::format("see repose {} --help", chosen->name());
}

/// The option that the word before `extra` was for: whoever writes "--size 800 500" means one
/// value.
const Option* option_before(const std::string& extra, const Words& words, const Command& chosen) {
  const auto at = std::find(words.begin(), words.end(), extra);
  if (at - words.begin() < 2 || at == words.end()) return nullptr;
  for (const Option& option : chosen.options())
    if (option.name == *(at - 2) && (!option.joint.empty() || option.count == Option::kAnyNumber))
      return &option;
  return nullptr;
}

/// "SCENE", "WHAT and FILE", "nothing": what stands without dashes.
std::string arguments_of(const Command& command) {
  std::vector<std::string> out;
  for (const Option& option : command.options())
    if (!option.name.starts_with("-")) out.push_back(option.name);
  return out.empty() ? "nothing" : fmt::format("{}", fmt::join(out, " and "));
}

InputError word_too_many(const std::string& word, const Words& words, const Command& chosen) {
  InputError error;
  error.value = word;
  error.wrong = "one word too many";
  error.right = fmt::format("repose {} takes {} without dashes; see repose {} --help",
                            chosen.name(), arguments_of(chosen), chosen.name());
  const Option* option = option_before(word, words, chosen);
  if (option == nullptr) return error;
  const std::string& before = *(std::find(words.begin(), words.end(), word) - 1);
  error.pointer = option->name;
  error.value = before + " " + word;
  error.wrong = "two words where one is right";
  error.right = option->joint.empty()
                    ? fmt::format("{} {}: {}", option->name, option->takes, option->about)
                    : fmt::format("{} {}{}{}", option->name, before, option->joint, word);
  return error;
}

InputError unknown_word(const std::string& word, const Words& words,
                        const std::list<Command>& commands, const Command* chosen) {
  if (chosen != nullptr && !word.starts_with("-")) return word_too_many(word, words, *chosen);
  InputError error;
  const bool option = word.starts_with("-");
  const std::string name = word.substr(0, word.find('='));
  error.value = name;
  error.wrong = option ? "there is no such option" : "there is no such command";
  const auto names = names_like(name, commands, chosen);
  error.right = names.empty() ? where_help_is(chosen) : repose::suggestion(name, names);
  return error;
}

/// Of an option that too few words stand after; `said` by the library, which names it first.
std::optional<InputError> value_missing(const std::string& said, const Words& words,
                                        const Command& chosen) {
  for (const Option& option : chosen.options()) {
    if (option.takes.empty() || !said.starts_with(option.name + ":")) continue;
    const auto at = std::find(words.begin(), words.end(), option.name);
    if (at == words.end()) continue;
    const auto next =
        std::find_if(at + 1, words.end(), [](const auto& word) { return word.starts_with("--"); });
    InputError error;
    error.pointer = option.name;
    error.wrong = option.count > 1 ? fmt::format("{} words after it", next - at - 1)
                                   : std::string("nothing stands after it");
    error.right = option.count > 1
                      ? fmt::format("{} of {}: {}", option.count, option.takes, option.about)
                      : fmt::format("{} {}: {}", option.name, option.takes, option.about);
    return error;
  }
  return std::nullopt;
}

InputError mistake_of(const CLI::App& program, const CLI::ParseError& error, const Words& words,
                      const std::list<Command>& commands, const Command* chosen) {
  const auto extra = program.remaining(true);
  // a misspelled option is told before the one that is missing for it
  const bool too_many = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  if (!extra.empty() && (too_many || extra.front().starts_with("-")))
    return unknown_word(extra.front(), words, commands, chosen);
  if (chosen != nullptr)
    if (auto missing = value_missing(error.what(), words, *chosen)) return *missing;
  InputError out;
  out.wrong = error.what();
  out.right = where_help_is(chosen);
  return out;
}

/// "help" and "help COMMAND" ask for help as well.
Words asked_of(int argc, const char* const* argv, const std::list<Command>& commands) {
  Words words(argv + 1, argv + argc);
  if (words.empty() || words.front() != "help") return words;
  words.erase(words.begin());
  words.resize(std::min<std::size_t>(words.size(), 1));
  const bool known = std::any_of(commands.begin(), commands.end(), [&](const Command& command) {
    return !words.empty() && command.name() == words.front();
  });
  if (known || words.empty()) words.emplace_back("--help");
  return words;
}

}  // namespace

CommandLine::CommandLine(std::string about, std::string examples, std::string version)
    : about_(std::move(about)), examples_(std::move(examples)), version_(std::move(version)) {}

Command& CommandLine::subcommand(const char* name, const char* about, std::function<int()> action) {
  return commands_.emplace_back(name, about, std::move(action));
}

int CommandLine::run(int argc, const char* const* argv) const {
  CLI::App program{about_, "repose"};
  program.footer(examples_);
  program.require_subcommand(0, 1);
  program.set_version_flag("--version", version_, "Print the version and exit");
  program.get_formatter()->label("Positionals", "Arguments");
  for (const Command& command : commands_) add_command(program, command);
  const auto chosen = [&]() -> const Command* {
    for (const Command& command : commands_)
      if (program.got_subcommand(command.name())) return &command;
    return nullptr;
  };
  const Words words = asked_of(argc, argv, commands_);
  const bool json = std::find(words.begin(), words.end(), "--json") != words.end();
  try {
    // the library takes the last word first
    program.parse(Words(words.rbegin(), words.rend()));
  } catch (const CLI::Success& asked) {
    return program.exit(asked);
  } catch (const CLI::ParseError& error) {
    return bad_input(mistake_of(program, error, words, commands_, chosen()), json);
  }
  const Command* command = chosen();
  if (command == nullptr) {
    fmt::print("{}", program.help());
    return kDone;
  }
  if (auto done = take_options(*program.get_subcommand(command->name()), *command); !done)
    return bad_input(done.error(), json);
  return command->act();
}
