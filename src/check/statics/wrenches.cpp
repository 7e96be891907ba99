#include "check/statics/wrenches.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "repose/base/disjoint_sets.h"

namespace repose::check {

void tangents(const Vec3& n, Vec3& t1, Vec3& t2) {
  int smallest = 0;
  n.cwiseAbs().minCoeff(&smallest);
  t1 = n.cross(Vec3::Unit(smallest)).normalized();
  t2 = n.cross(t1);
}

double felt_weight(const Input& input, const PlacedBody& item) {
  Vec3 felt = input.gravity;
  for (std::size_t k = 0; k < 3; ++k)
    if (item.frozen[k]) felt[static_cast<Eigen::Index>(k)] = 0.0;
  if (std::holds_alternative<shape::PlaneRegion>(item.shape->geometry)) felt.z() = 0.0;
  return item.mass * felt.norm();
}

Wrenches::Wrenches(const Input& input, const std::vector<ContactPoint>& contacts,
                   double friction_scale)
    : contacts_(contacts.size()) {
  add_bodies(input, contacts);
  columns_.reserve(contacts.size());
  for (const ContactPoint& c : contacts) add_contact(input, c, friction_scale);
  for (const Restraint& j : input.restraints) {
    for (const Vec3& f : j.forces) add_joint_row(input, j, f, false);
    for (const Vec3& t : j.torques) add_joint_row(input, j, t, true);
  }
  set_load(input, input.gravity, 1.0);
}

namespace {

/// What unbalanced forces on each body are compared with, N: the weight that it feels; of one that
/// feels none the largest weight, force or torque over size that reaches it through contacts and
/// joints.
std::vector<double> weights(const Input& input, const std::vector<ContactPoint>& contacts) {
  const auto moves = [&](int i) {
    return i >= 0 && !input.bodies[static_cast<std::size_t>(i)].fixed;
  };
  DisjointSets groups(static_cast<int>(input.bodies.size()));
  const auto join = [&](int a, int b) {
    if (moves(a) && moves(b)) groups.join(a, b);
  };
  for (const ContactPoint& c : contacts) join(c.body_a, c.body_b);
  for (const Restraint& r : input.restraints) join(r.body_a, r.body_b);
  std::vector<double> own(input.bodies.size(), 0.0), heaviest = own;
  const auto group = [&](int i) { return static_cast<std::size_t>(groups.name_of(i)); };
  for (int i = 0; i < static_cast<int>(own.size()); ++i) {
    if (!moves(i)) continue;
    const PlacedBody& item = input.bodies[static_cast<std::size_t>(i)];
    own[static_cast<std::size_t>(i)] = felt_weight(input, item);
    heaviest[group(i)] = std::max(heaviest[group(i)], own[static_cast<std::size_t>(i)]);
  }
  for (const Load& l : input.loads) {
    const double size = input.bodies[static_cast<std::size_t>(l.body)].size();
    double& most = heaviest[group(l.body)];
    most = std::max({most, l.force.norm(), l.torque.norm() / size});
  }
  for (int i = 0; i < static_cast<int>(own.size()); ++i) {
    double& weight = own[static_cast<std::size_t>(i)];
    if (weight == 0.0) weight = heaviest[group(i)] > 0.0 ? heaviest[group(i)] : 1.0;
  }
  return own;
}

}  // namespace

void Wrenches::add_bodies(const Input& input, const std::vector<ContactPoint>& contacts) {
  block_of_item_.assign(input.bodies.size(), -1);
  const std::vector<double> weight = weights(input, contacts);
  for (std::size_t i = 0; i < input.bodies.size(); ++i) {
    const PlacedBody& item = input.bodies[i];
    if (item.fixed) continue;
    block_of_item_[i] = static_cast<int>(items_.size());
    items_.push_back(static_cast<int>(i));
    const double w = weight[i];
    Vec6 s;
    s << Vec3::Constant(1.0 / w), Vec3::Constant(1.0 / (w * item.size()));
    for (std::size_t k = 0; k < 6; ++k)
      if (item.frozen[k]) s[static_cast<Eigen::Index>(k)] = 0.0;
    // bodies of the plane neither leave it nor tip out of it
    if (std::holds_alternative<shape::PlaneRegion>(item.shape->geometry)) s[2] = s[3] = s[4] = 0.0;
    scale_.push_back(s);
    weight_.push_back(w);
  }
}

Vec6 Wrenches::row(const Input& input, int block, const Vec3& point, const Vec3& force) const {
  const auto k = static_cast<std::size_t>(block);
  const Vec3 arm = point - input.bodies[static_cast<std::size_t>(items_[k])].center_world();
  Vec6 w;
  w << force, arm.cross(force);
  return w.cwiseProduct(scale_[k]);
}

void Wrenches::add_contact(const Input& input, const ContactPoint& c, double friction_scale) {
  Column column;
  column.a = block_of_item_[static_cast<std::size_t>(c.body_a)];
  column.b = block_of_item_[static_cast<std::size_t>(c.body_b)];
  column.friction = friction_scale * c.friction;
  column.count = column.friction > 0.0 ? 3 : 1;
  Vec3 t1, t2;
  tangents(c.normal_a_to_b, t1, t2);
  column.axes << c.normal_a_to_b, t1, t2;
  for (int k = 0; k < 3; ++k) {
    const Vec3 f = column.axes.col(k);
    if (column.a >= 0) column.on_a.col(k) = -row(input, column.a, c.point, f);
    if (column.b >= 0) column.on_b.col(k) = row(input, column.b, c.point, f);
  }
  column.max = std::numeric_limits<double>::infinity();
  finish(std::move(column));
}

void Wrenches::add_joint_row(const Input& input, const Restraint& j, const Vec3& direction,
                             bool torque) {
  Column column;
  const auto block = [&](int body) {
    return body < 0 ? -1 : block_of_item_[static_cast<std::size_t>(body)];
  };
  column.a = block(j.body_a);
  column.b = block(j.body_b);
  const auto wrench = [&](int b) -> Vec6 {
    if (!torque) return row(input, b, j.point_world, direction);
    Vec6 w;
    w << Vec3::Zero(), direction;
    return w.cwiseProduct(scale_[static_cast<std::size_t>(b)]);
  };
  if (column.a >= 0) column.on_a.col(0) = -wrench(column.a);
  if (column.b >= 0) column.on_b.col(0) = wrench(column.b);
  column.min = j.min;
  column.max = j.max;
  for (const int body : {j.body_a, j.body_b})
    if (torque && block(body) >= 0)
      column.arm = std::max(column.a >= 0 && column.b >= 0 && body == j.body_b ? column.arm : 0.0,
                            input.bodies[static_cast<std::size_t>(body)].size());
  finish(std::move(column));
}

void Wrenches::finish(Column column) {
  double squared = 0.0;
  if (column.a >= 0) squared += column.on_a.col(0).squaredNorm();
  if (column.b >= 0) squared += column.on_b.col(0).squaredNorm();
  column.scale = squared > 0.0 ? 1.0 / std::sqrt(squared) : 1.0;
  column.on_a *= column.scale;
  column.on_b *= column.scale;
  column.min /= column.scale;
  column.max /= column.scale;
  offset_.push_back(offset_.back() + static_cast<std::size_t>(column.count));
  columns_.push_back(std::move(column));
}

void Wrenches::set_load(const Input& input, const Vec3& gravity, double load_factor) {
  load_.setZero(static_cast<Eigen::Index>(6 * bodies()));
  for (std::size_t k = 0; k < bodies(); ++k) {
    const PlacedBody& item = input.bodies[static_cast<std::size_t>(items_[k])];
    load_.segment<3>(static_cast<Eigen::Index>(6 * k)) = item.mass * gravity;
  }
  for (const Load& l : input.loads) {
    const int block = block_of_item_[static_cast<std::size_t>(l.body)];
    if (block < 0) continue;
    const Vec3 center = input.bodies[static_cast<std::size_t>(l.body)].center_world();
    load_.segment<3>(6 * block) += load_factor * l.force;
    load_.segment<3>(6 * block + 3) +=
        load_factor * (l.torque + (l.point_world - center).cross(l.force));
  }
  for (std::size_t k = 0; k < bodies(); ++k)
    load_.segment<6>(static_cast<Eigen::Index>(6 * k)).array() *= scale_[k].array();
}

void Wrenches::multiply(const Forces& z, Residual& r) const {
  r.setZero(static_cast<Eigen::Index>(6 * bodies()));
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Column& column = columns_[c];
    const auto first = static_cast<Eigen::Index>(offset_[c]);
    for (int k = 0; k < column.count; ++k) {
      if (column.a >= 0) r.segment<6>(6 * column.a) += column.on_a.col(k) * z[first + k];
      if (column.b >= 0) r.segment<6>(6 * column.b) += column.on_b.col(k) * z[first + k];
    }
  }
}

