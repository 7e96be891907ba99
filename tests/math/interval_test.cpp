#include "repose/math/interval.h"

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/math/lanes.h"

namespace repose {
namespace {

constexpr int kTries = 4000;

Interval random_interval(Random& random, double low, double high) {
  const double width = random.below(3) == 0 ? 0.0 : std::pow(10.0, random.between(-12, 1));
  const double a = random.between(low, high);
  return {a, std::min(high, a + width)};
}

double inside(Random& random, Interval a) {
  return std::clamp(a.lo + random.unit() * (a.hi - a.lo), a.lo, a.hi);
}

long double wide(double x) {
  return static_cast<long double>(x);
}

bool holds(const Interval& c, long double z) {
  return wide(c.lo) <= z && z <= wide(c.hi);
}

/// f over random intervals holds the long double value at random points of them.
void expect_holds(const char* name, double low, double high,
                  const std::function<Interval(Interval)>& f,
                  const std::function<long double(long double)>& exact) {
  Random random(7);
  for (int i = 0; i < kTries; ++i) {
    const Interval a = random_interval(random, low, high);
    const Interval image = f(a);
    const long double y = exact(wide(inside(random, a)));
    ASSERT_TRUE(holds(image, y)) << name << " over [" << a.lo << ", " << a.hi << "] gives ["
                                 << image.lo << ", " << image.hi << "] without "
                                 << static_cast<double>(y);
  }
}

TEST(Interval, functions_hold_every_value_over_random_intervals) {
  using L = long double;
  expect_holds(
      "sin", -40, 40, [](Interval a) { return sin(a); }, [](L x) { return sinl(x); });
  expect_holds(
      "cos", -40, 40, [](Interval a) { return cos(a); }, [](L x) { return cosl(x); });
  expect_holds(
      "tan", -4, 4, [](Interval a) { return tan(a); }, [](L x) { return tanl(x); });
  expect_holds(
      "asin", -1, 1, [](Interval a) { return asin(a); }, [](L x) { return asinl(x); });
  expect_holds(
      "acos", -1, 1, [](Interval a) { return acos(a); }, [](L x) { return acosl(x); });
  expect_holds(
      "atan", -9, 9, [](Interval a) { return atan(a); }, [](L x) { return atanl(x); });
  expect_holds(
      "sinh", -9, 9, [](Interval a) { return sinh(a); }, [](L x) { return sinhl(x); });
  expect_holds(
      "cosh", -9, 9, [](Interval a) { return cosh(a); }, [](L x) { return coshl(x); });
  expect_holds(
      "tanh", -9, 9, [](Interval a) { return tanh(a); }, [](L x) { return tanhl(x); });
  expect_holds(
      "exp", -30, 30, [](Interval a) { return exp(a); }, [](L x) { return expl(x); });
  expect_holds(
      "log", 1e-9, 9, [](Interval a) { return log(a); }, [](L x) { return logl(x); });
  expect_holds(
      "sqrt", 0, 9, [](Interval a) { return sqrt(a); }, [](L x) { return sqrtl(x); });
  expect_holds(
      "pow_abs", -3, 3, [](Interval a) { return pow_abs(a, 2.7); },
      [](L x) { return powl(fabsl(x), L(2.7)); });
  expect_holds(
      "pow", 1e-3, 3, [](Interval a) { return pow(a, -1.3); },
      [](L x) { return powl(x, L(-1.3)); });
  expect_holds(
      "pow of what is positive", -3, 3, [](Interval a) { return pow(a, 1.7); },
      [](L x) { return powl(fmaxl(x, 0), L(1.7)); });
  expect_holds(
      "pow_int", -3, -0.1, [](Interval a) { return pow_int(a, -3); },
      [](L x) { return powl(x, -3); });
  expect_holds(
      "asin of what is inside", -3, 3, [](Interval a) { return asin(a); },
      [](L x) { return asinl(fminl(1, fmaxl(-1, x))); });
  expect_holds(
      "pow_int", -3, 3, [](Interval a) { return pow_int(a, 5); }, [](L x) { return powl(x, 5); });
  expect_holds(
      "pow_int", -3, 3, [](Interval a) { return pow_int(a, 4); }, [](L x) { return powl(x, 4); });
}

/// The exponent is a difference that no double holds: what rounding it loses is in the result, and
/// little more.
TEST(Interval, powers_of_a_difference_hold_what_its_rounding_loses) {
  Random random(23);
  int lossy = 0;
  for (int i = 0; i < kTries; ++i) {
    const bool small = i % 2 == 0;  // a base of a few, or of any size, with an exponent to match
    const double p = small ? random.between(50.0, 300.0) : random.between(-2.0, 2.0);
    const double less = random.unit();
    const double x = std::pow(2.0, small ? random.between(-3.0, 3.0) : random.between(-500, 500));
    const Interval image = pow(Interval(x), p, less);
    const long double e = wide(p) - wide(less), truth = powl(wide(x), e);
    if (!(truth > 1e-300L && truth < 1e300L)) continue;
    lossy += wide(p - less) != e ? 1 : 0;
    ASSERT_TRUE(holds(image, truth)) << x << "^(" << p << " - " << less << ")";
    const double share = std::numeric_limits<double>::epsilon() *
                         (64.0 + 8.0 * (1.0 + std::fabs(p)) * (1.0 + std::fabs(std::log(x))));
    if (truth > 1e-100L && truth < 1e100L) {
      ASSERT_LE(image.width(), share * static_cast<double>(truth))
          << x << "^(" << p << " - " << less << ")";
    }
  }
  EXPECT_GT(lossy, kTries / 4);
  // over an interval either end may be the one that loses more
  for (const double base : {1e-150, 1e150}) {
    const Interval image =
        pow(base < 1.0 ? Interval(base, 1.0) : Interval(1.0, base), 1.0, 0x1p-60);
    EXPECT_TRUE(holds(image, powl(wide(base), 1.0L - 0x1p-60L)));
  }
}

TEST(Interval, waves_reach_their_tops_exactly_when_they_hold_them) {
  EXPECT_EQ(sin(Interval(1.0, 2.0)).hi, 1.0);
  EXPECT_LT(sin(Interval(1.0, 1.5)).hi, 1.0);
  EXPECT_EQ(cos(Interval(-0.1, 0.2)).hi, 1.0);
  EXPECT_EQ(cos(Interval(3.0, 3.2)).lo, -1.0);
  EXPECT_GT(cos(Interval(3.2, 3.3)).lo, -1.0);
}

/// f over narrow intervals inside [low, high] is hardly wider than its values there.
void expect_tight(const char* name, double low, double high,
                  const std::function<Interval(Interval)>& f,
                  const std::function<double(double)>& plain) {
  constexpr double kNarrow = 1e-3, kLoose = 1.5, kLeast = 1e-12;
  constexpr int kSamples = 64;
  Random random(19);
  for (int i = 0; i < 200; ++i) {
    const double at = random.between(low, high - kNarrow);
    const Interval image = f({at, at + kNarrow});
    double least = plain(at), most = plain(at);
    for (int k = 1; k <= kSamples; ++k) {
      const double y = plain(at + kNarrow * k / kSamples);
      least = std::min(least, y);
      most = std::max(most, y);
    }
    ASSERT_LE(image.width(), kLoose * (most - least) + kLeast) << name << " at " << at;
  }
}

TEST(Interval, functions_are_hardly_wider_than_their_values) {
  using D = double;
  expect_tight(
      "sin", -40, 40, [](Interval a) { return sin(a); }, [](D x) { return std::sin(x); });
  expect_tight(
      "cos", -40, 40, [](Interval a) { return cos(a); }, [](D x) { return std::cos(x); });
  expect_tight(
      "tan", -1.5, 1.5, [](Interval a) { return tan(a); }, [](D x) { return std::tan(x); });
  expect_tight(
      "asin", -1, 1, [](Interval a) { return asin(a); }, [](D x) { return std::asin(x); });
  expect_tight(
      "acos", -1, 1, [](Interval a) { return acos(a); }, [](D x) { return std::acos(x); });
  expect_tight(
      "atan", -9, 9, [](Interval a) { return atan(a); }, [](D x) { return std::atan(x); });
  expect_tight(
      "tanh", -3, 3, [](Interval a) { return tanh(a); }, [](D x) { return std::tanh(x); });
  expect_tight(
      "sinh", -3, 3, [](Interval a) { return sinh(a); }, [](D x) { return std::sinh(x); });
  expect_tight(
      "cosh", -3, 3, [](Interval a) { return cosh(a); }, [](D x) { return std::cosh(x); });
  expect_tight(
      "exp", -3, 3, [](Interval a) { return exp(a); }, [](D x) { return std::exp(x); });
  expect_tight(
      "log", 0.01, 3, [](Interval a) { return log(a); }, [](D x) { return std::log(x); });
  expect_tight(
      "pow", 0.1, 3, [](Interval a) { return pow(a, -1.3); },
      [](D x) { return std::pow(x, -1.3); });
  expect_tight(
      "pow_int", -3, 3, [](Interval a) { return pow_int(a, 3); }, [](D x) { return x * x * x; });
  expect_tight(
      "atan2", -3, 3, [](Interval a) { return atan2(a, Interval(0.5)); },
      [](D x) { return std::atan2(x, 0.5); });
}

TEST(Interval, functions_of_endless_intervals_hold_all_their_values) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const Interval a : {Interval(-inf, inf), Interval(0.0, inf), Interval(-inf, 3.0)}) {
    EXPECT_EQ(sin(a).lo, -1.0);
    EXPECT_EQ(sin(a).hi, 1.0);
    EXPECT_EQ(cos(a).lo, -1.0);
    EXPECT_EQ(cos(a).hi, 1.0);
    EXPECT_TRUE(tan(a).contains(1e300) && tan(a).contains(-1e300));
    EXPECT_TRUE(atan(a).contains(a.hi == inf ? 1.57 : -1.57));
    EXPECT_TRUE(exp(a).contains(a.hi == inf ? 1e300 : 1e-300));
    EXPECT_TRUE(log(a).contains(-1e300) && log(a).contains(a.hi == inf ? 1e300 : 1.0));
  }
  // a power below zero reaches everywhere from zero, and says nothing of what is negative
  EXPECT_TRUE(pow(Interval(0.0, 1.0), -2.0).contains(1e300));
  EXPECT_TRUE(pow(Interval(-2.0, -1.0), -1.0).contains(-1e300));
  EXPECT_TRUE(pow(Interval(-1.0, 2.0), -1.0).contains(1e300));
  EXPECT_TRUE(pow(Interval(-2.0, -1.0), 0.5).contains(-1e300));
  EXPECT_EQ(pow_abs(Interval(-2.0, 3.0), 0.0).hi, 1.0);
}

