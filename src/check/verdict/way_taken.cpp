#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "repose/check/moments.h"
#include "repose/check/soft.h"
#include "repose/check/way.h"
#include "repose/prove/answer.h"

namespace repose::check {

namespace {

/// The bodies that made a way: those of both states, in the same order.
struct Travellers {
  Input from, to;
};

Travellers travellers(const Input& from, const Input& to, const std::vector<std::string>& put) {
  std::map<std::string_view, const PlacedBody*> later;
  for (const PlacedBody& body : to.bodies) later.emplace(body.name, &body);
  Travellers out;
  for (const PlacedBody& body : from.bodies) {
    const auto found = later.find(body.name);
    const bool same = found != later.end() && found->second->shape == body.shape &&
                      found->second->points_world.size() == body.points_world.size();
    if (!same || std::find(put.begin(), put.end(), body.name) != put.end()) continue;
    out.from.bodies.push_back(body);
    out.to.bodies.push_back(*found->second);
  }
  return out;
}

std::string why_of(const Input& input, const MomentVerdict& v) {
  if (v.answer == Answer::proven) return "nothing overlaps on the way";
  const auto name = [&](int i) { return input.bodies[static_cast<std::size_t>(i)].name; };
  const std::string pair = name(v.body_a) + " and " + name(v.body_b);
  if (v.answer == Answer::missed)
    return fmt::format("{:.3g} of the way on {} overlap by {:.3g} m or more", v.share, pair,
                       v.depth);
  return fmt::format("{:.3g} of the way on {} are not shown to be free of each other", v.share,
                     pair);
}

WayVerdict judge_rigid(const Travellers& all, bool soft, const WayTaken& way,
                       const Settings& settings) {
  Input rigid;
  std::vector<Course> courses;
  for (std::size_t i = 0; i < all.from.bodies.size(); ++i) {
    const PlacedBody &from = all.from.bodies[i], &to = all.to.bodies[i];
    if (soft && is_of_balls(from)) continue;
    rigid.bodies.push_back(from);
    courses.push_back({from.world_from_body, to.world_from_body,
                       soft || way.centers_go_straight ? from.center_body : Vec3(Vec3::Zero())});
  }
  const MomentVerdict said =
      judge_moments(rigid.bodies, courses, {.interrupt = settings.interrupt});
  WayVerdict out;
  out.answer = said.answer;
  out.why = why_of(rigid, said);
  out.depth_relative = said.depth_relative;
  return out;
}

WayVerdict judge_balls(const Travellers& all, const Settings& settings) {
  const Verdict said = check_way(all.from, all.to, settings, WayPairs::with_balls);
  WayVerdict out;
  out.answer = said.overlap;
  out.why = said.why;
  out.depth_relative = std::max(0.0, -said.gap_relative);
  return out;
}

/// Both together; the sentence is of the worse.
WayVerdict both(const WayVerdict& a, const WayVerdict& b) {
  WayVerdict out = prove::both(a.answer, b.answer) == a.answer ? a : b;
  out.depth_relative = std::max(a.depth_relative, b.depth_relative);
  return out;
}

}  // namespace

WayVerdict judge_way(const Input& from, const Input& to, const WayTaken& way,
                     const Settings& settings) {
  const Travellers all = travellers(from, to, way.put);
  const bool soft = std::any_of(all.from.bodies.begin(), all.from.bodies.end(),
                                [](const PlacedBody& b) { return is_soft(b) && !b.fixed; });
  WayVerdict out = judge_rigid(all, soft, way, settings);
  if (soft) out = both(out, judge_balls(all, settings));
  const SkinsVerdict skins = judge_skins_way(all.from, all.to, way.skins);
  out.skins = skins.answer;
  out.skins_why = skins.why;
  out.left_out = static_cast<int>(from.bodies.size() - all.from.bodies.size());
  return out;
}

}  // namespace repose::check
