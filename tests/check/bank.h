#pragma once

#include <bit>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "repose/check/verdict.h"
#include "repose/poses/poses.h"

#include "places.h"
#include "src/check/verdict/tally.h"

// The judge's answers and effort, written down in bank.txt. The judge is the same to the bit
// whatever compiler built it, so that any change of what it does is seen here, also one that only
// makes it slower or its bounds a little wider. A change that is meant is recorded by
//   REPOSE_WRITE_BANK=1 build/release/tests/test_check --gtest_filter='Bank*:*/Bank*'
namespace repose::check {

/// One case: words and numbers to read, and a hash of the bits of everything else.
class BankLine {
 public:
  explicit BankLine(std::string name) : name_(std::move(name)), before_(tally) {}

  BankLine& add(const char* key, double value) {
    text_ += fmt::format(" {}={:.11g}", key, value);
    return bits(value);
  }
  BankLine& add(const char* key, const char* word) {
    text_ += fmt::format(" {}={}", key, word);
    return *this;
  }
  BankLine& bits(double value) {
    mix(std::bit_cast<std::uint64_t>(value == 0.0 ? 0.0 : value));
    return *this;
  }
  BankLine& count(std::size_t n) {
    mix(n);
    return *this;
  }
  template <class Derived>
  BankLine& bits(const Eigen::MatrixBase<Derived>& m) {
    for (Eigen::Index i = 0; i < m.rows(); ++i)
      for (Eigen::Index j = 0; j < m.cols(); ++j) bits(static_cast<double>(m(i, j)));
    return *this;
  }
  BankLine& bits(const GapBracket& g) {
    add("gap", to_text(g.status)).add("lower", g.lower).add("upper", g.upper);
    bits(g.point_a).bits(g.point_b).bits(g.normal_a_to_b);
    return count(static_cast<std::size_t>(g.tests));
  }
  BankLine& bits(const std::vector<ContactPoint>& contacts) {
    add("contacts", static_cast<double>(contacts.size()));
    for (const ContactPoint& c : contacts) {
      bits(c.point).bits(c.normal_a_to_b).bits(c.gap).bits(c.friction);
      bits(c.curvature_a).bits(c.curvature_b);
      mix(static_cast<std::uint64_t>(c.body_a + 1) << 32 | static_cast<unsigned>(c.body_b + 1));
    }
    return *this;
  }
  BankLine& bits(const Screw& s) {
    return bits(s.body).bits(s.velocity).bits(s.angular).bits(s.power);
  }

  /// Instead of what this thread spends: of work on several.
  BankLine& took(const Effort& effort) {
    took_ = effort;
    return *this;
  }

  const std::string& name() const { return name_; }
  /// Ends the count of effort.
  void close() {
    if (!closed_.empty()) return;
    const Effort e = took_.value_or(tally - before_);
    closed_ = fmt::format("{} spent={}/{}/{}/{}/{}/{}/{} #{:016x}", text_, e.pairs, e.pieces,
                          e.supports, e.steps, e.rays, e.cells, e.pivots, hash_);
  }
  const std::string& text() const { return closed_; }

 private:
  void mix(std::uint64_t x) {
    hash_ = (hash_ ^ x) * 0x9E3779B97F4A7C15ULL;
    hash_ ^= hash_ >> 29;
  }

  std::string name_, text_, closed_;
  std::uint64_t hash_ = 1;
  Effort before_;
  std::optional<Effort> took_;
};

/// The lines of one test, compared with the record when the test ends.
class Bank {
 public:
  explicit Bank(std::string section) : section_(std::move(section)) {}
  Bank(const Bank&) = delete;
  Bank& operator=(const Bank&) = delete;
  ~Bank() {
    if (!lines_.empty()) lines_.back().close();
    if (std::getenv("REPOSE_WRITE_BANK"))
      write();
    else
      compare();
  }
  /// Begins a line and ends the one before it.
  BankLine& line(const std::string& name) {
    if (!lines_.empty()) lines_.back().close();
    return lines_.emplace_back(section_ + ": " + name);
  }

 private:
  using Record = std::map<std::string, std::string>;
  static std::string path() { return std::string(tests::source_dir()) + "/tests/check/bank.txt"; }
  static Record read() {
    Record out;
    std::ifstream in(path());
    for (std::string line; std::getline(in, line);)
      if (const auto at = line.find(" |"); at != std::string::npos)
        out[line.substr(0, at)] = line.substr(at + 2);
    return out;
  }
  /// What the mathematical library makes of a few numbers; another one may round otherwise.
  static std::string library() {
    BankLine line("");
    for (int k = 1; k < 400; ++k) {
      const double x = 0.0173 * k;
      for (const double y :
           {std::sin(x), std::cos(x), std::tan(x), std::atan2(x, 1.3), std::exp(x), std::log(x),
            std::pow(x, 0.37), std::acos(x / 8.0), std::hypot(x, 0.7)})
        line.bits(y);
    }
    line.close();
    return line.text().substr(line.text().find('#'));
  }
  /// The same up to rounding: words alike, numbers near, effort and bits left out.
  static bool near(const std::string& recorded, const std::string& now) {
    constexpr double kNear = 1e-9;
    std::istringstream a(recorded), b(now);
    for (std::string x, y;;) {
      const bool more_a = static_cast<bool>(a >> x), more_b = static_cast<bool>(b >> y);
      if (!more_a || !more_b) return more_a == more_b;
      if (x == y || x[0] == '#' || x.starts_with("spent=")) continue;
      const auto at = x.find('=');
      if (x.substr(0, at) != y.substr(0, at)) return false;
      char* end = nullptr;
      const double p = std::strtod(x.c_str() + at + 1, &end), q = std::atof(y.c_str() + at + 1);
      if (*end || !(std::fabs(p - q) <= kNear * std::max(1.0, std::fabs(p)))) return false;
    }
  }
  void compare() {
    const Record record = read();
    const auto signature = record.find("library");
    const bool to_the_bit = signature != record.end() && signature->second == " " + library();
    std::size_t wrong = 0, known = 0;
    for (const auto& [name, text] : record) known += name.starts_with(section_ + ": ");
    EXPECT_EQ(known, lines_.size()) << section_ << ": the record has other cases";
    for (const BankLine& line : lines_) {
      const auto found = record.find(line.name());
      const std::string was = found == record.end() ? " (nothing)" : found->second;
      if (was == line.text() || (!to_the_bit && near(was, line.text()))) continue;
      constexpr std::size_t kShown = 3;
      if (++wrong <= kShown)
        ADD_FAILURE() << line.name() << "\n  recorded" << was << "\n  now     " << line.text();
    }
    EXPECT_EQ(wrong, 0u) << "answers or effort changed (spent = pairs/pieces/supports/steps/rays/"
                            "cells/pivots); if that is meant, record them:\n  REPOSE_WRITE_BANK=1 "
                            "build/release/tests/test_check --gtest_filter='Bank*:*/Bank*'";
  }
  void write() {
    Record record = read();
    std::erase_if(record, [&](const auto& r) { return r.first.starts_with(section_ + ": "); });
    for (const BankLine& line : lines_) record[line.name()] = line.text();
    record["library"] = " " + library();
    std::ofstream out(path());
    out << "# Written by REPOSE_WRITE_BANK=1 test_check --gtest_filter='Bank*:*/Bank*', see "
           "bank.h\n"
           "# spent=pairs/pieces/supports/steps/rays/cells/pivots #hash of all other results\n";
    for (const auto& [name, text] : record) out << name << " |" << text << "\n";
  }

  std::string section_;
  std::deque<BankLine> lines_;
};

}  // namespace repose::check
