#include "render_scene.h"

#include <charconv>
#include <chrono>
#include <cstdio>
#include <numbers>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "repose/handover/handover.h"
#include "repose/record/pace.h"
#include "repose/render/draw.h"
#include "repose/render/film.h"
#include "repose/run/catalogue.h"
#include "repose/run/judge.h"

namespace {

using repose::Done;
using repose::InputError;
using repose::Result;
using repose::render::DepictSettings;
using repose::render::RenderSettings;

constexpr double kDegree = std::numbers::pi / 180.0;
/// Frames looked at to find a camera for a whole film.
constexpr int kFramesForCamera = 12;
/// How long a film of a run without time is, s; as report pages play it.
constexpr double kEvenSeconds = 5.0;

InputError bad(const char* option, const std::string& value, const char* right) {
  InputError error;
  error.pointer = option;
  error.value = value;
  error.wrong = "not understood";
  error.right = right;
  return error;
}

/// One line that updates itself on a terminal: share done and time left.
class Clock {
 public:
  explicit Clock(bool quiet) : shown_(!quiet && ::isatty(STDERR_FILENO) != 0) {}
  ~Clock() {
    if (shown_ && drawn_) fmt::print(stderr, "\r\033[K");
  }
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;

  void show(double share) {
    if (!shown_ || share <= 0.0) return;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
    fmt::print(stderr, "\rdrawing {:3.0f} %, {:.0f} s left \033[K", 100.0 * share,
               spent.count() * (1.0 - share) / share);
    std::fflush(stderr);
    drawn_ = true;
  }

