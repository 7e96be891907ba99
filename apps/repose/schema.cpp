// repose schema
#include <fmt/format.h>

#include "repose/farm/job.h"
#include "repose/run/catalogue.h"
#include "repose/scene/format.h"

#include "command_line.h"
#include "commands.h"
#include "messages.h"

void add_schema(CommandLine& program) {
  auto page = std::make_shared<bool>(false), farm = std::make_shared<bool>(false);
  program
      .subcommand("schema", "Print the JSON Schema of scene files",
                  [page, farm] {
                    std::string text = *farm   ? repose::farm::job_schema()
                                       : *page ? repose::scene_format_markdown()
                                               : repose::scene_schema(repose::method_catalogue());
                    // so that it can be written to its file as it is
                    if (!text.ends_with('\n')) text += '\n';
                    tell("{}", text);
                    return static_cast<int>(kDone);
                  })
      .flag("--markdown", *page, "Print the documentation page of the format instead")
      .flag("--farm", *farm, "Print the JSON Schema of jobs (see repose farm) instead");
}