void Wrenches::multiply_transposed(const Residual& r, Forces& z) const {
  z.resize(static_cast<Eigen::Index>(unknowns()));
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Column& column = columns_[c];
    const auto first = static_cast<Eigen::Index>(offset_[c]);
    for (int k = 0; k < column.count; ++k) {
      double sum = 0.0;
      if (column.a >= 0) sum += column.on_a.col(k).dot(r.segment<6>(6 * column.a));
      if (column.b >= 0) sum += column.on_b.col(k).dot(r.segment<6>(6 * column.b));
      z[first + k] = sum;
    }
  }
}

void Wrenches::project(Forces& z) const {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Column& column = columns_[c];
    const auto first = static_cast<Eigen::Index>(offset_[c]);
    if (column.count == 1) {
      z[first] = std::clamp(z[first], column.min, column.max);
      continue;
    }
    // onto the cone |t| <= mu n
    const double mu = column.friction, n = z[first];
    const double t = std::hypot(z[first + 1], z[first + 2]);
    if (t <= mu * n) continue;
    if (mu * t <= -n) {
      z.segment<3>(first).setZero();
      continue;
    }
    const double onto = (n + mu * t) / (1.0 + mu * mu);
    z[first] = onto;
    z.segment<2>(first + 1) *= mu * onto / t;
  }
}

