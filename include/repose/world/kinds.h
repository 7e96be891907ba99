#pragma once

#include "repose/base/names.h"

// The kinds of a problem's parts. Their names are the words of the scene format; scene-format.md
// says what each means and which fields it reads.

namespace repose {

enum class ForceKind { push, connect, spring, attract, pull };
template <>
inline constexpr auto kNames<ForceKind> =
    std::to_array<std::string_view>({"push", "connect", "spring", "attract", "pull"});

/// How an attraction depends on distance.
enum class AttractionLaw { constant, inverse_square, spring, short_range };
template <>
inline constexpr auto kNames<AttractionLaw> =
    std::to_array<std::string_view>({"constant", "inverse_square", "spring", "short_range"});

enum class JointKind { pin, point_on_line, slider, weld, rod, rope, gear, motor, spring };
template <>
inline constexpr auto kNames<JointKind> = std::to_array<std::string_view>(
    {"pin", "point_on_line", "slider", "weld", "rod", "rope", "gear", "motor", "spring"});

/// The first row is carried out by the session, whatever the method; the second by the methods that
/// know it.
enum class EditKind {
  // clang-format off
  set, pose, add, remove, fix, free, material, nudge, freeze, collide, replicate, stop,
  attach, stick, drag, release, join
  // clang-format on
};
/// Edits from here on are a method's own; those before are the same for all.
inline constexpr EditKind kFirstOfMethods = EditKind::attach;
template <>
inline constexpr auto kNames<EditKind> = std::to_array<std::string_view>(
    {"set", "pose", "add", "remove", "fix", "free", "material", "nudge", "freeze", "collide",
     "replicate", "stop", "attach", "stick", "drag", "release", "join"});

}  // namespace repose
