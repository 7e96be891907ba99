#include "finish.h"

#include <algorithm>
#include <cmath>

#include "repose/base/stage_clock.h"

#include "ball_matrix.h"

namespace repose::pile {
namespace {

/// A contact is taken to carry force where its multiplier, in mean weights, is larger than its gap,
/// in mean radii, and than this.
constexpr double kLeastForce = 1e-9;
/// Sets of contacts that are tried.
constexpr int kMaxSets = 5;
/// Stiffness that stands for a contact in the matrix, mean weights per mean radius: far above what
/// forces bend, so that few corrections bring the rows to their bounds.
constexpr double kContactStiffness = 1e8;
constexpr int kMaxCorrections = 12;
/// Corrections end where rows and forces are off by no more, mean radii and weights; what they may
/// be off by at most.
constexpr double kRowsOff = 1e-13, kForcesOff = 1e-11;
constexpr double kMostRowsOff = 1e-10, kMostForcesOff = 1e-8;
/// What a contact may open by within the step, of what its gap keeps.
constexpr double kOpening = 0.5;
constexpr double kLeastShare = 0.5;  // of the step that is worth taking
constexpr double kMostWay = 0.5;     // of the bounds of a ball

/// The linear system of one step, in mean radii and weights.
class Finish {
 public:
  Finish(const Arena& arena, const Placement& at, std::span<const Separation> separations,
         std::span<const double> keep, const KnownForces& known, double conserve,
         solve::SparseCholesky& cholesky);

  /// Finds the step for the contacts that hold now; false where there is none.
  bool solve();
  /// Lets go contacts that pull and takes in gaps that close; false if neither is there.
  bool change_contacts();
  /// Takes the second order of the gaps into the way; false if that leaves too little of it.
  bool close_up();
  const std::vector<Vec3>& way() const { return way_; }
  const std::vector<double>& forces() const { return y_; }

 private:
  Vec3 relative(std::size_t k, std::span<const Vec3> x) const {
    const Separation& s = separations_[k];
    return s.a < 0 ? x[s.b] : Vec3(x[s.b] - x[s.a]);
  }
  double distance(std::size_t k) const {
    const Separation& s = separations_[k];
    return (at_.centers[s.b] - at_.centers[s.a]).norm() / arena_.length_unit;
  }
  Mat3 bend(std::size_t k) const;
  void add_between(int a, int b, const Mat3& matrix);
  void analyze();
  bool factor();
  std::vector<Vec3> left_over(std::span<const Vec3> force, std::span<const Vec3> way,
                              std::span<const double> y) const;
  bool correct(std::span<const Vec3> force, std::span<const double> change, std::vector<Vec3>& way,
               std::vector<double>& y) const;