TEST(Interval, arithmetic_holds_every_value) {
  Random random(11);
  for (int i = 0; i < kTries; ++i) {
    const Interval a = random_interval(random, -5, 5), b = random_interval(random, -5, 5);
    const long double x = wide(inside(random, a)), y = wide(inside(random, b));
    ASSERT_TRUE(holds(a + b, x + y));
    ASSERT_TRUE(holds(a - b, x - y));
    ASSERT_TRUE(holds(a * b, x * y));
    if (y != 0.0L) {
      ASSERT_TRUE(holds(a / b, x / y));
    }
    ASSERT_TRUE(holds(square(a), x * x));
    const Interval angle = atan2(a, b);
    ASSERT_TRUE(holds(angle, atan2l(x, y)));
  }
}

TEST(Interval, infinite_bounds_never_lose_values) {
  const double inf = std::numeric_limits<double>::infinity();
  const Interval wide = Interval(1.0, 2.0) / Interval(0.0, 1.0);
  EXPECT_TRUE(wide.contains(1e300));
  const Interval product = Interval(1.0, inf) * Interval(0.0, 5.0);
  EXPECT_EQ(product.hi, inf);
  EXPECT_LE(product.lo, 0.0);
  EXPECT_TRUE((wide * Interval(0.0)).contains(0.0));
  EXPECT_TRUE((Interval(1e308, 1e308) * Interval(10.0)).contains(1e308));
}

