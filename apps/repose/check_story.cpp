#include "check_story.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace {

using repose::Body;
using repose::RecordedBody;

/// Of numbers that went through text and back.
constexpr double kSame = 1e-9;

bool same(double a, double b) {
  return a == b || std::fabs(a - b) <= kSame * std::max(std::fabs(a), std::fabs(b));
}

/// Names that an edit up to a step, or an event of the scene, has as its target.
std::set<std::string> edited_names(const CheckSubject& subject, long step) {
  std::set<std::string> out;
  for (const repose::RecordedEvent& event : subject.recording->events())
    if (event.kind == "edit" && event.step <= step) out.insert(event.target);
  for (const repose::TimedEvent& event : subject.cast.events) out.insert(event.edit.target);
  return out;
}

/// What differs from the scene's word; empty: nothing.
std::string changed(const RecordedBody& said, const Body& told) {
  if (said.fixed != told.fixed) return said.fixed ? "fixed" : "free to move";
  if (said.collides != told.collides) return said.collides ? "colliding" : "not colliding";
  if (!same(said.material.friction, told.material.friction)) return "of another friction";
  if (!told.soft && !told.fixed && !same(said.mass, told.mass)) return "of another mass";
  return {};
}

bool stands_as(const Body& body, const repose::Pose& pose, const repose::Pose& start) {
  const double reach = std::isfinite(body.size()) ? body.size() : 1.0;
  const double off = (pose.position - start.position).norm();
  return off <= kSame * (reach + start.position.norm()) &&
         pose.rotation.angularDistance(start.rotation) <= kSame;
}

}  // namespace

std::string unexplained_in(const CheckSubject& subject, int index) {
  const auto frame = subject.recording->frame(index);
  if (!frame) return {};  // whoever reads it for its poses says so
  const std::set<std::string> edited = edited_names(subject, frame->step);
  const auto& starts = subject.start.bodies;
  std::set<std::string> present;
  for (std::size_t k = 0; k < frame->bodies.size(); ++k) {
    const auto& said = subject.recording->bodies()[static_cast<std::size_t>(frame->bodies[k])];
    present.insert(said.name);
    const int i = subject.cast.find_body(said.name);
    if (i < 0 || edited.count(said.name) != 0) continue;
    const Body& told = subject.cast.bodies[static_cast<std::size_t>(i)];
    if (const std::string what = changed(said, told); !what.empty())
      return fmt::format("{} is recorded as {}, which neither the scene nor an edit says",
                         said.name, what);
    const bool placed = told.fixed && !told.soft && static_cast<std::size_t>(i) < starts.size();
    if (placed &&
        !stands_as(told, frame->poses[k], starts[static_cast<std::size_t>(i)].world_from_body))
      return fmt::format("{} is fixed and recorded elsewhere, where no edit put it", said.name);
  }
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const Body& told = subject.cast.bodies[i];
    if (!told.soft && present.count(told.name) == 0 && edited.count(told.name) == 0)
      return fmt::format("{} is not recorded, and no edit took it away", told.name);
  }
  return {};
}

namespace {

/// What the result tells of the recording that the recording itself does not bear out; empty:
/// nothing.
std::string at_odds(const CheckSubject& subject) {
  const repose::RunClaim& told = *subject.claim;
  const int frames = subject.recording->frame_count();
  const long step = subject.recording->steps().back();
  if (!told.status_told.empty() && to_text(told.status) != told.status_told)
    return fmt::format("its result tells of the status \"{}\", which no run has", told.status_told);
  if (told.frames >= 0 && told.frames != frames)
    return fmt::format("its result tells of {} frames, it holds {}", told.frames, frames);
  if (told.steps >= 0 && told.steps != step)
    return fmt::format("its result tells of {} steps, its last frame is of step {}", told.steps,
                       step);
  return {};
}

}  // namespace

std::string told_of_run(const CheckSubject& subject, const repose::check::Verdict& verdict) {
  if (!subject.claim || subject.claim->status_told.empty()) return {};
  const bool judged = repose::claims_rest(subject.claim->status) &&
                      verdict.balanced != repose::check::Answer::not_judged;
  if (judged) return {};
  return fmt::format("the run ended with \"{}\": the recording's own word, not judged",
                     subject.claim->status_told);
}

std::string unexplained(const CheckSubject& subject, bool all_frames) {
  if (subject.claim)
    if (std::string why = at_odds(subject); !why.empty()) return "the recording: " + why;
  const int last = subject.recording->frame_count() - 1;
  const auto& steps = subject.recording->steps();
  for (int k = all_frames ? 0 : last; k <= last; ++k) {
    const auto f = static_cast<std::size_t>(k);
    if (all_frames && k > 0 && steps[f] < steps[f - 1])
      return fmt::format("frame {} is of an earlier step than the one before it", k);
    if (std::string why = unexplained_in(subject, k); !why.empty())
      return fmt::format("frame {}: {}", k, why);
  }
  return {};
}
