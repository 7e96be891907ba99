#pragma once

#include <memory>
#include <vector>

#include "repose/base/result.h"
#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose::place {

/// How a body would stand to the others.
enum class Meeting { free, touching, overlapping };
const char* to_text(Meeting meeting);

/// Where a body meets another.
struct InterferencePlace {
  int other = -1;                   // index into Problem::bodies
  Vec3 point_world = Vec3::Zero();  // midway between the two surfaces
  Vec3 normal = Vec3::UnitZ();      // unit, world, from the other to the body
  double gap = 0.0;                 // m; negative: depth there
};

struct Interference {
  Meeting meeting = Meeting::free;
  std::vector<InterferencePlace> places;  // touching or overlapping ones, the deepest first
};

/// Prepared surfaces for many questions about the bodies of one problem, as a hand moves one of
/// them. Every answer is for a place and a turn alone: nothing moves.
class InterferenceProbe {
 public:
  /// Surfaces nearer than `touch` over the smaller body's size touch. (0, 1e-2].
  static constexpr double kTouch = 1e-6;

  static Result<InterferenceProbe> prepare(const Problem& problem, double touch = kTouch);

  /// The answer for `body` at `world_from_body`, all others as in `state`. Requires: `body` and
  /// `state` belong to the problem that was prepared.
  Interference at(const Problem& problem, const State& state, int body,
                  const Pose& world_from_body) const;

  ~InterferenceProbe();
  InterferenceProbe(InterferenceProbe&&) noexcept;
  InterferenceProbe& operator=(InterferenceProbe&&) noexcept;

 private:
  struct Prepared;
  explicit InterferenceProbe(std::unique_ptr<Prepared> prepared);
  std::unique_ptr<Prepared> prepared_;
};

/// The same for one question.
Result<Interference> interference(const Problem& problem, const State& state, int body,
                                  const Pose& world_from_body);

}  // namespace repose::place
