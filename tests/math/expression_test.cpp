#include "repose/math/expression.h"

#include <numbers>

#include <gtest/gtest.h>

#include "repose/base/random.h"

namespace repose {
namespace {

double value(const std::string& text, double u = 0.3, double v = -0.7,
             const std::map<std::string, double>& parameters = {{"a", 2.5}}) {
  const auto e = Expression::parse(text, parameters);
  EXPECT_TRUE(e) << text << ": " << (e ? "" : e.error().text());
  return e ? e->evaluate(u, v) : std::nan("");
}

TEST(Expression, follows_the_usual_precedence) {
  EXPECT_EQ(value("1+2*3"), 7.0);
  EXPECT_EQ(value("2*3^2"), 18.0);
  EXPECT_EQ(value("-2^2"), -4.0);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("2^3^2"), 512.0);
  EXPECT_EQ(value("8/4/2"), 1.0);
  EXPECT_EQ(value("5-3-1"), 1.0);
  EXPECT_EQ(value("(5-3)*-1"), -2.0);
  EXPECT_EQ(value(" a * u "), 2.5 * 0.3);
  EXPECT_EQ(value("1.5e1 + .5"), 15.5);
}

TEST(Expression, computes_every_function) {
  const double u = 0.3, v = -0.7;
  EXPECT_DOUBLE_EQ(value("sin(u)+cos(v)-tan(u*v)"), std::sin(u) + std::cos(v) - std::tan(u * v));
  EXPECT_DOUBLE_EQ(value("asin(u)+acos(v)+atan(v)"), std::asin(u) + std::acos(v) + std::atan(v));
  EXPECT_DOUBLE_EQ(value("sinh(u)*cosh(v)/tanh(v)"), std::sinh(u) * std::cosh(v) / std::tanh(v));
  EXPECT_DOUBLE_EQ(value("exp(u)*log(u)+sqrt(u)"), std::exp(u) * std::log(u) + std::sqrt(u));
  EXPECT_DOUBLE_EQ(value("atan2(v, u) + pi"), std::atan2(v, u) + std::numbers::pi);
  EXPECT_DOUBLE_EQ(value("u^v"), std::pow(u, v));
  EXPECT_DOUBLE_EQ(value("pow(u, 1.5)"), std::pow(u, 1.5));
  EXPECT_DOUBLE_EQ(value("v^3"), v * v * v);
}

TEST(Expression, jets_match_differences_and_lie_in_their_enclosures) {
  const auto e =
      *Expression::parse("sin(a*u)*exp(-v^2) + (2+u)^v / (3+cos(v)) - atan2(v,2+u)", {{"a", 1.7}});
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const double u = random.between(-1, 1), v = random.between(-1, 1), h = 1e-3;
    using J = Jet2<double>;
    const auto at = [&](double x, double y) {
      return e.evaluate(J::variable_u(x), J::variable_v(y));
    };
    const J j = at(u, v);
    const auto slope = [&](auto f) {
      return (8 * (f(h) - f(-h)) - f(2 * h) + f(-2 * h)) / (12 * h);
    };
    EXPECT_NEAR(j.u, slope([&](double s) { return e.evaluate(u + s, v); }), 1e-10);
    EXPECT_NEAR(j.v, slope([&](double s) { return e.evaluate(u, v + s); }), 1e-10);
    EXPECT_NEAR(j.uu, slope([&](double s) { return at(u + s, v).u; }), 1e-9);
    EXPECT_NEAR(j.uv, slope([&](double s) { return at(u + s, v).v; }), 1e-9);
    EXPECT_NEAR(j.vv, slope([&](double s) { return at(u, v + s).v; }), 1e-9);
    using JI = Jet2<Interval>;
    const double w = 1e-3;
    const JI box = e.evaluate(JI::variable_u({u - w, u + w}), JI::variable_v({v - w, v + w}));
    EXPECT_TRUE(box.f.contains(j.f) && box.u.contains(j.u) && box.v.contains(j.v) &&
                box.uu.contains(j.uu) && box.uv.contains(j.uv) && box.vv.contains(j.vv));
    EXPECT_LT(box.vv.width(), 0.5);
  }
}

