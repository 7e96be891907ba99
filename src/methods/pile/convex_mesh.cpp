#include <algorithm>
#include <cmath>
#include <map>

#include "convex.h"

namespace repose::pile {
namespace {

/// Points this near a plane, over the mesh's size, lie in it; corners that turn by less (sine) are
/// straight.
constexpr double kFlat = 1e-12;
constexpr double kStraight = 1e-9;

using Loop = std::vector<int>;

/// Polygons of a surface that grow over the edges they share.
class Joining {
 public:
  explicit Joining(const shape::TriangleMesh& mesh) : points_(mesh.points) {
    for (const Vec3& p : points_) size_ = std::max(size_, (p - points_[0]).norm());
    for (const auto& t : mesh.triangles) {
      const Vec3 normal = (points_[t[1]] - points_[t[0]]).cross(points_[t[2]] - points_[t[0]]);
      loops_.push_back({t[0], t[1], t[2]});
      normals_.push_back(normal.norm() > 0.0 ? normal.normalized() : Vec3(Vec3::Zero()));
      own(static_cast<int>(loops_.size()) - 1);
    }
  }

  std::vector<Convex> pieces() {
    std::vector<Convex> out;
    for (int p = 0; p < static_cast<int>(loops_.size()); ++p) {
      while (grow(p)) {
      }
    }
    for (const Loop& loop : loops_) {
      if (loop.empty()) continue;
      std::vector<Vec3> corners;
      for (const int i : loop) corners.push_back(points_[i]);
      out.push_back(polygon_piece(std::move(corners)));
    }
    return out;
  }

 private:
  void own(int p) {
    const Loop& loop = loops_[p];
    for (std::size_t i = 0; i < loop.size(); ++i)
      owner_[{loop[i], loop[(i + 1) % loop.size()]}] = p;
  }
  bool in_plane(const Loop& loop, int p) const {
    const Vec3& origin = points_[loops_[p][0]];
    return std::all_of(loop.begin(), loop.end(), [&](int i) {
      return std::fabs(normals_[p].dot(points_[i] - origin)) <= kFlat * size_;
    });
  }
  bool convex(const Loop& loop, const Vec3& normal) const {
    const std::size_t count = loop.size();
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < i; ++j)
        if (loop[i] == loop[j]) return false;
      const Vec3 in = points_[loop[i]] - points_[loop[(i + count - 1) % count]];
      const Vec3 on = points_[loop[(i + 1) % count]] - points_[loop[i]];
      if (in.cross(on).dot(normal) < -kStraight * in.norm() * on.norm() ||
          in.dot(on) <= -in.norm() * on.norm())
        return false;
    }
    return true;
  }
  /// Joins polygon p with one of its neighbours, if it can.
  bool grow(int p) {
    const std::size_t count = loops_[p].size();
    for (std::size_t i = 0; i < count; ++i) {
      const int from = loops_[p][i], to = loops_[p][(i + 1) % count];
      const auto found = owner_.find({to, from});
      if (found == owner_.end() || found->second == p) continue;
      const int q = found->second;
      if (normals_[p].dot(normals_[q]) <= 0.0 || !in_plane(loops_[q], p)) continue;
      // p up to the shared edge, then all of q from there on, then the rest of p
      Loop joined;
      for (std::size_t k = 0; k < count; ++k) joined.push_back(loops_[p][(i + 1 + k) % count]);
      const Loop& other = loops_[q];
      const auto start = std::find(other.begin(), other.end(), from) - other.begin();
      for (std::size_t k = 1; k + 1 < other.size(); ++k)
        joined.push_back(other[(static_cast<std::size_t>(start) + k) % other.size()]);
      if (!convex(joined, normals_[p])) continue;
      owner_.erase({from, to});
      owner_.erase({to, from});
      loops_[q].clear();
      loops_[p] = joined;
      own(p);
      return true;
    }
    return false;
  }

  const std::vector<Vec3>& points_;
  double size_ = 0.0;
  std::vector<Loop> loops_;
  std::vector<Vec3> normals_;
  std::map<std::pair<int, int>, int> owner_;  // polygon on the left of an edge
};

}  // namespace

std::vector<Convex> mesh_pieces(const shape::TriangleMesh& mesh) {
  return Joining(mesh).pieces();
}

}  // namespace repose::pile
