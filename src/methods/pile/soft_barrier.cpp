#include "soft_barrier.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ball_matrix.h"

namespace repose::pile {
namespace {

/// Part of a gap that a step may close.
constexpr double kClosing = 0.9;
/// A multiplier stays within this factor of what the gap stands for, and one step leaves at least
/// this share of it.
constexpr double kOffCentre = 10.0, kLeastLeft = 0.1;
/// Pairs enter the pattern of the matrix before the barrier reaches them, by this factor.
constexpr double kPatternCut = 1.1;

/// (d^2 - apart^2) / (d + apart): no digits are lost where balls nearly touch.
double gap_of(const Vec3& between, double apart) {
  return (between.squaredNorm() - apart * apart) / (between.norm() + apart);
}

/// No two balls come nearer by more.
double most_nearer(std::span<const Vec3> step) {
  double square = 0.0;
  for (const Vec3& s : step) square = std::max(square, s.squaredNorm());
  return kMoreThanRounding * 2.0 * std::sqrt(square);
}

}  // namespace

SoftBarrier::SoftBarrier(const Arena& arena, const Placement& at,
                         std::span<const Separation> separations, std::span<const double> keep,
                         std::span<const double> multipliers, double product)
    : arena_(arena), product_(product), cut_(kCutOfProduct * product) {
  const double unit = arena.length_unit;
  pairs_.resize(separations.size());
  for (std::size_t k = 0; k < separations.size(); ++k) {
    const Separation& s = separations[k];
    Pair& p = pairs_[k];
    p.a = s.a;
    p.b = s.b;
    p.normal = s.normal;
    p.gap0 = (s.gap - keep[k]) / unit;
    p.multiplier = multipliers[k];
    if (s.a < 0) continue;
    p.between = (at.centers[s.b] - at.centers[s.a]) / unit;
    p.apart = (arena.movers[s.a].radius + arena.movers[s.b].radius + keep[k]) / unit;
  }
  for (const Vec3& push : arena.potentials.push) push_.push_back(push / arena.force_unit);
  way_.assign(push_.size(), Vec3::Zero());
  measure();
}

void SoftBarrier::set_product(double product) {
  product_ = product;
  cut_ = kCutOfProduct * product;
  in_pattern_.clear();
  measure();
}

void SoftBarrier::move_to(std::vector<Vec3> way) {
  way_ = std::move(way);
  measure();
}

void SoftBarrier::measure() {
  least_gap_ = std::numeric_limits<double>::infinity();
  for (Pair& p : pairs_) {
    const Vec3 way = relative(p, way_);
    if (p.a < 0) {
      p.gap = p.gap0 + p.normal.dot(way);
    } else {
      const Vec3 d = p.between + way;
      p.distance = d.norm();
      p.normal = d / p.distance;
      p.gap = gap_of(d, p.apart);
    }
    least_gap_ = std::min(least_gap_, p.gap);
    const double centre = product_ / p.gap;
    if (p.gap >= cut_)
      p.multiplier = 0.0;
    else if (p.multiplier <= 0.0)
      p.multiplier = centre;
    else
      p.multiplier = std::clamp(p.multiplier, centre / kOffCentre, centre * kOffCentre);
  }
  find_forces();
}

void SoftBarrier::find_forces() {
  force_ = push_;
  for (const Pair& p : pairs_) {
    if (p.gap >= cut_) continue;
    const Vec3 force = product_ * (1.0 / p.gap - 1.0 / cut_) * p.normal;
    force_[p.b] += force;
    if (p.a >= 0) force_[p.a] -= force;
  }
  worst_ = 0.0;
  for (std::size_t i = 0; i < force_.size(); ++i) {
    for (int k = 0; k < 3; ++k)
      if (arena_.movers[i].held[k]) force_[i][k] = 0.0;
    const double load = arena_.potentials.load[i] / arena_.force_unit;
    worst_ = std::max(worst_, force_[i].norm() / (load > 0.0 ? load : 1.0));
  }
}

double SoftBarrier::gap_after(const Pair& p, const Vec3& step) const {
  if (p.a < 0) return p.gap + p.normal.dot(step);
  return gap_of(p.distance * p.normal + step, p.apart);
}

/// The barrier over product, of one gap.
double SoftBarrier::height(double gap) const {
  return gap < cut_ ? gap / cut_ - 1.0 - std::log(gap / cut_) : 0.0;
}

double SoftBarrier::growth(std::span<const Vec3> step, double share) const {
  const double nearer = std::fabs(share) * most_nearer(step);
  double sum = 0.0;
  for (const Pair& p : pairs_) {
    if (p.gap > cut_ + nearer) continue;
    const double gap = gap_after(p, share * relative(p, step));
    if (gap <= 0.0) return std::numeric_limits<double>::infinity();
    if (p.gap < cut_ || gap < cut_) sum += product_ * (height(gap) - height(p.gap));
  }
  for (std::size_t i = 0; i < push_.size(); ++i) sum -= share * push_[i].dot(step[i]);
  return sum;
}

double SoftBarrier::longest(std::span<const Vec3> step) const {
  const double nearer = most_nearer(step);
  double share = 1.0;
  for (const Pair& p : pairs_) {
    if (kClosing * p.gap > nearer) continue;
    const Vec3 way = relative(p, step);
    const double toward = -p.normal.dot(way);
    if (share * toward <= kClosing * p.gap) continue;
    if (p.a < 0) {
      share = kClosing * p.gap / toward;
      continue;
    }
    // |d n + t way| = apart + what is left of the gap
    const double least = p.distance - kClosing * p.gap;
    const double c = kClosing * p.gap * (p.distance + least), b = p.distance * toward;
    const double root = b * b - way.squaredNorm() * c;
    if (root > 0.0) share = std::min(share, c / (b + std::sqrt(root)));
  }
  return share;
}

bool SoftBarrier::way_is_free() const {
  const double nearer = most_nearer(way_);
  for (const Pair& p : pairs_) {
    if (p.gap0 > nearer) continue;
    if (p.gap < 0.0) return false;
    if (p.a < 0) continue;
    // the nearest point of the straight way of b past a
    const Vec3 way = relative(p, way_);
    const double square = way.squaredNorm(), back = -p.between.dot(way);
    if (back <= 0.0 || back >= square) continue;  // nearest at an end
    if ((p.between + back / square * way).norm() < p.apart) return false;
  }
  return true;
}

void SoftBarrier::analyze(solve::SparseCholesky& cholesky) {
  bool known = !in_pattern_.empty();
  for (std::size_t k = 0; k < pairs_.size() && known; ++k)
    known = pairs_[k].a < 0 || pairs_[k].gap >= cut_ || in_pattern_[k] != 0;
  if (known) return;
  in_pattern_.assign(pairs_.size(), 0);
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    if (pairs_[k].a < 0 || pairs_[k].gap >= kPatternCut * cut_) continue;
    pairs.emplace_back(pairs_[k].a, pairs_[k].b);
    in_pattern_[k] = 1;
  }
  analyze_balls(arena_, pairs, cholesky);
}

