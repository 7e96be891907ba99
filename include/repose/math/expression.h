#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "repose/base/result.h"
#include "repose/math/jet.h"

namespace repose {

/// A formula of two variables u and v, named parameters and numbers:
///   + - * / ^, unary minus, parentheses, pi, and the functions sin cos tan asin acos atan sinh
///   cosh tanh exp log sqrt of one argument, atan2(y, x) and pow(x, p) of two.
/// ^ binds tightest and to the right, then unary minus, then * and /. A whole constant exponent
/// takes any base; any other exponent needs a positive base. Parts without u and v are numbers,
/// worked out once.
class Expression {
 public:
  /// An error carries the column (1-based) and says what was expected there.
  static Result<Expression> parse(const std::string& text,
                                  const std::map<std::string, double>& parameters);

  /// T is double, Jet2<double> or Jet2<Interval>.
  template <class T>
  T evaluate(const T& u, const T& v) const;

  enum class Op {
    constant,
    u,
    v,
    negate,
    add,
    subtract,
    multiply,
    divide,
    power_whole,
    power_constant,
    power,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    atan2,
    sinh,
    cosh,
    tanh,
    exp,
    log,
    sqrt
  };
  /// One step of the tape: takes its operands off a stack and puts its result there.
  struct Step {
    Op op = Op::constant;
    double number = 0.0;  // the constant, or the constant exponent
  };
  /// An operation on numbers; b is read by those of two.
  static double folded(Op op, double a, double b);

 private:
  friend class ExpressionParser;
  friend class Formulas;
  std::vector<Step> tape_;
};

/// Several formulas of the same u and v, worked out together: a part that occurs in more than one
/// place is worked out once, a factor or summand that is a number costs no derivatives.
class Formulas {
 public:
  Formulas() = default;
  explicit Formulas(std::span<const Expression> formulas);

  /// One value for each formula, in their order. T as for Expression. Requires: out is as long.
  template <class T>
  void evaluate(const T& u, const T& v, std::span<T> out) const;

 private:
  using Op = Expression::Op;
  /// A part: what it does and which earlier parts it takes; `number` as in Expression::Step, or the
  /// second summand or factor where b is -1.
  struct Part {
    Op op = Op::constant;
    int a = -1, b = -1;
    double number = 0.0;
  };

  int part_of(const Part& part);
  Part with_number(Part part) const;
  void leave_out_needless();
  template <class T>
  static void work_out(const Part& part, const T& u, const T& v, T* done, T& out);

  std::vector<Part> parts_;
  std::vector<int> results_;
};

}  // namespace repose
