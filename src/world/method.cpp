#include "repose/world/method.h"

namespace repose {

const char* to_text(RunStatus status) {
  switch (status) {
    case RunStatus::moving:
      return "moving";
    case RunStatus::rest:
      return "rest";
    case RunStatus::metastable:
      return "metastable";
    case RunStatus::finished:
      return "finished";
    case RunStatus::stuck:
      return "stuck";
    case RunStatus::jammed:
      return "jammed";
    case RunStatus::stopped:
      return "stopped";
  }
  REPOSE_CHECK(false, "unknown run status");
}

Result<Done> Method::apply(const Edit& edit, Problem&, State&) {
  InputError error;
  error.wrong = "the method " + name() + " does not know this edit";
  error.value = name_of(edit.kind);
  return error;
}

std::vector<std::pair<std::string, std::string>> Method::facts(const Problem&, const State&) {
  return {};
}

}  // namespace repose
