// Random formulas over random boxes: whatever a box's bounds of value and derivatives claim must
// hold for values and for quotients of differences worked out in long doubles by other code.
#include <array>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/math/expression.h"

namespace repose {
namespace {

using L = long double;

struct Node {
  std::string name;  // "u", "v", "+", "sin", "^" (constant exponent), ...
  double number = 0.0;
  std::unique_ptr<Node> a, b;
};
using NodePtr = std::unique_ptr<Node>;

constexpr std::array<const char*, 12> kUnary = {"sin",  "cos",  "tan",  "asin", "acos", "atan",
                                                "sinh", "cosh", "tanh", "exp",  "log",  "sqrt"};

NodePtr leaf(Random& random) {
  auto out = std::make_unique<Node>();
  out->name = random.below(2) == 0 ? "u" : "v";
  return out;
}
/// Never a number alone: those are worked out once, in doubles.
NodePtr random_tree(Random& random, int depth) {
  if (depth == 0 || random.below(8) == 0) return leaf(random);
  auto out = std::make_unique<Node>();
  out->a = random_tree(random, depth - 1);
  const auto kind = random.below(10);
  if (kind < 4) {
    out->name = kUnary[static_cast<std::size_t>(random.below(kUnary.size()))];
  } else if (kind == 4) {
    constexpr std::array<double, 9> kExponents = {2, 3, -1, -2, 0.5, 2.5, 3.7, -0.3, 2.1};
    out->name = "^";
    out->number = kExponents[static_cast<std::size_t>(random.below(kExponents.size()))];
  } else if (kind == 5) {
    out->name = "shift";
    out->number = random.between(-2, 2);
  } else {
    constexpr std::array<const char*, 6> kBinary = {"+", "-", "*", "/", "atan2", "pow"};
    out->name = kBinary[static_cast<std::size_t>(random.below(kBinary.size()))];
    out->b = random_tree(random, depth - 1);
  }
  return out;
}

std::string text(const Node& n) {
  if (n.name == "u" || n.name == "v") return n.name;
  const std::string a = text(*n.a);
  if (n.name == "^") return fmt::format("({})^({:.17g})", a, n.number);
  if (n.name == "shift") return fmt::format("({} + {:.17g})", a, n.number);
  if (!n.b) return n.name + "(" + a + ")";
  const std::string b = text(*n.b);
  return n.name.size() == 1 ? "(" + a + " " + n.name + " " + b + ")"
                            : n.name + "(" + a + ", " + b + ")";
}

L value(const Node& n, L u, L v) {
  if (n.name == "u") return u;
  if (n.name == "v") return v;
  const L a = value(*n.a, u, v);
  if (n.name == "^")
    // smooth powers of a base below zero are those of zero, up to where no box holds the base
    return n.number > 2.0 && n.number != 3.0 ? powl(fmaxl(a, 0), L(n.number))
                                             : powl(a, L(n.number));
  if (n.name == "shift") return a + L(n.number);
  if (n.b) {
    const L b = value(*n.b, u, v);
    switch (n.name[0]) {
      case '+':
        return a + b;
      case '-':
        return a - b;
      case '*':
        return a * b;
      case '/':
        return a / b;
      case 'a':
        return atan2l(a, b);
      default:
        return a > 0 ? powl(a, b) : std::numeric_limits<L>::quiet_NaN();
    }
  }
  constexpr std::array<L (*)(L), 12> kFunctions = {sinl,  cosl,  tanl,  asinl, acosl, atanl,
                                                   sinhl, coshl, tanhl, expl,  logl,  sqrtl};
  for (std::size_t k = 0; k < kUnary.size(); ++k)
    if (n.name == kUnary[k]) return kFunctions[k](a);
  ADD_FAILURE() << n.name;
  return 0;
}

bool bounded(const Jet2<Interval>& j) {
  for (const Interval& x : {j.f, j.u, j.v, j.uu, j.uv, j.vv})
    if (!std::isfinite(x.width())) return false;
  return true;
}

/// Up to what long doubles lose in quotients of differences.
bool holds(const Interval& x, L value, L loss) {
  return L(x.lo) - loss <= value && value <= L(x.hi) + loss;
}

/// One formula over one box: three places along each parameter.
void try_box(const Node& tree, const Expression& formula, Random& random) {
  const double w = std::pow(10.0, random.between(-3.0, 0.5));
  const double u0 = random.between(-2.0, 2.0), v0 = random.between(-2.0, 2.0);
  using J = Jet2<Interval>;
  const J box =
      formula.evaluate(J::variable_u(Interval(u0, u0 + w)), J::variable_v(Interval(v0, v0 + w)));
  if (!bounded(box)) return;
  std::array<L, 3> u, v;
  for (std::size_t k = 0; k < 3; ++k) {
    u[k] = L(u0) + L(w) * (L(k) + L(random.unit())) / 3;
    v[k] = L(v0) + L(w) * (L(k) + L(random.unit())) / 3;
  }
  std::array<std::array<L, 3>, 3> f;
  L size = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      f[i][k] = value(tree, u[i], v[k]);
      size = fmaxl(size, fabsl(f[i][k]));
      ASSERT_TRUE(std::isfinite(f[i][k])) << "bounds of what is not defined: " << text(tree);
      ASSERT_TRUE(holds(box.f, f[i][k], 0)) << text(tree);
    }
  constexpr L kLoss = 1e-16L;  // of the formula's values: three digits fewer than long doubles have
  if (!(u[1] - u[0] > 0.05L * L(w) && u[2] - u[1] > 0.05L * L(w) && v[1] - v[0] > 0.05L * L(w) &&
        v[2] - v[1] > 0.05L * L(w)))
    return;
  const L first = 100 * kLoss * (1 + size) / L(w), second = 10'000 * kLoss * (1 + size) / L(w * w);
  const auto slope = [](L a, L b, L x, L y) { return (b - a) / (y - x); };
  const L fu0 = slope(f[0][0], f[1][0], u[0], u[1]), fu1 = slope(f[1][0], f[2][0], u[1], u[2]);
  const L fv0 = slope(f[0][0], f[0][1], v[0], v[1]), fv1 = slope(f[0][1], f[0][2], v[1], v[2]);
  const L across = slope(f[0][1], f[1][1], u[0], u[1]);
  ASSERT_TRUE(holds(box.u, fu0, first) && holds(box.u, fu1, first)) << "u: " << text(tree);
  ASSERT_TRUE(holds(box.v, fv0, first) && holds(box.v, fv1, first)) << "v: " << text(tree);
  ASSERT_TRUE(holds(box.uu, 2 * (fu1 - fu0) / (u[2] - u[0]), second)) << "uu: " << text(tree);
  ASSERT_TRUE(holds(box.vv, 2 * (fv1 - fv0) / (v[2] - v[0]), second)) << "vv: " << text(tree);
  ASSERT_TRUE(holds(box.uv, (across - fu0) / (v[1] - v[0]), second)) << "uv: " << text(tree);
}

TEST(ExpressionEnclosure, bounded_enclosures_of_random_formulas_hold_what_they_claim) {
  constexpr int kFormulas = 6000, kBoxes = 20, kDepth = 3;
  Random random(20261118);
  for (int i = 0; i < kFormulas && !testing::Test::HasFatalFailure(); ++i) {
    const NodePtr tree = random_tree(random, kDepth);
    const auto formula = Expression::parse(text(*tree), {});
    ASSERT_TRUE(formula) << text(*tree) << ": " << formula.error().text();
    for (int k = 0; k < kBoxes && !testing::Test::HasFatalFailure(); ++k)
      try_box(*tree, *formula, random);
  }
}

/// The angle jumps across the negative x axis, and what is made of it without a jump has a kink.
TEST(ExpressionEnclosure, boxes_that_meet_the_cut_of_an_angle_have_no_bounded_derivatives) {
  using J = Jet2<Interval>;
  for (const char* formula : {"atan2(v, u)", "cos(0.5*atan2(v, u))", "atan2(v, u)^2"}) {
    const auto e = *Expression::parse(formula, {});
    const auto over = [&](Interval u, Interval v) {
      return e.evaluate(J::variable_u(u), J::variable_v(v));
    };
    EXPECT_FALSE(bounded(over({-2.0, -1.0}, {-0.1, 0.1}))) << formula;
    EXPECT_FALSE(bounded(over({-2.0, -1.0}, {0.0, 0.1}))) << formula;
    EXPECT_FALSE(bounded(over({-1.0, 0.0}, {-0.1, 0.0}))) << formula;
    EXPECT_TRUE(bounded(over({-2.0, -1.0}, {0.05, 0.1}))) << formula;
    EXPECT_TRUE(bounded(over({1.0, 2.0}, {-0.1, 0.1}))) << formula;
  }
}

}  // namespace
}  // namespace repose
