#include "scene.h"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "repose/base/random.h"
#include "repose/run/catalogue.h"
#include "repose/run/loop.h"
#include "repose/scene/gallery.h"

namespace bench_pile {

const Row& best_of(const std::vector<Row>& rows) {
  return *std::min_element(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    const bool rests_a = a.end == "rest", rests_b = b.end == "rest";
    if (rests_a != rests_b) return rests_a;
    return rests_a ? a.seconds < b.seconds : a.unbalanced < b.unbalanced;
  });
}

double cpu_now() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::vector<Vec3> grid(int k, std::uint64_t seed) {
  repose::Random random(seed);
  std::vector<Vec3> out;
  for (int i = 0; i < k * k * k; ++i) {
    const Vec3 cell(i % k + 0.5, i / k % k + 0.5, i / k / k + 0.5);
    const double x = random.between(-kJitter, kJitter), y = random.between(-kJitter, kJitter);
    const double z = random.between(-kJitter, kJitter);
    out.push_back(kPitch * cell + Vec3(x, y, z));
  }
  return out;
}

std::vector<std::pair<Vec3, Vec3>> walls(int k) {
  const double side = kPitch * k;
  return {{Vec3::Zero(), Vec3::UnitZ()},
          {Vec3::Zero(), Vec3::UnitX()},
          {Vec3::Zero(), Vec3::UnitY()},
          {Vec3(side, 0.0, 0.0), -Vec3::UnitX()},
          {Vec3(0.0, side, 0.0), -Vec3::UnitY()}};
}

double overlap_of(const std::vector<Vec3>& centers, int k) {
  double worst = 0.0;
  for (std::size_t i = 0; i < centers.size(); ++i) {
    for (const auto& [point, normal] : walls(k))
      worst = std::max(worst, 1.0 - normal.dot(centers[i] - point));
    for (std::size_t j = 0; j < i; ++j)
      worst = std::max(worst, 2.0 - (centers[i] - centers[j]).norm());
  }
  return worst;
}

double overlap_on_way(const std::vector<Vec3>& from, const std::vector<Vec3>& to, int k) {
  double worst = overlap_of(to, k);
  for (std::size_t i = 0; i < from.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3 between = from[i] - from[j], way = to[i] - to[j] - between;
      const double square = way.squaredNorm(), back = -between.dot(way);
      if (back <= 0.0 || back >= square) continue;  // nearest at an end
      worst = std::max(worst, 2.0 - (between + back / square * way).norm());
    }
  return worst;
}

double mean_height(const std::vector<Vec3>& centers) {
  double sum = 0.0;
  for (const Vec3& center : centers) sum += center.z();
  return sum / static_cast<double>(std::max<std::size_t>(1, centers.size()));
}

Scene make_scene(int k, std::uint64_t seed) {
  Scene out;
  out.problem.gravity = Vec3(0.0, 0.0, -kGravity);
  const auto add = [&](auto geometry, const Vec3& at, const repose::Quat& turned, bool fixed) {
    repose::shape::Shape shape;
    shape.geometry = geometry;
    shape.bounding_radius = 1.0;
    repose::Body body;
    body.name = fmt::format("body {}", out.problem.bodies.size());
    body.shape = std::make_shared<const repose::shape::Shape>(shape);
    body.fixed = fixed;
    body.mass = fixed ? 0.0 : 1.0;
    out.problem.bodies.push_back(body);
    repose::BodyState place;
    place.world_from_body = {at, turned};
    out.state.bodies.push_back(place);
  };
  for (const auto& [point, normal] : walls(k))
    add(repose::shape::HalfSpace{}, point, repose::Quat::FromTwoVectors(Vec3::UnitZ(), normal),
        true);
  for (const Vec3& center : grid(k, seed))
    add(repose::shape::Ball{1.0}, center, repose::Quat::Identity(), false);
  return out;
}

Row run_repose(int k, std::uint64_t seed, long most_steps, const repose::SettingValues& settings) {
  auto [problem, state] = make_scene(k, seed);
  auto method = repose::pile::method_info().make(settings).value();
  Row row{"Repose", "", 0, 0.0, 0.0, 0.0, 0.0, ""};
  const double start = cpu_now();
  if (!method->prepare(problem, state)) return row;
  repose::StepReport report;
  double looking = 0.0;
  const auto centers_of = [](const repose::State& at) {
    std::vector<Vec3> out;
    for (std::size_t i = 5; i < at.bodies.size(); ++i)
      out.push_back(at.bodies[i].world_from_body.position);
    return out;
  };
  std::vector<Vec3> from = centers_of(state);
  while (report.status == repose::RunStatus::moving &&
         (most_steps == 0 || state.step < most_steps)) {
    report = method->step(problem, state);
    if (most_steps > 0) continue;
    const double before = cpu_now();
    const std::vector<Vec3> to = centers_of(state);
    row.overlap = std::max(row.overlap, overlap_on_way(from, to, k));
    from = to;
    looking += cpu_now() - before;
  }
  row.seconds = cpu_now() - start - looking;
  row.steps = state.step;
  row.height = mean_height(centers_of(state));
  row.end = repose::to_text(report.status);
  std::vector<Vec3> force(problem.bodies.size(), problem.gravity);
  for (const repose::Contact& c : state.contacts) {
    force[static_cast<std::size_t>(c.body_b)] += c.force_on_b;
    force[static_cast<std::size_t>(c.body_a)] -= c.force_on_b;
  }
  for (std::size_t i = 5; i < force.size(); ++i)
    row.unbalanced = std::max(row.unbalanced, force[i].norm() / kGravity);
  return row;
}

Row run_gallery(const std::string& name) {
  Row row{"Repose", "", 0, 0.0, 0.0, 0.0, 0.0, ""};
  const auto scene = repose::open_scene(name, repose::method_catalogue());
  if (!scene) return row.end = scene.error().text(), row;
  auto world = repose::build_world(*scene);
  if (!world) return row.end = world.error().text(), row;
  const double start = cpu_now();
  auto session = repose::Session::start(std::move(world->problem), std::move(world->state),
                                        **repose::find_method("pile"), scene->method.settings);
  if (!session) return row.end = session.error().text(), row;
  repose::RunObserver observer;
  const auto run = repose::run_to_end(*session, {}, observer);
  if (!run) return row.end = run.error().text(), row;
  row.seconds = cpu_now() - start;
  row.steps = session->state().step;
  row.end = repose::to_text(run->status);
  return row;
}

}  // namespace bench_pile
