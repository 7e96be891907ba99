#include "fit.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "repose/base/at.h"

namespace repose::surfel {

namespace {

/// The kernel ends so much farther out than the farthest neighbour.
constexpr double kKernelReach = 1.3;
/// Phyxels that carry a ball (fewer: large weights of both signs).
constexpr int kCarriers = 20;
/// Weights of either sign whose sizes sum up beyond this carry badly.
constexpr double kMostWeights = 20.0;
/// Moments of a neighbourhood: determinant over the cube of the mean below which it is flat.
constexpr double kFlat = 1e-6;
/// A point nearer to a phyxel than this share of the kernel's reach is that phyxel's place.
constexpr double kSamePlace = 1e-9;

using Vec4 = Eigen::Vector4d;
using Mat4 = Eigen::Matrix4d;

/// (1 - (d/h)^2)^3, the paper's kernel without its factor.
double kernel(double squared, double reach) {
  const double u = 1.0 - squared / (reach * reach);
  return u > 0.0 ? u * u * u : 0.0;
}

}  // namespace

std::optional<std::vector<std::vector<Neighbour>>> fit_neighbours(const std::vector<Vec3>& rest,
                                                                  int count, int& flat) {
  const collide::NearestPoints grid(rest);
  std::vector<std::vector<Neighbour>> out(rest.size());
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const std::vector<int> near = grid.nearest(rest[i], count, static_cast<int>(i));
    const double reach =
        near.empty() ? 1.0 : kKernelReach * (rest[at(near.back())] - rest[i]).norm();
    Mat3 moments = Mat3::Zero();
    std::vector<double> weights;
    for (const int j : near) {
      const Vec3 way = rest[at(j)] - rest[i];
      weights.push_back(kernel(way.squaredNorm(), reach));
      moments += weights.back() * way * way.transpose();
    }
    const double mean = moments.trace() / 3.0;
    if (!(moments.determinant() > kFlat * mean * mean * mean)) {
      flat = static_cast<int>(i);
      return std::nullopt;
    }
    const Mat3 inverse = moments.inverse();
    for (std::size_t k = 0; k < near.size(); ++k) {
      Neighbour n;
      n.j = near[k];
      n.way = rest[at(n.j)] - rest[i];
      n.slope = weights[k] * (inverse * n.way);
      n.pull = n.dash = weights[k] / moments.trace();
      out[i].push_back(n);
    }
  }
  return out;
}

std::vector<Carrier> fit_carriers(const std::vector<Vec3>& rest, const collide::NearestPoints& grid,
                                  const Vec3& point) {
  const std::vector<int> near = grid.nearest(point, kCarriers);
  std::vector<Carrier> out;
  if (near.empty()) return out;
  const double reach = kKernelReach * (rest[at(near.back())] - point).norm();
  if (!(reach > 0.0)) return out;
  const auto base = [&](int j) {
    Vec4 p;
    p << 1.0, (rest[at(j)] - point) / reach;
    return p;
  };
  Mat4 moments = Mat4::Zero();
  for (const int j : near) {
    const Vec4 p = base(j);
    moments += kernel((rest[at(j)] - point).squaredNorm(), reach) * p * p.transpose();
  }
  const Eigen::FullPivLU<Mat4> solver(moments);
  if (!(std::fabs(solver.determinant()) > std::pow(kFlat * moments.trace(), 3) * moments.trace()))
    return out;
  const Mat4 inverse = solver.inverse();
  for (const int j : near) {
    const Vec4 p = base(j);
    const Vec4 shape = kernel((rest[at(j)] - point).squaredNorm(), reach) * (inverse * p);
    out.push_back({j, shape[0], shape.tail<3>() / reach});
  }
  // a ball about a phyxel goes with it, not with the mean of its neighbours
  if ((rest[at(near.front())] - point).norm() <= kSamePlace * reach)
    for (Carrier& carrier : out) carrier.weight = carrier.phyxel == near.front() ? 1.0 : 0.0;
  return out;
}

bool carries_well(const std::vector<Carrier>& carriers) {
  double sizes = 0.0;
  for (const Carrier& carrier : carriers) sizes += std::fabs(carrier.weight);
  return sizes <= kMostWeights;
}

}  // namespace repose::surfel
