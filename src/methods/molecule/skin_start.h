#pragma once

#include <optional>
#include <string>

#include "near.h"

namespace repose::molecule {

/// A skin and what is in it.
struct SkinFault {
  int body = -1;       // whose skin it is
  int other = -1;      // indices into Problem::bodies
  bool holds = false;  // it holds all of the other; else they cross
};

/// The first skin that another skin or a solid crosses or lies within; nothing where all are apart.
/// `near`: with skins.
std::optional<SkinFault> find_skin_fault(const Arena& arena, const Motion& motion,
                                         const Near& near);

}  // namespace repose::molecule
