#include "run_pages.h"

#include "repose/record/recording.h"
#include "repose/render/depict.h"
#include "repose/render/draw.h"
#include "repose/report/report.h"

#include "render_scene.h"

namespace {

using repose::render::DepictSettings;

// pixels, and light paths for each: a picture of the run, made in passing
constexpr int kStillWidth = 960;
constexpr int kStillHeight = 600;
constexpr int kStillSamples = 8;

repose::Result<repose::Done> write_still(const repose::Recording& recording,
                                         const repose::Scene& scene,
                                         const std::filesystem::path& path) {
  auto frame = recording.frame(recording.frame_count() - 1);
  if (!frame) return frame.error();
  const repose::render::Depictor depictor(recording.shapes(), recording.bodies());
  DepictSettings settings;
  settings.gravity = scene.gravity;
  apply_view(scene.view, settings);
  repose::render::RenderSettings how;
  how.width = kStillWidth;
  how.height = kStillHeight;
  how.samples = kStillSamples;
  settings.aspect = static_cast<double>(how.width) / how.height;
  return repose::render::write_png(repose::render::draw(depictor.depict(*frame, settings), how),
                                   path);
}

}  // namespace

repose::report::ReportSettings page_settings(const repose::Scene& scene) {
  repose::report::ReportSettings out;
  const repose::ViewChoice& view = scene.view;
  if (!view.eye || !view.target) return out;
  const auto point = [](const std::array<double, 3>& v) { return repose::Vec3(v[0], v[1], v[2]); };
  out.camera = {point(*view.eye), point(*view.target), view.view_angle_deg};
  return out;
}

repose::Result<repose::Done> write_pages(const std::filesystem::path& folder,
                                         const repose::Scene& scene,
                                         const std::vector<repose::SettingInfo>& known) {
  auto recording = repose::Recording::open(folder / "recording.repose");
  if (!recording) return recording.error();
  const auto page =
      repose::report::write_report(*recording, folder / "report.html", known, page_settings(scene));
  if (!page) return page;
  return write_still(*recording, scene, folder / "still.png");
}
