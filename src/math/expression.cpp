#include "repose/math/expression.h"

#include <algorithm>
#include <array>

#include "repose/base/check.h"

#include "expression_parser.h"
#include "packed_jet.h"

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
Jet2<Interval> whole_power(const Jet2<Interval>& x, int n) {
  return n == 2 ? square(x) : pow_int(x, n);
}

PackedJet<double> whole_power(const PackedJet<double>& x, int n) {
  return n == 2 ? x * x : PackedJet<double>(pow_int(x.jet(), n));
}
PackedJet<Interval> whole_power(const PackedJet<Interval>& x, int n) {
  return n == 2 ? square(x) : PackedJet<Interval>(pow_int(x.jet(), n));
}

double real_power(double x, double p) {
  return detail::power(x, p);
}
template <class T>
T real_power(const T& x, double p) {
  return pow(x, p);
}

double times(double number, double x) {
  return number * x;
}
double plus(double number, double x) {
  return number + x;
}

/// Functions that are rare in formulas.
template <class T>
T apply_rare(Expression::Op op, const T& a) {
  using std::acos, std::asin, std::atan, std::cosh, std::exp, std::log, std::sinh, std::tan,
      std::tanh;
  using Op = Expression::Op;
  switch (op) {
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
    default:
      break;
  }
  REPOSE_CHECK(op == Op::log);
  return log(a);
}
template <class T>
T apply_rare(Expression::Op op, const T& a, const T& b) {
  using std::atan2, std::exp, std::log;
  if (op == Expression::Op::atan2) return atan2(a, b);
  REPOSE_CHECK(op == Expression::Op::power);
  return exp(b * log(a));
}

/// Only the common ones are worth working on side by side.
template <class T>
PackedJet<T> apply_rare(Expression::Op op, const PackedJet<T>& a) {
  return PackedJet<T>(apply_rare(op, a.jet()));
}
template <class T>
PackedJet<T> apply_rare(Expression::Op op, const PackedJet<T>& a, const PackedJet<T>& b) {
  return PackedJet<T>(apply_rare(op, a.jet(), b.jet()));
}

template <class T>
T apply_function(Expression::Op op, const T& a) {
  using std::cos, std::sin, std::sqrt;
  using Op = Expression::Op;
  switch (op) {
    case Op::sin:
      return sin(a);
    case Op::cos:
      return cos(a);
    case Op::sqrt:
      return sqrt(a);
    case Op::negate:
      return -a;
    default:
      return apply_rare(op, a);
  }
}

template <class T>
T apply_binary(Expression::Op op, const T& a, const T& b) {
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
    default:
      return apply_rare(op, a, b);
  }
}

bool binary(Expression::Op op) {
  using Op = Expression::Op;
  return op == Op::add || op == Op::subtract || op == Op::multiply || op == Op::divide ||
         op == Op::atan2 || op == Op::power;
}

}  // namespace

double Expression::folded(Op op, double a, double b) {
  if (op == Op::power) return std::pow(a, b);
  return binary(op) ? apply_binary(op, a, b) : apply_function(op, a);
}

