#include "check/statics/second_order.h"

#include <algorithm>
#include <cmath>

#include "repose/math/dense.h"

#include "check/statics/lowest_in_cone.h"
#include "check/statics/potential.h"
#include "check/statics/wrenches.h"

namespace repose::check {

namespace {

constexpr double kLoaded = 1e-6;       // of the largest force on its body: carries load
constexpr double kNull = 1e-7;         // of the largest singular value: motion is allowed
constexpr double kStep = 1e-4;         // of a body's size: finite motion of the second difference
constexpr double kConforming = 1e-3;   // of the larger curvature: less relative bending is none
constexpr double kInsideCone = 0.999;  // of the friction limit: sticks
constexpr double kBlocked = 1e-6;      // of the motion: a touching contact is entered
constexpr double kMostConeWork = 2e9;  // multiply-adds of the search in the cone: a second or two

/// N: what presses or pulls on a body, weight and contacts and joints and loads.
struct LoadOn {
  double sum = 0.0;
  double largest = 0.0;  // of contacts and joints
};
std::vector<LoadOn> loads_on_bodies(const Input& input, const std::vector<ContactPoint>& contacts,
                                    const Balance& balance) {
  std::vector<LoadOn> out(input.bodies.size());
  const auto add = [&](int body, double force) {
    if (body < 0) return;
    LoadOn& on = out[static_cast<std::size_t>(body)];
    on.sum += force;
    on.largest = std::max(on.largest, force);
  };
  for (std::size_t c = 0; c < contacts.size(); ++c)
    for (const int i : {contacts[c].body_a, contacts[c].body_b})
      add(i, balance.forces_on_b[c].norm());
  for (std::size_t j = 0; j < balance.reactions.size(); ++j)
    for (const int i : {input.restraints[j].body_a, input.restraints[j].body_b})
      if (i >= 0)
        add(i, balance.reactions[j].force_on_b.norm() +
                   balance.reactions[j].torque_on_b.norm() /
                       input.bodies[static_cast<std::size_t>(i)].size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i].sum += felt_weight(input, input.bodies[i]);
  for (const Load& load : input.loads)
    out[static_cast<std::size_t>(load.body)].sum +=
        load.force.norm() +
        load.torque.norm() / input.bodies[static_cast<std::size_t>(load.body)].size();
  return out;
}

/// What a joint does along one of its directions.
enum class Hold { firm, one_sided, none };

class Problem {
 public:
  Problem(const Input& input, const std::vector<ContactPoint>& contacts, const Balance& balance)
      : input_(input), contacts_(contacts), balance_(balance) {
    block_.assign(input.bodies.size(), -1);
    for (std::size_t i = 0; i < input.bodies.size(); ++i)
      if (!input.bodies[i].fixed) {
        block_[i] = static_cast<int>(bodies.size());
        bodies.push_back(static_cast<int>(i));
        length.push_back(input.bodies[i].size());
      }
    const std::vector<LoadOn> loads = loads_on_bodies(input, contacts, balance);
    double heaviest = 0.0;
    for (const int i : bodies) heaviest = std::max(heaviest, loads[at(i)].sum);
    loaded = heaviest > 0.0;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const double own = loads[at(bodies[k])].sum;
      ease.push_back(std::sqrt(length[k] / (own > 0.0 ? own : loaded ? heaviest : 1.0)));
    }
    const auto least = [&](int a, int b) {
      double out = std::numeric_limits<double>::infinity();
      for (const int i : {a, b})
        if (i >= 0 && block_[at(i)] >= 0) out = std::min(out, loads[at(i)].largest);
      return kLoaded * out;
    };
    for (std::size_t c = 0; c < contacts.size(); ++c)
      if (balance.forces_on_b[c].norm() > least(contacts[c].body_a, contacts[c].body_b))
        loaded_.push_back(c);
    for (const Restraint& j : input.restraints) unloaded_.push_back(least(j.body_a, j.body_b));
  }

  std::vector<int> bodies;
  std::vector<double> length;  // scales turns, so that they count as metres
  /// Metres for one unit of an unknown, m / sqrt(J): the root of size over load, so that a light
  /// body's energy counts beside a heavy one's.
  std::vector<double> ease;
  bool loaded = false;  // something acts on some body

