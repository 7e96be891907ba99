#include "methods/molecule/skin.h"

#include <map>

#include <gtest/gtest.h>

#include "soft_arena.h"

namespace repose::molecule {
namespace {

std::vector<std::array<int, 3>> places(int x, int y, int z) {
  std::vector<std::array<int, 3>> out;
  for (int i = 0; i < x; ++i)
    for (int j = 0; j < y; ++j)
      for (int k = 0; k < z; ++k) out.push_back({i, j, k});
  return out;
}

TEST(molecule_skin, the_skin_of_a_block_is_closed_and_that_of_a_sheet_has_its_rim) {
  const auto edges = [](const std::vector<SkinTriangle>& skin) {
    std::map<std::array<int, 2>, int> out;
    for (const SkinTriangle& t : skin)
      for (std::size_t k = 0; k < 3; ++k)
        ++out[{std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])}];
    return out;
  };
  const auto block = skin_of(places(5, 5, 3));
  EXPECT_EQ(block.size(), 2u * (2 * 16 + 4 * 8));
  for (const auto& [edge, count] : edges(block)) EXPECT_EQ(count, 2);
  const auto sheet = skin_of(places(4, 3, 1));
  EXPECT_EQ(sheet.size(), 12u);
  int rim = 0;
  for (const auto& [edge, count] : edges(sheet)) rim += count == 1 ? 1 : 0;
  EXPECT_EQ(rim, 10);
}

/// Largest lateral force on a box that glides over a ground of molecules, of its weight.
double ripple(Detection detection) {
  SoftArena soft;
  soft.settings.detection = detection;
  Block3 ground;
  ground.count = {12, 7, 1};
  ground.modulus = 5e5;
  ground.radius = 0.0105;
  ground.friction = 0.0;
  ground.fixed = [](const auto&) { return true; };
  soft.add(ground);
  Block3 box;
  box.count = {5, 5, 3};
  box.modulus = 2e5;
  box.density = 2500.0;
  box.damping = 2e-2;
  box.radius = 0.0105;
  box.friction = 0.0;
  box.corner = Vec3(0.021, 0.017, 0.0213);
  box.velocity = Vec3(0.05, 0.0, 0.0);
  soft.add(box);
  soft.arena.gravity = Vec3(0.0, 0.0, -9.81);
  const double weight = 9.81 * soft.problem.bodies[1].mass;
  const auto first = static_cast<std::size_t>(soft.arena.first_point[1]);
  double worst = 0.0;
  for (int k = 0; k < 1000; ++k) {
    const StepOutcome done = soft.step();
    double force = 0.0;
    for (const Row& row : soft.cache.rows) {
      if (row.key.body_a == row.key.body_b) continue;
      const double sign = row.point[0] >= static_cast<int>(first) ? 1.0 : -1.0;
      force += sign * row.impulse * row.normal.x() / done.h;
    }
    if (k >= 400) worst = std::max(worst, std::abs(force) / weight);
    // the pull that keeps it going
    Vec3 momentum = Vec3::Zero();
    for (std::size_t i = first; i < soft.motion.v.size(); ++i)
      momentum += soft.arena.mass[i] * soft.motion.v[i];
    const double lack = 0.05 - momentum.x() / soft.problem.bodies[1].mass;
    for (std::size_t i = first; i < soft.motion.v.size(); ++i) soft.motion.v[i].x() += lack;
  }
  EXPECT_GT(soft.worst_gap(), 0.0);
  return worst;
}

TEST(molecule_skin, a_box_of_skin_glides_over_molecules_without_ripple) {
  const double smooth = ripple(Detection::skin);
  EXPECT_LT(smooth, 0.01);
  EXPECT_GT(ripple(Detection::spheres), 5.0 * smooth);
}

TEST(molecule_skin, skins_that_collide_with_friction_keep_both_momenta) {
  SoftArena soft;
  soft.settings.detection = Detection::skin;
  Block3 a;
  a.count = {4, 4, 4};
  a.modulus = 2e4;
  a.radius = 0.011;
  a.velocity = Vec3(2.0, 0.9, -0.4);
  soft.add(a);
  Block3 b = a;
  b.corner = Vec3(0.1, 0.013, 0.029);
  b.velocity = -a.velocity;
  soft.add(b);
  const auto momenta = [&] {
    std::array<Vec3, 2> out{Vec3::Zero(), Vec3::Zero()};
    for (std::size_t i = 0; i < soft.motion.v.size(); ++i) {
      out[0] += soft.arena.mass[i] * soft.motion.v[i];
      out[1] += soft.motion.x[i].cross(soft.arena.mass[i] * soft.motion.v[i]);
    }
    return out;
  };
  const auto before = momenta();
  bool touched = false;
  for (int k = 0; k < 100; ++k) {
    soft.step();
    for (const Row& row : soft.cache.rows)
      touched |= row.key.kind == RowKey::skin && row.impulse > 0.0;
    EXPECT_GT(soft.worst_gap(), 0.0);
  }
  const auto after = momenta();
  const double scale = 0.5 * soft.problem.bodies[0].mass * a.velocity.norm();
  EXPECT_TRUE(touched);
  EXPECT_LE((after[0] - before[0]).norm(), 1e-12 * scale);
  EXPECT_LE((after[1] - before[1]).norm(), 1e-9 * scale * 0.1);
}

}  // namespace
}  // namespace repose::molecule
