#include "friction.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

namespace repose::molecule {

namespace {

/// Joined molecules that share a couple.
constexpr std::size_t kHelpers = 8;
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

/// A molecule and some joined to it: those that lie deepest behind its surface.
struct Neighbourhood {
  std::array<int, 1 + kHelpers> members{};
  std::size_t count = 1;
};

Neighbourhood neighbourhood_of(const Arena& arena, const Motion& motion, int point,
                               const Vec3& outward) {
  Neighbourhood out;
  out.members[0] = point;
  std::array<double, 1 + kHelpers> height{};
  for (const int k : arena.joined(point)) {
    const double own = outward.dot(motion.x[at(k)] - motion.x[at(point)]);
    std::size_t place = out.count;
    while (place > 1 && own < height[place - 1]) --place;
    if (place > kHelpers) continue;
    for (std::size_t m = std::min(out.count, kHelpers); m > place; --m) {
      out.members[m] = out.members[m - 1];
      height[m] = height[m - 1];
    }
    out.members[place] = k;
    height[place] = own;
    out.count = std::min(out.count + 1, kHelpers + 1);
  }
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

/// The surface of one molecule; `sign` of the side, `outward` unit.
void add_molecule(const Arena& arena, const Motion& motion, int point, double sign,
                  const Vec3& foot, const Vec3& outward, bool one_body, Friction& out) {
  const Neighbourhood near = neighbourhood_of(arena, motion, point, outward);
  double mass = 0.0;
  Vec3 center = Vec3::Zero();
  for (std::size_t k = 0; k < near.count; ++k) {
    const auto i = at(near.members[k]);
    mass += arena.mass[i];
    center += arena.mass[i] * motion.x[i];
  }
  center /= mass;
  Mat3 second = Mat3::Zero();  // moments; the inertia is trace - moments
  std::array<Vec3, 1 + kHelpers> arms;
  for (std::size_t k = 0; k < near.count; ++k) {
    const auto i = at(near.members[k]);
    arms[k] = motion.x[i] - center;
    const Vec3 weighted = arena.mass[i] * arms[k];
    second.noalias() += weighted * arms[k].transpose();
  }
  Mat3 inertia = -second;
  inertia.diagonal().array() += second.trace();
  const Mat3 inverse = near.count > 1 ? inverse_inertia_of(inertia) : Mat3::Zero();
  const Vec3 arm = foot - motion.x[at(point)];
  const Vec3 couple[2] = {inverse * arm.cross(out.tangent[0]), inverse * arm.cross(out.tangent[1])};
  for (std::size_t k = 0; k < near.count; ++k) {
    Friction::Part& part = part_of(near.members[k], one_body, out);
    const double share = sign * arena.mass[at(near.members[k])];
    for (std::size_t t = 0; t < 2; ++t) {
      part.along[t] += share * couple[t].cross(arms[k]);
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
                const Vec3& foot, Friction& out) {
  if (row.key.kind == RowKey::skin && sign < 0.0)
    return add_triangle(arena, motion, row, sign, foot, out);
  for (int k = 0; k < row.points; ++k)
    if (row.weight[at(k)] * sign > 0.0)
      add_molecule(arena, motion, row.point[at(k)], sign, foot, -sign * row.normal,
                   row.key.body_a == row.key.body_b, out);
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

Friction make_friction(const Arena& arena, const Motion& motion, const std::vector<Row>& rows,
                       int index) {
  const Row& row = rows[at(index)];
  Friction out;
  out.row = index;
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
      add_points(arena, motion, row, kSideSign[side], foot, out);
    }
  }
  const Mat2 all = resistance(arena, row, motion, out);
  const double determinant = all.determinant();
  if (determinant > 0.0) out.inverse = all.inverse();
  return out;
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

void hold(const Arena& arena, const std::vector<Row>& rows, Friction& friction, Motion& motion) {
  const Row& row = rows[at(friction.row)];
  const double most = row.friction * row.impulse;
  Vec2 wanted = friction.impulse - friction.inverse * sliding(friction, rows, motion);
  const double size = wanted.norm();
  if (size > most) wanted *= most / size;
  const Vec2 change = wanted - friction.impulse;
  friction.impulse = wanted;
  drag(arena, rows, friction, change, motion);
}

}  // namespace repose::molecule
