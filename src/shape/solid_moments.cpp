#include "solid_moments.h"

#include <algorithm>
#include <cmath>

#include "repose/math/quadrature.h"

namespace repose::shape {
namespace {

constexpr int kNodes = 10;
/// Area counts this much less than volume when deciding where to refine.
constexpr double kAreaShare = 1e-2;

struct Cell {
  int face = 0;
  UvBox box;
  Moments moments;  // sum over the four quarters
  std::array<Moments, 4> quarters;
  double error = 0.0;  // difference between the quarters' sum and the whole
  int order = 0;       // of making: breaks ties
};

bool less_urgent(const Cell& a, const Cell& b) {
  return a.error != b.error ? a.error < b.error : a.order > b.order;
}

Moments integrate(const Face& face, const UvBox& box, const Vec3& reference) {
  static const QuadratureRule kRule = gauss_legendre(kNodes);
  const double hu = 0.5 * (box.u1 - box.u0), hv = 0.5 * (box.v1 - box.v0);
  Moments sum;
  for (int i = 0; i < kNodes; ++i)
    for (int j = 0; j < kNodes; ++j) {
      const PatchJet s = face.patch->jet(box.u0 + hu * (1.0 + kRule.nodes[i]),
                                         box.v0 + hv * (1.0 + kRule.nodes[j]));
      const double weight = hu * hv * kRule.weights[i] * kRule.weights[j];
      sum += surface_element(s.s - reference, weight * face.outward * s.su.cross(s.sv));
    }
  return sum;
}

std::array<UvBox, 4> quarters_of(const UvBox& b) {
  const Vec2 c = b.center();
  return {UvBox{b.u0, c.x(), b.v0, c.y()}, UvBox{c.x(), b.u1, b.v0, c.y()},
          UvBox{b.u0, c.x(), c.y(), b.v1}, UvBox{c.x(), b.u1, c.y(), b.v1}};
}

Cell make_cell(const Part& part, int face, const UvBox& box, const Moments& whole,
               const Vec3& reference, double size, int order) {
  Cell cell{face, box, {}, {}, 0.0, order};
  const auto boxes = quarters_of(box);
  for (int q = 0; q < 4; ++q) {
    cell.quarters[q] = integrate(part.faces[face], boxes[q], reference);
    cell.moments += cell.quarters[q];
  }
  cell.error = moment_distance(cell.moments, whole, size);
  return cell;
}

}  // namespace

double moment_distance(const Moments& a, const Moments& b, double size) {
  const double s3 = size * size * size;
  return std::max({kAreaShare * std::fabs(a.area - b.area) / (size * size),
                   std::fabs(a.volume - b.volume) / s3,
                   (a.first - b.first).cwiseAbs().maxCoeff() / (s3 * size),
                   (a.second - b.second).cwiseAbs().maxCoeff() / (s3 * size * size)});
}

VolumeProperties part_properties(const Part& part, const Vec3& reference, double size,
                                 const QuadratureSettings& settings) {
  std::vector<Cell> heap;
  int made = 0;
  double error = 0.0;
  const auto push = [&](int face, const UvBox& box, const Moments& whole) {
    heap.push_back(make_cell(part, face, box, whole, reference, size, made++));
    error += heap.back().error;
    std::push_heap(heap.begin(), heap.end(), less_urgent);
  };
  for (int f = 0; f < static_cast<int>(part.faces.size()); ++f) {
    const UvBox domain = part.faces[f].patch->domain();
    push(f, domain, integrate(part.faces[f], domain, reference));
  }
  while (error > settings.tolerance && made < settings.max_cells) {
    std::pop_heap(heap.begin(), heap.end(), less_urgent);
    const Cell cell = heap.back();
    heap.pop_back();
    error -= cell.error;
    const auto boxes = quarters_of(cell.box);
    for (int q = 0; q < 4; ++q) push(cell.face, boxes[q], cell.quarters[q]);
  }
  // sum in order of making, afresh: the running error has lost digits
  std::sort(heap.begin(), heap.end(),
            [](const Cell& a, const Cell& b) { return a.order < b.order; });
  Moments sum;
  error = 0.0;
  for (const Cell& cell : heap) sum += cell.moments, error += cell.error;
  VolumeProperties out = properties_from(sum, reference);
  out.error = out.volume > 0.0 ? error * size * size * size / out.volume : 0.0;
  return out;
}

}  // namespace repose::shape