  /// Directions that keep loaded contacts and joints closed, as columns.
  Eigen::MatrixXd allowed() const {
    std::vector<Eigen::RowVectorXd> rows;
    for (const std::size_t c : loaded_) {
      const ContactPoint& contact = contacts_[c];
      rows.push_back(row(contact.body_a, contact.body_b, contact.point, contact.normal_a_to_b));
      const Vec3 f = balance_.forces_on_b[c];
      const double normal = f.dot(contact.normal_a_to_b);
      const double sideways = (f - normal * contact.normal_a_to_b).norm();
      if (contact.friction <= 0.0 || sideways > kInsideCone * contact.friction * normal) continue;
      Vec3 t1, t2;
      tangents(contact.normal_a_to_b, t1, t2);
      rows.push_back(row(contact.body_a, contact.body_b, contact.point, t1));
      rows.push_back(row(contact.body_a, contact.body_b, contact.point, t2));
    }
    add_joints(Hold::firm, rows);
    add_frozen(rows);
    const auto n = static_cast<Eigen::Index>(6 * bodies.size());
    // joints may hold fixed bodies alone, and then nothing is free
    if (rows.empty() || n == 0) return Eigen::MatrixXd::Identity(n, n);
    const Eigen::MatrixXd all = unit_rows(rows);
    const SymmetricEigen<Eigen::MatrixXd> eigen(transposed_product(all, all));
    const double top = std::max(eigen.values.maxCoeff(), 1.0);
    Eigen::Index free = 0;
    while (free < n && eigen.values[free] < kNull * top) ++free;
    return eigen.vectors.leftCols(free);
  }

  /// Rows that no motion may make negative: contacts that touch without load, ropes and stops that
  /// carry none.
  Eigen::MatrixXd one_sided() const {
    std::vector<Eigen::RowVectorXd> rows;
    for (std::size_t c = 0; c < contacts_.size(); ++c)
      if (std::find(loaded_.begin(), loaded_.end(), c) == loaded_.end())
        rows.push_back(row(contacts_[c].body_a, contacts_[c].body_b, contacts_[c].point,
                           contacts_[c].normal_a_to_b));
    add_joints(Hold::one_sided, rows);
    return unit_rows(rows);
  }

  /// How many units of an unknown motion are a small one: no body goes farther than kStep of its
  /// size.
  double small(const Eigen::VectorXd& q) const {
    double out = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const double way = ease[k] * q.segment<6>(static_cast<Eigen::Index>(6 * k)).norm();
      if (way > 0.0) out = std::min(out, kStep * length[k] / way);
    }
    return out;
  }

