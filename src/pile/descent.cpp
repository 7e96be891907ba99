#include "descent.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <tbb/parallel_for.h>

#include "repose/base/stage_clock.h"

#include "curvature.h"
#include "drag.h"

namespace repose::pile {
namespace {

using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;

/// The product at first, and how it changes: per step at most while bodies settle, at once where a
/// step gains next to nothing or (below kHard) arrives, and back where bodies come loose.
constexpr double kFirstProduct = 0.03;
constexpr double kSofter = 3.0, kSteady = 0.5, kHarder = 0.3;
constexpr double kHard = 1e-4;
constexpr double kSmallGain = 0.1, kLargeGain = 10.0;  // over the product
constexpr double kHeld = 0.03;  // while damping holds a body by more weights, it has yet to move
constexpr double kWhole = 0.8;  // a step of which this share was taken arrived
/// The first damping, weights per radius, and at least; how it fades while a body stays within its
/// bounds; what it starts from and grows by where it does not.
constexpr double kFirstDamping = 2.0, kLeastDamping = 1e-6, kDampingFade = 0.3;
constexpr double kNewDamping = 0.1, kDampingGrow = 1.5;
/// Over its bounds a body may go by this, and at most by that.
constexpr double kOver = 1.2, kFarOver = 1.5;
/// A body that uses less than this share of its bounds is damped less in the next step.
constexpr double kWithin = 0.8;
/// No contact pushes with more than this, in mean weights: a gap that the shell has lost is taken
/// as that of such a contact.
constexpr double kMostForce = 10.0;
/// Rows wider than this many times what a contact of one weight keeps free push less and less, so
/// that bodies in flight do not drive each other apart.
constexpr double kFarGap = 5.0;
/// A known multiplier is used as far as its product is within this factor of the one aimed at, and
/// where the place is this near, in radii.
constexpr double kOffCenter = 30.0;
constexpr double kSamePlace = 0.3;
/// Part of each slack and multiplier that a step may use up.
constexpr double kToBoundary = 0.9;
/// The energy falls at least by this share of what it would if contacts were hard.
constexpr double kLeastDescent = 0.1;
/// Pieces that end nearer than this share of what their rows say are given a row there, with this
/// share of the gap at the start as least slack.
constexpr double kFarKeep = 0.4;
constexpr double kFarSlack = 0.1;
constexpr double kLeastFarSlack = 1e-13;  // mean radii
constexpr int kRounds = 6;
/// Contacts that push with less than this, in mean weights, bend nothing worth mentioning.
constexpr double kWeakForce = 1e-3;
/// Friction is full at this slip, over what a contact of one weight keeps free.
constexpr double kLeastSlip = 3.0;

/// A row of the two movers' variables (a's six, then b's), in the program's units.
struct Row {
  int a = -1, b = -1;
  Vec12 entry = Vec12::Zero();
  double slack = 0.0, multiplier = 0.0;
  double weight = 1.0;  // of the product that it is brought to
};

class Newton {
 public:
  Newton(const Arena& arena, const Placement& at, std::span<const Separation> separations,
         const LinearProgram& lp, std::span<const Trust> trust, double friction,
         SparseCholesky& cholesky, const DescentMemory& memory)
      : arena_(arena),
        at_(at),
        separations_(separations),
        lp_(lp),
        friction_(friction),
        cholesky_(cholesky),
        memory_(memory) {
    for (std::size_t k = 0; k < separations.size(); ++k) {
      const Separation& s = separations[k];
      take_row(static_cast<int>(k), s.a, s.b, memory.product / kMostForce);
      const PointForce* known = known_force(s);
      const double center = rows_[k].multiplier;
      if (known != nullptr)
        rows_[k].multiplier =
            std::clamp(known->multiplier, center / kOffCenter, center * kOffCenter);
      if (friction <= 0.0) continue;
      drags_.push_back(drag_of(arena, at, trust, s));
      if (known != nullptr) drags_[k].full_at = known->full_slip;
      drags_[k].full_at = std::max(drags_[k].full_at, kLeastSlip * memory.product);
    }
    analyze();
    bend();
  }

