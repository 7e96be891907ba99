#include "messages.h"

#include <cstdio>

#include <fmt/format.h>

#include "repose/base/json_write.h"
#include "repose/base/text.h"

#include "commands.h"

using repose::Json;

void show(std::FILE* to, const std::string& text) {
  const std::string shown = repose::shown_text(text, repose::LineEnds::kept);
  std::fwrite(shown.data(), 1, shown.size(), to);
}

int bad_input(const repose::InputError& error, bool json) {
  show(stderr, fmt::format("repose: {}\n", error.text()));
  if (json) {
    Json::Object told = {{"file", error.file},     {"line", error.line},
                         {"column", error.column}, {"pointer", error.pointer},
                         {"value", error.value},   {"wrong", error.wrong},
                         {"right", error.right}};
    const Json out = Json::Object{{"error", std::move(told)}, {"exit_code", int{kBadInput}}};
    show(stdout, out.tall());
  }
  return kBadInput;
}

int our_fault(const std::string& what, bool json) {
  show(stderr, fmt::format("repose: our fault: {}\n", what));
  if (json) {
    const Json out =
        Json::Object{{"error", Json::Object{{"wrong", what}}}, {"exit_code", int{kOurFault}}};
    show(stdout, out.tall());
  }
  return kOurFault;
}

void tell_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) show(stderr, fmt::format("repose: note: {}\n", note));
}
