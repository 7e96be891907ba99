#pragma once

#include <cmath>
#include <vector>

#include "repose/check/balance.h"

namespace repose::check {

/// The balance equations r = W z + g of all movable bodies, scaled: forces by each body's weight,
/// torques (about its centre of mass) by weight times size, so that r is the relative residual. z
/// holds contact forces in local axes (normal, two tangents) and joint forces, each scaled so that
/// its column has unit length. z lies in K: z_n >= 0 and |z_t| <= mu z_n at contacts, bounds at
/// joints.
class Wrenches {
 public:
  Wrenches(const Input& input, const std::vector<ContactPoint>& contacts, double friction_scale);

  std::size_t unknowns() const { return offset_.back(); }
  std::size_t bodies() const { return items_.size(); }
  /// Index of the input's item that row block k belongs to.
  int item(std::size_t k) const { return items_[k]; }

  using Forces = Eigen::VectorXd;
  using Residual = Eigen::VectorXd;  // six rows a body

  const Residual& load() const { return load_; }
  /// Changes the weight to that of another gravity; outside loads are multiplied.
  void set_load(const Input& input, const Vec3& gravity, double load_factor);
  void multiply(const Forces& z, Residual& r) const;             // r = W z
  void multiply_transposed(const Residual& r, Forces& z) const;  // z = W^T r
  void project(Forces& z) const;                                 // onto K
  /// How far v = W^T r is from the dual cone, where every z of K has z.v >= 0: the most that one
  /// unit of z without bound could still lessen the residual, and one newton of it (a torque counts
  /// as the force that has it at the larger body's size). The two differ where loads are very
  /// unlike.
  struct Violation {
    double of_unit = 0.0, of_newton = 0.0;
  };
  Violation dual_violation(const Forces& v) const;
  /// The least of z.v over all z of K whose bounds are finite on both sides (a motor's).
  double least_of_bounded(const Forces& v) const;
  /// Where a contact's or joint row's unknowns stand, and what they may be. Contacts come first, in
  /// their order, then each joint's forces and torques.
  struct View {
    std::size_t first;
    int count;        // 1: no friction; 3: normal and two tangents
    double scale;     // N (or N m) for one unit of z
    double friction;  // of three
    double min, max;  // of one
  };
  std::size_t columns() const { return columns_.size(); }
  View column(std::size_t c) const;
  /// How many contacts and joints lie between bodies and what does not move, over all bodies that
  /// are held at all; counted along those that stand up to a body's load where there are such.
  struct Levels {
    int most = 0;
    double sum = 0.0;
    double newtons = 0.0;  // the loads, each as often as that
    /// A motion that lifts every held body off what holds it, those farther up the more.
    Residual lift;
  };
  Levels levels() const;
  /// N: a force of the order of the weights.
  double force_unit() const;
  /// The force on b at contact c, N, world axes.
  Vec3 force(const Forces& z, std::size_t c) const;
  /// Makes it this, as far as the contact's axes go.
  void set_force(const Vec3& force_on_b, std::size_t c, Forces& z) const;
  /// N: what unbalanced forces on the body of block k are compared with.
  double weight(std::size_t k) const { return weight_[k]; }
  /// The freedoms of block k that something holds.
  bool held(std::size_t k, int freedom) const { return scale_[k][freedom] == 0.0; }
  /// Scaled rows as a velocity: the motion whose power against the loads the residual is.
  Vec6 motion(const Residual& r, std::size_t k) const;

 private:
  struct Column {
    int a = -1, b = -1;  // row blocks; -1: does not move
    int count = 1;       // unknowns: 1 or 3
    double scale = 1.0;
    double arm = 1.0;  // m; of a torque, where it counts as a force
    double friction = 0.0, min = 0.0, max = 0.0;
    bool bounded() const { return count == 1 && std::isfinite(min) && std::isfinite(max); }
    Mat3 axes = Mat3::Identity();  // columns: normal, tangents
    Eigen::Matrix<double, 6, 3> on_a = Eigen::Matrix<double, 6, 3>::Zero(), on_b = on_a;
  };

  void add_bodies(const Input& input, const std::vector<ContactPoint>& contacts);
  void add_contact(const Input& input, const ContactPoint& c, double friction_scale);
  void add_joint_row(const Input& input, const Restraint& j, const Vec3& direction, bool torque);
  void finish(Column column);
  Residual lift_off(const std::vector<int>& level) const;
  /// The normal force of the contact on that body stands up to the body's load.
  bool carries(const Column& column, int block) const;
  Vec6 row(const Input& input, int block, const Vec3& point, const Vec3& force) const;

  std::vector<int> items_, block_of_item_;
  std::vector<Vec6> scale_;
  std::vector<double> weight_;
  std::vector<Column> columns_;
  std::vector<std::size_t> offset_{0};
  std::size_t contacts_ = 0;
  Residual load_;
};

/// N: the weight along the freedoms that nothing holds. What held ones bear is no measure of what
/// the others feel.
double felt_weight(const Input& input, const PlacedBody& item);

/// Two unit vectors square to n and to each other.
void tangents(const Vec3& n, Vec3& t1, Vec3& t2);

}  // namespace repose::check
