#include "check_page.h"

#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "repose/report/report.h"

namespace {

using repose::Pose;
using repose::Vec3;
using repose::check::Answer;
using repose::check::Input;
using repose::check::PairGap;
using repose::check::Screw;
using repose::check::Verdict;
using repose::report::Replay;

constexpr int kMotionFrames = 48;
constexpr double kMotionSize = 0.1;        // of the body's size: how far its fastest point goes
constexpr double kFrameTime = 1.0 / 24.0;  // s
constexpr std::size_t kMostMarks = 200;

const std::string& name_of(const Input& input, int i) {
  return input.bodies[static_cast<std::size_t>(i)].name;
}

void add_bodies(const CheckSubject& subject, Replay& replay) {
  std::map<const repose::shape::Shape*, int> known;
  for (const repose::Body& body : subject.world.problem.bodies) {
    auto [at, fresh] = known.emplace(body.shape.get(), static_cast<int>(replay.shapes.size()));
    if (fresh) replay.shapes.push_back(repose::drawing_of(*body.shape));
    repose::report::ReplayBody shown;
    shown.name = body.name;
    shown.shape = at->second;
    shown.material = body.material;
    shown.mass = body.mass;
    shown.fixed = body.fixed;
    shown.role = body.role;
    replay.bodies.push_back(std::move(shown));
  }
}

repose::report::ReplayFrame still_frame(const Input& input, const Verdict& verdict) {
  repose::report::ReplayFrame frame;
  for (const auto& item : input.bodies) frame.poses.push_back(item.world_from_body);
  for (std::size_t c = 0; c < verdict.contacts.size(); ++c) {
    const auto& p = verdict.contacts[c];
    repose::Contact contact{p.body_a, p.body_b, p.point, p.normal_a_to_b, p.gap, Vec3::Zero()};
    if (c < verdict.balance.forces_on_b.size()) contact.force_on_b = verdict.balance.forces_on_b[c];
    frame.contacts.push_back(contact);
  }
  return frame;
}

/// The witness's motion by the angle or way that `amount` metres of its fastest point mean.
Pose moved(const repose::check::PlacedBody& item, const Screw& screw, double amount) {
  const Vec3 center = item.center_world();
  const Pose to_center{-center, repose::Quat::Identity()};
  const Pose turn{center + amount * screw.velocity,
                  repose::rotation_from_vector(amount * screw.angular)};
  return turn * to_center * item.world_from_body;
}

void add_motion(const Input& input, const Verdict& verdict, Replay& replay) {
  const Screw& screw = verdict.stability.witness;
  if (screw.body < 0) return;
  const auto body = static_cast<std::size_t>(screw.body);
  const double size = input.bodies[body].size();
  for (int k = 1; k <= kMotionFrames; ++k) {
    repose::report::ReplayFrame frame = replay.frames.front();
    const double phase = 2.0 * std::numbers::pi * k / kMotionFrames;
    const double amount = 0.5 * kMotionSize * size * (1.0 - std::cos(phase));
    frame.poses[body] = moved(input.bodies[body], screw, amount);
    frame.step = k;
    frame.time = kFrameTime * k;
    frame.contacts.clear();
    frame.has_contacts = k == kMotionFrames;
    if (frame.has_contacts) frame.contacts = replay.frames.front().contacts;
    replay.frames.push_back(std::move(frame));
  }
  replay.note = fmt::format(
      "Frame 0 is what was judged. The others show how {} would begin to move, a tenth of its size "
      "there and back.",
      name_of(input, screw.body));
}

void add_pair_marks(const Input& input, const std::vector<PairGap>& pairs, const char* what,
                    Replay& replay) {
  for (const PairGap& p : pairs) {
    if (replay.marks.size() >= kMostMarks) return;
    const auto& b = p.bracket;
    if (!b.point_a.allFinite() || !b.point_b.allFinite()) continue;
    const std::string depth = std::isfinite(b.lower) && std::isfinite(b.upper)
                                  ? fmt::format("gap in [{:.3g}, {:.3g}] m", b.lower, b.upper)
                                  : std::string("no gap known");
    replay.marks.push_back(
        {0.5 * (b.point_a + b.point_b), fmt::format("{} and {} {}: {}", name_of(input, p.body_a),
                                                    name_of(input, p.body_b), what, depth)});
  }
}

void add_witness_mark(const Input& input, const Verdict& verdict, Replay& replay) {
  const Screw& s = verdict.stability.witness;
  if (s.body < 0) return;
  replay.marks.push_back(
      {input.bodies[static_cast<std::size_t>(s.body)].center_world(),
       fmt::format("{} moves first: way ({:.3f}, {:.3f}, {:.3f}), turn ({:.3f}, {:.3f}, {:.3f})",
                   name_of(input, s.body), s.velocity.x(), s.velocity.y(), s.velocity.z(),
                   s.angular.x(), s.angular.y(), s.angular.z())});
}

repose::report::ShownVerdict shown(const Verdict& v) {
  repose::report::ShownVerdict out;
  out.status = to_text(v.answer);
  const bool weighed = v.balanced != Answer::not_judged;
  const char* proven = weighed ? "Proven: nothing overlaps and it stands."
                               : "Proven: nothing overlaps. Balance was not judged.";
  out.headline = v.answer == Answer::proven   ? proven
                 : v.answer == Answer::missed ? "Missed."
                                              : "Undecided.";
  out.detail = v.why;
  out.exit_code = v.answer == Answer::proven ? 0 : 1;
  const double gap = v.gap.bracket.lower;
  out.promises.push_back({"no overlap", "proven",
                          std::isfinite(gap)
                              ? fmt::format("{}, gap at least {:.3g} m", to_text(v.overlap), gap)
                              : std::string(to_text(v.overlap)),
                          v.overlap == Answer::proven});
  if (weighed)
    out.promises.push_back(
        {"balance", "proven",
         fmt::format("{}, residual {:.3g} of weight", to_text(v.balanced), v.balance.residual),
         v.balanced == Answer::proven});
  return out;
}

void add_facts(const Verdict& v, Replay& replay) {
  const auto fact = [&](const char* name, double value) {
    if (std::isfinite(value) && value >= 0.0)
      replay.facts.emplace_back(name, fmt::format("{:.6g}", value));
  };
  replay.facts.emplace_back("stability", to_text(v.stability.kind));
  replay.facts.emplace_back("why", v.stability.why);
  fact("margins.tilt_rad", v.stability.margins.tilt);
  fact("margins.friction", v.stability.margins.friction);
  fact("margins.load_factor", v.stability.margins.load);
  fact("balance.residual", v.balance.residual);
  fact("balance.frictionless_residual", v.frictionless_balance.residual);
  replay.facts.emplace_back("contacts", std::to_string(v.contacts.size()));
  replay.facts.emplace_back("overlaps", std::to_string(v.overlaps.size()));
  replay.facts.emplace_back("undecided", std::to_string(v.undecided.size()));
  fact("seconds", v.seconds);
}

}  // namespace

repose::Result<repose::Done> write_check_page(const CheckSubject& subject, const Input& input,
                                              const Verdict& verdict,
                                              const std::filesystem::path& path) {
  Replay replay;
  replay.title = subject.name.empty() ? "Untitled scene" : subject.name;
  replay.method = "check";
  replay.subtitle =
      fmt::format("{} bodies · judged by shapes, poses and loads alone", input.bodies.size());
  replay.verdict = shown(verdict);
  add_facts(verdict, replay);
  add_bodies(subject, replay);
  replay.frames.push_back(still_frame(input, verdict));
  add_pair_marks(input, verdict.overlaps, "overlap", replay);
  add_pair_marks(input, verdict.undecided, "are undecided", replay);
  add_witness_mark(input, verdict, replay);
  add_motion(input, verdict, replay);
  const auto html = repose::report::replay_page(replay);
  if (!html) return html.error();
  return repose::report::write_page(*html, path);
}
