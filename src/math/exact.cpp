#include "repose/math/exact.h"

#include <cmath>
#include <limits>

#include <Eigen/Geometry>

namespace repose {

namespace {

/// A value and what rounding it left out.
struct Parts {
  double value, lost;
};

Parts two_sum(double a, double b) {
  const double sum = a + b, shadow = sum - a;
  return {sum, (a - (sum - shadow)) + (b - shadow)};
}
/// Requires |a| >= |b|, or a = 0.
Parts fast_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}
Parts two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

/// Products below this may have lost bits under the smallest double.
constexpr double kLeastProduct = 0x1p-960;

}  // namespace

Exact::Exact(double value) : sure_(std::isfinite(value)) {
  if (value != 0.0) terms_.push_back(value);
}

int Exact::sign() const {
  if (terms_.empty()) return 0;
  return terms_.back() > 0.0 ? 1 : -1;
}

double Exact::rounded() const {
  double sum = 0.0;
  for (const double t : terms_) sum += t;
  return sum;
}

Exact Exact::operator-() const {
  Exact out = *this;
  for (double& t : out.terms_) t = -t;
  return out;
}

void Exact::grow(double value) {
  std::size_t kept = 0;
  for (const double t : terms_) {
    const Parts p = two_sum(value, t);
    value = p.value;
    if (p.lost != 0.0) terms_[kept++] = p.lost;
  }
  terms_.resize(kept);
  if (value != 0.0) terms_.push_back(value);
}

void Exact::compress() {
  if (terms_.size() < 2) return;
  // from the largest down, then up again: each term takes all the bits it can hold
  std::size_t bottom = terms_.size() - 1;
  double q = terms_.back();
  for (std::size_t i = terms_.size() - 1; i-- > 0;) {
    const Parts p = fast_two_sum(q, terms_[i]);
    q = p.value;
    if (p.lost == 0.0) continue;
    terms_[bottom--] = q;
    q = p.lost;
  }
  terms_[bottom] = q;
  std::size_t top = 0;
  for (std::size_t i = bottom + 1; i < terms_.size(); ++i) {
    const Parts p = fast_two_sum(terms_[i], q);
    q = p.value;
    if (p.lost != 0.0) terms_[top++] = p.lost;
  }
  terms_[top] = q;
  terms_.resize(top + 1);
}

Exact operator+(const Exact& a, const Exact& b) {
  Exact out = a;
  for (const double t : b.terms_) out.grow(t);
  out.compress();
  out.sure_ = a.sure_ && b.sure_ && std::isfinite(out.rounded());
  return out;
}

Exact operator*(const Exact& a, const Exact& b) {
  Exact out;
  out.sure_ = a.sure_ && b.sure_;
  for (const double x : a.terms_)
    for (const double y : b.terms_) {
      const Parts p = two_product(x, y);
      out.sure_ = out.sure_ && std::fabs(p.value) >= kLeastProduct && std::isfinite(p.value);
      if (p.lost != 0.0) out.grow(p.lost);
      out.grow(p.value);
    }
  out.compress();
  return out;
}

namespace {

/// The rounding errors of a determinant of differences of coordinates, as a share of the sum of its
/// terms' magnitudes (Shewchuk 1997 gives 3 and 7 halves of an ulp).
constexpr double kUlp = std::numeric_limits<double>::epsilon();
constexpr double kFilter2 = 4.0 * kUlp, kFilter3 = 8.0 * kUlp;
/// Sums of terms below this may have lost bits under the smallest double: the filter is not asked.
constexpr double kLeastMagnitude = 1e-250;

struct Determinant {
  double value, magnitude;
};
Determinant determinant(const Vec3& u, const Vec3& v, const Vec3& w) {
  const double x1 = v.y() * w.z(), x2 = v.z() * w.y(), y1 = v.z() * w.x(), y2 = v.x() * w.z(),
               z1 = v.x() * w.y(), z2 = v.y() * w.x();
  return {u.x() * (x1 - x2) + u.y() * (y1 - y2) + u.z() * (z1 - z2),
          std::fabs(u.x()) * (std::fabs(x1) + std::fabs(x2)) +
              std::fabs(u.y()) * (std::fabs(y1) + std::fabs(y2)) +
              std::fabs(u.z()) * (std::fabs(z1) + std::fabs(z2))};
}

struct Difference {
  Exact x, y, z;
  Difference(const Vec3& a, const Vec3& b)
      : x(Exact(a.x()) - b.x()), y(Exact(a.y()) - b.y()), z(Exact(a.z()) - b.z()) {}
};
int exact_sign(const Difference& u, const Difference& v, const Difference& w) {
  return (u.x * (v.y * w.z - v.z * w.y) + u.y * (v.z * w.x - v.x * w.z) +
          u.z * (v.x * w.y - v.y * w.x))
      .sign();
}

int sign_of(double x) {
  return (x > 0.0) - (x < 0.0);
}

/// The rounded determinant has the sign of the exact one.
bool clear(double value, double magnitude, double filter) {
  return std::fabs(value) > filter * magnitude && magnitude > kLeastMagnitude;
}

}  // namespace

int orient2d(const Vec2& a, const Vec2& b, const Vec2& c) {
  const double left = (a.x() - c.x()) * (b.y() - c.y());
  const double right = (a.y() - c.y()) * (b.x() - c.x());
  if (clear(left - right, std::fabs(left) + std::fabs(right), kFilter2))
    return sign_of(left - right);
  return ((Exact(a.x()) - c.x()) * (Exact(b.y()) - c.y()) -
          (Exact(a.y()) - c.y()) * (Exact(b.x()) - c.x()))
      .sign();
}

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Determinant det = determinant(a - d, c - d, b - d);
  if (clear(det.value, det.magnitude, kFilter3)) return sign_of(det.value);
  return exact_sign({a, d}, {c, d}, {b, d});
}

int orient_about(const Vec3& p, const Vec3& d, const Vec3& a, const Vec3& b) {
  const Determinant det = determinant(d, a - p, b - p);
  if (clear(det.value, det.magnitude, kFilter3)) return sign_of(det.value);
  return exact_sign({d, Vec3::Zero()}, {a, p}, {b, p});
}

}  // namespace repose