Wrenches::Violation Wrenches::dual_violation(const Forces& v) const {
  Violation out;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Column& column = columns_[c];
    const auto first = static_cast<Eigen::Index>(offset_[c]);
    if (column.bounded()) continue;
    const bool two_sided = column.count == 1 && column.min < 0.0;
    double sideways = 0.0;
    if (column.count == 3) sideways = column.friction * std::hypot(v[first + 1], v[first + 2]);
    const double here = two_sided ? std::fabs(v[first]) : sideways - v[first];
    out.of_unit = std::max(out.of_unit, here);
    out.of_newton = std::max(out.of_newton, here * column.arm / column.scale);
  }
  return out;
}

double Wrenches::least_of_bounded(const Forces& v) const {
  double sum = 0.0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (!columns_[c].bounded()) continue;
    const double here = v[static_cast<Eigen::Index>(offset_[c])];
    sum += std::min(columns_[c].min * here, columns_[c].max * here);
  }
  return sum;
}

Vec3 Wrenches::force(const Forces& z, std::size_t c) const {
  const Column& column = columns_[c];
  const auto first = static_cast<Eigen::Index>(offset_[c]);
  Vec3 f = Vec3::Zero();
  for (int k = 0; k < column.count; ++k) f += column.axes.col(k) * (column.scale * z[first + k]);
  return f;
}

