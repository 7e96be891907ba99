#include <algorithm>
#include <cmath>

#include "repose/base/work.h"

#include "shape/sew/side_curve.h"
#include "shape/tessellate/face_mesh.h"

namespace repose::shape {
namespace {

constexpr int kMaxCells = 2048;
/// A share of cells this little above a whole number counts as that number.
constexpr double kCountSlack = 1e-9;
/// Two evaluations of one point agree to this, relatively.
constexpr double kSamePlace = 1e-14;
/// Inside a plane face only the grid's regularity counts, not the chord.
constexpr double kPlaneRelief = 30.0;

/// Largest second derivatives among samples, times the squared extent of the domain.
struct Bends {
  double uu = 0.0, uv = 0.0, vv = 0.0;
};

Bends sample_bends(const Patch& patch) {
  constexpr int kSamples = 8;
  const UvBox d = patch.domain();
  const double w = d.u1 - d.u0, h = d.v1 - d.v0;
  spend_work((kSamples + 1) * (kSamples + 1));
  Bends out;
  for (int i = 0; i <= kSamples; ++i)
    for (int j = 0; j <= kSamples; ++j) {
      const PatchJet s = patch.jet(d.u0 + w * i / kSamples, d.v0 + h * j / kSamples);
      out.uu = std::max(out.uu, s.suu.norm() * w * w);
      out.uv = std::max(out.uv, s.suv.norm() * w * h);
      out.vv = std::max(out.vv, s.svv.norm() * h * h);
    }
  return out;
}

int count_for(double bend, double chord) {
  const double n = std::ceil(std::sqrt(bend / (8.0 * chord)));
  return n < kMaxCells ? std::max(1, static_cast<int>(n)) : kMaxCells;
}

/// Cells along one stretch of a side, from its own bend.
int count_along(const SideCurve& curve, double t0, double t1, double chord) {
  constexpr int kSamples = 8;
  double bend = 0.0;
  for (int i = 0; i <= kSamples; ++i)
    bend = std::max(bend, curve.jet(t0 + (t1 - t0) * i / kSamples).ctt.norm());
  return count_for(bend * (t1 - t0) * (t1 - t0), chord);
}

int stretch_count(const Part& part, const SideStretch& s, const FaceCells& cells, double chord) {
  const Face& face = part.faces[s.face];
  const Interval range = side_range(face.patch->domain(), s.side);
  const SideCurve curve(face.patch, s.side, range);
  const bool along_v = s.side == Side::u_low || s.side == Side::u_high;
  const double share = std::fabs(s.t1 - s.t0) / range.width();
  const int by_grid =
      face.patch->planar()
          ? 1
          : static_cast<int>(std::ceil(share * (along_v ? cells.nv : cells.nu) - kCountSlack));
  return std::max({1, by_grid, chord > 0.0 ? count_along(curve, s.t0, s.t1, chord) : 1});
}

/// Twice the area of a parameter triangle's image in the plane of the patch, signed by `normal`.
double turned_area(const Patch& patch, const Vec3& normal, const Vec2& a, const Vec2& b,
                   const Vec2& c) {
  const Vec3 at = patch.point(a.x(), a.y());
  return normal.dot((patch.point(b.x(), b.y()) - at).cross(patch.point(c.x(), c.y()) - at));
}

/// Chords of a plane face's inner rows (at even `across`) would cut through the next row, as those
/// of a thin ring do: the mesh would fold over.
bool rows_fold(const Patch& patch, bool along_u, int along, int across) {
  const UvBox d = patch.domain();
  const auto at = [&](double t, double w) {
    return along_u ? Vec2(d.u0 + (d.u1 - d.u0) * t, d.v0 + (d.v1 - d.v0) * w)
                   : Vec2(d.u0 + (d.u1 - d.u0) * w, d.v0 + (d.v1 - d.v0) * t);
  };
  const PatchJet middle = patch.jet(d.center().x(), d.center().y());
  const Vec3 normal = (along_u ? 1.0 : -1.0) * middle.su.cross(middle.sv);
  const int n = std::max(along, 2), rows = std::max(across, 2);
  for (int j = 1; j < rows; ++j) {
    spend_work(6 * static_cast<std::uint64_t>(n));
    for (int i = 0; i < n; ++i) {
      const double t0 = static_cast<double>(i) / n, t1 = static_cast<double>(i + 1) / n;
      const double w = static_cast<double>(j) / rows, next = 1.0 / rows;
      const Vec2 a = at(t0, w), b = at(t1, w);
      if (turned_area(patch, normal, a, b, at(0.5 * (t0 + t1), w + next)) < 0.0 ||
          turned_area(patch, normal, a, b, at(0.5 * (t0 + t1), w - next)) > 0.0)
        return true;
    }
  }
  return false;
}

/// A plane face's grid refined until it lies flat.
void unfold(const Patch& patch, FaceCells* cells) {
  while (cells->nu < kMaxCells && rows_fold(patch, true, cells->nu, cells->nv))
    cells->nu += 1 + cells->nu / 2;
  while (cells->nv < kMaxCells && rows_fold(patch, false, cells->nv, cells->nu))
    cells->nv += 1 + cells->nv / 2;
}

/// Merges the names of one junction as seen by the faces around it.
class Junctions {
 public:
  explicit Junctions(const Part& part) : ends_(4 * part.faces.size()) {
    for (const Seam& seam : part.seams)
      for (const SideStretch& s : {seam.left, seam.right})
        for (const double t : {s.t0, s.t1}) ends(s.face, s.side).push_back(t);
    int count = 0;
    first_.resize(ends_.size());
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      std::sort(ends_[i].begin(), ends_[i].end());
      ends_[i].erase(std::unique(ends_[i].begin(), ends_[i].end()), ends_[i].end());
      first_[i] = count;
      count += std::max<int>(1, static_cast<int>(ends_[i].size()));
    }
    root_.resize(count);
    for (int i = 0; i < count; ++i) root_[i] = i;
    for (int f = 0; f < static_cast<int>(part.faces.size()); ++f) {
      join(begin(f, Side::v_low), begin(f, Side::u_low));
      join(end(f, Side::v_low), begin(f, Side::u_high));
      join(begin(f, Side::v_high), end(f, Side::u_low));
      join(end(f, Side::v_high), end(f, Side::u_high));
    }
    for (const Seam& seam : part.seams) {
      join(at(seam.left, seam.left.t0), at(seam.right, seam.right.t0));
      join(at(seam.left, seam.left.t1), at(seam.right, seam.right.t1));
    }
  }

