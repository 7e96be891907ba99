// repose schema
#include <fmt/format.h>

#include "repose/run/catalogue.h"
#include "repose/scene/format.h"

#include "commands.h"

void add_schema(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("schema", "Print the JSON Schema of scene files");
  auto page = std::make_shared<bool>(false);
  command->add_flag("--markdown", *page, "Print the documentation page of the format instead");
  command->callback([&action, page] {
    action = [page] {
      fmt::print("{}\n", *page ? repose::scene_format_markdown()
                               : repose::scene_schema(repose::method_catalogue()));
      return static_cast<int>(kDone);
    };
  });
}
