#include "run_pages.h"

#include "repose/base/work.h"
#include "repose/record/recording.h"
#include "repose/render/depict.h"
#include "repose/render/draw.h"
#include "repose/report/report.h"

#include "render_scene.h"

namespace {

using repose::render::DepictSettings;

// pixels, and light paths for each of a fine one: a picture of the run, made in passing
constexpr int kStillWidth = 800, kFineWidth = 1280;
constexpr int kStillHeight = 500, kFineHeight = 800;
constexpr int kFineSamples = 8;

repose::Result<repose::Done> write_still(const repose::Recording& recording,
                                         const repose::Scene& scene,
                                         const std::filesystem::path& path,
                                         const PageOrder& order) {
  auto frame = recording.frame(recording.frame_count() - 1);
  if (!frame) return frame.error();
  const repose::render::Depictor depictor(recording.shapes(), recording.bodies());
  DepictSettings settings;
  settings.gravity = scene.gravity;
  apply_view(scene.view, settings);
  if (order.problem != nullptr) apply_problem(scene.method, *order.problem, false, settings);
  auto first = recording.frame(0);
  if (!first) return first.error();
  settings.stage = depictor.bounds(*first, settings);
  repose::render::RenderSettings how;
  how.width = order.fine_still ? kFineWidth : kStillWidth;
  how.height = order.fine_still ? kFineHeight : kStillHeight;
  how.samples = kFineSamples;
  how.quick = !order.fine_still;
  how.interrupt = order.interrupt;
  how.progress = order.progress;
  settings.aspect = static_cast<double>(how.width) / how.height;
  try {
    return repose::render::write_png(repose::render::draw(depictor.depict(*frame, settings), how),
                                     path);
  } catch (const repose::Interrupted&) {
    return repose::Done{};
  }
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
                                         const std::vector<repose::SettingInfo>& known,
                                         const PageOrder& order) {
  auto recording = repose::Recording::open(folder / "recording.repose");
  if (!recording) return recording.error();
  repose::report::ReportSettings settings = page_settings(scene);
  settings.watches = order.watches;
  if (order.problem != nullptr) settings.ties = repose::report::ties_of(*order.problem);
  const auto page =
      repose::report::write_report(*recording, folder / "report.html", known, settings);
  if (!page) return page;
  if (!order.still || (order.interrupt != nullptr && *order.interrupt)) return repose::Done{};
  return write_still(*recording, scene, folder / "still.png", order);
}