void expect_error(const std::string& text, int column, const std::string& wrong) {
  const auto e = Expression::parse(text, {{"a", 1.0}});
  ASSERT_FALSE(e) << text;
  EXPECT_EQ(e.error().column, column) << text << ": " << e.error().text();
  EXPECT_NE(e.error().wrong.find(wrong), std::string::npos) << e.error().text();
  EXPECT_FALSE(e.error().right.empty()) << text;
}

TEST(Expression, errors_name_their_column) {
  expect_error("", 1, "ends");
  expect_error("1 +", 4, "ends");
  expect_error("1 + * u", 5, "'*'");
  expect_error("sin u", 5, "'u'");
  expect_error("2*(u+v", 7, "ends");
  expect_error("2*u)", 4, "')'");
  expect_error("u + w", 5, "'w'");
  expect_error("foo(u)", 1, "unknown function 'foo'");
  expect_error("atan2(u)", 8, "')'");
  expect_error("sin(u, v)", 6, "','");
  expect_error("u $ v", 3, "'$'");
  expect_error("2u", 2, "'u'");
  expect_error("u + 1e999", 5, "number");
  expect_error("u + 1/0", 6, "finite");
  expect_error("log(-1) * u", 1, "finite");
}

TEST(Expression, deep_nesting_and_endless_text_are_refused) {
  EXPECT_FALSE(Expression::parse(std::string(100000, '('), {}));
  EXPECT_FALSE(Expression::parse(std::string(15000, '('), {}));
  EXPECT_FALSE(Expression::parse(std::string(15000, '-') + "u", {}));
  std::string tower = "u";
  for (int i = 0; i < 3000; ++i) tower += "^u";
  EXPECT_FALSE(Expression::parse(tower, {}));
  std::string nested = "u";
  for (int i = 0; i < 90; ++i) nested = "u+(" + nested + ")";
  const auto deep = Expression::parse(nested, {});
  EXPECT_FALSE(deep);
}

TEST(Expression, parameters_with_bad_names_or_values_are_refused) {
  EXPECT_EQ(Expression::parse("u", {{"u", 1.0}}).error().pointer, "/parameters/u");
  EXPECT_EQ(Expression::parse("u", {{"2b", 1.0}}).error().pointer, "/parameters/2b");
  EXPECT_EQ(Expression::parse("u", {{"sin", 1.0}}).error().pointer, "/parameters/sin");
  EXPECT_FALSE(Expression::parse("u", {{"b", std::nan("")}}));
}

TEST(Expression, formulas_worked_out_together_have_the_values_of_each_alone) {
  const std::vector<Expression> each{
      *Expression::parse("a*(u/sqrt(1+u^2+v^2))*(2+sin(u*v))", {{"a", 3.0}}),
      *Expression::parse("(v/sqrt(1+u^2+v^2))-(2+sin(u*v))/a", {{"a", 3.0}}),
      *Expression::parse("7", {}), *Expression::parse("u", {}),
      *Expression::parse("2^u*0.5 + atan2(v, 3) + v^1.5", {})};
  const Formulas together(each);
  Random random(9);
  for (int i = 0; i < 50; ++i) {
    const double u = random.between(-1, 1), v = random.between(0.1, 1);
    using J = Jet2<double>;
    using I = Jet2<Interval>;
    std::vector<double> values(each.size());
    std::vector<J> jets(each.size());
    std::vector<I> boxes(each.size());
    together.evaluate(u, v, std::span<double>(values));
    together.evaluate(J::variable_u(u), J::variable_v(v), std::span<J>(jets));
    together.evaluate(I::variable_u({u - 0.01, u + 0.01}), I::variable_v(v), std::span<I>(boxes));
    for (std::size_t k = 0; k < each.size(); ++k) {
      const J alone = each[k].evaluate(J::variable_u(u), J::variable_v(v));
      EXPECT_EQ(values[k], each[k].evaluate(u, v));
      EXPECT_EQ(jets[k].f, alone.f);
      EXPECT_DOUBLE_EQ(jets[k].u, alone.u);
      EXPECT_DOUBLE_EQ(jets[k].uv, alone.uv);
      EXPECT_DOUBLE_EQ(jets[k].vv, alone.vv);
      EXPECT_TRUE(boxes[k].f.contains(alone.f) && boxes[k].uu.contains(alone.uu) &&
                  boxes[k].uv.contains(alone.uv));
    }
  }
}

}  // namespace
}  // namespace repose
