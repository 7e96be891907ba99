#include "check/gap/gjk_simplex.h"

#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include "repose/base/at.h"

namespace repose::check {

namespace {

/// Simplices flatter than this (relative Gram determinant) are left to their sides.
template <class Real>
constexpr Real kFlat =
    Real(1e-28) *
    (std::numeric_limits<Real>::epsilon() / Real(std::numeric_limits<double>::epsilon())) *
    (std::numeric_limits<Real>::epsilon() / Real(std::numeric_limits<double>::epsilon()));

}  // namespace

/// The nearest point found so far among the faces of the simplex that hold its newest corner.
template <class Real>
struct GjkSimplexOf<Real>::Nearest {
  Real squared = std::numeric_limits<Real>::infinity();
  std::array<int, 4> index{};
  std::array<Real, 4> weight{};
  int count = 0;
  Vec3 v = Vec3::Zero();

  void offer(const GjkSimplexOf& s, const std::array<int, 4>& which,
             const std::array<Real, 4>& weights, int n) {
    Vec3 p = Vec3::Zero();
    for (int k = 0; k < n; ++k) p += weights[at(k)] * s.corner_[at(which[at(k)])].w;
    const Real d = p.squaredNorm();
    if (!(d < squared)) return;
    squared = d;
    index = which;
    weight = weights;
    count = n;
    v = p;
  }
};

template <class Real>
void GjkSimplexOf<Real>::offer_edge(int i, Nearest& best) const {
  const int newest = count_ - 1;
  const Vec3& p = corner_[at(newest)].w;
  const Vec3 e = corner_[at(i)].w - p;
  const Real length = e.squaredNorm();
  if (!(length > 0.0)) return;
  const Real t = -p.dot(e) / length;
  if (t > 0.0 && t < 1.0) best.offer(*this, {newest, i}, {1.0 - t, t}, 2);
}

template <class Real>
void GjkSimplexOf<Real>::offer_triangle(int i, int j, Nearest& best) const {
  const int newest = count_ - 1;
  const Vec3& p = corner_[at(newest)].w;
  const Vec3 e = corner_[at(i)].w - p, f = corner_[at(j)].w - p;
  const Vec3 n = e.cross(f);
  const Real area = n.squaredNorm();
  if (!(area > kFlat<Real> * e.squaredNorm() * f.squaredNorm())) return;
  const Real x = f.cross(p).dot(n) / area, y = p.cross(e).dot(n) / area;
  if (x > 0.0 && y > 0.0 && x + y < 1.0) best.offer(*this, {newest, i, j}, {1.0 - x - y, x, y}, 3);
}

template <class Real>
void GjkSimplexOf<Real>::offer_tetrahedron(Nearest& best) const {
  const Vec3& p = corner_[3].w;
  const Vec3 e = corner_[0].w - p, f = corner_[1].w - p, g = corner_[2].w - p;
  const Real volume = e.dot(f.cross(g));
  if (volume * volume <= kFlat<Real> * e.squaredNorm() * f.squaredNorm() * g.squaredNorm()) return;
  const Real x = -p.dot(f.cross(g)) / volume, y = -e.dot(p.cross(g)) / volume,
             z = -e.dot(f.cross(p)) / volume;
  if (x > 0.0 && y > 0.0 && z > 0.0 && x + y + z < 1.0)
    best.offer(*this, {3, 0, 1, 2}, {1.0 - x - y - z, x, y, z}, 4);
}

template <class Real>
bool GjkSimplexOf<Real>::add(const Vec3& a, const Vec3& b) {
  const int newest = count_++;
  corner_[at(newest)] = {b - a, a, b};
  Nearest best;
  best.offer(*this, {newest}, {1.0}, 1);
  for (int i = 0; i < newest; ++i) {
    offer_edge(i, best);
    for (int j = i + 1; j < newest; ++j) offer_triangle(i, j, best);
  }
  if (count_ == 4) offer_tetrahedron(best);
  if (newest > 0 && !(best.squared < nearest_.squaredNorm())) {
    --count_;
    return false;
  }
  const std::array<Corner, 4> before = corner_;
  for (int k = 0; k < best.count; ++k) {
    corner_[at(k)] = before[at(best.index[at(k)])];
    weight_[at(k)] = best.weight[at(k)];
  }
  count_ = best.count;
  nearest_ = best.v;
  return true;
}

template <class Real>
auto GjkSimplexOf<Real>::point_a() const -> Vec3 {
  Vec3 out = Vec3::Zero();
  for (int k = 0; k < count_; ++k) out += weight_[at(k)] * corner_[at(k)].a;
  return out;
}

template <class Real>
auto GjkSimplexOf<Real>::point_b() const -> Vec3 {
  Vec3 out = Vec3::Zero();
  for (int k = 0; k < count_; ++k) out += weight_[at(k)] * corner_[at(k)].b;
  return out;
}

template class GjkSimplexOf<double>;
template class GjkSimplexOf<long double>;

}  // namespace repose::check