  void take_row(int row, int a, int b, double least_slack);
  /// Factors the matrix and solves for the step.
  void solve();
  const std::vector<double>& step() const { return step_; }
  double product() const { return product_; }
  double longest() const;
  std::vector<double> next_multipliers() const;
  /// Of the step's share taken.
  std::vector<double> next_full_slips(double share) const;
  /// Largest force of drag beyond what friction can do, mean weights.
  double most_drag() const;

 private:
  /// Rows of the same two movers, side by side.
  struct Group {
    std::size_t first = 0, end = 0;
    Mat12 bend = Mat12::Zero();  // of the separations among them
    Mat12 drag = Mat12::Zero();  // of friction at them
  };

  const PointForce* known_force(const Separation& s) const;
  int variable(const Row& row, int k) const;
  double along(const Row& row) const;
  double slip(std::size_t k) const;
  std::vector<Group> groups() const;
  void analyze();
  void bend();
  bool factor(bool convex);

  const Arena& arena_;
  const Placement& at_;
  std::span<const Separation> separations_;
  const LinearProgram& lp_;
  double friction_;
  SparseCholesky& cholesky_;
  const DescentMemory& memory_;
  std::vector<Row> rows_;
  std::vector<Drag> drags_;  // by separation; empty: without friction
  std::vector<Group> bent_;
  std::vector<double> step_;
  double product_ = 0.0;
};

/// What is known of this place from the last step; nullptr: nothing.
const PointForce* Newton::known_force(const Separation& s) const {
  PointForce wanted;
  wanted.a = s.a;
  wanted.b = s.b;
  wanted.piece_a = s.piece_a;
  wanted.piece_b = s.piece_b;
  auto found =
      std::lower_bound(memory_.forces.begin(), memory_.forces.end(), wanted,
                       [](const PointForce& l, const PointForce& r) { return l.key() < r.key(); });
  double nearest = kSamePlace * arena_.movers[s.b].radius;
  const PointForce* out = nullptr;
  for (; found != memory_.forces.end() && found->key() == wanted.key(); ++found) {
    const double away = (at_.poses[s.b] * found->point_body - s.point).norm();
    if (away >= nearest) continue;
    nearest = away;
    out = &*found;
  }
  return out;
}

void Newton::take_row(int row, int a, int b, double least_slack) {
  Row out;
  out.a = a;
  out.b = b;
  const int first_b = arena_.movers[b].first;
  for (int e = lp_.row_start[row]; e < lp_.row_start[row + 1]; ++e) {
    const int v = lp_.column[e];
    out.entry[v >= first_b ? v - first_b + 6 : v - arena_.movers[a].first] = lp_.value[e];
  }
  out.slack = std::max(-lp_.bound[row], least_slack);
  const double far = out.slack / (kFarGap * memory_.product);
  out.weight = 1.0 / (1.0 + far * far);
  out.multiplier = out.weight * memory_.product / out.slack;
  rows_.push_back(out);
}

/// The program's variable of entry k of a row; -1: none.
int Newton::variable(const Row& row, int k) const {
  const int mover = k < 6 ? row.a : row.b, local = k % 6;
  if (mover < 0 || local >= arena_.movers[mover].variables()) return -1;
  return arena_.movers[mover].first + local;
}

/// a . step
double Newton::along(const Row& row) const {
  double sum = 0.0;
  for (int k = 0; k < 12; ++k)
    if (const int v = variable(row, k); v >= 0) sum += row.entry[k] * step_[v];
  return sum;
}

/// How far contact k slips in the step, mean radii.
double Newton::slip(std::size_t k) const {
  Vec2 out = Vec2::Zero();
  for (int e = 0; e < 12; ++e)
    if (const int v = variable(rows_[k], e); v >= 0)
      out += step_[v] * drags_[k].slip.row(e).transpose();
  return out.norm();
}

std::vector<Newton::Group> Newton::groups() const {
  std::vector<Group> out;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    if (out.empty() || rows_[k].a != rows_[k - 1].a || rows_[k].b != rows_[k - 1].b)
      out.push_back({k, k});
    out.back().end = k + 1;
  }
  return out;
}

void Newton::analyze() {
  const StageScope timed("descent_analyze");
  std::vector<std::pair<int, int>> pairs;
  for (const Row& r : rows_)
    if (r.a >= 0 && (pairs.empty() || pairs.back() != std::pair(r.a, r.b)))
      pairs.emplace_back(r.a, r.b);
  std::vector<int> block_of(lp_.cost.size());
  for (std::size_t b = 0; b < arena_.movers.size(); ++b)
    for (int i = lp_.block_start[b]; i < lp_.block_start[b + 1]; ++i)
      block_of[i] = static_cast<int>(b);
  for (const QuadraticEntry& q : lp_.quadratic)
    if (block_of[q.row] != block_of[q.column])
      pairs.emplace_back(block_of[q.row], block_of[q.column]);
  cholesky_.analyze(graph_from_pairs(static_cast<int>(arena_.movers.size()), pairs),
                    lp_.block_start);
}

/// Minus multiplier times second derivative of each gap that has but one row: where faces or edges
/// lie along each other, the corners' rows say it all.
void Newton::bend() {
  const StageScope timed("descent_bend");
  bent_ = groups();
  tbb::parallel_for(0, static_cast<int>(bent_.size()), [&](int g) {
    Group& group = bent_[g];
    for (std::size_t k = group.first; k < group.end; ++k) {
      const Separation& s = separations_[k];
      if (friction_ > 0.0 && std::isfinite(s.gap))
        group.drag += friction_ * rows_[k].multiplier / drags_[k].full_at * drags_[k].slip *
                      drags_[k].slip.transpose();
      if (s.piece_b < 0 || rows_[k].multiplier < kWeakForce || !std::isfinite(s.gap)) continue;
      if (k > 0 && same_pieces(separations_[k - 1], s)) continue;
      if (k + 1 < separations_.size() && same_pieces(separations_[k + 1], s)) continue;
      group.bend -= rows_[k].multiplier * scaled_curvature(arena_, at_, s);
    }
  });
}

/// The matrix: damping, potentials, bends and, of each row, multiplier over slack times its square.
/// False where it has a direction without curvature. `convex`: of the bends their convex part.
bool Newton::factor(bool convex) {
  const StageScope timed("descent_factor");
  std::vector<Group> groups = this->groups();
  tbb::parallel_for(0, static_cast<int>(groups.size()), [&](int g) {
    Group& group = groups[g];
    if (g < static_cast<int>(bent_.size()))
      group.bend = (convex ? convex_part(bent_[g].bend) : bent_[g].bend) + bent_[g].drag;
    for (std::size_t k = group.first; k < group.end; ++k)
      group.bend +=
          rows_[k].multiplier / rows_[k].slack * rows_[k].entry * rows_[k].entry.transpose();
  });
  cholesky_.clear();
  double* h = cholesky_.values().data();
  for (const Group& group : groups) {
    const Row& row = rows_[group.first];
    for (int r = 0; r < 12; ++r)
      for (int c = 0; c <= r; ++c) {
        const int i = variable(row, r), j = variable(row, c);
        if (i >= 0 && j >= 0) h[cholesky_.place(i, j)] += group.bend(r, c);
      }
  }
  for (const QuadraticEntry& q : lp_.quadratic) h[cholesky_.place(q.row, q.column)] += q.value;
  for (std::size_t i = 0; i < arena_.movers.size(); ++i)
    for (int k = 0; k < arena_.movers[i].variables(); ++k) {
      const int v = arena_.movers[i].first + k;
      h[cholesky_.place(v, v)] += memory_.damping[i][k < 3 ? 0 : 1];
    }
  return cholesky_.factor() && cholesky_.left_out() == 0;
}

void Newton::solve() {
  if (!factor(false)) factor(true);
  std::vector<double> fall(lp_.cost.size()), center(lp_.cost.size(), 0.0);
  for (std::size_t i = 0; i < fall.size(); ++i) fall[i] = -lp_.cost[i];
  for (const Row& row : rows_)
    for (int k = 0; k < 12; ++k)
      if (const int v = variable(row, k); v >= 0) center[v] += row.weight * row.entry[k] / row.slack;
  cholesky_.solve(fall);
  cholesky_.solve(center);
  // the step is fall + product * center: how much the energy falls is linear in the product
  double drop = 0.0, rise = 0.0;
  for (std::size_t i = 0; i < fall.size(); ++i) {
    drop -= lp_.cost[i] * fall[i];
    rise += lp_.cost[i] * center[i];
  }
  product_ = memory_.product;
  if (rise > 0.0) product_ = std::min(product_, (1.0 - kLeastDescent) * drop / rise);
  step_.resize(fall.size());
  for (std::size_t i = 0; i < fall.size(); ++i) step_[i] = fall[i] + product_ * center[i];
}

/// The share of the step that leaves every row its part of the slack.
double Newton::longest() const {
  double out = 1.0;
  for (const Row& row : rows_) {
    const double change = along(row);
    if (change < 0.0) out = std::min(out, -kToBoundary * row.slack / change);
  }
  return out;
}

std::vector<double> Newton::next_multipliers() const {
  std::vector<double> out(separations_.size());
  double share = 1.0;
  for (std::size_t k = 0; k < out.size(); ++k) {
    const Row& row = rows_[k];
    out[k] =
        (row.weight * product_ - row.multiplier * along(row)) / row.slack - row.multiplier;
    if (out[k] < 0.0) share = std::min(share, -kToBoundary * row.multiplier / out[k]);
  }
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = rows_[k].multiplier + share * out[k];
  return out;
}

std::vector<double> Newton::next_full_slips(double share) const {
  std::vector<double> out;
  for (std::size_t k = 0; k < drags_.size(); ++k)
    out.push_back(next_full_slip(drags_[k].full_at, share * slip(k)));
  return out;
}

double Newton::most_drag() const {
  double out = 0.0;
  for (std::size_t k = 0; k < drags_.size(); ++k)
    out = std::max(out, friction_ * rows_[k].multiplier * (slip(k) / drags_[k].full_at - 1.0));
  return out;
}

/// The least gap of each two pieces at the end of the motion, as their rows see it, m.
std::vector<double> ends_of(const Placement& at, std::span<const Separation> separations,
                            const Motion& motion) {
  std::vector<double> out(separations.size());
  for (std::size_t k = 0; k < separations.size();) {
    std::size_t end = k;
    double least = std::numeric_limits<double>::infinity();
    for (; end < separations.size() && (end == k || same_pieces(separations[k], separations[end]));
         ++end) {
      const Separation& s = separations[end];
      Vec3 way = motion.displacement[s.b] + motion.turn[s.b].cross(s.point - at.centers[s.b]);
      if (s.a >= 0)
        way -= motion.displacement[s.a] + motion.turn[s.a].cross(s.point - at.centers[s.a]);
      least = std::min(least, s.gap + s.normal.dot(way));
    }
    for (; k < end; ++k) out[k] = least;
  }
  return out;
}

/// How much of its bounds a mover uses: of way and of turn.
std::array<double, 2> use_of(const Arena& arena, const StepBounds& bounds, const Motion& motion,
                             std::size_t i) {
  return {motion.displacement[i].norm() / bounds.room[i][0],
          arena.movers[i].turns ? motion.turn[i].norm() / bounds.turn[i] : 0.0};
}

/// Damps movers that leave their bounds; true if none does.
bool damp(const Arena& arena, const StepBounds& bounds, const Motion& motion,
          DescentMemory& memory) {
  bool within = true;
  for (std::size_t i = 0; i < arena.movers.size(); ++i) {
    const auto use = use_of(arena, bounds, motion, i);
    for (std::size_t k = 0; k < use.size(); ++k) {
      if (use[k] <= kOver) continue;
      double& damping = memory.damping[i][k];
      damping = std::max(kNewDamping, damping) * std::max(kDampingGrow, use[k]);
      within = false;
    }
  }
  return within;
}

void shorten(Motion& motion, double share) {
  for (Vec3& d : motion.displacement) d *= share;
  for (Vec3& t : motion.turn) t *= share;
}

}  // namespace

