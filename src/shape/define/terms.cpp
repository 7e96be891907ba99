#include "shape/define/terms.h"

namespace repose::shape {
namespace {

void narrow(Interval& value, Interval other) {
  const Interval both = meet(value, other);
  if (both.lo <= both.hi) value = both;
}

}  // namespace

PatchEnclosure narrowed(const PatchEnclosure& over_box, const PatchEnclosure& center,
                        const UvBox& box) {
  PatchEnclosure out = over_box;
  const Vec2 middle = box.center();
  const Interval du = Interval(box.u0, box.u1) - Interval(middle[0]);
  const Interval dv = Interval(box.v0, box.v1) - Interval(middle[1]);
  for (std::size_t k = 0; k < 3; ++k) {
    narrow(out.su[k], center.su[k] + out.suu[k] * du + out.suv[k] * dv);
    narrow(out.sv[k], center.sv[k] + out.suv[k] * du + out.svv[k] * dv);
    narrow(out.s[k], center.s[k] + out.su[k] * du + out.sv[k] * dv);
  }
  return out;
}

}  // namespace repose::shape
