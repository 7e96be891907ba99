// Writes the pages that the browser tests open, and what they must show, into the folder given:
// thousand.html (1000 balls over 500 frames), small.html (nasty names, a mesh, a missed promise),
// soft.html (spheres that move one by one), index.html (cards), expected.json.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <fmt/format.h>

#include "repose/base/whole_file.h"
#include "repose/record/recording_writer.h"
#include "repose/report/page.h"
#include "repose/report/report.h"

namespace {

using namespace repose;
namespace fs = std::filesystem;
using std::numbers::pi;

shape::ShapePtr shape_of(shape::ShapeKind kind, double radius,
                         decltype(shape::Shape::geometry) geometry) {
  auto shape = std::make_shared<shape::Shape>();
  shape->kind = kind;
  shape->bounding_radius = radius;
  shape->geometry = std::move(geometry);
  return shape;
}

shape::ShapePtr ball_shape(double radius) {
  return shape_of(shape::ShapeKind::ball, radius, shape::Ball{radius});
}

/// A wall of revolution about z: outer and inner profile, closed at rim and foot.
shape::ShapePtr bowl_shape(double radius, double height, double wall) {
  constexpr int kAround = 96, kAlong = 24;
  shape::TriangleMesh mesh;
  const auto ring = [&](double r, double z) {
    for (int k = 0; k < kAround; ++k) {
      const double angle = 2.0 * pi * k / kAround;
      mesh.points.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
    }
  };
  int rings = 0;
  for (int i = 0; i <= kAlong; ++i, ++rings) {  // outer wall upward
    const double s = 1.0 * i / kAlong;
    ring(radius * (0.55 + 0.45 * std::sin(0.5 * pi * s)), height * s);
  }
  for (int i = kAlong; i >= 1; --i, ++rings) {  // inner wall downward
    const double s = 1.0 * i / kAlong;
    ring(radius * (0.55 + 0.45 * std::sin(0.5 * pi * s)) - wall, wall + (height - wall) * s);
  }
  for (int i = 0; i < rings; ++i)
    for (int k = 0; k < kAround; ++k) {
      const int a = i * kAround + k, b = i * kAround + (k + 1) % kAround;
      const int next = (i + 1) % rings * kAround;
      const int c = next + k, d = next + (k + 1) % kAround;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  return shape_of(shape::ShapeKind::mesh, std::hypot(radius, height), mesh);
}

Body body_of(const std::string& name, const shape::ShapePtr& shape, std::array<double, 3> color) {
  Body body;
  body.name = name;
  body.shape = shape;
  body.material.color = color;
  body.mass = 0.5;
  return body;
}

Body ground() {
  Body body = body_of("ground",
                      shape_of(shape::ShapeKind::half_space,
                               std::numeric_limits<double>::infinity(), shape::HalfSpace{}),
                      {0.6, 0.6, 0.6});
  body.fixed = true;
  body.role = "ground";
  body.mass = 0.0;
  return body;
}

constexpr int kBalls = 1000, kFrames = 500;
constexpr double kRadius = 0.05;

/// Layers of a hexagonal heap, from the ground up, each narrower than the one below.
std::vector<Vec3> heap_places() {
  std::vector<Vec3> out;
  for (int layer = 0; static_cast<int>(out.size()) < kBalls; ++layer) {
    const double reach = 0.92 - 0.065 * layer;
    for (int row = -40; row <= 40; ++row)
      for (int column = -40; column <= 40; ++column) {
        const Vec3 at(2.002 * kRadius * (column + 0.5 * (row & 1) + (layer % 2) * 0.5),
                      2.002 * kRadius * (std::sqrt(0.75) * row + (layer % 2) / std::sqrt(12.0)),
                      kRadius * (1.0 + 1.635 * layer));
        if (at.head<2>().norm() < reach && static_cast<int>(out.size()) < kBalls) out.push_back(at);
      }
  }
  return out;
}

/// Ball i falls on its place, hops a little and rolls out; a closed form, so that every frame is
/// known.
BodyState fall(const Vec3& place, int i, double time) {
  const double start = 0.0025 * i;
  const double drop = 1.6 + 0.4 * std::sin(1.7 * i);
  const double t = time - start, landed = std::sqrt(2.0 * drop / 9.81);
  BodyState state;
  const double fell = t < 0.0 ? 0.0 : std::min(drop, 0.5 * 9.81 * t * t);
  const double hop =
      t > landed ? 0.12 * std::exp(-5.0 * (t - landed)) * std::abs(std::sin(9.0 * (t - landed)))
                 : 0.0;
  const double away = std::exp(-4.0 * std::max(0.0, t));
  const double angle = 2.4 * i;
  state.world_from_body.position =
      place + Vec3(0.3 * away * std::cos(angle), 0.3 * away * std::sin(angle), drop - fell + hop);
  state.world_from_body.rotation =
      rotation_from_vector(Vec3(std::cos(angle), std::sin(angle), 0.3) * (1.0 - away) * 5.0);
  return state;
}

struct Expected {
  std::string lines;
  void add(const char* page, int frame, int body, const Pose& pose) {
    const Vec3& p = pose.position;
    const Quat& q = pose.rotation;
    lines += fmt::format(
        "{}{{\"page\": \"{}\", \"frame\": {}, \"body\": {}, \"position\": [{:.17g}, {:.17g}, "
        "{:.17g}], \"orientation_wxyz\": [{:.17g}, {:.17g}, {:.17g}, {:.17g}]}}",
        lines.empty() ? "" : ",\n", page, frame, body, p.x(), p.y(), p.z(), q.w(), q.x(), q.y(),
        q.z());
  }
};

void must(bool good, const std::string& what) {
  if (good) return;
  std::fprintf(stderr, "write_pages: %s\n", what.c_str());
  std::exit(1);
}

template <class T>
T must(Result<T> result) {
  must(static_cast<bool>(result), result ? "" : result.error().text());
  return std::move(result).value();
}

const char* kGoodResult = R"({"scene": "thousand-balls", "method": "pile", "status": "rest",
  "steps": 2000, "frames": 500, "seconds": {"total": 4.125, "solve": 3.5, "contacts": 1.25},
  "penetration": {"final": 0, "worst": 2.5e-10, "final_relative": 0, "worst_relative": 2.5e-9},
  "balance": {"force": 3.1e-7, "torque": 1.2e-7}, "energy": {"start": 9810, "end": 1204},
  "bodies": 1001, "contacts": 2431, "threads": 2, "state_hash": "00c0ffee00c0ffee",
  "version": "0.1.0", "promises": [
  {"name": "no overlap in the last state", "promised": "proven",
   "measured": "proven, at most 2.5e-09 of the smaller body's size", "kept": true},
  {"name": "balance at rest", "promised": "proven",
   "measured": "proven, unbalanced force 3.1e-07 of weight", "kept": true}],
  "exit_code": 0})";