  const Arena& arena_;
  const Placement& at_;
  std::span<const Separation> separations_;
  double conserve_;
  solve::SparseCholesky& cholesky_;
  std::vector<LinkStiffness> links_;
  std::vector<Vec3> force_;   // of the potentials, by mover
  std::vector<double> keep_;  // by separation, as all that follows: what the gap keeps
  std::vector<double> room_;  // what the gap may shrink by
  std::vector<char> holds_;
  std::vector<double> known_;  // the forces that bend
  std::vector<double> y_;
  std::vector<Vec3> way_;  // by mover
};

Finish::Finish(const Arena& arena, const Placement& at, std::span<const Separation> separations,
               std::span<const double> keep, const KnownForces& known, double conserve,
               solve::SparseCholesky& cholesky)
    : arena_(arena),
      at_(at),
      separations_(separations),
      conserve_(conserve),
      cholesky_(cholesky),
      links_(stiffness_of(arena.potentials, at.centers)),
      force_(forces_of(arena.potentials, at.centers)),
      known_(known_multipliers(known, separations, static_cast<int>(separations.size()))) {
  for (LinkStiffness& l : links_) l.matrix *= arena.length_unit / arena.force_unit;
  for (Vec3& f : force_) f /= arena.force_unit;
  for (std::size_t k = 0; k < separations.size(); ++k) {
    keep_.push_back(keep[k] / arena.length_unit);
    room_.push_back(std::max(0.0, separations[k].gap / arena.length_unit - keep_[k]));
    holds_.push_back(known_[k] > std::max(kLeastForce, room_[k]));
    if (!holds_[k]) known_[k] = 0.0;
  }
  y_ = known_;
}

/// Minus force times second derivative of the gap.
Mat3 Finish::bend(std::size_t k) const {
  const Separation& s = separations_[k];
  if (s.a < 0) return Mat3::Zero();
  return (-known_[k] / distance(k)) * (Mat3::Identity() - s.normal * s.normal.transpose());
}

/// Adds `matrix` times (x_b - x_a)^2 / 2.
void Finish::add_between(int a, int b, const Mat3& matrix) {
  add_ball_block(arena_, b, b, matrix, cholesky_);
  if (a < 0) return;
  add_ball_block(arena_, a, a, matrix, cholesky_);
  add_ball_block(arena_, b, a, -matrix, cholesky_);
}

void Finish::analyze() {
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t k = 0; k < separations_.size(); ++k)
    if (holds_[k] && separations_[k].a >= 0)
      pairs.emplace_back(separations_[k].a, separations_[k].b);
  for (const LinkStiffness& l : links_)
    if (l.a >= 0) pairs.emplace_back(l.a, l.b);
  analyze_balls(arena_, pairs, cholesky_);
}

/// H + conserve I + c J'J, c the stiffness of contacts; false where it is not positive definite.
bool Finish::factor() {
  analyze();
  cholesky_.clear();
  for (std::size_t k = 0; k < separations_.size(); ++k) {
    const Separation& s = separations_[k];
    if (holds_[k])
      add_between(s.a, s.b, bend(k) + kContactStiffness * (s.normal * s.normal.transpose()));
  }
  for (const LinkStiffness& l : links_) add_between(l.a, l.b, l.matrix);
  for (int i = 0; i < static_cast<int>(arena_.movers.size()); ++i)
    add_ball_block(arena_, i, i, conserve_ * Mat3::Identity(), cholesky_);
  hold_balls(arena_, cholesky_);
  return cholesky_.factor() && cholesky_.left_out() == 0;
}

/// force + J' y - H way, by mover.
std::vector<Vec3> Finish::left_over(std::span<const Vec3> force, std::span<const Vec3> way,
                                    std::span<const double> y) const {
  std::vector<Vec3> out(force.begin(), force.end());
  const auto add = [&](int a, int b, const Vec3& pull) {
    out[b] += pull;
    if (a >= 0) out[a] -= pull;
  };
  for (std::size_t k = 0; k < separations_.size(); ++k) {
    const Separation& s = separations_[k];
    if (holds_[k]) add(s.a, s.b, y[k] * s.normal - bend(k) * relative(k, way));
  }
  for (const LinkStiffness& l : links_)
    add(l.a, l.b, -(l.matrix * (l.a < 0 ? way[l.b] : Vec3(way[l.b] - way[l.a]))));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] -= conserve_ * way[i];
    for (int k = 0; k < 3; ++k)
      if (arena_.movers[i].held[k]) out[i][k] = 0.0;
  }
  return out;
}

