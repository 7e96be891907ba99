#include <algorithm>
#include <cmath>

#include "check/exact/rounding.h"
#include "check/gap/convex_body.h"

namespace repose::check {

namespace {

using Fine = Eigen::Matrix<long double, 3, 1>;
using Polygon = std::vector<Fine>;

/// The part of a convex polygon with sign * x[axis] <= half.
Polygon within(const Polygon& in, int axis, double sign, double half) {
  Polygon out;
  const auto room = [&](const Fine& p) -> long double { return half - sign * p[axis]; };
  for (std::size_t k = 0; k < in.size(); ++k) {
    const Fine &p = in[k], &q = in[(k + 1) % in.size()];
    const long double at_p = room(p), at_q = room(q);
    if (at_p >= 0.0) out.push_back(p);
    if ((at_p > 0.0 && at_q < 0.0) || (at_p < 0.0 && at_q > 0.0))
      out.push_back(p + (q - p) * (at_p / (at_p - at_q)));
  }
  return out;
}

/// Of corners that come from a dozen operations on lengths.
constexpr double kCornerError = 64.0 * kUlp;

}  // namespace

std::shared_ptr<const ConvexBody> ConvexBody::of(FacedCore core) {
  ConvexBody out{std::move(core)};
  const FacedCore& all = std::get<FacedCore>(out.core_);
  for (const Vec3& p : all.points) {
    out.reach_ = std::max(out.reach_, p.norm());
    out.center_ += p / static_cast<double>(all.points.size());
  }
  out.rounding_error_ = out.error_ = kCornerError * out.reach_;
  return std::make_shared<const ConvexBody>(std::move(out));
}

std::shared_ptr<const ConvexBody> ConvexBody::seen_from(const Vec3& origin) const {
  const FacedCore* whole = faced();
  if (!whole) return nullptr;
  shape::ConvexPolyhedron near;
  long double moved = 0.0;  // m: of a difference that no double holds
  for (const Vec3& p : whole->points) {
    const Fine at = p.cast<long double>() - origin.cast<long double>();
    near.points.push_back(at.cast<double>());
    moved = std::max(moved, (at - near.points.back().cast<long double>()).norm());
  }
  for (const FacedCore::Face& face : whole->faces) near.faces.push_back(face.corners);
  ConvexBody out = faced_body(near);
  // long doubles round the difference as well
  constexpr double kRounded = 1.0 + kUlp;
  const double error =
      kRounded * static_cast<double>(moved + kFiner<long double> * kSumError * out.reach_);
  out.form_error_ += error;
  out.error_ += error;
  return std::make_shared<const ConvexBody>(std::move(out));
}

std::shared_ptr<const ConvexBody> ConvexBody::cut_out(const Vec3& middle, double half) const {
  const FacedCore* whole = faced();
  if (!whole) return nullptr;
  FacedCore part;
  const Fine origin = middle.cast<long double>();
  const auto add = [&](const Fine& p) {
    part.points.push_back(p.cast<double>());
    return static_cast<int>(part.points.size()) - 1;
  };
  // what is left of each face, and its plane
  for (const FacedCore::Face& face : whole->faces) {
    Polygon polygon;
    for (const int c : face.corners)
      polygon.push_back(whole->points[static_cast<std::size_t>(c)].cast<long double>() - origin);
    for (int axis = 0; axis < 3; ++axis)
      for (const double sign : {1.0, -1.0}) polygon = within(polygon, axis, sign, half);
    const Fine normal = face.normal.cast<long double>();
    FacedCore::Face left{face.normal, face.offset - normal.dot(origin), {}};
    for (const Fine& p : polygon) left.corners.push_back(add(p));
    if (!left.corners.empty()) part.faces.push_back(std::move(left));
  }
  // corners of the cube that lie in the body
  for (int k = 0; k < 8; ++k) {
    const Fine corner(k & 1 ? half : -half, k & 2 ? half : -half, k & 4 ? half : -half);
    const auto behind = [&](const FacedCore::Face& face) {
      return face.normal.cast<long double>().dot(origin + corner) <= face.offset;
    };
    if (std::all_of(whole->faces.begin(), whole->faces.end(), behind)) add(corner);
  }
  if (part.points.empty()) return nullptr;
  part.edges = whole->edges;
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {1.0, -1.0}) part.faces.push_back({sign * Vec3::Unit(axis), half, {}});
  ConvexBody out = *of(std::move(part));
  // corners are as near to their planes as those of the whole, and are rounded once more
  constexpr double kFine = static_cast<double>(kFiner<long double>);
  out.bulge_ = bulge_;
  out.form_error_ = form_error_ + bulge_ + kFine * rounding_error_;
  out.rounding_error_ = kCornerError * (out.reach_ + half);
  out.error_ = out.form_error_ + out.bulge_ + out.rounding_error_;
  return std::make_shared<const ConvexBody>(std::move(out));
}

}  // namespace repose::check
