#include "expression_parser.h"

#include <charconv>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace repose {
namespace {

using Op = Expression::Op;

struct Function {
  const char* name;
  Op op;
  int arguments;
};
constexpr Function kFunctions[] = {
    {"sin", Op::sin, 1},     {"cos", Op::cos, 1},   {"tan", Op::tan, 1},   {"asin", Op::asin, 1},
    {"acos", Op::acos, 1},   {"atan", Op::atan, 1}, {"sinh", Op::sinh, 1}, {"cosh", Op::cosh, 1},
    {"tanh", Op::tanh, 1},   {"exp", Op::exp, 1},   {"log", Op::log, 1},   {"sqrt", Op::sqrt, 1},
    {"atan2", Op::atan2, 2}, {"pow", Op::power, 2}};

constexpr const char* kOperand = "a number, u, v, pi, a parameter, a function or '('";

const Function* function_named(const std::string& name) {
  for (const Function& f : kFunctions)
    if (name == f.name) return &f;
  return nullptr;
}

std::string function_names() {
  std::string out;
  for (const Function& f : kFunctions) out += (out.empty() ? "" : " ") + std::string(f.name);
  return out;
}

bool letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool digit(char c) {
  return c >= '0' && c <= '9';
}

std::string shown(char c) {
  return c == '\0' ? "the end" : std::string("'") + c + "'";
}

/// A parameter must be usable by its name and mean one number.
std::optional<InputError> check_parameters(const std::map<std::string, double>& parameters) {
  for (const auto& [name, value] : parameters) {
    bool spelled = !name.empty() && letter(name[0]);
    for (const char c : name) spelled = spelled && (letter(c) || digit(c));
    InputError error;
    error.pointer = "/parameters/" + name;
    if (!spelled) {
      error.wrong = "not a usable name";
      error.right = "a letter, then letters, digits or _";
    } else if (name == "u" || name == "v" || name == "pi" || function_named(name)) {
      error.wrong = "the name is already taken";
      error.right = "a name other than u, v, pi and the functions";
    } else if (!std::isfinite(value)) {
      error.value = fmt::format("{}", value);
      error.wrong = "not a finite number";
      error.right = "a finite number";
    } else {
      continue;
    }
    return error;
  }
  return std::nullopt;
}

}  // namespace

Result<Expression> Expression::parse(const std::string& text,
                                     const std::map<std::string, double>& parameters) {
  return ExpressionParser(text, parameters).parse();
}

Result<Expression> ExpressionParser::parse() {
  if (auto error = check_parameters(parameters_)) return *error;
  if (text_.size() > kLongestFormula) {
    fail(kLongestFormula, "the formula is too long",
         fmt::format("at most {} characters", kLongestFormula));
    return *error_;
  }
  sum();
  if (!error_ && next() != '\0') fail(at_, "unexpected " + shown(next()), "an operator or the end");
  if (error_) return *error_;
  Expression out;
  out.tape_ = std::move(tape_);
  return out;
}

void ExpressionParser::sum() {
  if (!enter()) return;
  product();
  while (!error_ && (next() == '+' || next() == '-')) {
    const std::size_t column = at_;
    const Op op = text_[at_++] == '+' ? Op::add : Op::subtract;
    product();
    push_binary(op, column);
  }
  --depth_;
}

void ExpressionParser::product() {
  signed_part();
  while (!error_ && (next() == '*' || next() == '/')) {
    const std::size_t column = at_;
    const Op op = text_[at_++] == '*' ? Op::multiply : Op::divide;
    signed_part();
    push_binary(op, column);
  }
}

void ExpressionParser::signed_part() {
  if (!enter()) return;
  const std::size_t column = at_;
  if (take('-')) {
    signed_part();
    push_function(Op::negate, column);
  } else {
    power();
  }
  --depth_;
}

void ExpressionParser::power() {
  atom();
  if (error_ || next() != '^') return;
  const std::size_t column = at_++;
  signed_part();
  push_power(column);
}

void ExpressionParser::atom() {
  const char c = next();
  if (digit(c) || c == '.') return number();
  if (letter(c)) return name();
  if (take('(')) {
    sum();
    return expect(')', "an operator or ')'");
  }
  fail(at_, c == '\0' ? "the formula ends too early" : "unexpected " + shown(c), kOperand);
}