const char* kBadResult = R"({"scene": "small", "method": "still", "status": "stuck", "steps": 40,
  "why": "Body <b>\"lid\"</b> cannot move: </script><script>alert(1)</script>",
  "promises": [{"name": "no overlap in the last state", "promised": "proven",
   "measured": "missed, at most 0.02 of the smaller body's size", "kept": false,
   "try": "move one of the two"}],
  "verdict": {"why": "lid and bowl overlap by 0.02 m or more", "place": [0.1, 0.2, 0.3]},
  "exit_code": 1})";

void write(const fs::path& folder, const std::string& name) {
  const auto recording = must(Recording::open(folder / (name + ".repose")));
  must(report::write_report(recording, folder / (name + ".html")));
}

void write_thousand(const fs::path& folder, Expected& expected) {
  const std::array<std::array<double, 3>, 5> colors = {{{0.80, 0.22, 0.10},
                                                        {0.86, 0.55, 0.16},
                                                        {0.10, 0.32, 0.48},
                                                        {0.78, 0.74, 0.66},
                                                        {0.16, 0.45, 0.38}}};
  Problem problem;
  problem.bodies.push_back(ground());
  const auto ball = ball_shape(kRadius);
  for (int i = 0; i < kBalls; ++i)
    problem.bodies.push_back(body_of(fmt::format("ball {}", i + 1), ball, colors[i % 5]));
  const auto places = heap_places();

  RecordingHead head;
  head.scene = "thousand-balls";
  head.method = "pile";
  head.settings = {{"dt", "0.005"}, {"restitution", "0"}, {"solver", "newton"}};
  auto writer = must(RecordingWriter::create(folder / "thousand.repose", head));
  must(writer.set_bodies(problem));
  State state;
  state.bodies.resize(problem.bodies.size());
  for (int f = 0; f < kFrames; ++f) {
    state.step = 4 * f;
    state.time = 0.01 * f;
    Audit audit;
    state.contacts.clear();
    for (int i = 0; i < kBalls; ++i) {
      auto& body = state.bodies[static_cast<std::size_t>(i + 1)] = fall(places[i], i, state.time);
      const Vec3& at = body.world_from_body.position;
      audit.energy += 0.5 * 9.81 * at.z();
      if ((at - places[i]).norm() > 0.01) continue;
      Contact contact;
      contact.body_a = 0;
      contact.body_b = i + 1;
      contact.point_world = at - Vec3(0, 0, kRadius);
      contact.gap = 1e-9 * (i % 17);
      contact.force_on_b = Vec3(0, 0, 4.9 * (1.0 + (i % 7)));
      state.contacts.push_back(contact);
    }
    audit.series = {{"residual", std::exp(-0.05 * f)},
                    {"contacts", static_cast<double>(state.contacts.size())},
                    {"gap.smallest", 1e-9},
                    {"gap.mean", 1e-6 * (1.0 + std::sin(0.05 * f))}};
    must(writer.add_frame(state, audit));
    if (f % 97 == 0)
      for (const int body : {1, 333, 1000})
        expected.add("thousand", f, body,
                     state.bodies[static_cast<std::size_t>(body)].world_from_body);
  }
  must(writer.set_result(kGoodResult));
  must(writer.finish());
  write(folder, "thousand");
}

