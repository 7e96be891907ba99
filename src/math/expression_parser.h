#pragma once

#include <map>
#include <optional>
#include <string>

#include "repose/math/expression.h"

namespace repose {

/// Values a formula may hold at once while it is worked out.
inline constexpr std::size_t kLargestStack = 64;
/// Brackets, signs and powers inside one another.
inline constexpr int kDeepestNesting = 100;
/// Characters of one formula.
inline constexpr std::size_t kLongestFormula = 20000;
/// Whole exponents beyond this are taken as any other exponent.
inline constexpr double kLargestWholePower = 64.0;

/// Recursive descent over one formula; the first error stops it.
///   sum = product {(+|-) product};  product = signed {(*|/) signed};  signed = - signed | power;
///   power = atom [^ signed];  atom = number | name | name ( sum [, sum] ) | ( sum )
class ExpressionParser {
 public:
  ExpressionParser(const std::string& text, const std::map<std::string, double>& parameters)
      : text_(text), parameters_(parameters) {}

  Result<Expression> parse();

 private:
  using Op = Expression::Op;

  void sum();
  void product();
  void signed_part();
  void power();
  void atom();
  void number();
  void name();
  void call(const std::string& name, std::size_t start);

  /// Puts a step on the tape; steps on numbers alone are worked out at once.
  void push_number(double value);
  void push_variable(Op op);
  void push_function(Op op, std::size_t column);
  void push_binary(Op op, std::size_t column);
  void push_power(std::size_t column);

  char next();
  bool take(char wanted);
  void expect(char wanted, const char* right);
  void fail(std::size_t position, std::string wrong, std::string right);
  bool enter();

  const std::string& text_;
  const std::map<std::string, double>& parameters_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::size_t height_ = 0;
  std::vector<Expression::Step> tape_;
  std::optional<InputError> error_;
};

}  // namespace repose