  /// U - sum lambda gap - sum R phi at a finite motion; its second difference is the energy's
  /// curvature.
  double lagrangian(const Eigen::VectorXd& q) const {
    const std::vector<SmallMotion> moved = motions(q);
    double out = energy_after(input_, balance_, moved);
    for (const std::size_t c : loaded_)
      out -=
          balance_.forces_on_b[c].dot(contacts_[c].normal_a_to_b) * gap_after(contacts_[c], moved);
    return out;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  /// The rows one below the other, each of length 1; rows of nothing stay so.
  Eigen::MatrixXd unit_rows(const std::vector<Eigen::RowVectorXd>& rows) const {
    Eigen::MatrixXd out(static_cast<Eigen::Index>(rows.size()),
                        static_cast<Eigen::Index>(6 * bodies.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double length_of_row = rows[i].norm();
      out.row(static_cast<Eigen::Index>(i)) =
          length_of_row > 0.0 ? Eigen::RowVectorXd(rows[i] / length_of_row) : rows[i];
    }
    return out;
  }
  Eigen::RowVectorXd row(int a, int b, const Vec3& point, const Vec3& direction) const {
    Eigen::RowVectorXd r = Eigen::RowVectorXd::Zero(static_cast<Eigen::Index>(6 * bodies.size()));
    const auto add = [&](int body, double sign) {
      const int k = body < 0 ? -1 : block_[static_cast<std::size_t>(body)];
      if (k < 0) return;
      const Vec3 arm = point - input_.bodies[at(body)].center_world();
      r.segment<3>(6 * k) += sign * ease[at(k)] * direction.transpose();
      r.segment<3>(6 * k + 3) +=
          sign * ease[at(k)] / length[at(k)] * arm.cross(direction).transpose();
    };
    add(a, -1.0);
    add(b, 1.0);
    return r;
  }
  /// What the joint does along a direction in which it carries `force`, N or N m.
  static Hold hold(const Restraint& joint, double unloaded, double force) {
    if (force >= joint.max - unloaded) return Hold::none;  // a motor that gives way
    if (force > joint.min + unloaded) return Hold::firm;
    return joint.min == 0.0 ? Hold::one_sided : Hold::none;
  }
  void add_joints(Hold wanted, std::vector<Eigen::RowVectorXd>& rows) const {
    for (std::size_t i = 0; i < input_.restraints.size(); ++i) {
      const Restraint& j = input_.restraints[i];
      const Reaction& carried = balance_.reactions[i];
      for (const Vec3& f : j.forces)
        if (hold(j, unloaded_[i], carried.force_on_b.dot(f)) == wanted)
          rows.push_back(row(j.body_a, j.body_b, j.point_world, f));
      for (const Vec3& t : j.torques)
        if (hold(j, unloaded_[i], carried.torque_on_b.dot(t)) == wanted)
          rows.push_back(turn_row(j.body_a, j.body_b, t));
    }
  }
  Eigen::RowVectorXd turn_row(int a, int b, const Vec3& axis) const {
    Eigen::RowVectorXd r = Eigen::RowVectorXd::Zero(static_cast<Eigen::Index>(6 * bodies.size()));
    for (const auto& [body, sign] : {std::pair{a, -1.0}, std::pair{b, 1.0}}) {
      const int k = body < 0 ? -1 : block_[static_cast<std::size_t>(body)];
      if (k >= 0) r.segment<3>(6 * k + 3) += sign * ease[at(k)] / length[at(k)] * axis.transpose();
    }
    return r;
  }
  void add_frozen(std::vector<Eigen::RowVectorXd>& rows) const {
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const PlacedBody& item = input_.bodies[static_cast<std::size_t>(bodies[k])];
      const bool plane = std::holds_alternative<shape::PlaneRegion>(item.shape->geometry);
      for (std::size_t d = 0; d < 6; ++d) {
        if (!item.frozen[d] && !(plane && d >= 2 && d <= 4)) continue;
        Eigen::RowVectorXd r =
            Eigen::RowVectorXd::Zero(static_cast<Eigen::Index>(6 * bodies.size()));
        r[static_cast<Eigen::Index>(6 * k + d)] = 1.0;
        rows.push_back(r);
      }
    }
  }

  /// Of every body of the input.
  std::vector<SmallMotion> motions(const Eigen::VectorXd& q) const {
    std::vector<SmallMotion> out(input_.bodies.size());
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const auto first = static_cast<Eigen::Index>(6 * k);
      out[at(bodies[k])] = {ease[k] * q.segment<3>(first),
                            ease[k] / length[k] * q.segment<3>(first + 3)};
    }
    return out;
  }

  /// The least separation of the two osculating surfaces after the motion, in the frame of a: with
  /// u the way of b's contact point and a = n x w its tilt, over x of
  /// u_n + (x-u_t) K_b (x-u_t) / 2 + a.(x-u_t) + x K_a x / 2.
  double gap_after(const ContactPoint& c, const std::vector<SmallMotion>& moved) const {
    const auto a = static_cast<std::size_t>(c.body_a), b = static_cast<std::size_t>(c.body_b);
    const SmallMotion back{Vec3::Zero(), -moved[a].turn};
    const Vec3 arm_a = c.point - input_.bodies[a].center_world();
    const Vec3 arm_b = c.point - input_.bodies[b].center_world();
    const Vec3 apart = way_of(moved[b], arm_b) - moved[a].move;
    // back with a: R_a^T (arm_a + apart) - arm_a
    const Vec3 u = way_of(back, arm_a) + apart + way_of(back, apart);
    const Quat turn = rotation_from_vector(back.turn) * rotation_from_vector(moved[b].turn);
    const Vec3 tilt3 = c.normal_a_to_b.cross(vector_from_rotation(turn));
    Vec3 t1, t2;
    tangents(c.normal_a_to_b, t1, t2);
    Eigen::Matrix<double, 3, 2> t;
    t << t1, t2;
    const Mat2 ka = t.transpose() * c.curvature_a * t, kb = t.transpose() * c.curvature_b * t;
    const Vec2 ut = t.transpose() * u, tilt = t.transpose() * tilt3;
    const Vec2 pull = kb * ut - tilt;
    return c.normal_a_to_b.dot(u) + 0.5 * ut.dot(kb * ut) - tilt.dot(ut) -
           0.5 * slid_closer(ka, kb, pull, ut, shortest(c));
  }
  /// pull.(ka + kb)^-1.pull over the directions in which the surfaces bend apart. In the others
  /// they keep touching along a curve or over an area, and the contacts beside this one tell of it;
  /// where both are as good as flat there, b's bending does not lift it as it slides.
  static double slid_closer(const Mat2& ka, const Mat2& kb, const Vec2& pull, const Vec2& slid,
                            double size) {
    const SymmetricEigen<Mat2> eigen(Mat2(ka + kb));
    double out = 0.0;
    for (int k = 0; k < 2; ++k) {
      const Vec2 way = eigen.vectors.col(k);
      const double bend = eigen.values[k], along = way.dot(pull);
      const double of_a = way.dot(ka * way), of_b = way.dot(kb * way);
      const double stiff = std::max({std::fabs(of_a), std::fabs(of_b), 1.0 / size});
      if (bend > kConforming * stiff)
        out += along * along / bend;
      else if (std::max(std::fabs(of_a), std::fabs(of_b)) <= kConforming * stiff)
        out += of_b * way.dot(slid) * way.dot(slid);
    }
    return out;
  }
  /// The size of the smaller of a contact's bodies.
  double shortest(const ContactPoint& c) const {
    return std::min(input_.bodies[at(c.body_a)].size(), input_.bodies[at(c.body_b)].size());
  }

