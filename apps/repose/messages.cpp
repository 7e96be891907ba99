#include "messages.h"

#include <cstdio>

#include <fmt/format.h>

#include "repose/base/json_write.h"

#include "commands.h"

using repose::Json;

int bad_input(const repose::InputError& error, bool json) {
  fmt::print(stderr, "repose: {}\n", error.text());
  if (json) {
    Json::Object told = {{"file", error.file},     {"line", error.line},
                         {"column", error.column}, {"pointer", error.pointer},
                         {"value", error.value},   {"wrong", error.wrong},
                         {"right", error.right}};
    const Json out = Json::Object{{"error", std::move(told)}, {"exit_code", int{kBadInput}}};
    fmt::print("{}", out.tall());
  }
  return kBadInput;
}

int our_fault(const std::string& what, bool json) {
  fmt::print(stderr, "repose: our fault: {}\n", what);
  if (json) {
    const Json out =
        Json::Object{{"error", Json::Object{{"wrong", what}}}, {"exit_code", int{kOurFault}}};
    fmt::print("{}", out.tall());
  }
  return kOurFault;
}
