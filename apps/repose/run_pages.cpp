#include "run_pages.h"

#include <numbers>

#include "repose/record/recording.h"
#include "repose/render/depict.h"
#include "repose/render/draw.h"
#include "repose/report/report.h"

namespace {

using repose::render::DepictSettings;

// pixels, and light paths for each: a picture of the run, made in passing
constexpr int kStillWidth = 960;
constexpr int kStillHeight = 600;
constexpr int kStillSamples = 8;

constexpr double kRadiansPerDegree = std::numbers::pi / 180.0;

repose::Vec3 to_vec3(const std::array<double, 3>& v) {
  return {v[0], v[1], v[2]};
}

/// The scene's own view of itself.
DepictSettings view_of(const repose::Scene& scene) {
  const repose::ViewChoice& view = scene.view;
  DepictSettings out;
  out.gravity = scene.gravity;
  out.view.azimuth = view.azimuth_deg * kRadiansPerDegree;
  out.view.elevation = view.elevation_deg * kRadiansPerDegree;
  if (view.eye && view.target) {
    repose::render::Camera camera;
    camera.eye = to_vec3(*view.eye);
    camera.target = to_vec3(*view.target);
    camera.view_angle = view.view_angle_deg * kRadiansPerDegree;
    out.camera = camera;
  }
  if (view.background)
    for (std::size_t i = 0; i < 3; ++i) {
      if (!out.background) out.background.emplace();
      (*out.background)[i] = static_cast<float>((*view.background)[i]);
    }
  return out;
}

repose::Result<repose::Done> write_still(const repose::Recording& recording,
                                         const repose::Scene& scene,
                                         const std::filesystem::path& path) {
  auto frame = recording.frame(recording.frame_count() - 1);
  if (!frame) return frame.error();
  const repose::render::Depictor depictor(recording.shapes(), recording.bodies());
  DepictSettings settings = view_of(scene);
  repose::render::RenderSettings how;
  how.width = kStillWidth;
  how.height = kStillHeight;
  how.samples = kStillSamples;
  settings.aspect = static_cast<double>(how.width) / how.height;
  return repose::render::write_png(repose::render::draw(depictor.depict(*frame, settings), how),
                                   path);
}

}  // namespace

repose::Result<repose::Done> write_pages(const std::filesystem::path& folder,
                                         const repose::Scene& scene,
                                         const std::vector<repose::SettingInfo>& known) {
  auto recording = repose::Recording::open(folder / "recording.repose");
  if (!recording) return recording.error();
  const auto page = repose::report::write_report(*recording, folder / "report.html", known);
  if (!page) return page;
  return write_still(*recording, scene, folder / "still.png");
}
