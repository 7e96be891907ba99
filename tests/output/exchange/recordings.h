#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "repose/record/recording_writer.h"
#include "repose/world/problem.h"

namespace repose::exchange {

/// A folder of its own for each test, gone afterwards.
class InFolder : public testing::Test {
 protected:
  InFolder()
      : folder(std::filesystem::path(testing::TempDir()) /
               ("repose_exchange." + std::to_string(::getpid()))) {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
  }
  ~InFolder() override { std::filesystem::remove_all(folder); }
  std::filesystem::path folder;
};

inline void add_body(Problem& problem, State& state, const std::string& name, shape::ShapePtr shape,
                     const Vec3& at, bool fixed = false) {
  Body body;
  body.id = {static_cast<std::uint32_t>(problem.bodies.size()), 1};
  body.name = name;
  body.shape = std::move(shape);
  body.fixed = fixed;
  problem.bodies.push_back(body);
  BodyState placed;
  placed.world_from_body.position = at;
  state.bodies.push_back(placed);
}

template <class Geometry>
shape::ShapePtr shape_of(shape::ShapeKind kind, Geometry geometry, double bounding_radius) {
  auto shape = std::make_shared<shape::Shape>();
  shape->kind = kind;
  shape->geometry = std::move(geometry);
  shape->bounding_radius = bounding_radius;
  return shape;
}

/// A tetrahedron and two balls of one shape; one ball moves up and turns over five frames, the
/// soft pair of spheres moves aside.
inline Recording five_frames(const std::filesystem::path& path) {
  Problem problem;
  State state;
  const auto ball = shape_of(shape::ShapeKind::ball, shape::Ball{0.5}, 0.5);
  add_body(problem, state, "rests", ball, Vec3(2.0, 0.0, 0.5), true);
  add_body(problem, state, "rises, slowly", ball, Vec3(0.0, 3.0, 0.5));
  shape::TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                           {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
  add_body(problem, state, "tetrahedron", shape_of(shape::ShapeKind::mesh, mesh, 1.0), Vec3::Zero(),
           true);
  shape::SphereSet pair{{Vec3::Zero(), Vec3::UnitX()}, {0.25, 0.125}, {{0, 1}}};
  add_body(problem, state, "soft", shape_of(shape::ShapeKind::sphere_set, pair, 1.25),
           Vec3::Zero());
  auto writer = RecordingWriter::create(path, RecordingHead{});
  EXPECT_TRUE(writer);
  EXPECT_TRUE(writer->set_bodies(problem));
  for (int f = 0; f < 5; ++f) {
    state.time = 0.5 * f;
    state.step = 10 * f;
    state.bodies[1].world_from_body.position.z() = 0.5 + f;
    state.bodies[1].world_from_body.rotation = rotation_from_vector(Vec3(0.0, 0.0, 0.9 * f));
    state.bodies[3].soft.positions = {Vec3(0.0, 0.1 * f, 4.0), Vec3(1.0, 0.0, 4.0)};
    Contact contact;
    contact.body_a = 0;
    contact.body_b = 2;
    contact.point_world = Vec3(1.0, 2.0, 3.0);
    contact.force_on_b = Vec3(0.0, 0.0, 7.0);
    state.contacts = {contact};
    Audit audit;
    audit.energy = 1.0 / (3.0 + f);
    audit.series = {{"speed, worst", 0.25 * f}};
    EXPECT_TRUE(writer->add_frame(state, audit));
  }
  EXPECT_TRUE(writer->finish());
  auto recording = Recording::open(path);
  EXPECT_TRUE(recording);
  return std::move(recording).value();
}

}  // namespace repose::exchange
