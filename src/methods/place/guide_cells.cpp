#include "guide_cells.h"

namespace repose::place {
namespace {

constexpr double kShortest = 1e-3, kLongest = 4.0;  // over the bounding radius
constexpr int kHalvings = 12;
constexpr double kAspect = 4.0;

int cells_of(Surface& surface, double length) {
  int count = 0;
  std::vector<int> stack{surface.points()};
  while (!stack.empty()) {
    const int i = stack.back();
    stack.pop_back();
    const Cell& c = surface.cell(i);
    if (c.feature >= 0 && (c.radius <= length || !surface.can_split(i))) {
      ++count;
      continue;
    }
    const int first = surface.split(i, c.normal, kAspect);
    stack.push_back(first + 1);
    stack.push_back(first);
  }
  return count;
}

}  // namespace

double cell_length_for(Surface& surface, int triangles) {
  if (surface.points() < 0) return kLongest;
  double low = kShortest, high = kLongest;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = std::sqrt(low * high);
    (2 * cells_of(surface, middle * surface.bounding_radius()) > triangles ? low : high) = middle;
  }
  return high;
}

}  // namespace repose::place