  int find(int node) const {
    while (root_[node] != node) node = root_[node];
    return node;
  }
  int begin(int face, Side side) const { return first_[key(face, side)]; }
  int end(int face, Side side) const {
    return begin(face, side) + std::max<int>(1, static_cast<int>(ends_[key(face, side)].size())) -
           1;
  }
  int at(const SideStretch& s, double t) const {
    const auto& list = ends_[key(s.face, s.side)];
    return begin(s.face, s.side) +
           static_cast<int>(std::lower_bound(list.begin(), list.end(), t) - list.begin());
  }

 private:
  static std::size_t key(int face, Side side) {
    return 4 * static_cast<std::size_t>(face) + static_cast<std::size_t>(side);
  }
  std::vector<double>& ends(int face, Side side) { return ends_[key(face, side)]; }
  void join(int a, int b) {
    a = find(a), b = find(b);
    root_[std::max(a, b)] = std::min(a, b);
  }

  std::vector<std::vector<double>> ends_;  // of stretches, by face and side; empty: shrunk
  std::vector<int> first_, root_;
};

/// Number and place of every junction, given when first asked for.
struct JunctionPoints {
  std::vector<int> welded;
  std::vector<Vec3> point;

  SidePoint get(int node, double t, const Vec3& here, int* welded_count) {
    if (static_cast<std::size_t>(node) >= welded.size()) {
      welded.resize(node + 1, -1);
      point.resize(node + 1);
    }
    if (welded[node] < 0) {
      welded[node] = (*welded_count)++;
      point[node] = here;
    }
    return {t, point[node], welded[node]};
  }
};

Vec3 point_on(const Part& part, const SideStretch& s, double t) {
  const PatchPtr& patch = part.faces[s.face].patch;
  const Vec2 at = s.uv(patch->domain(), t);
  return patch->point(at.x(), at.y());
}

void cut_seam(const Part& part, const Seam& seam, int pieces, std::vector<FaceSides>* sides,
              int* welded_count) {
  const SideStretch &l = seam.left, &r = seam.right;
  const PatchPtr& patch = part.faces[r.face].patch;
  const SideCurve right(patch, r.side, side_range(patch->domain(), r.side));
  const Interval range{std::min(r.t0, r.t1), std::max(r.t0, r.t1)};
  const double piece = 1.0 / pieces;
  double last = 0.0;
  for (int k = 1; k < pieces; ++k) {
    const double tl = l.t0 + (l.t1 - l.t0) * k / pieces;
    const Vec3 p = point_on(part, l, tl);
    // first the proportional place, then, if it is not the same, the nearest
    double share = static_cast<double>(k) / pieces;
    double tr = r.t0 + (r.t1 - r.t0) * share;
    const double off = (right.point(tr) - p).norm();
    if (off > kSamePlace * (p.norm() + off)) {
      double distance = 0.0;
      const double found = nearest_parameter(right, range, p, &distance);
      const double found_share = (found - r.t0) / (r.t1 - r.t0);
      // keep the order of points even where the nearest place is doubtful
      if (found_share > last && found_share < 1.0 - 0.01 * piece) tr = found, share = found_share;
    }
    if (share <= last) tr = r.t0 + (r.t1 - r.t0) * (share = last + 0.5 * (1.0 - last) * piece);
    last = share;
    const int number = (*welded_count)++;
    (*sides)[l.face][static_cast<int>(l.side)].push_back({tl, p, number});
    (*sides)[r.face][static_cast<int>(r.side)].push_back({tr, p, number});
  }
}

void add_shrunk_side(const Face& face, Side side, const FaceCells& cells, int node,
                     JunctionPoints* junctions, std::vector<SidePoint>* points, int* welded_count) {
  const Interval range = side_range(face.patch->domain(), side);
  const SideCurve curve(face.patch, side, range);
  const bool along_v = side == Side::u_low || side == Side::u_high;
  const int pieces = along_v ? cells.nv : cells.nu;
  for (int k = 0; k <= pieces; ++k) {
    const double t = k == pieces ? range.hi : range.lo + range.width() * k / pieces;
    points->push_back(junctions->get(node, t, curve.point(t), welded_count));
  }
}

}  // namespace