DescentMemory first_descent(const Arena& arena, const PileSettings& settings) {
  DescentMemory out;
  out.product = kFirstProduct;
  out.damping.assign(arena.movers.size(), {kFirstDamping / settings.box_half_width, kFirstDamping});
  return out;
}

std::vector<PointForce> point_forces(const Placement& at, std::span<const Separation> separations,
                                     const Descent& descent) {
  std::vector<PointForce> out;
  for (std::size_t k = 0; k < separations.size(); ++k) {
    const Separation& s = separations[k];
    out.push_back({s.a, s.b, s.piece_a, s.piece_b, at.poses[s.b].inverse() * s.point,
                   descent.multipliers[k],
                   descent.full_slips.empty() ? 0.0 : descent.full_slips[k]});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const PointForce& l, const PointForce& r) { return l.key() < r.key(); });
  return out;
}

double next_product(double product, const Descent& descent, double gain, double least_share) {
  if (gain > kLargeGain * product) return std::min(kFirstProduct, kSofter * product);
  if (product < kHard && descent.held > kHeld) return product;
  if (gain < kSmallGain * product) return kHarder * product;
  if (descent.product >= product) return product;
  const bool arrived = product < kHard && descent.share > kWhole && least_share >= kWhole;
  return arrived ? kHarder * product : std::max(kSteady * product, descent.product);
}

