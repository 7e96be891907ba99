#include "newton.h"

#include <algorithm>
#include <cmath>

#include <tbb/parallel_for.h>

#include "repose/base/stage_clock.h"

#include "curvature.h"

namespace repose::pile {
namespace {

/// No contact pushes with more than this, in mean weights or in what it pushed with in the last
/// step: a gap that the shell has lost is taken as that of such a contact.
constexpr double kMostForce = 10.0;
/// Rows wider than this many times what a contact of one weight keeps free push less and less, so
/// that bodies in flight do not drive each other apart.
constexpr double kFarGap = 5.0;
/// A known multiplier is used as far as its product is within this factor of the one aimed at, and
/// where the place is this near, in radii.
constexpr double kOffCenter = 30.0;
constexpr double kSamePlace = 0.3;
/// Rows of which a step would use up more slacks than this push harder in the next solve.
constexpr double kMostUse = 1.5;
/// Part of each slack and multiplier that a step may use up.
constexpr double kToBoundary = 0.9;
/// The energy falls at least by this share of what it would if contacts were hard.
constexpr double kLeastDescent = 0.1;
/// Contacts that push with less than this, in mean weights, bend nothing worth mentioning.
constexpr double kWeakForce = 1e-3;
/// Friction is full at this slip, over what a contact of one weight keeps free.
constexpr double kLeastSlip = 3.0;
/// A contact that slips beyond that within a step is given this many times its slip.
constexpr double kLoosen = 2.0;
constexpr double kMostSlip = 1.0;  // mean radii

}  // namespace

Newton::Newton(const Arena& arena, const Placement& at, std::span<const Separation> separations,
               const solve::LinearProgram& lp, std::span<const Trust> trust, double friction,
               solve::SparseCholesky& cholesky, const DescentMemory& memory)
    : arena_(arena),
      at_(at),
      separations_(separations),
      lp_(lp),
      cholesky_(cholesky),
      memory_(memory) {
  rows_.reserve(separations.size());
  for (std::size_t k = 0; k < separations.size(); ++k) {
    const Separation& s = separations[k];
    const PointForce* known = known_force(s);
    const double most = kMostForce * std::max(1.0, known != nullptr ? known->multiplier : 0.0);
    take_row(static_cast<int>(k), s.a, s.b, memory.product / most);
    rows_[k].most = most;
    const double center = rows_[k].multiplier;
    if (known != nullptr)
      rows_[k].multiplier = std::clamp(known->multiplier, center / kOffCenter, center * kOffCenter);
    if (friction <= 0.0) continue;
    drags_.push_back(drag_of(arena, at, trust, s, friction));
    if (known != nullptr) drags_[k].full_at = known->full_slip;
    drags_[k].full_at = std::max(drags_[k].full_at, kLeastSlip * memory.product);
  }
  group_rows();
  analyze();
  bend();
}

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
  out.most = kMostForce;
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
  for (int k = row.a < 0 ? 6 : 0; k < 12; ++k)
    if (const int v = variable(row, k); v >= 0) sum += row.entry[k] * step_[v];
  return sum;
}

/// How far contact k slips in the step, mean radii.
double Newton::slip(std::size_t k) const {
  Vec2 out = Vec2::Zero();
  for (int e = rows_[k].a < 0 ? 6 : 0; e < 12; ++e)
    if (const int v = variable(rows_[k], e); v >= 0)
      out += step_[v] * drags_[k].slip.row(e).transpose();
  return out.norm();
}

/// Takes in rows that joined since the last call.
void Newton::group_rows() {
  for (std::size_t k = groups_.empty() ? 0 : groups_.back().end; k < rows_.size(); ++k) {
    const bool new_group =
        groups_.empty() || rows_[k].a != rows_[k - 1].a || rows_[k].b != rows_[k - 1].b;
    if (new_group) groups_.push_back({k, k, -1});
    groups_.back().end = k + 1;
  }
}

void Newton::analyze() {
  const StageScope timed("descent_analyze");
  std::vector<std::pair<int, int>> pairs;
  for (const Group& g : groups_)
    if (rows_[g.first].a >= 0) pairs.emplace_back(rows_[g.first].a, rows_[g.first].b);
  std::vector<int> block_of(lp_.cost.size());
  for (std::size_t b = 0; b < arena_.movers.size(); ++b)
    for (int i = lp_.block_start[b]; i < lp_.block_start[b + 1]; ++i)
      block_of[i] = static_cast<int>(b);
  for (const solve::QuadraticEntry& q : lp_.quadratic)
    if (block_of[q.row] != block_of[q.column])
      pairs.emplace_back(block_of[q.row], block_of[q.column]);
  cholesky_.analyze(solve::graph_from_pairs(static_cast<int>(arena_.movers.size()), pairs),
                    lp_.block_start);
}

/// Minus multiplier times second derivative of each gap that has but one row: where faces or edges
/// lie along each other, the corners' rows say it all.
void Newton::bend() {
  const StageScope timed("descent_bend");
  const auto bends = [&](std::size_t k) {
    const Separation& s = separations_[k];
    if (s.piece_b < 0 || s.passes || rows_[k].multiplier < kWeakForce || !std::isfinite(s.gap))
      return false;
    if (k > 0 && same_pieces(separations_[k - 1], s)) return false;
    return k + 1 == separations_.size() || !same_pieces(separations_[k + 1], s);
  };
  int count = 0;
  for (Group& g : groups_)
    for (std::size_t k = g.first; k < g.end && g.bend < 0; ++k)
      if (bends(k)) g.bend = count++;
  bends_.assign(static_cast<std::size_t>(count), Mat12::Zero());
  tbb::parallel_for(0, static_cast<int>(groups_.size()), [&](int i) {
    const Group& g = groups_[i];
    for (std::size_t k = g.first; k < g.end && g.bend >= 0; ++k)
      if (bends(k))
        bends_[g.bend] -= rows_[k].multiplier * scaled_curvature(arena_, at_, separations_[k]);
  });
}

