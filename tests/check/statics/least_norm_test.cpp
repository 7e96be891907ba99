// Contact forces against plain, slow solutions of the same question.
#include "src/check/statics/least_norm.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "repose/check/force_ranges.h"
#include "repose/check/stability.h"

#include "check/shapes.h"
#include "src/check/statics/least_residual.h"
#include "src/check/statics/lowest_in_cone.h"
#include "src/check/statics/second_order.h"

namespace repose::check {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// One or two movable balls and contacts at random places, most of them from below.
struct Drawn {
  Input input;
  std::vector<ContactPoint> contacts;
};
Drawn draw(Random& random, int bodies, int contacts, double friction) {
  Drawn out;
  out.input.bodies = {at(ground(), Vec3::Zero())};
  out.input.bodies[0].fixed = true;
  for (int b = 0; b < bodies; ++b) {
    PlacedBody item = at(ball(0.4 + 0.3 * b), Vec3(2.0 * b, 0.1, 1.0));
    item.mass = 1.0 + b;
    item.center_body = 0.1 * random_direction(random);
    out.input.bodies.push_back(item);
  }
  for (int k = 0; k < contacts; ++k) {
    ContactPoint c;
    c.body_a = k == 0 && bodies > 1 ? 2 : 0;
    c.body_b = k == 0 ? 1 : 1 + k % bodies;
    c.point = Vec3(2.0 * (c.body_b - 1), 0.1, 1.0) +
              Vec3(random.between(-1, 1), random.between(-1, 1), random.between(-1, 0));
    c.normal_a_to_b = (Vec3(0, 0, 1) + 0.6 * random_direction(random)).normalized();
    c.friction = k % 3 == 2 ? 0.0 : friction;
    out.contacts.push_back(c);
  }
  return out;
}

/// The balance equations in newtons: A x + g = 0, x the contact forces in world axes.
void plain_equations(const Drawn& d, Matrix& a, Vector& g, Vector& scale) {
  const auto bodies = static_cast<Eigen::Index>(d.input.bodies.size()) - 1;
  const auto n = static_cast<Eigen::Index>(d.contacts.size());
  a = Matrix::Zero(6 * bodies, 3 * n);
  g = Vector::Zero(6 * bodies);
  scale = Vector::Zero(6 * bodies);
  for (Eigen::Index b = 0; b < bodies; ++b) {
    const PlacedBody& item = d.input.bodies[static_cast<std::size_t>(b + 1)];
    g.segment<3>(6 * b) = item.mass * d.input.gravity;
    const double w = item.mass * d.input.gravity.norm();
    scale.segment<3>(6 * b).setConstant(1.0 / w);
    scale.segment<3>(6 * b + 3).setConstant(1.0 / (w * item.size()));
    for (Eigen::Index k = 0; k < n; ++k) {
      const ContactPoint& c = d.contacts[static_cast<std::size_t>(k)];
      const double sign = c.body_b == b + 1 ? 1.0 : c.body_a == b + 1 ? -1.0 : 0.0;
      const Vec3 arm = c.point - item.center_world();
      for (int i = 0; i < 3; ++i) {
        a.block<3, 1>(6 * b, 3 * k + i) = sign * Vec3::Unit(i);
        a.block<3, 1>(6 * b + 3, 3 * k + i) = sign * arm.cross(Vec3::Unit(i));
      }
    }
  }
}

/// Nearest forces within the friction cones.
Vector plain_cones(const Drawn& d, const Vector& x) {
  Vector out = x;
  for (std::size_t k = 0; k < d.contacts.size(); ++k) {
    const auto at_k = static_cast<Eigen::Index>(3 * k);
    const Vec3 n = d.contacts[k].normal_a_to_b, f = x.segment<3>(at_k);
    const double mu = d.contacts[k].friction, normal = f.dot(n);
    const Vec3 side = f - normal * n;
    const double t = side.norm();
    if (normal >= 0.0 && t <= mu * normal) continue;
    if (mu * t <= -normal) {
      out.segment<3>(at_k).setZero();
      continue;
    }
    const double onto = (normal + mu * t) / (1.0 + mu * mu);
    out.segment<3>(at_k) = onto * n + (t > 0.0 ? Vec3(mu * onto * side / t) : Vec3(Vec3::Zero()));
  }
  return out;
}

Vector flat(const std::vector<Vec3>& forces) {
  Vector x(static_cast<Eigen::Index>(3 * forces.size()));
  for (std::size_t k = 0; k < forces.size(); ++k)
    x.segment<3>(static_cast<Eigen::Index>(3 * k)) = forces[k];
  return x;
}

Balance rest_of(const Input& input, const std::vector<ContactPoint>& contacts) {
  const Balance b = balance(input, contacts);
  EXPECT_TRUE(b.balanced);
  return b;
}

TEST(LeastNorm, forces_are_those_of_dykstras_projections) {
  Random random(121);
  int balanced = 0;
  for (int k = 0; k < 60; ++k) {
    const Drawn d = draw(random, 1 + k % 2, 5 + k % 5, k % 4 == 0 ? 0.0 : 0.6);
    const Balance b = balance(d.input, d.contacts);
    if (!b.balanced) continue;
    ++balanced;
    ASSERT_TRUE(b.least_norm) << k;
    Matrix a;
    Vector g, scale;
    plain_equations(d, a, g, scale);
    const Vector x = flat(b.forces_on_b);
    const Vector missed = (a * x + g).cwiseProduct(scale);
    EXPECT_LT(missed.cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_NEAR(b.residual, std::max(b.force, b.torque), 1e-15);
    EXPECT_LT((plain_cones(d, x) - x).norm(), 1e-6 * x.norm());
    // the projection of nothing onto what balances
    const Matrix inverse = a.completeOrthogonalDecomposition().pseudoInverse();
    Vector z = Vector::Zero(x.size()), p = z, q = z;
    for (int step = 0; step < 6000; ++step) {
      const Vector y = z + p - inverse * (a * (z + p) + g);
      p = z + p - y;
      z = plain_cones(d, y + q);
      q = y + q - z;
    }
    if ((a * z + g).norm() > 1e-3) continue;  // slow here
    EXPECT_NEAR(x.norm(), z.norm(), 2e-3 * z.norm()) << k;
    EXPECT_LT((x - z).norm(), 3e-2 * z.norm()) << k;
    EXPECT_LE(x.norm(), z.norm() * (1.0 + 1e-3)) << k;
    // ranges hold them
    const auto ranges = force_ranges(d.input, d.contacts, b);
    ASSERT_EQ(ranges.size(), d.contacts.size());
    for (std::size_t c = 0; c < ranges.size(); ++c) {
      const double normal = b.forces_on_b[c].dot(d.contacts[c].normal_a_to_b);
      if (!ranges[c].known) continue;
      EXPECT_LE(ranges[c].low, ranges[c].high);
      EXPECT_GE(ranges[c].low, 0.0);
      if (d.contacts[c].friction == 0.0 || k % 4 == 0) {
        EXPECT_GE(normal, ranges[c].low - 0.05 * (1.0 + normal)) << k;
        EXPECT_LE(normal, ranges[c].high + 0.05 * (1.0 + normal)) << k;
      }
    }
  }
  EXPECT_GT(balanced, 15);
}

TEST(LeastResidual, no_plain_descent_comes_lower) {
  Random random(122);
  int missed = 0;
  for (int k = 0; k < 40; ++k) {
    const Drawn d = draw(random, 1 + k % 2, 2 + k % 3, k % 2 ? 0.3 : 0.0);
    const Balance b = balance(d.input, d.contacts);
    if (b.balanced) continue;
    ++missed;
    EXPECT_TRUE(b.converged);
    Matrix a;
    Vector g, scale;
    plain_equations(d, a, g, scale);
    const Matrix w = scale.asDiagonal() * a;
    const Vector h = scale.cwiseProduct(g);
    const double step = 1.0 / (w.transpose() * w).eigenvalues().real().maxCoeff();
    Vector z = Vector::Zero(a.cols());
    for (int i = 0; i < 4000; ++i) z = plain_cones(d, z - step * (w.transpose() * (w * z + h)));
    const double plain = (w * z + h).norm();
    const Vector x = flat(b.forces_on_b);
    const double got = (w * x + h).norm();
    EXPECT_LE(got, 2.0 * plain + 1e-6) << k;
    EXPECT_GE(got, plain - 1e-3) << k;
    EXPECT_LT((plain_cones(d, x) - x).norm(), 1e-6 * (1.0 + x.norm()));
    // each body's own share of it
    const Vector r = w * x + h;
    double force = 0.0, torque = 0.0;
    for (Eigen::Index i = 0; i < r.size() / 6; ++i) {
      const double f = r.segment<3>(6 * i).norm(), t = r.segment<3>(6 * i + 3).norm();
      EXPECT_NEAR(b.per_body[static_cast<std::size_t>(i + 1)], std::max(f, t), 1e-9);
      force = std::max(force, f);
      torque = std::max(torque, t);
    }
    EXPECT_NEAR(b.force, force, 1e-9);
    EXPECT_NEAR(b.torque, torque, 1e-9);
    EXPECT_NEAR(b.residual, std::max(force, torque), 1e-9);
    EXPECT_EQ(b.per_body[0], 0.0);
    // the motion it falls with loses energy and enters no contact
    const Stability s = stability(d.input, d.contacts, b, {.margins = false});
    EXPECT_EQ(s.kind, StabilityClass::unstable);
    EXPECT_GT(s.witness.power, 0.0);
    EXPECT_GE(s.witness.body, 1);
  }
  EXPECT_GT(missed, 10);
}

TEST(Wrenches, products_agree_with_the_plain_equations) {
  Random random(123);
  for (int k = 0; k < 20; ++k) {
    const Drawn d = draw(random, 2, 6, 0.5);
    const Wrenches w(d.input, d.contacts, 1.0);
    Matrix a;
    Vector g, scale;
    plain_equations(d, a, g, scale);
    EXPECT_EQ(w.bodies(), 2u);
    EXPECT_EQ(w.item(1), 2);
    EXPECT_LT((w.load() - scale.cwiseProduct(g)).norm(), 1e-12);
    Vector z(static_cast<Eigen::Index>(w.unknowns())), r, back;
    for (Eigen::Index i = 0; i < z.size(); ++i) z[i] = random.between(-1, 1);
    w.multiply(z, r);
    std::vector<Vec3> forces;
    for (std::size_t c = 0; c < d.contacts.size(); ++c) forces.push_back(w.force(z, c));
    EXPECT_LT((r - scale.cwiseProduct(a * flat(forces))).norm(), 1e-12);
    // adjoint
    Vector y(r.size());
    for (Eigen::Index i = 0; i < y.size(); ++i) y[i] = random.between(-1, 1);
    w.multiply_transposed(y, back);
    EXPECT_NEAR(back.dot(z), y.dot(r), 1e-12);
    // projection onto the cones, in newtons as anywhere
    Vector p = z;
    w.project(p);
    std::vector<Vec3> in_cones;
    for (std::size_t c = 0; c < d.contacts.size(); ++c) in_cones.push_back(w.force(p, c));
    EXPECT_LT((flat(in_cones) - plain_cones(d, flat(forces))).norm(), 1e-9);
    // every force of the cones does work against v of at least -violation times its size
    const double violation = w.dual_violation(back).of_unit;
    EXPECT_GE(violation, 0.0);
    double worst = 0.0;
    for (int i = 0; i < 200; ++i) {
      Vector f = Vector::Zero(z.size());
      const std::size_t c = random.below(d.contacts.size());
      const auto v = w.column(c);
      const auto first = static_cast<Eigen::Index>(v.first);
      f[first] = 1.0;
      if (v.count == 3) {
        const double turn = random.between(0, 6.3);
        f[first + 1] = v.friction * std::cos(turn);
        f[first + 2] = v.friction * std::sin(turn);
      }
      worst = std::max(worst, -back.dot(f));
    }
    EXPECT_LE(worst, violation + 1e-12);
    EXPECT_GE(worst, 0.9 * violation - 1e-12);
    // unit columns
    for (std::size_t c = 0; c < w.columns(); ++c) {
      Vector unit = Vector::Zero(z.size()), column;
      unit[static_cast<Eigen::Index>(w.column(c).first)] = 1.0;
      w.multiply(unit, column);
      EXPECT_NEAR(column.norm(), 1.0, 1e-12);
    }
  }
}

TEST(LeastNorm, forces_that_do_not_balance_are_given_back) {
  Input input;
  input.bodies = {at(ground(), Vec3::Zero()), at(ball(0.5), Vec3(0, 0, 0.5))};
  input.bodies[0].fixed = true;
  ContactPoint side;
  side.body_a = 0;
  side.body_b = 1;
  side.point = Vec3(-0.5, 0, 0.5);
  side.normal_a_to_b = Vec3::UnitX();
  for (const double friction : {0.0, 0.5}) {
    side.friction = friction;
    const Wrenches w(input, {side}, 1.0);
    const Vector given = Vector::Constant(static_cast<Eigen::Index>(w.unknowns()), 0.125);
    const LeastNorm out = least_norm(w, given, 1e-8);
    EXPECT_FALSE(out.converged);
    EXPECT_EQ(out.forces, given);
  }
}

TEST(Wrenches, a_body_without_mass_is_measured_by_the_heaviest_load_that_reaches_it) {
  for (const double force : {5.0, 50.0}) {
    Input input;
    input.bodies = {at(ball(0.5), Vec3(0, 0, 0.5)), at(ball(0.5), Vec3(5, 0, 0.5))};
    input.bodies[0].mass = 0.0;
    input.bodies[1].mass = 2.0;
    input.loads = {{0, Vec3(0, force, 0), Vec3(0, 0, 0.5), Vec3::Zero()}};
    const Balance b = balance(input, {});
    EXPECT_NEAR(b.per_body[0], 1.0, 1e-12);
    EXPECT_NEAR(b.per_body[1], 1.0, 1e-12);
    EXPECT_LE(b.torque, 1e-14);
    EXPECT_TRUE(b.converged);
    EXPECT_FALSE(b.balanced);
    // a joint between the two, which carries nothing here
    input.restraints.push_back({"joint", 0, 1, Vec3::Zero(), {}, {}});
    EXPECT_NEAR(balance(input, {}).per_body[0], force / std::max(force, 2.0 * 9.81), 1e-12);
    input.restraints.clear();
    input.gravity = Vec3::Zero();
    EXPECT_NEAR(balance(input, {}).per_body[0], 1.0, 1e-12);
    input.loads.clear();
    EXPECT_TRUE(balance(input, {}).balanced);
  }
}

TEST(Stability, what_moves_first_when_tilted_moves_downhill) {
  for (const double turn : {0.0, 1.0, 2.5}) {
    const Quat q = rotation_from_vector(Vec3(0, 0, turn)) * rotation_from_vector(Vec3(0, 0.2, 0));
    const Vec3 downhill = q * Vec3::UnitX();
    Input input;
    input.bodies = {at(ground(), Vec3::Zero(), q),
                    at(box_mesh(Vec3(1, 1, 0.2)), q * Vec3(0, 0, 0.1), q)};
    input.bodies[0].fixed = true;
    auto contacts = find_contacts(input.bodies[0], input.bodies[1]);
    for (ContactPoint& c : contacts) {
      c.body_a = 0;
      c.body_b = 1;
    }
    const Stability s =
        stability(input, contacts, rest_of(input, contacts), {.tilt_directions = 24});
    EXPECT_NEAR(s.margins.tilt, std::atan(0.5) - 0.2, 6e-3);
    EXPECT_EQ(s.margins.first_if_tilted.body, 1);
    EXPECT_GT(s.margins.first_if_tilted.velocity.dot(downhill), 0.7);
    EXPECT_GT(s.margins.first_if_tilted.power, 0.0);
    const Screw& w = s.margins.first_if_tilted;
    EXPECT_NEAR(w.velocity.norm() + 0.5 * input.bodies[1].size() * w.angular.norm(), 1.0, 1e-9);
  }
}

TEST(LowestInCone, finds_what_a_dense_search_finds) {
  Random random(124);
  for (int k = 0; k < 60; ++k) {
    Matrix h(3, 3), n(k % 4, 3);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j) h(i, j) = h(j, i) = random.between(-1, 1);
    for (int i = 0; i < k % 4; ++i) n.row(i) = random_direction(random).transpose();
    const Lowest got = lowest_in_cone(h, n);
    double least = 1e300;
    Vec3 lowest = Vec3::Zero();
    const auto look = [&](const Vec3& x) {
      if ((n.rows() && (n * x).minCoeff() < 0.0) || x.dot(h * x) >= least) return;
      least = x.dot(h * x);
      lowest = x;
    };
    for (int i = 0; i < 20'000; ++i) look(random_direction(random));
    if (least > 1e299) continue;
    // and nearer and nearer about the lowest
    for (double step = 0.05; step > 1e-7; step *= 0.97)
      for (int i = 0; i < 10; ++i) look((lowest + step * random_direction(random)).normalized());
    if (n.rows() == 0) {
      EXPECT_NEAR(got.value, least, 1e-2);
      EXPECT_LE(got.value, least + 1e-12);
    } else if (least < -0.05) {
      ASSERT_EQ(got.at.size(), 3);
      EXPECT_LE(got.value, least + 1e-3) << k;
      EXPECT_GE((n * got.at).minCoeff(), -1e-3);
    }
    if (got.at.size()) {
      EXPECT_NEAR(got.at.norm(), 1.0, 1e-9);
      EXPECT_NEAR(got.at.dot(h * got.at), got.value, 1e-9);
    }
  }
}

TEST(LowestInCone, says_that_its_work_ended_first) {
  Random random(57);
  const int size = 40, rows = 600;
  Matrix h = -Matrix::Identity(size, size), n(rows, size);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < size; ++j) n(i, j) = random.between(-1, 1);
  EXPECT_FALSE(lowest_in_cone(h, n, 1e6).whole);
  const Matrix few = n.topRows(2);
  const Lowest all = lowest_in_cone(h, few, 1e9);
  EXPECT_TRUE(all.whole);
  EXPECT_NEAR(all.value, -1.0, 1e-9);
}

TEST(SecondOrder, a_ball_on_a_ball_falls_as_its_circle_bends) {
  for (const double large : {0.7, 3.0})
    for (const double friction : {0.0, 0.6}) {
      const double r = 0.5;
      Input input;
      input.bodies = {at(ball(large), Vec3(0.3, 0, -large)), at(ball(r), Vec3(0.3, 0, r))};
      input.bodies[0].fixed = true;
      for (PlacedBody& item : input.bodies) item.friction = friction;
      const auto contacts = find_contacts(input.bodies[0], input.bodies[1]);
      ASSERT_EQ(contacts.size(), 1u);
      std::vector<ContactPoint> named = contacts;
      named[0].body_a = 0;
      named[0].body_b = 1;
      const SecondOrder s = second_order(input, named, rest_of(input, named));
      // rolling: centre at unit speed turns by 1/r, which counts with the size 2 r; over weight and
      // support together, twice the weight
      const double share = friction > 0.0 ? 5.0 : 1.0;
      EXPECT_NEAR(s.lowest, -r / (large + r) / share, 1e-3) << large << ' ' << friction;
      EXPECT_TRUE(s.tested);
      ASSERT_EQ(s.bodies, std::vector<int>{1});
      ASSERT_EQ(s.motion.size(), 6);
      if (friction > 0.0) {
        // v = w x (from the contact to the centre)
        const Vec3 v = s.motion.head<3>(), w = s.motion.tail<3>();
        EXPECT_LT((v - w.cross(Vec3(0, 0, r))).norm(), 1e-4 * v.norm());
      }
      EXPECT_LT(std::fabs(s.motion[2]), 1e-6);
    }
}

TEST(SecondOrder, a_ball_in_a_bowl_of_curvature_k_rises) {
  // the other body's curvature is negative: a bowl of radius R
  for (const double bowl : {0.8, 2.0}) {
    const double r = 0.5;
    Input input;
    input.bodies = {at(ball(bowl), Vec3(0, 0, bowl)), at(ball(r), Vec3(0, 0, r))};
    input.bodies[0].fixed = true;
    ContactPoint c;
    c.body_a = 0;
    c.body_b = 1;
    c.normal_a_to_b = Vec3::UnitZ();
    c.friction = 0.0;
    const Mat3 across = Mat3(Vec3(1, 1, 0).asDiagonal());
    c.curvature_a = -across / bowl;
    c.curvature_b = across / r;
    const SecondOrder s = second_order(input, {c}, rest_of(input, {c}));
    EXPECT_NEAR(s.lowest, 0.0, 1e-4) << "it turns on the spot";
    c.friction = 0.5;
    const SecondOrder rolls = second_order(input, {c}, rest_of(input, {c}));
    EXPECT_NEAR(rolls.lowest, 0.0, 1e-4) << "it spins";
    // held against spin and turn about x only rolling about y is left
    input.bodies[1].frozen = {false, true, false, true, false, true};
    const SecondOrder one = second_order(input, {c}, rest_of(input, {c}));
    EXPECT_NEAR(one.lowest, r / (bowl - r) / 5.0, 1e-3) << bowl;
  }
}

/// The contact of each pair of bodies, which has one.
std::vector<ContactPoint> single_contacts(const Input& input,
                                          const std::vector<std::pair<int, int>>& pairs) {
  std::vector<ContactPoint> contacts;
  for (const auto& [a, b] : pairs) {
    auto found = find_contacts(input.bodies[static_cast<std::size_t>(a)],
                               input.bodies[static_cast<std::size_t>(b)]);
    EXPECT_EQ(found.size(), 1u);
    found.at(0).body_a = a;
    found.at(0).body_b = b;
    contacts.push_back(found[0]);
  }
  return contacts;
}

TEST(SecondOrder, a_light_body_beside_a_heavy_one_counts) {
  Input input;
  input.bodies = {at(ground(), Vec3::Zero()), at(ball(0.5), Vec3(9, 0, 0.5)),
                  at(ball(1.0), Vec3(0, 0, 1)), at(ball(0.5), Vec3(0, 0, 2.5))};
  input.bodies[0].fixed = input.bodies[2].fixed = true;
  input.bodies[1].mass = 500.0;
  const auto contacts = single_contacts(input, {{0, 1}, {2, 3}});
  const SecondOrder s = second_order(input, contacts, rest_of(input, contacts));
  // as if it were alone
  EXPECT_NEAR(s.lowest, -0.5 / 1.5 / 5.0, 1e-3);
}

TEST(SecondOrder, two_movable_bodies_and_joints_take_part) {
  // a ball on a ball on the ground, all rolling: the upper falls, and both move
  Input input;
  input.bodies = {at(ground(), Vec3::Zero()), at(ball(1.0), Vec3(0, 0, 1)),
                  at(ball(0.5), Vec3(0, 0, 2.5))};
  input.bodies[0].fixed = true;
  const auto contacts = single_contacts(input, {{0, 1}, {1, 2}});
  const Balance b = rest_of(input, contacts);
  EXPECT_NEAR(b.forces_on_b[0].z(), 2 * 9.81, 1e-4);
  const SecondOrder s = second_order(input, contacts, b);
  EXPECT_LT(s.lowest, -0.01);
  ASSERT_EQ(s.motion.size(), 12);
  // rolling without slip at both contacts
  const Vec3 v1 = s.motion.segment<3>(0), w1 = s.motion.segment<3>(3), v2 = s.motion.segment<3>(6),
             w2 = s.motion.segment<3>(9);
  const double speed = s.motion.norm();
  EXPECT_LT((v1 + w1.cross(Vec3(0, 0, -1))).norm(), 1e-3 * speed);
  EXPECT_LT((v1 + w1.cross(Vec3(0, 0, 1)) - v2 - w2.cross(Vec3(0, 0, -0.5))).norm(), 1e-3 * speed);
  // a joint that keeps the upper one from turning and one that keeps it in place
  Restraint hold;
  hold.body_a = 1;
  hold.body_b = 2;
  hold.point_world = Vec3(0, 0, 2.5);
  hold.forces = {Vec3::UnitX(), Vec3::UnitY()};
  input.restraints = {hold};
  const SecondOrder held = second_order(input, contacts, rest_of(input, contacts));
  const Vec3 u1 = held.motion.size() ? Vec3(held.motion.segment<3>(0)) : Vec3(Vec3::Zero());
  const Vec3 t1 = held.motion.size() ? Vec3(held.motion.segment<3>(3)) : Vec3(Vec3::Zero());
  const Vec3 u2 = held.motion.size() ? Vec3(held.motion.segment<3>(6)) : Vec3(Vec3::Zero());
  EXPECT_LT((u1 + t1.cross(Vec3(0, 0, 1.5)) - u2).head<2>().norm(),
            1e-3 * (1e-9 + held.motion.norm()));
}

}  // namespace
}  // namespace repose::check
