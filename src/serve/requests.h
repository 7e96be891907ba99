#pragma once

#include <string>

#include "desk.h"

namespace repose::serve {

/// Carries out one message of a client and answers it: {"to": ID, "ok": true, ...}, or with
/// "error" in place of "ok" what is wrong and what would be right. docs/studio.md lists what can be
/// asked. Whatever the text is, it is answered, and a refusal changes nothing.
std::string answer_to(Desk& desk, int client, const std::string& text);

/// The message asks that what is under way be left.
bool is_interrupt(const std::string& text);

}  // namespace repose::serve
