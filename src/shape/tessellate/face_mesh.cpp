#include "shape/tessellate/face_mesh.h"

#include <cmath>

#include "repose/base/work.h"

#include "shape/sew/side_curve.h"

namespace repose::shape {
namespace {

/// Rounding of an evaluated patch point, as a part of its distance from the origin: far above what
/// the few dozen operations of any patch lose.
constexpr double kPointRounding = 1e-13;

constexpr int kWrapCells = 4;
/// Of a vertex with the enclosures about it, in evaluations.
constexpr int kVertexWork = 4;
/// Covers the rounding of a norm of three.
constexpr double kRoundUp = 1.0 + 1e-15;

double norm_bound(const IVec3& v) {
  const double x = v[0].mag(), y = v[1].mag(), z = v[2].mag();
  return std::sqrt(x * x + y * y + z * z) * kRoundUp;
}

/// Distance between the patch over a parameter triangle and the flat one: with second derivatives
/// bounded by M over its box of extents du, dv, linear interpolation errs by at most
/// (Muu du^2 + 2 Muv du dv + Mvv dv^2) / 8.
double flat_error(const Patch& patch, const UvBox& box) {
  const PatchEnclosure e = patch.enclose(box);
  const double du = box.u1 - box.u0, dv = box.v1 - box.v0;
  return (norm_bound(e.suu) * du * du + 2.0 * norm_bound(e.suv) * du * dv +
          norm_bound(e.svv) * dv * dv) /
         8.0;
}

class FaceMesher {
 public:
  FaceMesher(const Face& face, int part, int number, const FaceCells& cells, Tessellation* out)
      : face_(face),
        patch_(*face.patch),
        d_(patch_.domain()),
        part_(part),
        number_(number),
        nu_(cells.nu),
        nv_(cells.nv),
        out_(out) {}

  double mesh(const FaceSides& sides) {
    const bool plain = sides[0].front().welded != sides[1].front().welded &&
                       sides[2].front().welded != sides[3].front().welded && nu_ == 1 && nv_ == 1 &&
                       sides[0].size() == 2 && sides[1].size() == 2 && sides[2].size() == 2 &&
                       sides[3].size() == 2;
    // a face sewn to itself needs inner columns of its own on both sides of the seam
    const bool wraps_u = sides[0].front().welded == sides[1].front().welded;
    const bool wraps_v = sides[2].front().welded == sides[3].front().welded;
    if (!plain || wraps_u) nu_ = std::max(nu_, wraps_u ? kWrapCells : 2);
    if (!plain || wraps_v) nv_ = std::max(nv_, wraps_v ? kWrapCells : 2);
    std::array<std::vector<int>, 4> rim;
    for (int s = 0; s < 4; ++s) rim[s] = add_rim(sides[s], static_cast<Side>(s));
    if (plain) {
      const int a = rim[2][0], b = rim[2][1], c = rim[3][1], d = rim[3][0];
      triangle(a, b, c);
      triangle(a, c, d);
      bound_box(d_);
    } else {
      fill(rim);
    }
    if (patch_.planar()) return bound_rim(sides) + rim_slip_;
    return bound_ + rim_slip_;
  }

 private:
  double u(int i) const { return i == nu_ ? d_.u1 : d_.u0 + (d_.u1 - d_.u0) * i / nu_; }
  double v(int j) const { return j == nv_ ? d_.v1 : d_.v0 + (d_.v1 - d_.v0) * j / nv_; }

  int add_vertex(const Vec2& uv, const Vec3& point, int welded) {
    spend_work(kVertexWork);
    out_->points.push_back(point);
    out_->normals.push_back(face_.normal(uv.x(), uv.y()));
    out_->uv.push_back(uv);
    out_->part.push_back(part_);
    out_->face.push_back(number_);
    out_->welded.push_back(welded);
    return static_cast<int>(out_->points.size()) - 1;
  }

  std::vector<int> add_rim(const std::vector<SidePoint>& side, Side name) {
    const SideStretch stretch{number_, name, 0.0, 0.0};
    std::vector<int> out;
    for (const SidePoint& p : side) {
      const Vec2 uv = stretch.uv(d_, p.t);
      rim_slip_ = std::max(rim_slip_, (patch_.point(uv.x(), uv.y()) - p.point).norm() +
                                          kPointRounding * p.point.norm());
      out.push_back(add_vertex(uv, p.point, p.welded));
    }
    return out;
  }

