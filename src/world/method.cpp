#include "repose/world/method.h"

namespace repose {

const char* to_text(RunStatus status) {
  return kNames<RunStatus>.at(static_cast<std::size_t>(status)).data();
}

Result<Done> Method::apply(const Edit& edit, Problem&, State&) {
  InputError error;
  error.wrong = "the method " + name() + " does not know this edit";
  error.value = name_of(edit.kind);
  return error;
}

Json::Object Method::facts(const Problem&, const State&) {
  return {};
}

std::vector<Promise> Method::promises(const Problem&, const State&) {
  return {};
}

}  // namespace repose