void ExpressionParser::number() {
  double value = 0.0;
  const char* begin = text_.data() + at_;
  const auto [end, status] = std::from_chars(begin, text_.data() + text_.size(), value);
  if (status != std::errc() || !std::isfinite(value))
    return fail(at_, "not a usable number", "a number such as 2, 0.5 or 3e4");
  at_ += static_cast<std::size_t>(end - begin);
  push_number(value);
}

void ExpressionParser::name() {
  const std::size_t start = at_;
  while (at_ < text_.size() && (letter(text_[at_]) || digit(text_[at_]))) ++at_;
  const std::string word = text_.substr(start, at_ - start);
  if (word == "u") return push_variable(Op::u);
  if (word == "v") return push_variable(Op::v);
  if (word == "pi") return push_number(std::numbers::pi);
  const auto parameter = parameters_.find(word);
  if (parameter != parameters_.end()) return push_number(parameter->second);
  if (function_named(word) || next() == '(') return call(word, start);
  fail(start, "unknown name '" + word + "'", kOperand);
}

void ExpressionParser::call(const std::string& name, std::size_t start) {
  const Function* function = function_named(name);
  if (!function) return fail(start, "unknown function '" + name + "'", function_names());
  expect('(', "'(' after the function's name");
  if (error_) return;
  sum();
  if (function->arguments == 2) {
    expect(',', "',' and a second argument");
    if (error_) return;
    sum();
  }
  expect(')', function->arguments == 2 ? "')' after two arguments" : "')' after one argument");
  if (function->op == Op::power) return push_power(start);
  if (function->arguments == 2) return push_binary(function->op, start);
  push_function(function->op, start);
}

void ExpressionParser::push_number(double value) {
  if (error_) return;
  if (++height_ > kLargestStack) return fail(at_, "too many open parts", "a simpler formula");
  tape_.push_back({Op::constant, value});
}

void ExpressionParser::push_variable(Op op) {
  push_number(0.0);
  if (!error_) tape_.back().op = op;
}

void ExpressionParser::push_function(Op op, std::size_t column) {
  if (error_) return;
  if (tape_.back().op != Op::constant) {
    tape_.push_back({op, 0.0});
    return;
  }
  const double value = Expression::folded(op, tape_.back().number, 0.0);
  if (!std::isfinite(value)) return fail(column, "the result is not finite", "a value in range");
  tape_.back().number = value;
}

void ExpressionParser::push_binary(Op op, std::size_t column) {
  if (error_) return;
  --height_;
  const std::size_t n = tape_.size();
  if (tape_[n - 1].op != Op::constant || tape_[n - 2].op != Op::constant) {
    tape_.push_back({op, 0.0});
    return;
  }
  const double value = Expression::folded(op, tape_[n - 2].number, tape_[n - 1].number);
  if (!std::isfinite(value)) return fail(column, "the result is not finite", "a value in range");
  tape_.pop_back();
  tape_.back().number = value;
}

void ExpressionParser::push_power(std::size_t column) {
  if (error_) return;
  const std::size_t n = tape_.size();
  const bool constant_exponent = tape_[n - 1].op == Op::constant;
  if (!constant_exponent || tape_[n - 2].op == Op::constant) return push_binary(Op::power, column);
  const double exponent = tape_.back().number;
  const bool whole =
      std::nearbyint(exponent) == exponent && std::fabs(exponent) <= kLargestWholePower;
  tape_.back() = {whole ? Op::power_whole : Op::power_constant, exponent};
  --height_;
}

char ExpressionParser::next() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool ExpressionParser::take(char wanted) {
  if (next() != wanted) return false;
  ++at_;
  return true;
}

void ExpressionParser::expect(char wanted, const char* right) {
  if (error_ || take(wanted)) return;
  const char c = next();
  fail(at_, c == '\0' ? "the formula ends too early" : "unexpected " + shown(c), right);
}

void ExpressionParser::fail(std::size_t position, std::string wrong, std::string right) {
  if (error_) return;
  constexpr std::size_t kShown = 40;
  InputError error;
  error.column = static_cast<int>(position) + 1;
  error.value = text_.size() <= kShown ? text_ : text_.substr(0, kShown) + "...";
  error.wrong = std::move(wrong) + fmt::format(" at column {}", error.column);
  error.right = std::move(right);
  error_ = std::move(error);
}

bool ExpressionParser::enter() {
  if (error_) return false;
  if (++depth_ <= kDeepestNesting) return true;
  fail(at_, "nested too deeply", fmt::format("at most {} levels", kDeepestNesting));
  return false;
}

}  // namespace repose
