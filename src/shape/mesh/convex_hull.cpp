#include "shape/mesh/convex_hull.h"

#include <algorithm>
#include <map>

#include "repose/base/work.h"
#include "repose/math/exact.h"

#include "shape/mesh/mesh_topology.h"

namespace repose::shape {
namespace {

/// Heights above a face that cost about one unit of work.
constexpr std::size_t kPointsPerUnit = 16;

struct HullFace {
  std::array<int, 3> corners{};     // counter-clockwise seen from outside
  std::array<int, 3> neighbours{};  // across corners k, k+1
  std::vector<int> outside;         // points above this face, each in one list only
  bool alive = true;
};

class Quickhull {
 public:
  explicit Quickhull(const std::vector<Vec3>& points) : points_(points) {}

  bool build() {
    if (!start()) return false;
    for (std::size_t f = 0; f < faces_.size(); ++f)
      while (faces_[f].alive && !faces_[f].outside.empty()) add(static_cast<int>(f));
    return true;
  }

  TriangleMesh mesh() const {
    TriangleMesh raw;
    raw.points = points_;
    for (const HullFace& face : faces_)
      if (face.alive) raw.triangles.push_back(face.corners);
    return welded(raw);
  }

 private:
  struct Ridge {
    int from, to, beyond;  // the face that stays
  };

  bool above(const HullFace& face, int p) const {
    return orient3d(points_[face.corners[0]], points_[face.corners[1]], points_[face.corners[2]],
                    points_[p]) > 0;
  }
  double height(const HullFace& face, int p) const {
    const Vec3 a = points_[face.corners[0]];
    const Vec3 n = (points_[face.corners[1]] - a).cross(points_[face.corners[2]] - a);
    return n.dot(points_[p] - a);
  }

  /// A tetrahedron of four points in general position, as large as is easily found.
  bool start() {
    const int n = static_cast<int>(points_.size());
    if (n < 4) return false;
    int a = 0, b = 0, c = 0, d = -1;
    for (int i = 0; i < n; ++i)
      if (points_[i].x() < points_[a].x()) a = i;
    const auto best = [&](auto score) {
      int at = 0;
      double most = -1.0;
      for (int i = 0; i < n; ++i)
        if (const double s = score(points_[i] - points_[a]); s > most) most = s, at = i;
      return at;
    };
    b = best([](const Vec3& v) { return v.squaredNorm(); });
    const Vec3 ab = points_[b] - points_[a];
    c = best([&](const Vec3& v) { return ab.cross(v).squaredNorm(); });
    const Vec3 n_abc = ab.cross(points_[c] - points_[a]);
    d = best([&](const Vec3& v) { return std::fabs(n_abc.dot(v)); });
    const double extent = ab.norm();
    if (!(std::fabs(n_abc.normalized().dot(points_[d] - points_[a])) > kFlatFraction * extent))
      return false;
    const int side = orient3d(points_[a], points_[b], points_[c], points_[d]);
    if (side == 0) return false;
    if (side > 0) std::swap(b, c);
    faces_ = {{{a, b, c}, {1, 2, 3}, {}, true},
              {{b, a, d}, {0, 3, 2}, {}, true},
              {{c, b, d}, {0, 1, 3}, {}, true},
              {{a, c, d}, {0, 2, 1}, {}, true}};
    std::vector<int> all(n);
    for (int i = 0; i < n; ++i) all[i] = i;
    share_out(all, 0, 4);
    return true;
  }

  /// Gives each point to the first of the faces [begin, end) that it lies above.
  void share_out(const std::vector<int>& candidates, std::size_t begin, std::size_t end) {
    for (const int p : candidates) {
      spend_work(1);
      for (std::size_t f = begin; f < end; ++f)
        if (above(faces_[f], p)) {
          faces_[f].outside.push_back(p);
          break;
        }
    }
  }

  /// Removes what the farthest point above face f sees, and joins the point to the horizon.
  void add(int f) {
    spend_work(1 + faces_[f].outside.size() / kPointsPerUnit);
    int top = faces_[f].outside[0];
    for (const int p : faces_[f].outside)
      if (height(faces_[f], p) > height(faces_[f], top)) top = p;
    std::vector<int> seen{f}, orphans;
    std::vector<Ridge> horizon;
    faces_[f].alive = false;
    for (std::size_t next = 0; next < seen.size(); ++next) {
      const HullFace face = faces_[seen[next]];
      orphans.insert(orphans.end(), face.outside.begin(), face.outside.end());
      for (int k = 0; k < 3; ++k) {
        const int g = face.neighbours[k];
        if (!faces_[g].alive) continue;
        if (above(faces_[g], top)) {
          faces_[g].alive = false;
          seen.push_back(g);
        }
      }
    }
    for (const int s : seen)
      for (int k = 0; k < 3; ++k)
        if (faces_[faces_[s].neighbours[k]].alive)
          horizon.push_back(
              {faces_[s].corners[k], faces_[s].corners[(k + 1) % 3], faces_[s].neighbours[k]});
    for (const int s : seen) faces_[s].outside.clear();
    const std::size_t first = faces_.size();
    join(horizon, top);
    share_out(orphans, first, faces_.size());
  }

