#include "messages.h"

#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"

int bad_input(const repose::InputError& error, bool json) {
  fmt::print(stderr, "repose: {}\n", error.text());
  if (json) {
    const nlohmann::ordered_json out = {{"error",
                                         {{"file", error.file},
                                          {"line", error.line},
                                          {"column", error.column},
                                          {"pointer", error.pointer},
                                          {"value", error.value},
                                          {"wrong", error.wrong},
                                          {"right", error.right}}},
                                        {"exit_code", static_cast<int>(kBadInput)}};
    // a value may hold bytes that are no text
    fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  return kBadInput;
}

int our_fault(const std::string& what, bool json) {
  fmt::print(stderr, "repose: our fault: {}\n", what);
  if (json) {
    const nlohmann::ordered_json out = {{"error", {{"wrong", what}}},
                                        {"exit_code", static_cast<int>(kOurFault)}};
    fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  return kOurFault;
}