/// Solves H way - J' y = force, J way = change from what `way` and `y` are. Contacts are stiff
/// springs in the matrix, so that their forces are corrected until the rows hold (method of
/// multipliers): each round solves
///   (H + c J'J) more = force + J' y - H way + c J' (change - J way),
/// then y grows by c (change - J way).
bool Finish::correct(std::span<const Vec3> force, std::span<const double> change,
                     std::vector<Vec3>& way, std::vector<double>& y) const {
  double rows_off = 0.0, forces_off = 0.0;
  std::vector<double> more(3 * force.size());
  for (int round = 0; round < kMaxCorrections; ++round) {
    std::vector<Vec3> left = left_over(force, way, y);
    rows_off = forces_off = 0.0;
    for (const Vec3& f : left) forces_off = std::max(forces_off, f.norm());
    for (std::size_t k = 0; k < separations_.size(); ++k) {
      if (!holds_[k]) continue;
      const Separation& s = separations_[k];
      const double off = change[k] - s.normal.dot(relative(k, way));
      rows_off = std::max(rows_off, std::fabs(off));
      left[s.b] += kContactStiffness * off * s.normal;
      if (s.a >= 0) left[s.a] -= kContactStiffness * off * s.normal;
    }
    if (rows_off <= kRowsOff && forces_off <= kForcesOff) break;
    for (std::size_t i = 0; i < left.size(); ++i)
      for (int k = 0; k < 3; ++k) more[3 * i + k] = arena_.movers[i].held[k] ? 0.0 : left[i][k];
    cholesky_.solve(more);
    for (std::size_t i = 0; i < way.size(); ++i)
      way[i] += Vec3(more[3 * i], more[3 * i + 1], more[3 * i + 2]);
    for (std::size_t k = 0; k < separations_.size(); ++k)
      if (holds_[k])
        y[k] += kContactStiffness * (change[k] - separations_[k].normal.dot(relative(k, way)));
  }
  return rows_off <= kMostRowsOff && forces_off <= kMostForcesOff;
}

bool Finish::solve() {
  if (!factor()) return false;
  way_.assign(arena_.movers.size(), Vec3::Zero());
  std::vector<double> change;
  for (const double room : room_) change.push_back(-room);
  return correct(force_, change, way_, y_);
}

bool Finish::change_contacts() {
  bool changed = false;
  for (std::size_t k = 0; k < separations_.size(); ++k) {
    const bool pulls = holds_[k] && y_[k] < 0.0;
    const double end = room_[k] + separations_[k].normal.dot(relative(k, way_));
    const bool closes = !holds_[k] && end < -kMostRowsOff;
    if (!pulls && !closes) continue;
    holds_[k] = closes;
    y_[k] = known_[k] = 0.0;
    changed = true;
  }
  return changed;
}

bool Finish::close_up() {
  double share = 1.0;
  std::vector<double> change(room_.size(), 0.0);
  for (std::size_t k = 0; k < change.size(); ++k) {
    if (!holds_[k] || separations_[k].a < 0) continue;
    const Vec3 way = relative(k, way_), n = separations_[k].normal;
    const double opening = (way - n.dot(way) * n).squaredNorm() / (2.0 * distance(k));
    change[k] = -opening;
    if (opening > kOpening * keep_[k])
      share = std::min(share, std::sqrt(kOpening * keep_[k] / opening));
  }
  if (share < kLeastShare) return false;
  for (Vec3& w : way_) w *= share;
  for (double& c : change) c *= share * share;
  const std::vector<Vec3> no_force(way_.size(), Vec3::Zero());
  std::vector<Vec3> back = no_force;
  std::vector<double> no_matter(room_.size(), 0.0);
  if (!correct(no_force, change, back, no_matter)) return false;
  for (std::size_t i = 0; i < way_.size(); ++i) way_[i] += back[i];
  return true;
}

}  // namespace

std::optional<solve::LpSolution> newton_finish(const Arena& arena, const Placement& at,
                                               std::span<const Separation> separations,
                                               std::span<const double> keep,
                                               const StepBounds& bounds, const KnownForces& known,
                                               double conserve, solve::SparseCholesky& cholesky) {
  const StageScope timed("newton_finish");
  Finish finish(arena, at, separations, keep, known, conserve, cholesky);
  bool holds = false;
  for (int set = 0; set < kMaxSets && !holds; ++set) {
    if (!finish.solve()) return std::nullopt;
    holds = !finish.change_contacts();
  }
  if (!holds || !finish.close_up()) return std::nullopt;
  solve::LpSolution out;
  out.status = solve::LpStatus::optimal;
  for (std::size_t i = 0; i < at.centers.size(); ++i) {
    const Vec3& way = finish.way()[i];
    const double room = *std::min_element(bounds.room[i].begin(), bounds.room[i].end());
    if (arena.length_unit * way.norm() > kMostWay * room) return std::nullopt;
    out.x.insert(out.x.end(), {way.x(), way.y(), way.z()});
  }
  out.y = finish.forces();
  return out;
}

}  // namespace repose::pile
