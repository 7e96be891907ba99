#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace repose {

/// Whole numbers of any size by schoolbook arithmetic, as an oracle for exact signs.
class Integer {
 public:
  Integer() = default;
  /// value * 2^shift, which must be whole.
  explicit Integer(double value, int shift = kShift) {
    int exponent = 0;
    const double half = std::frexp(std::fabs(value), &exponent);
    auto mantissa = static_cast<std::uint64_t>(std::ldexp(half, 53));
    negative_ = value < 0.0;
    int up = exponent - 53 + shift;
    for (; up < 0; ++up) mantissa /= 2;
    digits_.assign(static_cast<std::size_t>(up / 32), 0);
    // 53 bits moved by up to 31 places take three digits
    const int by = up % 32;
    digits_.push_back(static_cast<std::uint32_t>(mantissa << by));
    digits_.push_back(static_cast<std::uint32_t>((mantissa << by) >> 32));
    digits_.push_back(by > 0 ? static_cast<std::uint32_t>(mantissa >> (64 - by)) : 0);
    trim();
  }
  int sign() const { return digits_.empty() ? 0 : negative_ ? -1 : 1; }
  Integer operator-() const {
    Integer out = *this;
    out.negative_ = !negative_;
    return out;
  }
  friend Integer operator*(const Integer& a, const Integer& b) {
    Integer out;
    out.negative_ = a.negative_ != b.negative_;
    out.digits_.assign(a.digits_.size() + b.digits_.size(), 0);
    for (std::size_t i = 0; i < a.digits_.size(); ++i) {
      std::uint64_t carry = 0;
      for (std::size_t j = 0; j < b.digits_.size() || carry; ++j) {
        const std::uint64_t other = j < b.digits_.size() ? b.digits_[j] : 0;
        carry += out.digits_[i + j] + a.digits_[i] * other;
        out.digits_[i + j] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
    }
    out.trim();
    return out;
  }
  friend Integer operator+(const Integer& a, const Integer& b) {
    if (a.negative_ != b.negative_) {
      const bool less = smaller(a, b);
      return less ? taken(b, a) : taken(a, b);
    }
    Integer out = a;
    std::uint64_t carry = 0;
    out.digits_.resize(std::max(a.digits_.size(), b.digits_.size()) + 1, 0);
    for (std::size_t i = 0; i < out.digits_.size(); ++i) {
      carry += out.digits_[i] + std::uint64_t{i < b.digits_.size() ? b.digits_[i] : 0};
      out.digits_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    out.trim();
    return out;
  }
  friend Integer operator-(const Integer& a, const Integer& b) { return a + -b; }

  /// a / b, to within a few units in the last place of a long double.
  friend long double ratio(const Integer& a, const Integer& b) {
    const auto leading = [](const Integer& x, int& exponent) {
      long double out = 0.0L;
      const std::size_t n = x.digits_.size(), first = n > 4 ? n - 4 : 0;
      for (std::size_t i = n; i-- > first;) out = out * 0x1p32L + x.digits_[i];
      exponent = 32 * static_cast<int>(first);
      return x.negative_ ? -out : out;
    };
    int up = 0, down = 0;
    const long double over = leading(a, up), under = leading(b, down);
    return std::ldexp(over / under, up - down);
  }

  /// Doubles down to 2^-200 in the last place are whole when multiplied by 2^kShift.
  static constexpr int kShift = 200;

 private:
  static bool smaller(const Integer& a, const Integer& b) {
    if (a.digits_.size() != b.digits_.size()) return a.digits_.size() < b.digits_.size();
    for (std::size_t i = a.digits_.size(); i-- > 0;)
      if (a.digits_[i] != b.digits_[i]) return a.digits_[i] < b.digits_[i];
    return false;
  }
  /// |large| - |small| with the sign of large.
  static Integer taken(const Integer& large, const Integer& small) {
    Integer out = large;
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < out.digits_.size(); ++i) {
      std::int64_t d = std::int64_t{out.digits_[i]} - borrow;
      d -= i < small.digits_.size() ? std::int64_t{small.digits_[i]} : 0;
      borrow = d < 0;
      out.digits_[i] = static_cast<std::uint32_t>(d + (borrow << 32));
    }
    out.trim();
    return out;
  }
  void trim() {
    while (!digits_.empty() && digits_.back() == 0) digits_.pop_back();
    if (digits_.empty()) negative_ = false;
  }

  std::vector<std::uint32_t> digits_;  // least first
  bool negative_ = false;
};

}  // namespace repose
