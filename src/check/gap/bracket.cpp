#include "check/gap/bracket.h"

#include <utility>

namespace repose::check {

GapStatus status_of(const GapBracket& bracket, double width, double enough, double closed) {
  return prove::gap_status(bracket.bracket(), {closed, width, enough});
}

GapStatus status_of(const GapBracket& bracket, double width, double enough) {
  return status_of(bracket, width, enough, width);
}

GapStatus status_of(const GapBracket& bracket, const GapSettings& settings, double size) {
  return status_of(bracket, settings.width * size, settings.enough * size);
}

GapBracket swapped(GapBracket bracket) {
  std::swap(bracket.point_a, bracket.point_b);
  bracket.normal_a_to_b = -bracket.normal_a_to_b;
  return bracket;
}

}  // namespace repose::check