FaceCells choose_cells(const Face& face, double chord) {
  const Bends b = sample_bends(*face.patch);
  const double target = 8.0 * chord * (face.patch->planar() ? kPlaneRelief : 1.0);
  FaceCells cells{count_for(b.uu, target / 8.0), count_for(b.vv, target / 8.0)};
  const auto total = [&] {
    const double nu = cells.nu, nv = cells.nv;
    return b.uu / (nu * nu) + 2.0 * b.uv / (nu * nv) + b.vv / (nv * nv);
  };
  while (total() > target && std::max(cells.nu, cells.nv) < kMaxCells) {
    const double by_u = b.uu / (cells.nu * cells.nu) + b.uv / (cells.nu * cells.nv);
    const double by_v = b.vv / (cells.nv * cells.nv) + b.uv / (cells.nu * cells.nv);
    const bool finer_u = by_u == by_v ? cells.nu <= cells.nv : by_u > by_v;
    int& n = finer_u ? cells.nu : cells.nv;
    n += 1 + n / 16;
  }
  if (face.patch->planar()) unfold(*face.patch, &cells);
  return cells;
}

std::vector<FaceSides> cut_sides(const Part& part, const std::vector<FaceCells>& cells,
                                 const std::vector<double>& chord_by_face, int* welded_count) {
  const Junctions junctions(part);
  JunctionPoints points;
  std::vector<FaceSides> sides(part.faces.size());
  for (const Seam& seam : part.seams) {
    for (const SideStretch& s : {seam.left, seam.right})
      for (const double t : {s.t0, s.t1})
        sides[s.face][static_cast<int>(s.side)].push_back(
            points.get(junctions.find(junctions.at(s, t)), t, point_on(part, s, t), welded_count));
    // a seam that returns to its own begin is a loop: three pieces at least
    const bool loop = junctions.find(junctions.at(seam.left, seam.left.t0)) ==
                      junctions.find(junctions.at(seam.left, seam.left.t1));
    int pieces = loop ? 3 : 1;
    for (const SideStretch& s : {seam.left, seam.right})
      pieces = std::max(pieces, stretch_count(part, s, cells[s.face], chord_by_face[s.face]));
    cut_seam(part, seam, pieces, &sides, welded_count);
  }
  for (std::size_t f = 0; f < sides.size(); ++f)
    for (int side = 0; side < 4; ++side) {
      auto& list = sides[f][side];
      if (list.empty())
        add_shrunk_side(
            part.faces[f], static_cast<Side>(side), cells[f],
            junctions.find(junctions.begin(static_cast<int>(f), static_cast<Side>(side))), &points,
            &list, welded_count);
      std::sort(list.begin(), list.end(),
                [](const SidePoint& a, const SidePoint& b) { return a.t < b.t; });
      list.erase(std::unique(list.begin(), list.end(),
                             [](const SidePoint& a, const SidePoint& b) { return a.t == b.t; }),
                 list.end());
    }
  return sides;
}

}  // namespace repose::shape
