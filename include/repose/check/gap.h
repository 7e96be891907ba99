#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "repose/check/input.h"
#include "repose/prove/answer.h"

namespace repose::check {

struct GapSettings {
  /// The bracket counts as closed when it is this narrow. Fraction of the smaller body's size;
  /// [1e-12, 1e-1]. Larger: faster, and touching bodies are less sharply told from overlapping
  /// ones.
  double width = 1e-9;
  /// Stop as soon as the gap is proven to be at least this. Fraction of the smaller body's size;
  /// infinite: always close the bracket.
  double enough = std::numeric_limits<double>::infinity();
  /// Pair tests of pieces of surface before giving up. [1, 1e9]
  int budget = 400'000;
  /// Set by another thread or a signal handler: the search ends as if its budget were spent.
  const std::atomic<bool>* interrupt = nullptr;
};

using prove::GapStatus;
using prove::to_text;

/// The signed gap of two bodies: their distance when disjoint, otherwise minus the largest distance
/// from a point of one inside the other to the other's surface. lower <= gap <= upper holds with
/// rounding included.
struct GapBracket {
  double lower = -std::numeric_limits<double>::infinity();  // m
  double upper = std::numeric_limits<double>::infinity();   // m
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();      // world; witnesses of `upper`
  Vec3 normal_a_to_b = Vec3::UnitZ();                       // unit, world; at the witnesses
  GapStatus status = GapStatus::undecided;
  long tests = 0;  // pair tests spent

  double width() const { return upper - lower; }
  prove::Bracket bracket() const { return {lower, upper}; }
};

/// Requires: both bodies have shapes and finite poses.
GapBracket gap(const PlacedBody& a, const PlacedBody& b, const GapSettings& settings = {});

}  // namespace repose::check