Descent descend(const Arena& arena, const Placement& at, std::span<const Separation> separations,
                StepProgram& program, const StepBounds& bounds, std::span<const Trust> trust,
                double friction, SparseCholesky& cholesky, DescentMemory& memory) {
  const StageScope timed("descend");
  Newton newton(arena, at, separations, program.lp, trust, friction, cholesky, memory);
  const double unit = arena.length_unit;
  Descent out;
  LpSolution solution;
  for (int round = 0; round < kRounds; ++round) {
    newton.solve();
    solution.x = newton.step();
    out.proposed = proposed_motion(arena, solution);
    const bool within = damp(arena, bounds, out.proposed, memory);
    out.share = newton.longest();
    if (round + 1 == kRounds) break;
    if (!within) continue;
    // what the first order does not see, at the end of the motion
    Motion end = out.proposed;
    shorten(end, out.share);
    std::vector<double> least = ends_of(at, separations, end);
    for (double& l : least) l *= kFarKeep;
    const auto far = find_far_separations(arena, separations, at, end, least);
    if (far.empty()) break;
    for (const FarSeparation& f : far) {
      add_far_separation(program, arena, f, 0.0);
      newton.take_row(program.lp.rows() - 1, f.a, f.b,
                      std::max(kFarSlack * f.start_gap / unit, kLeastFarSlack));
    }
  }
  for (std::size_t i = 0; i < arena.movers.size(); ++i) {
    const auto use = use_of(arena, bounds, out.proposed, i);
    for (std::size_t k = 0; k < use.size(); ++k) {
      if (out.share * use[k] > kFarOver) out.share = kFarOver / use[k];
      double& damping = memory.damping[i][k];
      const double room = k == 0 ? bounds.room[i][0] : bounds.turn[i] * arena.movers[i].radius;
      out.held = std::max(out.held, damping * use[k] * room / unit);
      if (out.share * use[k] < kWithin) damping = std::max(kLeastDamping, kDampingFade * damping);
    }
  }
  shorten(out.proposed, out.share);
  out.held = std::max(out.held, newton.most_drag());
  out.full_slips = newton.next_full_slips(out.share);
  out.product = newton.product();
  out.multipliers = newton.next_multipliers();
  return out;
}

}  // namespace repose::pile
