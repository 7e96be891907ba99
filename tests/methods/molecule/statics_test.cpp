#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "methods/molecule/elasticity.h"
#include "soft_arena.h"

namespace repose::molecule {
namespace {

using Field = std::vector<Vec3>;

double dot(const Field& a, const Field& b) {
  double out = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) out += a[i].dot(b[i]);
  return out;
}

/// Small displacements under given forces: conjugate gradients on the springs about the rest shape.
Field sag(const SoftArena& soft, Field forces) {
  const auto hold = [&](Field& f) {
    for (std::size_t i = 0; i < f.size(); ++i)
      if (soft.arena.inverse_mass[i] == 0.0) f[i].setZero();
  };
  const auto stiff = [&](const Field& u) {
    Field out(u.size(), Vec3::Zero());
    for (const Spring& s : soft.arena.springs) {
      const auto a = static_cast<std::size_t>(s.a), b = static_cast<std::size_t>(s.b);
      const Vec3 n = (soft.motion.x[b] - soft.motion.x[a]).normalized();
      const Vec3 pull = s.stiffness * n.dot(u[b] - u[a]) * n;
      out[a] -= pull;
      out[b] += pull;
    }
    hold(out);
    return out;
  };
  hold(forces);
  Field u(forces.size(), Vec3::Zero()), r = forces, p = r;
  double before = dot(r, r);
  const double first = before;
  for (int round = 0; round < 20000 && before > 1e-22 * first; ++round) {
    const Field made = stiff(p);
    const double length = before / dot(p, made);
    for (std::size_t i = 0; i < u.size(); ++i) {
      u[i] += length * p[i];
      r[i] -= length * made[i];
    }
    const double now = dot(r, r);
    for (std::size_t i = 0; i < u.size(); ++i) p[i] = r[i] + (now / before) * p[i];
    before = now;
  }
  return u;
}

/// How fast an error falls with the number of cells, over doublings.
double order_of(const std::vector<double>& errors) {
  return std::log2(errors[errors.size() - 2] / errors.back());
}

TEST(molecule_statics, a_cantilever_converges_to_the_beam_with_second_order) {
  constexpr double kLength = 1.0, kSide = 0.1, kModulus = 1e7, kLoad = 1.0;
  const double inertia = std::pow(kSide, 4) / 12.0, shear = kModulus / 2.5;
  // bending, and shear with the section's factor 10 (1 + nu) / (12 + 11 nu)
  const double factor = 10.0 * 1.25 / (12.0 + 11.0 * 0.25);
  const double exact = kLoad * kLength * kLength * kLength / (3.0 * kModulus * inertia) +
                       kLoad * kLength / (factor * shear * kSide * kSide);
  std::vector<double> errors;
  for (const int cells : {1, 2, 4}) {
    SoftArena soft;
    Block3 bar;
    bar.count = {10 * cells + 1, cells + 1, cells + 1};
    bar.pitch = kSide / cells;
    bar.modulus = kModulus;
    bar.fixed = [](const auto& p) { return p[0] == 0; };
    soft.add(bar);
    Field forces(soft.motion.x.size(), Vec3::Zero());
    double section = 0.0;
    std::vector<double> share(forces.size(), 0.0);
    for (std::size_t i = 0; i < forces.size(); ++i)
      if (soft.motion.x[i].x() > kLength - 0.5 * bar.pitch)
        section += share[i] = soft.arena.mass[i];
    for (std::size_t i = 0; i < forces.size(); ++i) forces[i].z() = -kLoad * share[i] / section;
    const Field u = sag(soft, forces);
    double tip = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i) tip -= u[i].z() * share[i] / section;
    errors.push_back(std::abs(tip - exact) / exact);
    RecordProperty("error_" + std::to_string(cells), std::to_string(errors.back()));
  }
  EXPECT_LT(errors[2], 0.07);
  EXPECT_GT(order_of(errors), 1.6);
}

