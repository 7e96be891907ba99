#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "methods/molecule/arena.h"
#include "methods/molecule/skin.h"
#include "methods/molecule/stable_step.h"
#include "methods/molecule/step.h"
#include "methods/molecule/stiffness.h"

namespace repose::molecule {

/// A block of a cubic lattice for tests that need no scene.
struct Block3 {
  std::array<int, 3> count{5, 5, 3};
  double pitch = 0.02, radius = 0.01;   // m
  double modulus = 5e3, density = 1e3;  // Pa, kg/m^3
  double damping = 0.0;                 // s
  double friction = 0.5;
  Vec3 corner = Vec3::Zero();    // m
  Vec3 velocity = Vec3::Zero();  // m/s
  std::function<bool(const std::array<int, 3>&)> fixed = [](const auto&) { return false; };
  std::function<bool(const std::array<int, 3>&)> kept = [](const auto&) { return true; };
};

/// Many bodies of molecules, with nothing around them.
struct SoftArena {
  Arena arena;
  Motion motion;
  Problem problem;
  MoleculeSettings settings;
  StepCache cache;
  Memory memory;
  double time = 0.0;

  SoftArena() { arena.first_point.push_back(0); }

  void add(const Block3& block) {
    Body3 body;
    body.pitch = block.pitch;
    std::map<std::array<int, 3>, int> number;
    const int first = arena.size(), index = static_cast<int>(problem.bodies.size());
    double mass = 0.0;
    for (int x = 0; x < block.count[0]; ++x)
      for (int y = 0; y < block.count[1]; ++y)
        for (int z = 0; z < block.count[2]; ++z) {
          const std::array<int, 3> place{x, y, z};
          if (!block.kept(place)) continue;
          number[place] = static_cast<int>(body.points.size());
          body.places.push_back(place);
          body.points.push_back(block.pitch * Vec3(x, y, z));
          body.moduli.push_back(block.modulus);
        }
    for (const auto& [p, i] : number)
      for (const auto& [q, j] : number) {
        const int steps = std::abs(p[0] - q[0]) + std::abs(p[1] - q[1]) + std::abs(p[2] - q[2]);
        const int longest =
            std::max({std::abs(p[0] - q[0]), std::abs(p[1] - q[1]), std::abs(p[2] - q[2])});
        if (i < j && longest == 1 && steps <= 2) body.links.push_back({i, j});
      }
    const Stiffness stiffness = stiffness_of(body);
    for (std::size_t i = 0; i < body.points.size(); ++i) {
      // the share of the whole cells around it, at least one
      int cells = 0;
      for (int c = 0; c < 8; ++c) {
        bool whole = true;
        for (int d = 0; d < 8; ++d)
          whole &= number.count({body.places[i][0] - (c & 1) + (d & 1),
                                 body.places[i][1] - (c >> 1 & 1) + (d >> 1 & 1),
                                 body.places[i][2] - (c >> 2 & 1) + (d >> 2 & 1)}) > 0;
        cells += whole ? 1 : 0;
      }
      const double m = block.density * std::pow(block.pitch, 3) * (cells > 0 ? cells / 8.0 : 1.0);
      mass += m;
      arena.mass.push_back(m);
      arena.inverse_mass.push_back(block.fixed(body.places[i]) ? 0.0 : 1.0 / m);
      arena.radius.push_back(block.radius);
      arena.friction.push_back(block.friction);
      arena.modulus.push_back(block.modulus);
      arena.drag.push_back(0.0);
      arena.square_drag.push_back(0.0);
      arena.body_of.push_back(index);
      arena.rest.push_back(body.points[i]);
      motion.x.push_back(block.corner + body.points[i]);
      motion.v.push_back(arena.inverse_mass.back() > 0.0 ? block.velocity : Vec3(Vec3::Zero()));
    }
    for (std::size_t l = 0; l < body.links.size(); ++l) {
      const auto [p, q] = body.links[l];
      const double length =
          (body.points[static_cast<std::size_t>(q)] - body.points[static_cast<std::size_t>(p)])
              .norm();
      arena.springs.push_back({first + p, first + q, stiffness.values[l], length,
                               block.damping * stiffness.values[l], 0.0});
    }
    arena.surface.push_back(skin_of(body.places));
    for (auto& triangle : arena.surface.back())
      for (int& corner : triangle) corner += first;
    arena.first_point.push_back(arena.size());
    arena.rigid_of.push_back(-1);
    arena.collides.push_back(true);
    Body named;
    named.name = "body-" + std::to_string(index);
    named.mass = mass;
    problem.bodies.push_back(named);
    finish();
  }

  void add_rigid(Rigid rigid, const RigidMotion& at) {
    rigid.body = static_cast<int>(problem.bodies.size());
    arena.rigid_of.push_back(static_cast<int>(arena.rigids.size()));
    arena.rigids.push_back(std::move(rigid));
    arena.first_point.push_back(arena.size());
    arena.collides.push_back(true);
    arena.surface.emplace_back();
    motion.rigids.push_back(at);
    Body named;
    named.name = "solid-" + std::to_string(problem.bodies.size());
    problem.bodies.push_back(named);
    finish();
  }

  void finish() {
    connect(arena);
    find_corners(arena);
    arena.stable_step = stable_step_of(arena);
    arena.least_radius = arena.most_radius = 0.0;
    for (const double r : arena.radius) {
      arena.least_radius = arena.most_radius > 0.0 ? std::min(arena.least_radius, r) : r;
      arena.most_radius = std::max(arena.most_radius, r);
    }
    cache.clear();
  }

  /// One iteration, in as many steps as it takes; answers the last of them.
  StepOutcome step() {
    const Stage stage{arena, problem, settings, cache};
    const double end = time + 1.0 / settings.iterations_per_second;
    StepOutcome out;
    while (!out.stuck && time < end * (1.0 - 1e-14)) {
      const double h = std::min(end - time, 1.0 / settings.iterations_per_second);
      out = settings.engine == Engine::proven ? step_proven(stage, time, h, motion, memory)
                                              : step_paper(stage, time, h, motion, memory);
      time += out.h;
    }
    return out;
  }

  /// The smallest gap of unjoined molecules over the sum of their radii, by trying all pairs.
  double worst_gap() const {
    double out = 1e9;
    for (int i = 0; i < arena.size(); ++i)
      for (int j = i + 1; j < arena.size(); ++j) {
        const auto p = static_cast<std::size_t>(i), q = static_cast<std::size_t>(j);
        if (arena.body_of[p] == arena.body_of[q] && arena.are_joined(i, j)) continue;
        const double apart = arena.radius[p] + arena.radius[q];
        out = std::min(out, ((motion.x[p] - motion.x[q]).norm() - apart) / apart);
      }
    return out;
  }
};

}  // namespace repose::molecule
