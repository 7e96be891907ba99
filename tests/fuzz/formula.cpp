// Bodies of formula patches: one patch a line, "x ; y ; z ; u0 ; u1 ; v0 ; v1".
#include <charconv>
#include <vector>

#include "repose/base/work.h"
#include "repose/shape/make.h"

#include "fuzz/driver.h"

namespace {

/// What an input may take: a fraction of a second.
constexpr std::uint64_t kWork = 1'000'000;

std::vector<std::string> cut(const std::string& text, char at) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == at)
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

double number(const std::string& text) {
  double out = 0.0;
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  std::from_chars(text.data() + first, text.data() + text.size(), out);
  return out;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  repose::shape::FormulaInput in;
  in.parameters = {{"a", 1.0}, {"r", 0.25}};
  for (const std::string& line : cut(std::string(data, data + size), '\n')) {
    auto fields = cut(line, ';');
    fields.resize(7);
    in.patches.push_back({fields[0], fields[1], fields[2], number(fields[3]), number(fields[4]),
                          number(fields[5]), number(fields[6])});
  }
  const repose::WorkLimit limit(kWork);
  try {
    static_cast<void>(repose::shape::make_formula(in));
  } catch (const repose::WorkSpent&) {
  }
  return 0;
}

repose::fuzz::Target repose::fuzz::target() {
  Target out;
  out.seeds = {
      "(a+r*cos(v))*cos(u);(a+r*cos(v))*sin(u);r*sin(v);0;6.283185307179586;0;6.283185307179586",
      "cos(v)*cos(u);cos(v)*sin(u);sin(v);-3.141592653589793;3.141592653589793;"
      "-1.5707963267948966;1.5707963267948966",
      "u;v;0;0;1;0;1\nu;v;1;0;1;0;1\nu;0;v;0;1;0;1\nu;1;v;0;1;0;1\n0;u;v;0;1;0;1\n1;u;v;0;1;0;1"};
  out.words = {"sin(",  "cos(",   "tan(",  "asin(", "acos(", "atan(",  "sinh(",  "cosh(",
               "tanh(", "exp(",   "log(",  "sqrt(", "pow(",  "atan2(", "^",      "-",
               "1e308", "1e-308", "1e6*u", "/0",    "(u-v)", "pi",     "((((((", "1e999"};
  return out;
}
