#include "elasticity.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/LU>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"

#include "padded.h"
#include "stress.h"

namespace repose::surfel {

namespace {

/// Green's strain of a gradient.
Mat3 green(const Mat3& f) {
  return 0.5 * (f.transpose() * f - Mat3::Identity());
}

/// 1 - exp(-t) for t >= 0; where t is small by its series, to rounding.
double share_taken(double t) {
  constexpr double kSmall = 0.03;
  if (t > kSmall) return -std::expm1(-t);
  constexpr std::array kSeries{1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040};
  double out = 0.0;
  for (auto term = kSeries.rbegin(); term != kSeries.rend(); ++term) out = *term - t * out;
  return t * out;
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
  std::vector<Vec4> x, on(motion.x.size(), Vec4::Zero());
  pad(motion.x, x);
  for (int i = 0; i < arena.phyxels(); ++i) {
    const auto near = arena.near(i);
    if (near.empty()) continue;
    const Vec4 here = x[at(i)];
    // the gradient's columns
    Vec4 f0 = Vec4::Zero(), f1 = Vec4::Zero(), f2 = Vec4::Zero();
    for (const Neighbour& n : near) {
      const Vec4 way = x[at(n.j)] - here;
      f0 += n.slope[0] * way;
      f1 += n.slope[1] * way;
      f2 += n.slope[2] * way;
    }
    Mat3 gradient;
    gradient << f0.head<3>(), f1.head<3>(), f2.head<3>();
    const Matter& matter = arena.matter[at(i)];
    const Mat3 elastic = gradient * motion.plastic[at(i)];
    out.inverted += elastic.determinant() > 0.0 ? 0 : 1;
    // what has flowed is sampled more closely along one axis than along another
    const double closer = std::max(1.0, motion.plastic[at(i)].squaredNorm() / 3.0);
    out.most_square = std::max(out.most_square, elastic.squaredNorm() * std::sqrt(closer));
    const Mat3 stress = matter.volume * stress_of(law, matter.mu, matter.lambda, elastic) *
                        motion.plastic[at(i)].transpose();
    Vec4 s0, s1, s2, own = Vec4::Zero();
    s0 << stress.col(0), 0.0;
    s1 << stress.col(1), 0.0;
    s2 << stress.col(2), 0.0;
    for (const Neighbour& n : near) {
      const Vec4 unseen = (x[at(n.j)] - here) - ((n.way[0] * f0 + n.way[1] * f1) + n.way[2] * f2);
      const Vec4 force = ((n.slope[0] * s0 + n.slope[1] * s1) + n.slope[2] * s2) + n.pull * unseen;
      on[at(n.j)] -= force;
      own += force;
    }
    on[at(i)] += own;
  }
  unpad(on, forces);
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
      const double taken = n.shared_mass * share_taken(n.dash * h / n.shared_mass);
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
