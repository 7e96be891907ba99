#include "friction.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

namespace repose::molecule {

namespace {

/// Moments of inertia below this share of the largest belong to points in a line.
constexpr double kThin = 1e-9;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// Inverse, but nothing along axes about which the points do not extend.
Mat3 inverse_inertia_of(const Mat3& inertia) {
  const double trace = inertia.trace();
  // well shaped: the plain inverse is the more exact one
  if (inertia.determinant() > kThin * trace * trace * trace) return inertia.inverse();
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(inertia);
  Mat3 out = Mat3::Zero();
  for (int k = 0; k < 3; ++k)
    if (eigen.eigenvalues()[k] > kThin * trace)
      out += eigen.eigenvectors().col(k) * eigen.eigenvectors().col(k).transpose() /
             eigen.eigenvalues()[k];
  return out;
}

Grip grip_of(const Arena& arena, const Motion& motion, int point) {
  const Helpers& helpers = arena.helpers[at(point)];
  Grip out;
  out.member[0] = point;
  for (int k = 0; k < helpers.count; ++k) out.member[out.count++] = helpers.point[at(k)];
  double mass = 0.0;
  Vec3 center = Vec3::Zero();
  for (std::size_t k = 0; k < out.count; ++k) {
    const auto i = at(out.member[k]);
    mass += arena.mass[i];
    center += arena.mass[i] * motion.x[i];
  }
  center /= mass;
  Mat3 second = Mat3::Zero();  // moments; the inertia is trace - moments
  for (std::size_t k = 0; k < out.count; ++k) {
    const auto i = at(out.member[k]);
    out.arm[k] = motion.x[i] - center;
    const Vec3 weighted = arena.mass[i] * out.arm[k];
    second.noalias() += weighted * out.arm[k].transpose();
  }
  Mat3 inertia = -second;
  inertia.diagonal().array() += second.trace();
  if (out.count > 1) out.inverse_inertia = inverse_inertia_of(inertia);
  return out;
}

/// The part of a molecule; one that is on both sides has one part.
Friction::Part& part_of(int point, bool may_be_there, Friction& friction) {
  if (may_be_there)
    for (int k = 0; k < friction.parts; ++k)
      if (friction.part[at(k)].point == point) return friction.part[at(k)];
  Friction::Part& out = friction.part[at(friction.parts++)];
  out.point = point;
  out.along[0].setZero();
  out.along[1].setZero();
  return out;
}

/// The surface of one molecule; `sign` of the side.
void add_molecule(const Arena& arena, const Motion& motion, int point, double sign,
                  const Vec3& foot, bool one_body, Grips& grips, Friction& out) {
  const Grip& grip = grips.of(arena, motion, point);
  const Vec3 arm = foot - motion.x[at(point)];
  const Vec3 couple[2] = {grip.inverse_inertia * arm.cross(out.tangent[0]),
                          grip.inverse_inertia * arm.cross(out.tangent[1])};
  for (std::size_t k = 0; k < grip.count; ++k) {
    Friction::Part& part = part_of(grip.member[k], one_body, out);
    const double share = sign * arena.mass[at(grip.member[k])];
    for (std::size_t t = 0; t < 2; ++t) {
      part.along[t] += share * couple[t].cross(grip.arm[k]);
      if (k == 0) part.along[t] += sign * out.tangent[t];
    }
  }
}

/// The thick surface of a skin's triangle, the row's last three points: their weighted mean and
/// their turn.
void add_triangle(const Arena& arena, const Motion& motion, const Row& row, double sign,
                  const Vec3& foot, Friction& out) {
  double mass = 0.0;
  Vec3 center = Vec3::Zero(), mean = Vec3::Zero();
  const auto each = [&](const auto& use) {
    for (int k = 0; k < row.points; ++k)
      if (k > 0) use(row.point[at(k)], row.weight[at(k)]);
  };
  each([&](int i, double weight) {
    mass += arena.mass[at(i)];
    center += arena.mass[at(i)] * motion.x[at(i)];
    mean += sign * weight * motion.x[at(i)];
  });
  center /= mass;
  Mat3 inertia = Mat3::Zero();
  each([&](int i, double) {
    const Vec3 d = motion.x[at(i)] - center;
    inertia += arena.mass[at(i)] * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  });
  const Mat3 inverse = inverse_inertia_of(inertia);
  for (std::size_t t = 0; t < 2; ++t) {
    const Vec3 couple = inverse * (foot - mean).cross(out.tangent[t]);
    each([&](int i, double weight) {
      part_of(i, true, out).along[t] +=
          sign * arena.mass[at(i)] * couple.cross(motion.x[at(i)] - center) +
          weight * out.tangent[t];
    });
  }
}

/// A side made of molecules.
void add_points(const Arena& arena, const Motion& motion, const Row& row, double sign,
                const Vec3& foot, Grips& grips, Friction& out) {
  if (row.key.kind == RowKey::skin && sign < 0.0)
    return add_triangle(arena, motion, row, sign, foot, out);
  for (int k = 0; k < row.points; ++k)
    if (row.weight[at(k)] * sign > 0.0)
      add_molecule(arena, motion, row.point[at(k)], sign, foot, row.key.body_a == row.key.body_b,
                   grips, out);
}

Mat2 resistance(const Arena& arena, const Row& row, const Motion& motion, const Friction& f) {
  double first = 0.0, mixed = 0.0, second = 0.0;
  for (int k = 0; k < f.parts; ++k) {
    const Friction::Part& part = f.part[at(k)];
    const double share = arena.inverse_mass[at(part.point)];
    first += share * part.along[0].squaredNorm();
    mixed += share * part.along[0].dot(part.along[1]);
    second += share * part.along[1].squaredNorm();
  }
  for (std::size_t side = 0; side < 2; ++side) {
    if (row.rigid[side] < 0 || arena.rigids[at(row.rigid[side])].inverse_mass == 0.0) continue;
    const double share = arena.rigids[at(row.rigid[side])].inverse_mass;
    const Mat3& inverse = motion.rigids[at(row.rigid[side])].inverse_inertia;
    const Vec3 turned[2] = {inverse * f.turn[side][0], inverse * f.turn[side][1]};
    first += share + f.turn[side][0].dot(turned[0]);
    mixed += f.turn[side][0].dot(turned[1]);
    second += share + f.turn[side][1].dot(turned[1]);
  }
  Mat2 out;
  out << first, mixed, mixed, second;
  return out;
}

}  // namespace

void Grips::clear() {
  for (const Grip& grip : all_) place_[at(grip.member[0])] = -1;
  all_.clear();
}

const Grip& Grips::of(const Arena& arena, const Motion& motion, int point) {
  place_.resize(arena.mass.size(), -1);
  int& place = place_[at(point)];
  if (place >= 0) return all_[at(place)];
  place = static_cast<int>(all_.size());
  all_.push_back(grip_of(arena, motion, point));
  return all_.back();
}

void make_friction(const Arena& arena, const Motion& motion, const std::vector<Row>& rows,
                   int index, Grips& grips, Friction& out) {
  const Row& row = rows[at(index)];
  out.row = index;
  out.parts = 0;
  out.slides = false;
  out.inverse.setZero();
  out.least_inverse = 0.0;
  // tangents along the axes least like the normal
  int least = 0;
  row.normal.cwiseAbs().minCoeff(&least);
  out.tangent[0] = row.normal.cross(Vec3::Unit(least)).normalized();
  out.tangent[1] = row.normal.cross(out.tangent[0]);
  for (std::size_t side = 0; side < 2; ++side) {
    const Vec3& foot = side == 0 ? row.foot_upper : row.foot_lower;
    if (row.rigid[side] >= 0) {
      const Vec3 arm = foot - motion.rigids[at(row.rigid[side])].center;
      for (std::size_t t = 0; t < 2; ++t)
        out.turn[side][t] = kSideSign[side] * arm.cross(out.tangent[t]);
    } else {
      add_points(arena, motion, row, kSideSign[side], foot, grips, out);
    }
  }
  const Mat2 all = resistance(arena, row, motion, out);
  const double determinant = all.determinant();
  if (determinant > 0.0) {
    out.inverse = all.inverse();
    const double half = 0.5 * all.trace();
    out.least_inverse = 1.0 / (half + std::sqrt(std::max(0.0, half * half - determinant)));
  }
}

Vec2 sliding(const Friction& friction, const std::vector<Row>& rows, const Motion& motion) {
  Vec2 out = Vec2::Zero();
  const Row& row = rows[at(friction.row)];
  for (int k = 0; k < friction.parts; ++k) {
    const Friction::Part& part = friction.part[at(k)];
    const Vec3& v = motion.v[at(part.point)];
    out[0] += part.along[0].dot(v);
    out[1] += part.along[1].dot(v);
  }
  for (std::size_t side = 0; side < 2; ++side) {
    if (row.rigid[side] < 0) continue;
    const RigidMotion& rigid = motion.rigids[at(row.rigid[side])];
    for (std::size_t t = 0; t < 2; ++t)
      out[static_cast<Eigen::Index>(t)] +=
          kSideSign[side] * friction.tangent[t].dot(rigid.velocity) +
          friction.turn[side][t].dot(rigid.angular);
  }
  return out;
}

void drag(const Arena& arena, const std::vector<Row>& rows, const Friction& friction,
          const Vec2& impulse, Motion& motion) {
  const Row& row = rows[at(friction.row)];
  for (int k = 0; k < friction.parts; ++k) {
    const Friction::Part& part = friction.part[at(k)];
    motion.v[at(part.point)] += arena.inverse_mass[at(part.point)] *
                                (impulse[0] * part.along[0] + impulse[1] * part.along[1]);
  }
  const Vec3 whole = impulse[0] * friction.tangent[0] + impulse[1] * friction.tangent[1];
  for (std::size_t side = 0; side < 2; ++side) {
    if (row.rigid[side] < 0) continue;
    RigidMotion& rigid = motion.rigids[at(row.rigid[side])];
    rigid.velocity += (kSideSign[side] * arena.rigids[at(row.rigid[side])].inverse_mass) * whole;
    rigid.angular += rigid.inverse_inertia *
                     (impulse[0] * friction.turn[side][0] + impulse[1] * friction.turn[side][1]);
  }
}

void hold(const Arena& arena, const std::vector<Row>& rows, double normal, Friction& friction,
          Motion& motion) {
  const double most = rows[at(friction.row)].friction * normal;
  const Vec2 speed = sliding(friction, rows, motion);
  Vec2 wanted = friction.impulse - friction.inverse * speed;
  friction.slides = wanted.norm() > most;
  if (friction.slides) {
    // by one number for both tangents: at its end friction is opposite to the sliding
    wanted = friction.impulse - friction.least_inverse * speed;
    if (const double size = wanted.norm(); size > most) wanted *= most / size;
  }
  const Vec2 change = wanted - friction.impulse;
  friction.impulse = wanted;
  drag(arena, rows, friction, change, motion);
}

}  // namespace repose::molecule
