#include "repose/record/pace.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "repose/run/catalogue.h"

namespace repose {
namespace {

/// Angle between two rotations, rad.
double turn_between(const Quat& a, const Quat& b) {
  return 2.0 * std::acos(std::min(1.0, std::fabs(a.dot(b))));
}

ProvenWays ways_of(const Recording& recording) {
  const auto method = find_method(recording.head().method);
  return method ? (*method)->ways : ProvenWays::none;
}

/// The point of a body that goes straight from frame to frame, body frame: what the method proved.
Vec3 straight_point(const Recording& recording, int body) {
  return centers_go_straight(recording)
             ? recording.bodies()[static_cast<std::size_t>(body)].center_body
             : Vec3(Vec3::Zero());
}

bool proves_ways(const Recording& recording) {
  return ways_of(recording) != ProvenWays::none &&
         std::none_of(recording.events().begin(), recording.events().end(),
                      [](const RecordedEvent& event) { return event.kind == "edit"; });
}

double farthest_way(const Recording& recording, const RecordedFrame& from,
                    const RecordedFrame& to) {
  double farthest = 0.0;
  if (from.bodies != to.bodies) return farthest;
  for (std::size_t k = 0; k < from.bodies.size(); ++k) {
    const RecordedBody& body = recording.bodies()[static_cast<std::size_t>(from.bodies[k])];
    if (body.fixed) continue;
    const SoftState &soft = from.soft[k], &moved = to.soft[k];
    if (soft.size() == moved.size())
      for (std::size_t i = 0; i < soft.size(); ++i)
        farthest = std::max(farthest, (moved.positions[i] - soft.positions[i]).norm());
    const double half = std::isfinite(body.size) ? 0.5 * body.size : 0.0;
    const double way = (to.poses[k].position - from.poses[k].position).norm() +
                       half * turn_between(from.poses[k].rotation, to.poses[k].rotation);
    farthest = std::max(farthest, way);
  }
  return farthest;
}

}  // namespace

Result<EvenPace> EvenPace::of(const Recording& recording) {
  EvenPace out;
  if (recording.frame_count() == 0) return out;
  auto last = recording.frame(0);
  if (!last) return last.error();
  out.proven_between_ = proves_ways(recording);
  for (int f = 1; f < recording.frame_count(); ++f) {
    auto next = recording.frame(f);
    if (!next) return next.error();
    out.path_.push_back(out.path_.back() + farthest_way(recording, *last, *next));
    out.proven_between_ = out.proven_between_ && next->step == last->step + 1;
    last = std::move(next);
  }
  return out;
}

Moment EvenPace::at(double share) const {
  const double wanted = std::clamp(share, 0.0, 1.0) * length();
  const auto after = std::upper_bound(path_.begin(), path_.end(), wanted);
  if (after == path_.end()) return {static_cast<int>(path_.size()) - 1, 0.0};
  const auto before = after - 1;
  return {static_cast<int>(before - path_.begin()), (wanted - *before) / (*after - *before)};
}

bool has_time(const Recording& recording) {
  const auto& times = recording.times();
  return !times.empty() && times.back() > times.front();
}

Moment moment_at_time(const Recording& recording, double time) {
  const auto& times = recording.times();
  const auto after = std::upper_bound(times.begin(), times.end(), times.front() + time);
  return {std::max(0, static_cast<int>(after - times.begin()) - 1), 0.0};
}

bool centers_go_straight(const Recording& recording) {
  return ways_of(recording) == ProvenWays::of_centers;
}

Result<RecordedFrame> frame_at(const Recording& recording, const Moment& moment) {
  auto frame = recording.frame(moment.frame);
  if (!frame || moment.share <= 0.0 || moment.frame + 1 >= recording.frame_count()) return frame;
  const auto next = recording.frame(moment.frame + 1);
  if (!next) return next.error();
  std::map<int, std::size_t> place;
  for (std::size_t k = 0; k < next->bodies.size(); ++k) place[next->bodies[k]] = k;
  const double s = moment.share;
  for (std::size_t k = 0; k < frame->bodies.size(); ++k) {
    const auto found = place.find(frame->bodies[k]);
    if (found == place.end()) continue;
    const Pose& to = next->poses[found->second];
    Pose& pose = frame->poses[k];
    const Vec3 point = straight_point(recording, frame->bodies[k]);
    const Vec3 on_way = (1.0 - s) * (pose * point) + s * (to * point);
    pose.rotation = pose.rotation.slerp(s, to.rotation);
    pose.position = on_way - pose.turn(point);
    SoftState& soft = frame->soft[k];
    const SoftState& at_last = next->soft[found->second];
    if (soft.empty() || soft.size() != at_last.size()) continue;
    std::vector<Vec3>& points = soft.positions.edit();
    for (std::size_t i = 0; i < points.size(); ++i)
      points[i] = (1.0 - s) * points[i] + s * at_last.positions[i];
  }
  frame->time = (1.0 - s) * frame->time + s * next->time;
  return frame;
}

}  // namespace repose
