#pragma once

#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "repose/base/json_write.h"
#include "repose/check/effort.h"
#include "repose/check/force_ranges.h"
#include "repose/check/stability.h"

namespace repose::check {

struct Settings {
  /// Overlap up to this is no fault. Fraction of the smaller body's size; [0, 1e-1].
  double tolerance = 1e-9;
  /// Pairs farther apart than this are told apart by their bounding balls alone. Fraction of the
  /// smaller finite body's size; [0, 1].
  double within = 1e-3;
  GapSettings gap;
  ContactSettings contact;
  BalanceSettings balance;
  ForceRangeSettings ranges;
  StabilitySettings stability;
  bool judge_balance = true;
  bool judge_stability = true;
  /// What is said of balance where it is not judged.
  std::string no_balance = "balance was not asked for";
  bool judge_fixed = true;  // look for overlaps of fixed bodies as well; they are told, no fault
  /// Set by a signal handler or another thread: what is not judged by then is undecided.
  const std::atomic<bool>* interrupt = nullptr;
};

using prove::Answer;

/// A gap with the two bodies it belongs to.
struct PairGap {
  int body_a = -1, body_b = -1;
  GapBracket bracket;
  double allowed = 0.0;  // m: an overlap of so much is no fault
};

/// Near pairs that the answer does not speak of.
struct LeftOut {
  long both_fixed = 0;                  // where the scene put them
  std::vector<PairGap> fixed_overlaps;  // of these, certified
  long fixed_unknown = 0;               // of these, not told apart from overlapping
  long not_colliding = 0, other_layers = 0;
  long joined = 0;  // that a joint lets pass one another

  long count() const { return both_fixed + not_colliding + other_layers + joined; }
};

struct Verdict {
  /// Of all that was asked; proven: nothing overlaps beyond the tolerance, all balances.
  Answer answer = Answer::undecided;
  Answer overlap = Answer::not_judged;
  Answer balanced = Answer::not_judged;
  PairGap gap;                     // the smallest lower bound of all pairs
  double gap_relative = 0.0;       // gap.lower over the smaller body's size
  std::vector<PairGap> overlaps;   // certified; the deepest, by size, first
  std::vector<PairGap> undecided;  // pairs whose bracket stayed open around the tolerance
  LeftOut left_out;
  std::array<int, 2> slips{-1, -1};  // a pair that balance hangs on and that may let go
  std::vector<ContactPoint> contacts;
  Balance balance;               // with friction
  Balance frictionless_balance;  // without
  /// Of the normal forces with friction, parallel to contacts; empty: not balanced or too many.
  std::vector<ForceRange> ranges;
  Stability stability;
  Effort effort;
  double seconds = 0.0;  // CPU
  std::string why;       // one sentence
};

/// Input or settings with a fault are refused: the answer is `undecided` and says why.
Verdict check(const Input& input, const Settings& settings = {});

/// The verdict as JSON text: verdict, gap, overlaps, balance, stability, seconds.
Json to_json(const Verdict& verdict, const Input& input);
/// A few lines for people.
std::string to_summary(const Verdict& verdict, const Input& input);

}  // namespace repose::check
