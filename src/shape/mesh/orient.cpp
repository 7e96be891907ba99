#include "shape/mesh/orient.h"

#include <cmath>
#include <vector>

namespace repose::shape {
namespace {

/// A sum of doubles that do not overlap, smallest first: an exact number.
using Expansion = std::vector<double>;

/// a + b exactly: high part returned, rounding error in *low.
double two_sum(double a, double b, double* low) {
  const double sum = a + b;
  const double virtual_b = sum - a;
  *low = (a - (sum - virtual_b)) + (b - virtual_b);
  return sum;
}

double two_product(double a, double b, double* low) {
  const double product = a * b;
  *low = std::fma(a, b, -product);
  return product;
}

Expansion difference(double a, double b) {
  double low = 0.0;
  const double high = two_sum(a, -b, &low);
  return {low, high};
}

void grow(Expansion* e, double b) {
  double carry = b;
  for (double& term : *e) {
    double low = 0.0;
    carry = two_sum(carry, term, &low);
    term = low;
  }
  e->push_back(carry);
}

Expansion sum(Expansion a, const Expansion& b) {
  for (const double term : b) grow(&a, term);
  return a;
}

Expansion negated(Expansion a) {
  for (double& term : a) term = -term;
  return a;
}

Expansion product(const Expansion& a, const Expansion& b) {
  Expansion out;
  for (const double x : a)
    for (const double y : b) {
      double low = 0.0;
      const double high = two_product(x, y, &low);
      if (low != 0.0) grow(&out, low);
      if (high != 0.0) grow(&out, high);
    }
  return out;
}

int sign_of(const Expansion& e) {
  for (auto term = e.rbegin(); term != e.rend(); ++term)
    if (*term != 0.0) return *term > 0.0 ? 1 : -1;
  return 0;
}

int orient_exactly(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  Expansion m[3][3];
  for (int i = 0; i < 3; ++i) {
    m[0][i] = difference(b[i], a[i]);
    m[1][i] = difference(c[i], a[i]);
    m[2][i] = difference(d[i], a[i]);
  }
  Expansion det;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Expansion minor = sum(product(m[1][j], m[2][k]), negated(product(m[1][k], m[2][j])));
    det = sum(det, product(m[0][i], minor));
  }
  return sign_of(det);
}

}  // namespace

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  // Shewchuk's o3derrboundA = (7 + 56 eps) eps, eps = 2^-53
  constexpr double kEps = 0x1.0p-53;
  constexpr double kBound = (7.0 + 56.0 * kEps) * kEps;
  const Vec3 p = b - a, q = c - a, r = d - a;
  const Vec3 plus(q.y() * r.z(), q.z() * r.x(), q.x() * r.y());
  const Vec3 minus(q.z() * r.y(), q.x() * r.z(), q.y() * r.x());
  const double det = p.dot(plus - minus);
  const double permanent = p.cwiseAbs().dot(plus.cwiseAbs() + minus.cwiseAbs());
  // subnormal products would escape the bound: then look exactly
  constexpr double kSafe = 1e-250;
  if (std::fabs(det) > kBound * permanent && permanent > kSafe) return det > 0.0 ? 1 : -1;
  return orient_exactly(a, b, c, d);
}

}  // namespace repose::shape