  const Input& input_;
  const std::vector<ContactPoint>& contacts_;
  const Balance& balance_;
  std::vector<int> block_;
  std::vector<std::size_t> loaded_;
  std::vector<double> unloaded_;  // N, of each joint: forces up to this carry nothing
};

}  // namespace

namespace {

/// Scaled back to metres and radians.
Eigen::VectorXd unscaled(const Problem& problem, Eigen::VectorXd motion) {
  for (std::size_t k = 0; k < problem.length.size(); ++k) {
    motion.segment<6>(static_cast<Eigen::Index>(6 * k)) *= problem.ease[k];
    motion.segment<3>(static_cast<Eigen::Index>(6 * k + 3)) /= problem.length[k];
  }
  return motion;
}

/// Eigenvectors of nearly no curvature that touching contacts leave free, forward or back, and
/// those of more.
void tell_motions(const Problem& problem, const Eigen::MatrixXd& basis,
                  const Eigen::MatrixXd& hessian, double neutral, SecondOrder& out) {
  const SymmetricEigen<Eigen::MatrixXd> eigen(hessian);
  const Eigen::MatrixXd blocks = problem.one_sided();
  for (Eigen::Index k = 0; k < hessian.rows(); ++k) {
    const Eigen::VectorXd motion = basis * eigen.vectors.col(k);
    if (eigen.values[k] > neutral)
      out.rising.push_back({unscaled(problem, motion), eigen.values[k]});
    if (!(std::fabs(eigen.values[k]) <= neutral)) continue;
    const Eigen::VectorXd rates = blocks * motion;
    for (const double way : {1.0, -1.0}) {
      if (rates.size() > 0 && (way * rates).minCoeff() < -kBlocked) continue;
      out.level.push_back({way * unscaled(problem, motion), eigen.values[k]});
      break;
    }
  }
}

}  // namespace

SecondOrder second_order(const Input& input, const std::vector<ContactPoint>& contacts,
                         const Balance& balance, double neutral) {
  const Problem problem(input, contacts, balance);
  SecondOrder out;
  out.tested = true;
  out.bodies = problem.bodies;
  const Eigen::MatrixXd basis = problem.allowed();
  const Eigen::Index free = basis.cols();
  if (free == 0 || !problem.loaded) return out;
  // the energy's second differences along pairs of allowed directions
  const auto even = [&](const Eigen::VectorXd& d) {
    const double step = problem.small(d);
    return (problem.lagrangian(step * d) + problem.lagrangian(-step * d)) / (step * step);
  };
  Eigen::MatrixXd hessian(free, free);
  for (Eigen::Index i = 0; i < free; ++i) hessian(i, i) = even(basis.col(i));
  for (Eigen::Index i = 0; i < free; ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      hessian(i, j) = hessian(j, i) =
          0.5 * (even(basis.col(i) + basis.col(j)) - hessian(i, i) - hessian(j, j));
  const Lowest lowest = lowest_in_cone(hessian, product(problem.one_sided(), basis), kMostConeWork);
  out.whole = lowest.whole;
  tell_motions(problem, basis, hessian, neutral, out);
  if (lowest.at.size() == 0) return out;
  out.lowest = lowest.value;
  out.motion = unscaled(problem, basis * lowest.at);
  return out;
}

}  // namespace repose::check
