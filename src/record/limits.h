#pragma once

/// What the writer promises of a recording and the reader asks of it.
namespace repose {

/// Lengths and coordinates stay below this, m: their squares fit a float. A state ends at kFarthest
/// (world/state.h), which leaves room for the points of a body.
inline constexpr double kLargestLength = 1e19;
/// All other numbers: their fourth powers fit a double.
inline constexpr double kLargestNumber = 1e75;
/// Quaternions of unit length may be off it by this.
inline constexpr double kUnitSlack = 1e-6;
/// Largest coordinate of a normal, which is of unit length or zero.
inline constexpr double kLongestNormal = 1.0 + 1e-3;

}  // namespace repose