template <class T>
T Expression::evaluate(const T& u, const T& v) const {
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
        stack[top - 1] = real_power(stack[top - 1], step.number);
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

Formulas::Formulas(std::span<const Expression> formulas) {
  for (const Expression& formula : formulas) {
    std::vector<int> stack;
    for (const Expression::Step& step : formula.tape_) {
      Part part{step.op, -1, -1, step.number};
      const bool leaf = step.op == Op::constant || step.op == Op::u || step.op == Op::v;
      if (binary(step.op)) {
        part.b = stack.back();
        stack.pop_back();
      }
      if (!leaf) {
        part.a = stack.back();
        stack.pop_back();
      }
      stack.push_back(part_of(with_number(part)));
    }
    REPOSE_CHECK(stack.size() == 1);
    results_.push_back(stack.front());
  }
  leave_out_needless();
}

/// A sum or product with a number keeps the number itself: its second operand is -1.
Formulas::Part Formulas::with_number(Part part) const {
  if (part.op != Op::add && part.op != Op::multiply) return part;
  const auto is_number = [&](int i) {
    return parts_[static_cast<std::size_t>(i)].op == Op::constant;
  };
  if (!is_number(part.a) && !is_number(part.b)) return part;
  if (is_number(part.a)) std::swap(part.a, part.b);
  part.number = parts_[static_cast<std::size_t>(part.b)].number;
  part.b = -1;
  return part;
}

void Formulas::leave_out_needless() {
  std::vector<int> place(parts_.size(), -1);  // among those that stay; 0: needed
  for (const int i : results_) place[static_cast<std::size_t>(i)] = 0;
  for (std::size_t i = parts_.size(); i-- > 0;)
    for (const int of : {parts_[i].a, parts_[i].b})
      if (place[i] == 0 && of >= 0) place[static_cast<std::size_t>(of)] = 0;
  std::vector<Part> kept;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (place[i] < 0) continue;
    place[i] = static_cast<int>(kept.size());
    Part part = parts_[i];
    for (int* of : {&part.a, &part.b})
      if (*of >= 0) *of = place[static_cast<std::size_t>(*of)];
    kept.push_back(part);
  }
  parts_ = std::move(kept);
  for (int& i : results_) i = place[static_cast<std::size_t>(i)];
}

/// The part among those already known, or a new one.
int Formulas::part_of(const Part& part) {
  const auto same = std::find_if(parts_.begin(), parts_.end(), [&](const Part& p) {
    return p.op == part.op && p.a == part.a && p.b == part.b && p.number == part.number &&
           std::signbit(p.number) == std::signbit(part.number);
  });
  if (same != parts_.end()) return static_cast<int>(same - parts_.begin());
  parts_.push_back(part);
  return static_cast<int>(parts_.size()) - 1;
}

template <class T>
void Formulas::work_out(const Part& part, const T& u, const T& v, T* done, T& out) {
  switch (part.op) {
    case Op::constant:
      out = T(part.number);
      return;
    case Op::u:
      out = u;
      return;
    case Op::v:
      out = v;
      return;
    case Op::power_whole:
      out = whole_power(done[part.a], static_cast<int>(part.number));
      return;
    case Op::power_constant:
      out = real_power(done[part.a], part.number);
      return;
    case Op::add:
      out = part.b < 0 ? plus(part.number, done[part.a]) : done[part.a] + done[part.b];
      return;
    case Op::multiply:
      out = part.b < 0 ? times(part.number, done[part.a]) : done[part.a] * done[part.b];
      return;
    default:
      out = binary(part.op) ? apply_binary(part.op, done[part.a], done[part.b])
                            : apply_function(part.op, done[part.a]);
  }
}

namespace {

double packed(double x) {
  return x;
}
template <class T>
PackedJet<T> packed(const Jet2<T>& x) {
  return PackedJet<T>(x);
}
double unpacked(double x) {
  return x;
}
template <class T>
Jet2<T> unpacked(const PackedJet<T>& x) {
  return x.jet();
}

}  // namespace

template <class T>
void Formulas::evaluate(const T& u, const T& v, std::span<T> out) const {
  using P = decltype(packed(u));
  thread_local std::vector<P> room;
  if (room.size() < parts_.size()) room.resize(parts_.size());
  P* const done = room.data();
  const P pu = packed(u), pv = packed(v);
  P* next = done;
  for (const Part& part : parts_) work_out(part, pu, pv, done, *next++);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = unpacked(done[static_cast<std::size_t>(results_[i])]);
}

template void Formulas::evaluate(const double&, const double&, std::span<double>) const;
template void Formulas::evaluate(const Jet2<double>&, const Jet2<double>&,
                                 std::span<Jet2<double>>) const;
template void Formulas::evaluate(const Jet2<Interval>&, const Jet2<Interval>&,
                                 std::span<Jet2<Interval>>) const;
template double Expression::evaluate(const double&, const double&) const;
template Jet2<double> Expression::evaluate(const Jet2<double>&, const Jet2<double>&) const;
template Jet2<Interval> Expression::evaluate(const Jet2<Interval>&, const Jet2<Interval>&) const;

}  // namespace repose
