#include "elasticity.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "repose/base/stage_clock.h"

#include "stress.h"

namespace repose::surfel {

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// Green's strain of a gradient.
Mat3 green(const Mat3& f) {
  return 0.5 * (f.transpose() * f - Mat3::Identity());
}

}  // namespace

Mat3 gradient_of(const Arena& arena, const std::vector<Vec3>& x, int i) {
  Mat3 out = Mat3::Zero();
  for (const Neighbour& n : arena.near(i))
    out.noalias() += (x[at(n.j)] - x[at(i)]) * n.slope.transpose();
  return out;
}

Strained elastic_forces(const Arena& arena, Stress law, const Motion& motion,
                        std::vector<Vec3>& forces) {
  const StageScope timed("elastic_forces");
  Strained out;
  forces.assign(motion.x.size(), Vec3::Zero());
  for (int i = 0; i < arena.phyxels(); ++i) {
    const auto near = arena.near(i);
    if (near.empty()) continue;
    const Matter& matter = arena.matter[at(i)];
    const Mat3 gradient = gradient_of(arena, motion.x, i);
    const Mat3 elastic = gradient * motion.plastic[at(i)];
    out.inverted += elastic.determinant() > 0.0 ? 0 : 1;
    // what has flowed is sampled more closely along one axis than along another
    const double closer = std::max(1.0, motion.plastic[at(i)].squaredNorm() / 3.0);
    out.most_square = std::max(out.most_square, elastic.squaredNorm() * std::sqrt(closer));
    const Mat3 stress = matter.volume * stress_of(law, matter.mu, matter.lambda, elastic) *
                        motion.plastic[at(i)].transpose();
    Vec3 own = Vec3::Zero();
    for (const Neighbour& n : near) {
      const Vec3 unseen = motion.x[at(n.j)] - motion.x[at(i)] - gradient * n.way;
      const Vec3 force = stress * n.slope + n.pull * unseen;
      forces[at(n.j)] -= force;
      own += force;
    }
    forces[at(i)] += own;
  }
  return out;
}

double elastic_energy(const Arena& arena, Stress law, const Motion& motion) {
  double out = 0.0;
  for (int i = 0; i < arena.phyxels(); ++i) {
    const auto near = arena.near(i);
    if (near.empty()) continue;
    const Matter& matter = arena.matter[at(i)];
    const Mat3 gradient = gradient_of(arena, motion.x, i);
    out += matter.volume *
           energy_density(law, matter.mu, matter.lambda, gradient * motion.plastic[at(i)]);
    for (const Neighbour& n : near)
      out += 0.5 * n.pull * (motion.x[at(n.j)] - motion.x[at(i)] - gradient * n.way).squaredNorm();
  }
  return out;
}

void damp(const Arena& arena, double h, Motion& motion) {
  const StageScope timed("damp");
  for (int i = 0; i < arena.phyxels(); ++i)
    for (const Neighbour& n : arena.near(i)) {
      if (!(n.dash > 0.0)) continue;
      const Vec3 way = motion.x[at(n.j)] - motion.x[at(i)];
      const double squared = way.squaredNorm();
      if (!(squared > 0.0)) continue;
      // what a dashpot alone does to its two masses in the step, in closed form
      const double taken = -n.shared_mass * std::expm1(-n.dash * h / n.shared_mass);
      const Vec3 impulse = (taken * way.dot(motion.v[at(n.j)] - motion.v[at(i)]) / squared) * way;
      motion.v[at(n.j)] -= arena.inverse_mass[at(n.j)] * impulse;
      motion.v[at(i)] += arena.inverse_mass[at(i)] * impulse;
    }
}

void flow(const Arena& arena, double h, Motion& motion) {
  const StageScope timed("flow");
  for (int i = 0; i < arena.phyxels(); ++i) {
    const Matter& matter = arena.matter[at(i)];
    if (!(matter.yield > 0.0) || arena.near(i).empty()) continue;
    Mat3& plastic = motion.plastic[at(i)];
    const Mat3 elastic = gradient_of(arena, motion.x, i) * plastic;
    if (!(elastic.determinant() > 0.0)) continue;
    Mat3 strain = green(elastic);
    strain -= strain.trace() / 3.0 * Mat3::Identity();
    const double size = strain.norm();
    if (!(size > matter.yield)) continue;
    const double share = -std::expm1(-matter.creep * h) * (1.0 - matter.yield / size);
    // large strains flow in small portions
    const double most = 0.1 / size;
    const Mat3 lasting = Mat3::Identity() + std::min(share, most) * strain;
    const double volume = lasting.determinant();
    if (!(volume > 0.0)) continue;
    const Mat3 next = plastic * (lasting / std::cbrt(volume)).inverse();
    if (matter.most_plastic > 0.0 && green(next.inverse()).norm() > matter.most_plastic) continue;
    plastic = next;
  }
}

}  // namespace repose::surfel
