#include "repose/math/expression.h"

#include <array>

#include "repose/base/check.h"

#include "expression_parser.h"

namespace repose {
namespace {

double whole_power(double x, int n) {
  return std::pow(x, n);
}
template <class T>
Jet2<T> whole_power(const Jet2<T>& x, int n) {
  return pow_int(x, n);
}
/// Squares are common in formulas and a product is far cheaper than three powers.
Jet2<double> whole_power(const Jet2<double>& x, int n) {
  return n == 2 ? x * x : pow_int(x, n);
}

template <class T>
T apply_function(Expression::Op op, const T& a) {
  using std::acos, std::asin, std::atan, std::cos, std::cosh, std::exp, std::log, std::sin,
      std::sinh, std::sqrt, std::tan, std::tanh;
  using Op = Expression::Op;
  switch (op) {
    case Op::sin:
      return sin(a);
    case Op::cos:
      return cos(a);
    case Op::tan:
      return tan(a);
    case Op::asin:
      return asin(a);
    case Op::acos:
      return acos(a);
    case Op::atan:
      return atan(a);
    case Op::sinh:
      return sinh(a);
    case Op::cosh:
      return cosh(a);
    case Op::tanh:
      return tanh(a);
    case Op::exp:
      return exp(a);
    case Op::log:
      return log(a);
    case Op::sqrt:
      return sqrt(a);
    default:
      break;
  }
  REPOSE_CHECK(op == Op::negate);
  return -a;
}

template <class T>
T apply_binary(Expression::Op op, const T& a, const T& b) {
  using std::atan2, std::exp, std::log;
  using Op = Expression::Op;
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::atan2:
      return atan2(a, b);
    default:
      break;
  }
  REPOSE_CHECK(op == Op::power);
  return exp(b * log(a));
}

bool binary(Expression::Op op) {
  using Op = Expression::Op;
  return op == Op::add || op == Op::subtract || op == Op::multiply || op == Op::divide ||
         op == Op::atan2 || op == Op::power;
}

}  // namespace

double folded(Expression::Op op, double a, double b) {
  if (op == Expression::Op::power) return std::pow(a, b);
  return binary(op) ? apply_binary(op, a, b) : apply_function(op, a);
}

template <class T>
T Expression::evaluate(const T& u, const T& v) const {
  using std::pow;
  std::array<T, kLargestStack> stack;
  std::size_t top = 0;  // one past the last
  for (const Step& step : tape_) {
    switch (step.op) {
      case Op::constant:
        stack[top++] = T(step.number);
        break;
      case Op::u:
        stack[top++] = u;
        break;
      case Op::v:
        stack[top++] = v;
        break;
      case Op::power_whole:
        stack[top - 1] = whole_power(stack[top - 1], static_cast<int>(step.number));
        break;
      case Op::power_constant:
        stack[top - 1] = pow(stack[top - 1], step.number);
        break;
      default:
        if (binary(step.op)) {
          stack[top - 2] = apply_binary(step.op, stack[top - 2], stack[top - 1]);
          --top;
        } else {
          stack[top - 1] = apply_function(step.op, stack[top - 1]);
        }
    }
  }
  return stack[0];
}

template double Expression::evaluate(const double&, const double&) const;
template Jet2<double> Expression::evaluate(const Jet2<double>&, const Jet2<double>&) const;
template Jet2<Interval> Expression::evaluate(const Jet2<Interval>&, const Jet2<Interval>&) const;

}  // namespace repose
