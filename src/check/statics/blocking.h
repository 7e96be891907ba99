#pragma once

#include <vector>

#include "repose/check/balance.h"

namespace repose::check {

/// Which contacts that carry load may let go: nothing shows that b, moved against their normal,
/// runs into a there. Where edges or corners of both meet, b may slip off along another normal of
/// theirs (a block over a slot as wide as it is). Searched, not proven: a contact that is named may
/// hold all the same. Parallel to the contacts.
std::vector<bool> that_may_let_go(const Input& input, const std::vector<ContactPoint>& contacts,
                                  const Balance& balance);

}  // namespace repose::check