  void triangle(int a, int b, int c) {
    if (out_->welded[a] == out_->welded[b] || out_->welded[b] == out_->welded[c] ||
        out_->welded[c] == out_->welded[a])
      return;
    const Vec2 ab = out_->uv[b] - out_->uv[a], ac = out_->uv[c] - out_->uv[a];
    const bool clockwise = ab.x() * ac.y() - ab.y() * ac.x() < 0.0;
    if (clockwise != (face_.outward < 0.0)) std::swap(b, c);
    out_->triangles.push_back({a, b, c});
  }

  void bound_box(const UvBox& box) {
    if (!patch_.planar()) bound_ = std::max(bound_, flat_error(patch_, box));
  }

  void bound_triangle(int a, int b, int c) {
    const Vec2 low = out_->uv[a].cwiseMin(out_->uv[b]).cwiseMin(out_->uv[c]);
    const Vec2 high = out_->uv[a].cwiseMax(out_->uv[b]).cwiseMax(out_->uv[c]);
    bound_box({low.x(), high.x(), low.y(), high.y()});
  }

  /// Inner grid, then the strip between it and each side.
  void fill(const std::array<std::vector<int>, 4>& rim) {
    const int columns = nu_ - 1, rows = nv_ - 1;
    const int base = static_cast<int>(out_->points.size());
    for (int j = 1; j <= rows; ++j)
      for (int i = 1; i <= columns; ++i)
        add_vertex({u(i), v(j)}, patch_.point(u(i), v(j)), out_->welded_count++);
    const auto inner = [&](int i, int j) { return base + (j - 1) * columns + (i - 1); };
    for (int j = 1; j < rows; ++j)
      for (int i = 1; i < columns; ++i) {
        triangle(inner(i, j), inner(i + 1, j), inner(i + 1, j + 1));
        triangle(inner(i, j), inner(i + 1, j + 1), inner(i, j + 1));
        bound_box({u(i), u(i + 1), v(j), v(j + 1)});
      }
    std::vector<int> left, right, low, high;
    for (int j = 1; j <= rows; ++j) left.push_back(inner(1, j)), right.push_back(inner(columns, j));
    for (int i = 1; i <= columns; ++i) low.push_back(inner(i, 1)), high.push_back(inner(i, rows));
    strip(rim[0], left, 1);
    strip(rim[1], right, 1);
    strip(rim[2], low, 0);
    strip(rim[3], high, 0);
  }

  /// Zips two rows of vertices, both growing along uv[axis].
  void strip(const std::vector<int>& rim, const std::vector<int>& inner, int axis) {
    const auto at = [&](int vertex) { return out_->uv[vertex][axis]; };
    std::size_t a = 0, b = 0;
    while (a + 1 < rim.size() || b + 1 < inner.size()) {
      const bool rim_next =
          b + 1 == inner.size() ||
          (a + 1 < rim.size() && at(rim[a]) + at(rim[a + 1]) <= at(inner[b]) + at(inner[b + 1]));
      const int third = rim_next ? rim[a + 1] : inner[b + 1];
      triangle(rim[a], inner[b], third);
      bound_triangle(rim[a], inner[b], third);
      ++(rim_next ? a : b);
    }
  }

  /// A plane face errs only where its outline bends.
  double bound_rim(const FaceSides& sides) const {
    double most = 0.0;
    for (int s = 0; s < 4; ++s) {
      const SideCurve curve(face_.patch, static_cast<Side>(s),
                            side_range(d_, static_cast<Side>(s)));
      for (std::size_t k = 0; k + 1 < sides[s].size(); ++k) {
        const Interval t{sides[s][k].t, sides[s][k + 1].t};
        most = std::max(most, norm_bound(curve.enclose(t).ctt) * t.width() * t.width() / 8.0);
      }
    }
    return most;
  }

  const Face& face_;
  const Patch& patch_;
  UvBox d_;
  int part_, number_, nu_, nv_;
  Tessellation* out_;
  double bound_ = 0.0;
  double rim_slip_ = 0.0;  // how far shared side points lie off this patch, rounding included
};

}  // namespace

double append_face(const Face& face, int part, int face_number, const FaceCells& cells,
                   const FaceSides& sides, Tessellation* out) {
  return FaceMesher(face, part, face_number, cells, out).mesh(sides);
}

}  // namespace repose::shape