void SoftBarrier::fill(double bend, std::span<const double> damping,
                       solve::SparseCholesky& cholesky) const {
  cholesky.clear();
  std::vector<Mat3> own;
  own.reserve(damping.size());
  for (const double d : damping) own.push_back(d * Mat3::Identity());
  for (const Pair& p : pairs_) {
    if (p.multiplier <= 0.0) continue;
    const Mat3 along = p.normal * p.normal.transpose();
    Mat3 matrix = (p.multiplier / p.gap) * along;
    if (p.a >= 0) {
      const double force = std::max(0.0, p.multiplier - product_ / cut_);
      matrix -= (bend * force / p.distance) * (Mat3::Identity() - along);
      own[p.a] += matrix;
      add_ball_block(arena_, p.b, p.a, -matrix, cholesky);
    }
    own[p.b] += matrix;
  }
  for (std::size_t i = 0; i < own.size(); ++i)
    add_ball_block(arena_, static_cast<int>(i), static_cast<int>(i), own[i], cholesky);
  hold_balls(arena_, cholesky);
}

void SoftBarrier::follow(std::span<const Vec3> step) {
  for (Pair& p : pairs_) {
    if (p.multiplier <= 0.0) continue;
    const double next = (product_ - p.multiplier * p.normal.dot(relative(p, step))) / p.gap;
    p.multiplier = std::max(kLeastLeft * p.multiplier, next);
  }
}

std::vector<double> SoftBarrier::multipliers() const {
  std::vector<double> out;
  out.reserve(pairs_.size());
  for (const Pair& p : pairs_) out.push_back(p.multiplier);
  return out;
}

std::vector<double> SoftBarrier::contact_forces() const {
  std::vector<double> out = multipliers();
  for (double& z : out) z = std::max(0.0, z - product_ / cut_);
  return out;
}

}  // namespace repose::pile
