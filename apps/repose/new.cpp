// repose new METHOD FILE
#include <cstdlib>

#include <fmt/format.h>

#include "repose/base/nearest.h"
#include "repose/base/whole_file.h"

#include "command_line.h"
#include "commands.h"
#include "messages.h"
#include "new_scenes.h"

namespace {

namespace fs = std::filesystem;

const NewScene* find_new(const std::string& method) {
  for (const NewScene& scene : kNewScenes)
    if (method == scene.method) return &scene;
  return nullptr;
}

repose::InputError no_such_method(const std::string& method) {
  std::vector<std::string> names;
  for (const NewScene& scene : kNewScenes) names.emplace_back(scene.method);
  repose::InputError error;
  error.pointer = "METHOD";
  error.value = method;
  error.wrong = "there is no such method";
  error.right = repose::suggestion(method, names) + " (or a file that ends in .json)";
  return error;
}

repose::InputError is_there(const fs::path& file) {
  repose::InputError error;
  error.file = file.string();
  error.wrong = "a file of this name is there already";
  error.right = "another name; nothing is overwritten";
  return error;
}

/// The words are METHOD FILE, METHOD alone (then METHOD.json is written), or FILE alone.
int write_new(const std::string& first, const std::string& second) {
  const bool file_alone = second.empty() && fs::path(first).has_extension();
  const std::string method = file_alone ? kNewScenes.front().method : first;
  const fs::path file = file_alone ? first : second.empty() ? method + ".json" : second;
  const NewScene* scene = find_new(method);
  if (scene == nullptr) return bad_input(no_such_method(method), false);
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(file, ignored))) return bad_input(is_there(file), false);
  if (auto done = repose::write_whole(file, scene->text); !done)
    return bad_input(done.error(), false);
  // ./repose of a clone says how it was called
  const char* called = std::getenv("REPOSE_CALLED");
  tell("written to {}; try\n  {} run {} --out out --watch\n", file.string(),
       called == nullptr ? "repose" : called, file.string());
  return kDone;
}

}  // namespace

void add_new(CommandLine& program) {
  struct Options {
    std::string first, second;
  };
  auto options = std::make_shared<Options>();
  program
      .subcommand("new", "Write a scene to start from, with comments",
                  [options] { return write_new(options->first, options->second); })
      .text("METHOD", options->first,
            "place, pile, mechanism, molecule, surfel or still; place "
            "if only FILE is given")
      .required()
      .text("FILE", options->second,
            "The scene to write (my.json); METHOD.json if only METHOD is given");
}