void Wrenches::set_force(const Vec3& force_on_b, std::size_t c, Forces& z) const {
  const Column& column = columns_[c];
  const auto first = static_cast<Eigen::Index>(offset_[c]);
  for (int k = 0; k < column.count; ++k)
    z[first + k] = column.axes.col(k).dot(force_on_b) / column.scale;
}

Wrenches::View Wrenches::column(std::size_t c) const {
  const Column& k = columns_[c];
  return {offset_[c], k.count, k.scale, k.friction, k.min, k.max};
}

bool Wrenches::carries(const Column& c, int block) const {
  constexpr double kAgainst =
      0.05;  // cosine between the contact's force and the load it stands up to
  const Vec3 force = (block == c.b ? c.on_b : c.on_a).col(0).head<3>();
  const Vec3 load = load_.segment<3>(6 * static_cast<Eigen::Index>(block));
  const double against = -force.dot(load);
  return (c.min < 0.0 ? std::fabs(against) : against) > kAgainst * force.norm() * load.norm();
}

Wrenches::Levels Wrenches::levels() const {
  std::vector<int> level(bodies(), 0);
  Levels out;
  // first by what stands up to the loads, then by whatever touches
  for (const bool carried : {true, false}) {
    std::vector<std::vector<int>> above(bodies());
    std::vector<int> reached;
    for (std::size_t k = 0; k < bodies(); ++k)
      if (level[k] > 0) reached.push_back(static_cast<int>(k));
    const auto hold = [&](const Column& c, int by, int block) {
      if (block < 0 || (carried && !carries(c, block))) return;
      if (by >= 0) {
        above[static_cast<std::size_t>(by)].push_back(block);
      } else if (level[static_cast<std::size_t>(block)] == 0) {
        level[static_cast<std::size_t>(block)] = 1;
        reached.push_back(block);
      }
    };
    for (const Column& c : columns_) {
      hold(c, c.a, c.b);
      hold(c, c.b, c.a);
    }
    for (std::size_t k = 0; k < reached.size(); ++k)
      for (const int b : above[static_cast<std::size_t>(reached[k])]) {
        int& other = level[static_cast<std::size_t>(b)];
        if (other > 0) continue;
        other = level[static_cast<std::size_t>(reached[k])] + 1;
        reached.push_back(b);
      }
  }
  for (std::size_t k = 0; k < bodies(); ++k) {
    out.most = std::max(out.most, level[k]);
    out.sum += level[k];
    out.newtons +=
        level[k] * weight_[k] * load_.segment<6>(6 * static_cast<Eigen::Index>(k)).norm();
  }
  out.lift = lift_off(level);
  return out;
}

Wrenches::Residual Wrenches::lift_off(const std::vector<int>& level) const {
  Residual out = Residual::Zero(load_.size());
  const auto height = [&](int block) {
    return block < 0 ? 0 : level[static_cast<std::size_t>(block)];
  };
  for (const Column& c : columns_) {
    const bool of_b = height(c.b) >= height(c.a);
    const int block = of_b ? c.b : c.a;
    if (block >= 0) out.segment<3>(6 * block) += (of_b ? c.on_b : c.on_a).col(0).head<3>();
  }
  for (std::size_t k = 0; k < bodies(); ++k) {
    auto way = out.segment<3>(6 * static_cast<Eigen::Index>(k));
    if (way.norm() > 0.0) way *= level[k] / way.norm();
  }
  return out;
}

double Wrenches::force_unit() const {
  double sum = 0.0;
  for (const Column& c : columns_) sum += c.scale;
  return columns_.empty() ? 1.0 : sum / static_cast<double>(columns_.size());
}

Vec6 Wrenches::motion(const Residual& r, std::size_t k) const {
  return r.segment<6>(static_cast<Eigen::Index>(6 * k)).cwiseProduct(scale_[k]);
}

}  // namespace repose::check
