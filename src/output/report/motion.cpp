#include "motion.h"

#include <algorithm>
#include <cmath>

namespace repose::report {
namespace {

constexpr int kBlockFrames = 64;
constexpr double kOrientationStep = 0x1p-22;
/// Position step as a fraction of the scene's size.
constexpr double kPositionFraction = 0x1p-24;
/// Quantised coordinates stay below this, whatever flies away.
constexpr double kLargestWord = 0x1p30;

struct Box {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = -low;

  void add(const Vec3& point, double radius) {
    low = low.cwiseMin(point - Vec3::Constant(radius));
    high = high.cwiseMax(point + Vec3::Constant(radius));
  }
  bool empty() const { return !(low.x() <= high.x()); }
};

/// Around the first frame's bodies, endless ground aside.
Box first_box(const Replay& replay) {
  Box box;
  for (std::size_t i = 0; i < replay.bodies.size(); ++i) {
    const DrawingShape& shape = replay.shapes[static_cast<std::size_t>(replay.bodies[i].shape)];
    if (std::isfinite(shape.bounding_radius))
      box.add(replay.frames[0].poses[i].position, shape.bounding_radius);
  }
  return box;
}

Box whole_box(const Replay& replay) {
  Box box;
  for (const ReplayFrame& frame : replay.frames) {
    for (const Pose& pose : frame.poses) box.add(pose.position, 0.0);
    for (const Vec3& point : frame.soft_points) box.add(point, 0.0);
  }
  return box;
}

std::vector<int> movers_of(const Replay& replay) {
  std::vector<int> out;
  for (std::size_t i = 0; i < replay.bodies.size(); ++i) {
    const Pose& first = replay.frames[0].poses[i];
    const bool moves =
        std::any_of(replay.frames.begin(), replay.frames.end(), [&](const ReplayFrame& frame) {
          const Pose& pose = frame.poses[i];
          return pose.position != first.position ||
                 pose.rotation.coeffs() != first.rotation.coeffs();
        });
    if (moves) out.push_back(static_cast<int>(i));
  }
  return out;
}

/// One block of frames as tracks: x, y, z of all movers, then w, x, y, z of their orientations,
/// then x, y, z of all soft points.
class BlockWriter {
 public:
  BlockWriter(const Replay& replay, const Motion& motion)
      : replay_(replay), motion_(motion), last_(motion.movers.size(), Quat::Identity()) {}

  std::vector<std::int32_t> block(std::size_t first, std::size_t length) {
    const std::size_t movers = motion_.movers.size();
    const auto points = static_cast<std::size_t>(motion_.point_count);
    const std::size_t tracks = 7 * movers + 3 * points;
    std::vector<std::int32_t> words(tracks * length);
    const auto put = [&](std::size_t track, std::size_t f, double value) {
      words[track * length + f] = static_cast<std::int32_t>(std::llround(value));
    };
    for (std::size_t f = 0; f < length; ++f) {
      const ReplayFrame& frame = replay_.frames[first + f];
      for (std::size_t m = 0; m < movers; ++m) {
        const Pose& pose = frame.poses[static_cast<std::size_t>(motion_.movers[m])];
        const Vec3 at = steps(pose.position);
        for (std::size_t c = 0; c < 3; ++c) put(c * movers + m, f, at[static_cast<long>(c)]);
        const Quat q = same_side(m, pose.rotation);
        const double turn[] = {q.w(), q.x(), q.y(), q.z()};
        for (std::size_t c = 0; c < 4; ++c)
          put((3 + c) * movers + m, f, turn[c] / motion_.orientation_step);
      }
      for (std::size_t p = 0; p < points; ++p) {
        const Vec3 at = steps(frame.soft_points[p]);
        for (std::size_t c = 0; c < 3; ++c)
          put(7 * movers + c * points + p, f, at[static_cast<long>(c)]);
      }
    }
    for (std::size_t t = 0; t < tracks; ++t) differentiate(words.data() + t * length, length);
    return words;
  }

 private:
  Vec3 steps(const Vec3& point) const { return (point - motion_.origin) / motion_.position_step; }

  /// Of q and -q the one nearer to the mover's last, so that tracks run on smoothly.
  Quat same_side(std::size_t mover, const Quat& q) {
    Quat out = q.normalized();
    if (out.dot(last_[mover]) < 0.0) out.coeffs() = -out.coeffs();
    return last_[mover] = out;
  }

  const Replay& replay_;
  const Motion& motion_;
  std::vector<Quat> last_;
};

}  // namespace

void differentiate(std::int32_t* track, std::size_t length) {
  std::uint32_t value = 0, slope = 0;
  for (std::size_t f = 0; f < length; ++f) {
    const auto next = static_cast<std::uint32_t>(track[f]);
    const std::uint32_t rise = next - value;
    const std::uint32_t bend = rise - slope;
    slope = f == 0 ? 0 : rise;
    value = next;
    track[f] = static_cast<std::int32_t>((bend << 1) ^ (0u - (bend >> 31)));
  }
}

Motion motion_of(const Replay& replay) {
  Motion out;
  out.block_frames = kBlockFrames;
  out.orientation_step = kOrientationStep;
  out.movers = movers_of(replay);
  out.point_count = static_cast<int>(replay.frames[0].soft_points.size());

  // a step fine enough for the scene, coarse enough for the farthest flight
  const Box whole = whole_box(replay);
  Box near = first_box(replay);
  if (near.empty()) near = whole;
  if (!whole.empty()) {
    out.origin = 0.5 * (near.low + near.high);
    const double size = (near.high - near.low).norm();
    const double reach = std::max((whole.high - out.origin).cwiseAbs().maxCoeff(),
                                  (whole.low - out.origin).cwiseAbs().maxCoeff());
    out.position_step = std::max(kPositionFraction * size, reach / kLargestWord);
    if (!(out.position_step > 0.0)) out.position_step = kPositionFraction;
  }
  BlockWriter writer(replay, out);
  for (std::size_t first = 0; first < replay.frames.size(); first += kBlockFrames)
    out.blocks.push_back(
        writer.block(first, std::min<std::size_t>(kBlockFrames, replay.frames.size() - first)));
  return out;
}

}  // namespace repose::report
