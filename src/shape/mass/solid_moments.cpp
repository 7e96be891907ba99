#include "shape/mass/solid_moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "repose/base/work.h"
#include "repose/math/quadrature.h"

namespace repose::shape {
namespace {

constexpr int kNodes = 10;
/// Area counts this much less than volume when deciding where to refine.
constexpr double kAreaShare = 1e-2;

struct Cell {
  int face = 0;
  HalvedMoments halved;
  int order = 0;  // of making: breaks ties
};

bool less_urgent(const Cell& a, const Cell& b) {
  return a.halved.error != b.halved.error ? a.halved.error < b.halved.error : a.order > b.order;
}

Moments integrate(const Face& face, const UvBox& box, const Vec3& reference) {
  static const QuadratureRule kRule = gauss_legendre(kNodes);
  const double hu = 0.5 * (box.u1 - box.u0), hv = 0.5 * (box.v1 - box.v0);
  spend_work(kNodes * kNodes);
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

}  // namespace

double moment_distance(const Moments& a, const Moments& b, double size) {
  const double s3 = size * size * size;
  return std::max({kAreaShare * std::fabs(a.area - b.area) / (size * size),
                   std::fabs(a.volume - b.volume) / s3,
                   (a.first - b.first).cwiseAbs().maxCoeff() / (s3 * size),
                   (a.second - b.second).cwiseAbs().maxCoeff() / (s3 * size * size)});
}

HalvedMoments halved(const UvBox& box, const Moments& whole, double size,
                     const std::function<Moments(const UvBox&)>& integral) {
  const Vec2 c = box.center();
  const std::array<std::array<UvBox, 2>, 2> ways{
      std::array{UvBox{box.u0, c.x(), box.v0, box.v1}, UvBox{c.x(), box.u1, box.v0, box.v1}},
      std::array{UvBox{box.u0, box.u1, box.v0, c.y()}, UvBox{box.u0, box.u1, c.y(), box.v1}}};
  HalvedMoments out;
  out.error = -1.0;
  for (const auto& way : ways) {
    const std::array<Moments, 2> halves{integral(way[0]), integral(way[1])};
    Moments both = halves[0];
    both += halves[1];
    const double error = moment_distance(both, whole, size);
    if (error > out.error) out = {way, halves, both, error};
  }
  return out;
}

VolumeProperties part_properties(const Part& part, const Vec3& reference, double size,
                                 const QuadratureSettings& settings) {
  const WorkStage stage("integrating its volume");
  std::vector<Cell> heap;
  int made = 0;
  double error = 0.0;
  const auto push = [&](int face, const UvBox& box, const Moments& whole) {
    const auto integral = [&](const UvBox& b) { return integrate(part.faces[face], b, reference); };
    heap.push_back({face, halved(box, whole, size, integral), made++});
    error += heap.back().halved.error;
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
    error -= cell.halved.error;
    for (int h = 0; h < 2; ++h) push(cell.face, cell.halved.boxes[h], cell.halved.halves[h]);
  }
  // sum in order of making, afresh: the running error has lost digits
  std::sort(heap.begin(), heap.end(),
            [](const Cell& a, const Cell& b) { return a.order < b.order; });
  Moments sum;
  error = 0.0;
  for (const Cell& cell : heap) sum += cell.halved.both, error += cell.halved.error;
  VolumeProperties out = properties_from(sum, reference);
  out.error = out.volume > 0.0 ? error * size * size * size / out.volume : 0.0;
  return out;
}

}  // namespace repose::shape