void write_small(const fs::path& folder, Expected& expected) {
  Problem problem;
  problem.bodies.push_back(ground());
  Body bowl = body_of("</script><script>alert('bowl')</script>", bowl_shape(0.4, 0.35, 0.02),
                      {0.75, 0.80, 0.82});
  bowl.material.opacity = 0.4;
  bowl.material.roughness = 0.1;
  problem.bodies.push_back(bowl);
  problem.bodies.push_back(
      body_of("<img src=x onerror=alert(1)> & \"quotes\"", ball_shape(0.16), {0.75, 0.2, 0.12}));
  problem.bodies.push_back(
      body_of("名前 \xF0\x9F\x8D\x8E \\u003c <!-- ", ball_shape(0.11), {0.12, 0.35, 0.5}));
  RecordingHead head;
  head.scene = "</script><b>\"small\"</b> & more";
  head.method = "still";
  auto writer = must(RecordingWriter::create(folder / "small.repose", head));
  must(writer.set_bodies(problem));
  State state;
  state.bodies.resize(problem.bodies.size());
  for (int f = 0; f < 40; ++f) {
    state.step = f;
    state.bodies[2].world_from_body.position = Vec3(-0.06, 0.0, 0.185 + 0.02 * (39 - f));
    state.bodies[3].world_from_body.position = Vec3(0.19, 0.02 * (39 - f), 0.2);
    state.bodies[2].world_from_body.rotation = rotation_from_vector(Vec3(0.0, 0.0, 0.2 * f));
    state.contacts.clear();
    Contact contact;
    contact.body_a = 1;
    contact.body_b = 2;
    contact.point_world = Vec3(-0.06, 0.0, 0.025);
    contact.gap = -2e-3;
    contact.force_on_b = Vec3(1.0, 0.0, 4.9);
    if (f > 35) state.contacts.push_back(contact);
    Audit audit;
    audit.energy = 40.0 - f;
    must(writer.add_frame(state, audit));
    expected.add("small", f, 2, state.bodies[2].world_from_body);
  }
  RecordedEvent event;
  event.step = 12;
  event.kind = "edit";
  event.target = "lid";
  event.text = "pushed <i>down</i>";
  must(writer.add_event(event));
  must(writer.set_result(kBadResult));
  must(writer.finish());
  write(folder, "small");
}

void write_soft(const fs::path& folder, Expected& expected) {
  shape::SphereSet set;
  for (int k = 0; k < 60; ++k) {
    const double angle = 2.0 * pi * k / 20, height = 0.12 * (k / 20);
    set.centers.emplace_back(0.3 * std::cos(angle), 0.3 * std::sin(angle), height);
    set.radii.push_back(0.07);
    if (k >= 20) set.links.push_back({k - 20, k});
  }
  Problem problem;
  problem.bodies.push_back(ground());
  problem.bodies.push_back(
      body_of("ring", shape_of(shape::ShapeKind::sphere_set, 0.5, set), {0.2, 0.45, 0.4}));
  RecordingHead head;
  head.scene = "soft-ring";
  head.method = "molecule";
  auto writer = must(RecordingWriter::create(folder / "soft.repose", head));
  must(writer.set_bodies(problem));
  State state;
  state.bodies.resize(2);
  for (int f = 0; f < 80; ++f) {
    state.step = f;
    state.time = 0.02 * f;
    auto& points = state.bodies[1].soft.positions.edit();
    points = set.centers;
    for (Vec3& point : points) point.z() = 0.07 + point.z() * (1.0 + 0.5 * std::cos(0.2 * f));
    must(writer.add_frame(state, Audit{}));
    if (f % 13 == 0) expected.add("soft", f, 59, Pose{points[59], Quat::Identity()});
  }
  must(writer.finish());
  write(folder, "soft");
}

void write_index(const fs::path& folder) {
  report::Page page("Experiments <today>");
  std::vector<double> curve;
  for (int k = 0; k < 100; ++k) curve.push_back(std::exp(-0.05 * k) * std::cos(0.3 * k));
  page.lead("Three runs, each with what was promised and what was measured.")
      .section("Runs")
      .cards({{"Thousand balls", "pile", "A heap of balls, dropped one by one.", "thousand.html",
               "", curve, "residual", "At rest. Every promise was kept.", true},
              {"Small & nasty", "", "Names that would break a careless page.", "small.html", "",
               curve, "energy, J", "Stuck. One promise was missed.", false},
              {"Soft ring", "molecule", "Spheres that move one by one.", "soft.html", "", curve, "",
               "", true}})
      .section("Figures")
      .table({{"Scene", "Bodies", "Frames"},
              {{"thousand", "1001", "500"}, {"small", "4", "40"}},
              {false, true, true}});
  must(write_whole(folder / "index.html", must(page.html())));
}

}  // namespace

int main(int argc, char** argv) {
  must(argc == 2, "usage: write_pages FOLDER");
  const fs::path folder = argv[1];
  fs::create_directories(folder);
  Expected expected;
  write_thousand(folder, expected);
  write_small(folder, expected);
  write_soft(folder, expected);
  write_index(folder);
  std::ofstream(folder / "expected.json") << "[" << expected.lines << "]\n";
  return 0;
}