TEST(Interval, four_at_once_have_the_bits_of_each_alone) {
  const double inf = std::numeric_limits<double>::infinity();
  const std::array<Interval, 5> edges{Interval(0.0), Interval(-0.0, 1e-200), Interval(-inf, 3.0),
                                      Interval(-1e300, 1e300), Interval(0.0, 2.0)};
  Random random(12);
  const auto draw = [&](int i) {
    return i % 7 == 0 ? edges[static_cast<std::size_t>(i / 7) % edges.size()]
                      : random_interval(random, -5, 5);
  };
  const auto same = [](Interval x, Interval y) {
    return std::bit_cast<std::array<std::uint64_t, 2>>(x) ==
           std::bit_cast<std::array<std::uint64_t, 2>>(y);
  };
  for (int i = 0; i < kTries; ++i) {
    std::array<Interval, 4> a, b;
    for (int k = 0; k < 4; ++k) {
      a[static_cast<std::size_t>(k)] = draw(4 * i + k);
      b[static_cast<std::size_t>(k)] = draw(5 * i + 3 * k + 1);
    }
    const IntervalLanes la = lanes(a), lb = lanes(b);
    const IntervalLanes sum = la + lb, rest = la - lb, product = la * lb, quotient = la / lb,
                        square_a = squared(la), turned = pick<3, 1, 0, 2>(-la),
                        mixed = with_lane<2>(la, lb);
    for (int k = 0; k < 4; ++k) {
      const Interval x = a[static_cast<std::size_t>(k)], y = b[static_cast<std::size_t>(k)];
      ASSERT_TRUE(same(sum[k], x + y));
      ASSERT_TRUE(same(rest[k], x - y));
      ASSERT_TRUE(same(product[k], x * y));
      ASSERT_TRUE(same(quotient[k], x / y));
      ASSERT_TRUE(same(square_a[k], square(x)));
      ASSERT_TRUE(same(mixed[k], k == 2 ? y : x));
    }
    ASSERT_TRUE(same(turned[0], -a[3]) && same(turned[1], -a[1]) && same(turned[2], -a[0]));
  }
}

}  // namespace
}  // namespace repose
