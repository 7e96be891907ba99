// Small recordings of every kind of content, and SQL to damage them.
#pragma once

#include <filesystem>
#include <string>

#include <sqlite3.h>

#include "repose/record/recording_writer.h"

#include "record/balls.h"

namespace repose::testing {

/// Balls, a mesh, ground and a soft body of three spheres, contacts, series, an edit that removes
/// a body, events and a result: something in every table and every column.
inline Result<Done> write_sample(const std::filesystem::path& path) {
  Balls balls(3);
  Problem& problem = balls.problem;
  State& state = balls.state;
  auto ground = std::make_shared<shape::Shape>();
  ground->kind = shape::ShapeKind::half_space;
  ground->geometry = shape::HalfSpace{};
  ground->bounding_radius = std::numeric_limits<double>::infinity();
  problem.bodies.push_back(body("ground", ground, 3));
  problem.bodies.back().fixed = true;
  problem.bodies.back().mass = 0.0;
  auto set = std::make_shared<shape::Shape>();
  set->kind = shape::ShapeKind::sphere_set;
  shape::SphereSet spheres;
  spheres.centers = {Vec3(0.0, 0.0, 0.0), Vec3(1.0, 0.0, 0.0), Vec3(0.0, 1.0, 0.0)};
  spheres.radii = {0.2, 0.2, 0.3};
  set->geometry = spheres;
  set->bounding_radius = 1.5;
  problem.bodies.push_back(body("soft \"one\"", set, 4));
  problem.bodies.back().groups = {"first", "second"};
  state.bodies.resize(problem.bodies.size());
  state.bodies[4].soft.positions = spheres.centers;
  Contact contact;
  contact.body_a = 0;
  contact.body_b = 1;
  contact.force_on_b = Vec3(0.0, 0.0, 1.0);
  state.contacts = {contact};

  RecordingHead head;
  head.scene = "sample";
  head.scene_text = R"({"repose": 1, "bodies": [], "method": {"kind": "pile"}})";
  head.method = "pile";
  head.settings = {{"seed", "1"}, {"steps", "20"}};
  auto writer = RecordingWriter::create(path, head);
  if (!writer) return writer.error();
  Audit audit;
  audit.energy = 2.0;
  audit.series = {{"energy.kinetic", 1.0}, {"rows", 7.0}};
  if (auto done = writer->set_bodies(problem); !done) return done;
  for (state.step = 0; state.step < 3; ++state.step) {
    state.bodies[0].world_from_body.position.z() += 0.1;
    if (auto done = writer->add_frame(state, audit); !done) return done;
  }
  problem.bodies.erase(problem.bodies.begin() + 2);
  state.bodies.erase(state.bodies.begin() + 2);
  if (auto done = writer->set_bodies(problem); !done) return done;
  if (auto done = writer->add_event({3, 0.0, "edit", "ball2", "remove"}); !done) return done;
  if (auto done = writer->add_frame(state, audit); !done) return done;
  if (auto done = writer->set_result(R"({"status": "rest", "seconds": {"solve": 1.0}})"); !done)
    return done;
  return writer->finish();
}

/// Runs SQL on a file with nothing forbidden: a stranger's hand. Answers SQLite's code.
inline int damage(const std::filesystem::path& path, const std::string& sql) {
  sqlite3* raw = nullptr;
  sqlite3_open(path.c_str(), &raw);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
  const std::string all =
      "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA writable_schema = ON; "
      "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;" +
      sql;
  const int code = sqlite3_exec(raw, all.c_str(), nullptr, nullptr, nullptr);
  sqlite3_close(raw);
  return code;
}

}  // namespace repose::testing