  void join(const std::vector<Ridge>& horizon, int top) {
    std::map<int, int> starting;  // horizon vertex -> new face whose ridge starts there
    for (const Ridge& ridge : horizon) {
      const int number = static_cast<int>(faces_.size());
      starting[ridge.from] = number;
      faces_.push_back({{ridge.from, ridge.to, top}, {ridge.beyond, -1, -1}, {}, true});
      HullFace& beyond = faces_[ridge.beyond];
      for (int k = 0; k < 3; ++k)
        if (beyond.corners[k] == ridge.to && beyond.corners[(k + 1) % 3] == ridge.from)
          beyond.neighbours[k] = number;
    }
    for (const Ridge& ridge : horizon) {
      const int here = starting.at(ridge.from), after = starting.at(ridge.to);
      faces_[here].neighbours[1] = after;
      faces_[after].neighbours[2] = here;
    }
  }

  const std::vector<Vec3>& points_;
  std::vector<HullFace> faces_;
};

/// The one loop around a group of triangles, or nothing if there is not exactly one.
std::optional<std::vector<int>> loop_around(const TriangleMesh& mesh, const std::vector<int>& group,
                                            const std::vector<int>& group_of,
                                            const std::map<std::pair<int, int>, int>& owner) {
  std::map<int, int> next;
  for (const int t : group)
    for (int k = 0; k < 3; ++k) {
      const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
      if (group_of[owner.at({b, a})] == group_of[t]) continue;
      if (!next.emplace(a, b).second) return {};
    }
  std::vector<int> loop;
  int at = next.begin()->first;
  do {
    loop.push_back(at);
    const auto step = next.find(at);
    if (step == next.end()) return {};
    at = step->second;
  } while (at != loop[0] && loop.size() <= next.size());
  if (loop.size() != next.size()) return {};
  return loop;
}

/// Drops points no face uses.
ConvexPolyhedron compacted(const ConvexPolyhedron& in) {
  ConvexPolyhedron out;
  std::vector<int> renumbered(in.points.size(), -1);
  for (const auto& face : in.faces) {
    out.faces.emplace_back();
    for (const int corner : face) {
      if (renumbered[corner] < 0) {
        renumbered[corner] = static_cast<int>(out.points.size());
        out.points.push_back(in.points[corner]);
      }
      out.faces.back().push_back(renumbered[corner]);
    }
  }
  return out;
}

}  // namespace

ConvexPolyhedron merge_flat(const TriangleMesh& hull) {
  const int count = static_cast<int>(hull.triangles.size());
  std::map<std::pair<int, int>, int> owner;  // of directed edges
  Vec3 low = hull.points[0], high = low;
  for (const Vec3& p : hull.points) low = low.cwiseMin(p), high = high.cwiseMax(p);
  const double flat = kFlatFraction * (high - low).norm();
  std::vector<std::pair<double, int>> by_area;
  std::vector<Vec3> normals(count);
  for (int t = 0; t < count; ++t) {
    const auto& c = hull.triangles[t];
    for (int k = 0; k < 3; ++k) owner[{c[k], c[(k + 1) % 3]}] = t;
    const Vec3 n =
        (hull.points[c[1]] - hull.points[c[0]]).cross(hull.points[c[2]] - hull.points[c[0]]);
    normals[t] = n.normalized();
    by_area.emplace_back(-n.norm(), t);
  }
  std::sort(by_area.begin(), by_area.end());
  ConvexPolyhedron out;
  out.points = hull.points;
  std::vector<int> group_of(count, -1);
  for (const auto& [negative_area, seed] : by_area) {
    if (group_of[seed] >= 0) continue;
    std::vector<int> group{seed};
    group_of[seed] = seed;
    const Vec3 origin = hull.points[hull.triangles[seed][0]];
    for (std::size_t next = 0; next < group.size(); ++next)
      for (int k = 0; k < 3; ++k) {
        const auto& c = hull.triangles[group[next]];
        const int g = owner.at({c[(k + 1) % 3], c[k]});
        if (group_of[g] >= 0) continue;
        bool in_plane = true;
        for (const int corner : hull.triangles[g])
          in_plane &= std::fabs(normals[seed].dot(hull.points[corner] - origin)) <= flat;
        if (!in_plane) continue;
        group_of[g] = seed;
        group.push_back(g);
      }
    if (auto loop = loop_around(hull, group, group_of, owner)) {
      out.faces.push_back(*loop);
    } else {
      for (const int t : group)
        out.faces.push_back({hull.triangles[t][0], hull.triangles[t][1], hull.triangles[t][2]});
    }
  }
  return compacted(out);
}

std::optional<ConvexPolyhedron> convex_hull(const std::vector<Vec3>& points) {
  const WorkStage stage("finding the convex hull");
  Quickhull hull(points);
  if (!hull.build()) return {};
  return merge_flat(hull.mesh());
}

}  // namespace repose::shape
