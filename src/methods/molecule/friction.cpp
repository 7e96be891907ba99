#include "friction.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "repose/base/at.h"

namespace repose::molecule {

namespace {

/// Moments of inertia below this share of the largest belong to points in a line.
constexpr double kThin = 1e-9;

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

/// All that follows from members and weights.
void weigh(const Arena& arena, const Motion& motion, Grip& grip) {
  const std::size_t count = at(grip.count);
  double mass = 0.0;
  Vec3 center = Vec3::Zero();
  for (std::size_t k = 0; k < count; ++k) {
    const auto i = at(grip.member[k]);
    mass += arena.mass[i];
    center += arena.mass[i] * motion.x[i];
  }
  center /= mass;
  Mat3 second = Mat3::Zero();  // moments; the inertia is trace - moments
  for (std::size_t k = 0; k < count; ++k) {
    const auto i = at(grip.member[k]);
    const Vec3 arm = motion.x[i] - center;
    const Vec3 moment = arena.mass[i] * arm;
    grip.moment[k] = widen(moment);
    grip.share[k] = arena.inverse_mass[i];
    grip.all_free = grip.all_free && grip.share[k] > 0.0;
    second.noalias() += moment * arm.transpose();
  }
  Mat3 inertia = -second;
  inertia.diagonal().array() += second.trace();
  if (count < 2) return;
  const Mat3 inverse = inverse_inertia_of(inertia);
  for (std::size_t k = 0; k < 3; ++k)
    grip.inverse_inertia[k] = widen(inverse.col(static_cast<Eigen::Index>(k)));
}

Grip grip_of(const Arena& arena, const Motion& motion, int point) {
  const Helpers& helpers = arena.helpers[at(point)];
  Grip out;
  out.member[0] = point;
  out.weight[0] = 1.0;
  for (int k = 0; k < helpers.count; ++k) out.member[at(out.count++)] = helpers.point[at(k)];
  weigh(arena, motion, out);
  return out;
}

/// 1/kg: sliding speeds along the tangents per impulse along them.
struct Resistance {
  double first = 0.0, mixed = 0.0, second = 0.0;

