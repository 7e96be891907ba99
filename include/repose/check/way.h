#pragma once

#include "repose/check/skins.h"
#include "repose/check/verdict.h"

namespace repose::check {

/// The way from one state to the next as the judge takes it: every ball of a sphere set goes
/// straight; a rigid body's centre of mass goes straight while it turns evenly about one axis.

/// The least gap of two bodies all along their ways. Balls with balls and balls with ground that
/// does not move are closed forms; balls with any other body are proven by planes and by halving,
/// in its own frame where it moves; two rigid bodies by halving alone, so that near ones may stay
/// undecided. Requires: `to` holds the same bodies as `from`.
GapBracket gap_on_way(const PlacedBody& from_a, const PlacedBody& to_a, const PlacedBody& from_b,
                      const PlacedBody& to_b, const GapSettings& settings = {});

/// The same of the balls of one sphere set that are not joined.
GapBracket self_gap_on_way(const PlacedBody& from, const PlacedBody& to,
                           const GapSettings& settings = {});

/// Which pairs of bodies are looked at.
enum class WayPairs { all, with_balls };

/// Overlap on the way from one state to the next: answer, overlap, gap, overlaps, undecided and why
/// of the verdict. Requires: the same bodies in both.
Verdict check_way(const Input& from, const Input& to, const Settings& settings = {},
                  WayPairs pairs = WayPairs::all);

/// How bodies came from one state to the next.
struct WayTaken {
  bool centers_go_straight = false;  // of rigid bodies; else their origins do
  std::vector<std::string> put;      // names of bodies that an edit put elsewhere: they went no way
  SkinsOf skins = SkinsOf::each_other;
};

struct WayVerdict {
  Answer answer = Answer::undecided;  // proven: nothing overlaps deeper than allowed
  std::string why;                    // one sentence
  double depth_relative = 0.0;        // of the smaller body's size: no overlap is deeper
  int left_out = 0;  // bodies that went no way: put elsewhere, taken away, or become others
  Answer skins = Answer::not_judged;  // of lattices; proven: they stay apart at every moment
  std::string skins_why;              // one sentence; empty where it is proven
};

/// Every moment on the way from one state to the next, of the bodies that both hold and that were
/// not put: by judge_moments; where there are soft bodies, pairs with balls (soft bodies consist of
/// them) by check_way instead, to the tolerance of states.
WayVerdict judge_way(const Input& from, const Input& to, const WayTaken& way,
                     const Settings& settings = {});

}  // namespace repose::check