/// What the rows of two movers add to the matrix: multiplier over slack times the square of each
/// row, bends and drags. Of a wall's rows the lower right corner alone is filled.
Newton::Mat12 Newton::matrix_of(const Group& group) const {
  Mat12 out = Mat12::Zero();
  if (group.bend >= 0) out = bends_[group.bend];
  const bool wall = rows_[group.first].a < 0;
  for (std::size_t k = group.first; k < group.end; ++k) {
    const Row& row = rows_[k];
    const double stiff = row.multiplier / row.slack;
    const Vec12 pulled = stiff * row.entry;
    if (wall)
      out.bottomRightCorner<6, 6>() += pulled.tail<6>() * row.entry.tail<6>().transpose();
    else
      out += pulled * row.entry.transpose();
    if (k >= drags_.size() || !std::isfinite(separations_[k].gap)) continue;
    const double drag = drags_[k].friction * row.multiplier / drags_[k].full_at;
    const auto& slip = drags_[k].slip;
    if (wall)
      out.bottomRightCorner<6, 6>() +=
          drag * slip.bottomRows<6>() * slip.bottomRows<6>().transpose();
    else
      out += drag * slip * slip.transpose();
  }
  return out;
}

/// False where the matrix has a direction without curvature. `convex`: of the bends their convex
/// part.
bool Newton::factor(bool convex) {
  const StageScope timed("descent_factor");
  if (convex && !convex_)
    tbb::parallel_for(0, static_cast<int>(bends_.size()),
                      [&](int i) { bends_[i] = convex_part(bends_[i]); });
  convex_ = convex_ || convex;
  std::vector<Mat12> parts(groups_.size());
  tbb::parallel_for(0, static_cast<int>(groups_.size()),
                    [&](int g) { parts[g] = matrix_of(groups_[g]); });
  cholesky_.clear();
  double* h = cholesky_.values().data();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Row& row = rows_[groups_[g].first];
    const int start = row.a < 0 ? 6 : 0;
    for (int r = start; r < 12; ++r)
      for (int c = start; c <= r; ++c) {
        const int i = variable(row, r), j = variable(row, c);
        if (i >= 0 && j >= 0) h[cholesky_.place(i, j)] += parts[g](r, c);
      }
  }
  for (const solve::QuadraticEntry& q : lp_.quadratic)
    h[cholesky_.place(q.row, q.column)] += q.value;
  for (std::size_t i = 0; i < arena_.movers.size(); ++i)
    for (int k = 0; k < arena_.movers[i].variables(); ++k) {
      const int v = arena_.movers[i].first + k;
      h[cholesky_.place(v, v)] += memory_.damping[i][k < 3 ? 0 : 1];
    }
  return cholesky_.factor() && cholesky_.left_out() == 0;
}

void Newton::solve() {
  group_rows();
  if (!factor(convex_)) factor(true);
  std::vector<double> fall(lp_.cost.size()), center(lp_.cost.size(), 0.0);
  for (std::size_t i = 0; i < fall.size(); ++i) fall[i] = -lp_.cost[i];
  for (const Row& row : rows_)
    for (int k = row.a < 0 ? 6 : 0; k < 12; ++k)
      if (const int v = variable(row, k); v >= 0)
        center[v] += row.weight * row.entry[k] / row.slack;
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

double Newton::longest() const {
  double out = 1.0;
  for (const Row& row : rows_) {
    const double change = along(row);
    if (change < 0.0) out = std::min(out, -kToBoundary * row.slack / change);
  }
  return out;
}

bool Newton::stiffen() {
  bool any = false;
  for (Row& row : rows_) {
    const double change = along(row);
    if (change >= -kMostUse * row.slack) continue;
    const double force = (row.weight * product_ - row.multiplier * change) / row.slack;
    row.multiplier = std::max(row.multiplier, std::min(row.most, force));
    any = true;
  }
  return any;
}

double Newton::loosen() {
  double out = 0.0;
  for (std::size_t k = 0; k < drags_.size(); ++k) {
    const double slipped = slip(k);
    double& full_at = drags_[k].full_at;
    drags_[k].slides = slipped > full_at;
    if (!drags_[k].slides) continue;
    out = std::max(out, drags_[k].friction * rows_[k].multiplier * (slipped / full_at - 1.0));
    full_at = kLoosen * slipped;
  }
  return out;
}

std::vector<double> Newton::next_multipliers() const {
  std::vector<double> out(separations_.size());
  double share = 1.0;
  for (std::size_t k = 0; k < out.size(); ++k) {
    const Row& row = rows_[k];
    out[k] = (row.weight * product_ - row.multiplier * along(row)) / row.slack - row.multiplier;
    if (out[k] < 0.0) share = std::min(share, -kToBoundary * row.multiplier / out[k]);
  }
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = rows_[k].multiplier + share * out[k];
  return out;
}

std::vector<double> Newton::next_full_slips(double share) const {
  std::vector<double> out;
  for (std::size_t k = 0; k < drags_.size(); ++k)
    out.push_back(drags_[k].slides ? std::min(kMostSlip, drags_[k].full_at) : share * slip(k));
  return out;
}

}  // namespace repose::pile