  Mat2 matrix() const {
    Mat2 out;
    out << first, mixed, mixed, second;
    return out;
  }
};

void add_rigid(const Arena& arena, const Motion& motion, int rigid, std::size_t side,
               const Vec3& foot, Friction& out, Resistance& resistance) {
  const RigidMotion& moving = motion.rigids[at(rigid)];
  const Vec3 arm = foot - moving.center;
  out.rigid[side] = rigid;
  for (std::size_t t = 0; t < 2; ++t)
    out.turn[side][t] = kSideSign[side] * arm.cross(out.tangent[t]);
  const double share = arena.rigids[at(rigid)].inverse_mass;
  const Vec3 turn[2] = {moving.inverse_inertia * out.turn[side][0],
                        moving.inverse_inertia * out.turn[side][1]};
  resistance.first += share + out.turn[side][0].dot(turn[0]);
  resistance.mixed += out.turn[side][0].dot(turn[1]);
  resistance.second += share + out.turn[side][1].dot(turn[1]);
}

Lanes turned(const std::array<Lanes, 3>& columns, const Lanes& a) {
  return (columns[0] * a[0] + columns[1] * a[1]) + columns[2] * a[2];
}

/// A side made of molecules. What it adds to the resistance has a closed form if its members are
/// all free and of no other side.
void add_grip(const Motion& motion, const Grip& grip, double sign, const Vec3& foot, Friction& out,
              Resistance& resistance) {
  Lanes arm = widen(foot), eccentric{};
  double share = 0.0;
  for (std::size_t k = 0; k < at(grip.weighted); ++k) {
    arm -= grip.weight[k] * widen(motion.x[at(grip.member[k])]);
    share += grip.weight[k] * grip.weight[k] * grip.share[k];
    eccentric += (grip.weight[k] * grip.share[k]) * grip.moment[k];
  }
  std::array<Lanes, 2> tangent, couple, turn, beside;
  for (std::size_t t = 0; t < 2; ++t) {
    tangent[t] = sign * widen(out.tangent[t]);
    couple[t] = cross(arm, tangent[t]);
    turn[t] = turned(grip.inverse_inertia, couple[t]);
    // what a couple adds to the speed of the weighted mean, and a force there to the turn
    beside[t] = cross(turn[t], eccentric);
  }
  for (std::size_t k = 0; k < at(grip.count); ++k) {
    Friction::Part& part = out.part[at(out.parts++)];
    part.point = grip.member[k];
    part.share = grip.share[k];
    for (std::size_t t = 0; t < 2; ++t) {
      part.along[t] = cross(turn[t], grip.moment[k]);
      if (k < at(grip.weighted)) part.along[t] += grip.weight[k] * tangent[t];
    }
  }
  resistance.first += share + 2.0 * dot(tangent[0], beside[0]) + dot(couple[0], turn[0]);
  resistance.mixed +=
      dot(tangent[0], beside[1]) + dot(tangent[1], beside[0]) + dot(couple[0], turn[1]);
  resistance.second += share + 2.0 * dot(tangent[1], beside[1]) + dot(couple[1], turn[1]);
}

/// A molecule on both sides has one part.
void merge_parts(Friction& friction) {
  int kept = 0;
  for (int k = 0; k < friction.parts; ++k) {
    const Friction::Part& part = friction.part[at(k)];
    int same = 0;
    while (same < kept && friction.part[at(same)].point != part.point) ++same;
    if (same == kept) {
      friction.part[at(kept++)] = part;
      continue;
    }
    for (std::size_t t = 0; t < 2; ++t) friction.part[at(same)].along[t] += part.along[t];
  }
  friction.parts = kept;
}

/// Of the parts, some of which may be fixed.
void add_parts(const Friction& friction, Resistance& out) {
  for (int k = 0; k < friction.parts; ++k) {
    const Friction::Part& part = friction.part[at(k)];
    out.first += part.share * dot(part.along[0], part.along[0]);
    out.mixed += part.share * dot(part.along[0], part.along[1]);
    out.second += part.share * dot(part.along[1], part.along[1]);
  }
}

[[gnu::always_inline]] inline Vec2 sliding_of(const Friction& friction, const Flow& flow) {
  Lanes first{}, second{};
  for (int k = 0; k < friction.parts; ++k) {
    const Friction::Part& part = friction.part[at(k)];
    const Lanes& v = flow.v[at(part.point)];
    first += part.along[0] * v;
    second += part.along[1] * v;
  }
  Vec2 out((first[0] + first[1]) + first[2], (second[0] + second[1]) + second[2]);
  for (std::size_t side = 0; side < 2; ++side) {
    if (friction.rigid[side] < 0) continue;
    const RigidMotion& rigid = flow.rigids[at(friction.rigid[side])];
    for (std::size_t t = 0; t < 2; ++t)
      out[static_cast<Eigen::Index>(t)] +=
          kSideSign[side] * friction.tangent[t].dot(rigid.velocity) +
          friction.turn[side][t].dot(rigid.angular);
  }
  return out;
}

[[gnu::always_inline]] inline void drag_by(const Arena& arena, const Friction& friction,
                                           const Vec2& impulse, Flow& flow) {
  for (int k = 0; k < friction.parts; ++k) {
    const Friction::Part& part = friction.part[at(k)];
    flow.v[at(part.point)] +=
        part.share * (impulse[0] * part.along[0] + impulse[1] * part.along[1]);
  }
  for (std::size_t side = 0; side < 2; ++side) {
    if (friction.rigid[side] < 0) continue;
    const Vec3 whole = impulse[0] * friction.tangent[0] + impulse[1] * friction.tangent[1];
    RigidMotion& rigid = flow.rigids[at(friction.rigid[side])];
    rigid.velocity +=
        (kSideSign[side] * arena.rigids[at(friction.rigid[side])].inverse_mass) * whole;
    rigid.angular += rigid.inverse_inertia *
                     (impulse[0] * friction.turn[side][0] + impulse[1] * friction.turn[side][1]);
  }
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

const Grip& Grips::of_triangle(const Arena& arena, const Motion& motion, const Row& row) {
  Grip& out = triangle_;
  out = {};
  out.count = out.weighted = 0;
  for (int k = 0; k < row.points; ++k) {
    if (!(row.weight[at(k)] <= 0.0)) continue;
    out.member[at(out.count)] = row.point[at(k)];
    out.weight[at(out.count++)] = -row.weight[at(k)];
  }
  out.weighted = out.count;
  weigh(arena, motion, out);
  return out;
}

void make_friction(const Arena& arena, const Motion& motion, const std::vector<Row>& rows,
                   int index, Grips& grips, Friction& out) {
  const Row& row = rows[at(index)];
  out.row = index;
  out.parts = 0;
  out.rigid = {-1, -1};
  out.slides = false;
  out.inverse.setZero();
  out.least_inverse = 0.0;
  // tangents along the axes least like the normal
  int least = 0;
  row.normal.cwiseAbs().minCoeff(&least);
  out.tangent[0] = row.normal.cross(Vec3::Unit(least)).normalized();
  out.tangent[1] = row.normal.cross(out.tangent[0]);
  Resistance of_rigids, of_grips;
  bool all_free = true;
  for (std::size_t side = 0; side < 2; ++side) {
    const Vec3& foot = side == 0 ? row.foot_upper : row.foot_lower;
    if (row.rigid[side] >= 0) {
      add_rigid(arena, motion, row.rigid[side], side, foot, out, of_rigids);
      continue;
    }
    const bool triangle = row.key.kind == RowKey::skin && side == 1;
    const Grip& grip =
        triangle ? grips.of_triangle(arena, motion, row) : grips.of(arena, motion, row.point[side]);
    add_grip(motion, grip, kSideSign[side], foot, out, of_grips);
    all_free = all_free && grip.all_free;
  }
  const bool one_body = row.key.kind == RowKey::points && row.key.body_a == row.key.body_b;
  if (one_body) merge_parts(out);
  if (one_body || !all_free) add_parts(out, of_grips = {});
  const Mat2 all = of_rigids.matrix() + of_grips.matrix();
  const double determinant = all.determinant();
  if (determinant > 0.0) {
    out.inverse = all.inverse();
    const double half = 0.5 * all.trace();
    out.least_inverse = 1.0 / (half + std::sqrt(std::max(0.0, half * half - determinant)));
  }
}

Vec2 sliding(const Friction& friction, const Flow& flow) {
  return sliding_of(friction, flow);
}

void drag(const Arena& arena, const Friction& friction, const Vec2& impulse, Flow& flow) {
  drag_by(arena, friction, impulse, flow);
}

void hold(const Arena& arena, double most, Friction& friction, Flow& flow) {
  const Vec2 speed = sliding_of(friction, flow);
  Vec2 wanted = friction.impulse - friction.inverse * speed;
  friction.slides = wanted.norm() > most;
  if (friction.slides) {
    // by one number for both tangents: at its end friction is opposite to the sliding
    wanted = friction.impulse - friction.least_inverse * speed;
    if (const double size = wanted.norm(); size > most) wanted *= most / size;
  }
  const Vec2 change = wanted - friction.impulse;
  friction.impulse = wanted;
  drag_by(arena, friction, change, flow);
}

}  // namespace repose::molecule
