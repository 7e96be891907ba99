#include "pose_sheet.h"

#include <algorithm>
#include <cmath>

#include "repose/render/depict.h"
#include "repose/render/draw.h"
#include "repose/shape/make.h"

namespace {

using repose::Pose;
using repose::Vec3;

constexpr std::size_t kMostDrawn = 48;
constexpr int kWidth = 1120, kHeight = 700, kSamples = 6;
constexpr double kApart = 1.15;        // of the body's size, from one to the next
constexpr double kDotRadius = 0.012;   // of the body's size
constexpr std::size_t kMostDots = 12;  // of one pose

/// Columns of the sheet: somewhat more than rows, as the picture is wider than it is high.
int columns_of(std::size_t count) {
  return std::max(1, static_cast<int>(std::lround(std::sqrt(1.9 * static_cast<double>(count)))));
}

}  // namespace

repose::Result<repose::Done> write_pose_sheet(const repose::Body& body,
                                              const repose::poses::Poses& poses,
                                              const std::filesystem::path& path) {
  repose::Problem problem;
  repose::State state;
  repose::Body ground;
  ground.name = "ground";
  ground.fixed = true;
  const auto plane = repose::shape::make_half_space();
  if (!plane) return plane.error();
  ground.shape = *plane;
  ground.role = "ground";
  problem.bodies.push_back(ground);
  state.bodies.emplace_back();
  const std::size_t count = std::min(poses.poses.size(), kMostDrawn);
  const int columns = columns_of(count);
  std::vector<repose::render::Marker> dots;
  for (std::size_t k = 0; k < count; ++k) {
    const repose::poses::RestingPose& pose = poses.poses[k];
    const int row = static_cast<int>(k) / columns, column = static_cast<int>(k) % columns;
    Pose at;
    at.rotation = pose.orientation;
    at.position = kApart * body.size() * Vec3(column, -row, 0.0) + Vec3(0, 0, pose.height) -
                  pose.orientation * body.center_body;
    repose::Body copy = body;
    copy.name = "pose " + std::to_string(k + 1);
    copy.fixed = false;
    problem.bodies.push_back(copy);
    state.bodies.emplace_back();
    state.bodies.back().world_from_body = at;
    const std::size_t step = (pose.support_body.size() + kMostDots - 1) / kMostDots;
    for (std::size_t i = 0; i < pose.support_body.size(); i += step) {
      const Vec3 p = at * pose.support_body[i];
      dots.push_back({p, p, kDotRadius * body.size(), {0.90F, 0.10F, 0.05F}});
    }
  }
  repose::render::DepictSettings view;
  view.aspect = static_cast<double>(kWidth) / kHeight;
  view.view.azimuth = -1.35;   // rad: from the front, a little from the left
  view.view.elevation = 0.55;  // rad
  repose::render::Picture picture = depict(problem, state, view);
  picture.markers = dots;
  repose::render::RenderSettings how;
  how.width = kWidth;
  how.height = kHeight;
  how.samples = kSamples;
  return repose::render::write_png(repose::render::draw(picture, how), path);
}