 private:
  bool shown_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// What the options ask for.
struct Order {
  RenderSettings render;
  DepictSettings depict;
};

bool is_film(const std::filesystem::path& out) {
  const std::string ending = out.extension().string();
  return ending != ".png" && ending != ".jpg" && ending != ".jpeg";
}

Result<Order> order_of(const RenderOptions& options) {
  Order order;
  const auto surfels = repose::named<repose::render::SurfelLook>(options.surfels);
  if (!surfels) return bad("--surfels", options.surfels, "surface, strain, balls or phyxels");
  order.depict.surfels = *surfels;
  order.render.width = options.size[0];
  order.render.height = options.size[1];
  if (options.view) {
    order.depict.view.azimuth = kDegree * (*options.view)[0];
    order.depict.view.elevation = kDegree * (*options.view)[1];
  }
  if (options.samples) order.render.samples = static_cast<int>(*options.samples);
  order.render.quick = options.quick || (is_film(options.out) && !options.samples);
  order.depict.aspect = static_cast<double>(order.render.width) / order.render.height;
  order.depict.contacts = options.contacts;
  order.depict.skin = options.skin;
  order.depict.forces = options.forces;
  order.depict.highlight = options.highlight;
  return order;
}

Result<Done> draw_scene(const RenderOptions& options, Order& order) {
  const auto handed = open_as(options.what, options.open);
  if (!handed) return handed.error();
  const repose::Scene* scene = &handed->scene;
  const auto world = repose::build_world(*scene);
  if (!world) return world.error();
  if (!options.view) apply_view(scene->view, order.depict);
  order.depict.gravity = world->problem.gravity;
  apply_problem(scene->method, world->problem, options.view.has_value(), order.depict);
  Clock clock(options.quiet);
  order.render.progress = [&clock](double share) { clock.show(share); };
  const auto picture = depict(world->problem, world->state, order.depict);
  return write_picture(draw(picture, order.render), options.out);
}

Result<int> frame_number(const RenderOptions& options, int count) {
  if (options.frame == "last") return count - 1;
  int number = -1;
  const char* end = options.frame.data() + options.frame.size();
  const auto [stop, code] = std::from_chars(options.frame.data(), end, number);
  if (code != std::errc{} || stop != end || number < 0 || number >= count)
    return bad("--frame", options.frame, fmt::format("last, or 0 to {}", count - 1).c_str());
  return number;
}

/// The moments that a film shows, one a picture.
Result<std::vector<repose::Moment>> moments_of(const repose::Recording& recording,
                                               const RenderOptions& options) {
  std::vector<repose::Moment> out;
  if (options.every_frame) {
    for (int f = 0; f < recording.frame_count(); ++f) out.push_back({f, 0.0});
    return out;
  }
  if (options.even_seconds <= 0.0 && repose::has_time(recording)) {
    const double between = options.speed / options.frames_per_second;
    const double length = recording.times().back() - recording.times().front();
    for (int n = 0; n * between < length; ++n)
      out.push_back(repose::moment_at_time(recording, n * between));
    out.push_back({recording.frame_count() - 1, 0.0});
    return out;
  }
  const auto pace = repose::EvenPace::of(recording);
  if (!pace) return pace.error();
  const double seconds = options.even_seconds > 0.0 ? options.even_seconds : kEvenSeconds;
  const int pictures = std::max(2, static_cast<int>(seconds * options.frames_per_second));
  for (int n = 0; n < pictures; ++n) {
    repose::Moment moment = pace->at(n / (pictures - 1.0));
    // a state that nobody has proven is not shown
    if (!pace->proven_between()) moment.share = 0.0;
    out.push_back(moment);
  }
  return out;
}

Result<Done> film(const repose::Recording& recording, const repose::render::Depictor& depictor,
                  const RenderOptions& options, Order& order) {
  const int count = recording.frame_count();
  std::vector<repose::RecordedFrame> some;
  for (int k = 0; k < kFramesForCamera; ++k) {
    auto frame = recording.frame((count - 1) * k / (kFramesForCamera - 1));
    if (!frame) return frame.error();
    some.push_back(std::move(frame).value());
  }
  order.depict.camera = depictor.camera_for(some, order.depict);
  repose::render::FilmSettings settings;
  settings.frames_per_second = options.frames_per_second;
  auto film =
      repose::render::Film::start(options.out, order.render.width, order.render.height, settings);
  if (!film) return film.error();
  Clock clock(options.quiet);
  const auto moments = moments_of(recording, options);
  if (!moments) return moments.error();
  for (std::size_t n = 0; n < moments->size(); ++n) {
    const auto frame = repose::frame_at(recording, (*moments)[n]);
    if (!frame) return frame.error();
    auto added = film->add(draw(depictor.depict(*frame, order.depict), order.render));
    if (!added) return added;
    clock.show((static_cast<double>(n) + 1.0) / static_cast<double>(moments->size()));
  }
  return film->finish();
}

Result<Done> draw_recording(const RenderOptions& options, Order& order) {
  const std::filesystem::path at = options.what;
  const auto recording =
      repose::Recording::open(std::filesystem::is_directory(at) ? at / "recording.repose" : at);
  if (!recording) return recording.error();
  if (auto done = recording->require_frames(); !done) return done;
  const auto& head = recording->head();
  order.depict.gravity = head.gravity;
  if (!head.scene_text.empty()) {
    // a recording that names a scene this program cannot read is still drawn, from the default view
    const auto scene =
        repose::scene_from_text(head.scene_text, head.scene, repose::method_catalogue());
    if (scene && !options.view) apply_view(scene->view, order.depict);
    if (scene)
      if (const auto world = repose::build_world(*scene); world)
        apply_problem(scene->method, world->problem, options.view.has_value(), order.depict);
  }
  const repose::render::Depictor depictor(recording->shapes(), recording->bodies());
  const auto first = recording->frame(0);
  if (!first) return first.error();
  order.depict.stage = depictor.bounds(*first, order.depict);
  if (is_film(options.out)) return film(*recording, depictor, options, order);
  const auto number = frame_number(options, recording->frame_count());
  if (!number) return number.error();
  const auto frame = recording->frame(*number);
  if (!frame) return frame.error();
  Clock clock(options.quiet);
  order.render.progress = [&clock](double share) { clock.show(share); };
  return write_picture(draw(depictor.depict(*frame, order.depict), order.render), options.out);
}

}  // namespace

void apply_view(const repose::ViewChoice& view, DepictSettings& settings) {
  settings.view.azimuth = kDegree * view.azimuth_deg;
  settings.view.elevation = kDegree * view.elevation_deg;
  settings.free_heading = view.azimuth_deg == repose::ViewChoice{}.azimuth_deg;
  settings.free_elevation = view.elevation_deg == repose::ViewChoice{}.elevation_deg;
  settings.view.view_angle = kDegree * view.view_angle_deg;
  if (view.background)
    settings.background = repose::render::Color{static_cast<float>((*view.background)[0]),
                                                static_cast<float>((*view.background)[1]),
                                                static_cast<float>((*view.background)[2])};
  if (!view.eye || !view.target) return;
  repose::render::Camera camera;
  for (int k = 0; k < 3; ++k) {
    camera.eye[k] = (*view.eye)[static_cast<std::size_t>(k)];
    camera.target[k] = (*view.target)[static_cast<std::size_t>(k)];
  }
  camera.view_angle = kDegree * view.view_angle_deg;
  settings.camera = camera;
}

void apply_problem(const repose::MethodChoice& method, const repose::Problem& problem,
                   bool view_by_hand, DepictSettings& settings) {
  settings.spans = repose::render::spans_of(problem);
  settings.signs = repose::render::signs_of(problem);
  const auto info = repose::find_method(method.kind);
  if (repose::skins_promised(method.kind, method.settings) == repose::check::SkinsOf::all_bodies)
    settings.skin = true;
  settings.board = info && (*info)->support.plane() && !view_by_hand && !settings.camera;
}

Result<Done> render_scene(const RenderOptions& options) {
  auto order = order_of(options);
  if (!order) return order.error();
  const std::filesystem::path at = options.what;
  const bool recorded = at.extension() == ".repose" || std::filesystem::is_directory(at);
  if (recorded) return draw_recording(options, *order);
  if (is_film(options.out))
    return bad("--out", options.out.string(),
               "a .png or .jpg: a scene stands still; films need the folder of a run");
  return draw_scene(options, *order);
}
