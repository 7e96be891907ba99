// repose schema
#include <fmt/format.h>

#include "repose/run/catalogue.h"
#include "repose/scene/format.h"

#include "command_line.h"
#include "commands.h"
#include "messages.h"

void add_schema(CommandLine& program) {
  auto page = std::make_shared<bool>(false);
  program
      .subcommand("schema", "Print the JSON Schema of scene files",
                  [page] {
                    tell("{}\n", *page ? repose::scene_format_markdown()
                                       : repose::scene_schema(repose::method_catalogue()));
                    return static_cast<int>(kDone);
                  })
      .flag("--markdown", *page, "Print the documentation page of the format instead");
}
