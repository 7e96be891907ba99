#include "repose/check/effort.h"

namespace repose::check {

namespace {

constexpr long Effort::*kCounts[] = {&Effort::pairs, &Effort::pieces, &Effort::supports,
                                     &Effort::steps, &Effort::rays,   &Effort::cells,
                                     &Effort::pivots};

}  // namespace

Effort& Effort::operator+=(const Effort& e) {
  for (const auto count : kCounts) this->*count += e.*count;
  return *this;
}

Effort operator-(const Effort& a, const Effort& b) {
  Effort out = a;
  for (const auto count : kCounts) out.*count -= b.*count;
  return out;
}

}  // namespace repose::check