/// Hung or standing under its own weight; the free end moves by rho g L^2 / (2 E).
TEST(molecule_statics, column_and_hanging_bar_move_by_the_closed_form) {
  constexpr double kLength = 1.0, kSide = 0.1, kModulus = 1e7, kDensity = 1000.0, kPull = 9.81;
  const double exact = kDensity * kPull * kLength * kLength / (2.0 * kModulus);
  for (const double sign : {-1.0, 1.0}) {
    std::vector<double> errors;
    for (const int cells : {1, 2, 4}) {
      SoftArena soft;
      Block3 bar;
      bar.count = {cells + 1, cells + 1, 10 * cells + 1};
      bar.pitch = kSide / cells;
      bar.modulus = kModulus;
      bar.density = kDensity;
      const int end = sign < 0.0 ? 0 : 10 * cells;
      bar.fixed = [end](const auto& p) { return p[2] == end; };
      soft.add(bar);
      Field forces(soft.motion.x.size(), Vec3::Zero());
      for (std::size_t i = 0; i < forces.size(); ++i) forces[i].z() = -kPull * soft.arena.mass[i];
      const Field u = sag(soft, forces);
      double moved = 0.0, mass = 0.0;
      for (std::size_t i = 0; i < u.size(); ++i) {
        const bool free_end = std::abs(soft.motion.x[i].z() - (sign < 0.0 ? kLength : 0.0)) < 1e-9;
        if (free_end) moved -= u[i].z() * soft.arena.mass[i], mass += soft.arena.mass[i];
      }
      errors.push_back(std::abs(moved / mass - exact) / exact);
    }
    // the held end cannot narrow: a fixed share of the side, not of the lattice, remains
    EXPECT_LT(errors[0], 0.03);
    EXPECT_LT(errors[2], 0.02);
  }
}

/// A box on a frictionless floor: sides free, exact under its own weight up to the lattice.
TEST(molecule_statics, a_box_on_a_frictionless_floor_sinks_by_the_closed_form_at_every_height) {
  constexpr double kSide = 0.2, kModulus = 1e6, kDensity = 1000.0, kPull = 9.81;
  const double unit = kDensity * kPull * kSide * kSide / kModulus;
  std::vector<double> errors;
  for (const int cells : {2, 4, 8}) {
    SoftArena soft;
    Block3 box;
    box.count = {cells + 1, cells + 1, cells + 1};
    box.pitch = kSide / cells;
    box.modulus = kModulus;
    box.density = kDensity;
    soft.add(box);
    // a stiff spring down for each molecule of the bottom stands for the floor
    const int molecules = soft.arena.size();
    for (int i = 0; i < molecules; ++i) {
      const Vec3 at = soft.motion.x[static_cast<std::size_t>(i)];
      if (at.z() > 1e-9) continue;
      Block3 peg;
      peg.count = {1, 1, 1};
      peg.corner = at - Vec3(0.0, 0.0, 1.0);
      peg.fixed = [](const auto&) { return true; };
      soft.add(peg);
      soft.arena.springs.push_back({i, soft.arena.size() - 1, 1e4 * kModulus, 1.0, 0.0, 0.0});
    }
    soft.finish();
    Field forces(soft.motion.x.size(), Vec3::Zero());
    for (int i = 0; i < molecules; ++i)
      forces[static_cast<std::size_t>(i)].z() =
          -kPull * soft.arena.mass[static_cast<std::size_t>(i)];
    const Field u = sag(soft, forces);
    double top = 0.0, tops = 0.0, middle = 0.0, middles = 0.0;
    for (int i = 0; i < molecules; ++i) {
      const auto p = static_cast<std::size_t>(i);
      const double z = soft.motion.x[p].z();
      if (std::abs(z - kSide) < 1e-9)
        top -= u[p].z() * soft.arena.mass[p], tops += soft.arena.mass[p];
      if (std::abs(z - 0.5 * kSide) < 1e-9)
        middle -= u[p].z() * soft.arena.mass[p], middles += soft.arena.mass[p];
    }
    errors.push_back(std::abs(top / tops - 0.5 * unit) / unit +
                     std::abs(middle / middles - 0.375 * unit) / unit);
  }
  EXPECT_LT(errors[2], 0.01);
  EXPECT_GT(order_of(errors), 1.3);
}

}  // namespace
}  // namespace repose::molecule
