#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "repose/base/json_write.h"
#include "repose/base/settings.h"
#include "repose/check/skins.h"
#include "repose/check/verdict.h"
#include "repose/world/method.h"
#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose {

/// What a run keeps of the judge's verdict on a state. Numbers that could not be established are
/// absent.
struct Judgement {
  using Answer = check::Answer;

  Answer overlap = Answer::not_judged;   // proven: nothing overlaps beyond the judge's tolerance
  Answer balanced = Answer::not_judged;  // proven: contact forces balance every body
  /// proven: the balls of every surfel body are a wall without a hole about its phyxels, and
  /// nothing else lies within it.
  Answer cover = Answer::not_judged;
  /// proven: no skin of a lattice body crosses or holds that of another, nor, where the method
  /// promises that, any other body.
  Answer skins = Answer::not_judged;
  std::optional<double> penetration;           // m; no overlap is deeper than this
  std::optional<double> penetration_relative;  // of the smaller body's size
  std::optional<double> force, torque;         // worst unbalanced, relative to weight
  bool moves_off = false;     // balanced, but a small push moves something for good
  std::string why;            // one sentence
  std::optional<Vec3> place;  // m, world; what `why` speaks of, where that is in one place
  std::string cover_why;      // what of the cover is not proven
  std::string skins_why;      // what of the skins is not proven
  Json details;               // all that the judge says; null: nothing
};

/// Of a state that makes no claim of rest balance is not asked.
bool claims_rest(RunStatus status);

struct JudgeSettings {
  bool judge_balance = true;  // as well as overlap
  bool margins = false;       // of balance, and ranges of forces: they prove nothing and cost time
  check::SkinsOf skins = check::SkinsOf::each_other;
  const std::atomic<bool>* interrupt = nullptr;  // set: what is not judged yet is undecided
};

/// The one place where the program's problem becomes the judge's input.
Judgement judge(const Problem& problem, const State& state, const JudgeSettings& settings = {});

/// What is asked of soft bodies beside gaps: `cover` and `skins` and what is to be said of them.
void judge_soft(const Problem& problem, const State& state, const check::Input& input,
                check::SkinsOf skins, Judgement& out);

/// What a method promises of skins with such settings: that all bodies stay out of them, or nothing
/// beside what is told anyway. Settings that are not given have their defaults.
check::SkinsOf skins_promised(const std::string& method, const SettingValues& settings);

/// Overlap on the way from one state to the next step's, as check::judge_way takes it where origins
/// go straight. Requires: the same bodies in both.
Judgement judge_way(const Problem& problem, const State& from, const State& to);
/// Bodies are soft and move: of them motion is told as well.
bool has_soft_motion(const Problem& problem);

}  // namespace repose
