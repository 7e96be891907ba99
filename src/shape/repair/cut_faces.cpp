#include "shape/repair/cut_faces.h"

#include <algorithm>
#include <map>
#include <set>

#include <Eigen/Geometry>

#include "repose/math/exact.h"

#include "shape/matter/self_meeting.h"
#include "shape/repair/sheet.h"

namespace repose::shape {
namespace {

using Corners = std::array<int, 3>;
using Side = std::pair<int, int>;  // smaller number first

/// More meetings than this are not looked at.
constexpr std::size_t kMostMeetings = 1'000'000;
/// Segments in one face; pairs of them are looked at.
constexpr std::size_t kMostInFace = 4000;

/// Two faces meet along it.
struct Segment {
  int face_a = 0, face_b = 0;
  int from = 0, to = 0;           // points
  std::vector<int> between = {};  // where it crosses others, sorted from `from` on
};

class Cutter {
 public:
  explicit Cutter(const TriangleMesh& mesh) : mesh_(mesh) { out_.points = mesh.points; }

  bool cut() { return find_segments() && find_crossings() && cut_all(); }
  CutFaces take() { return std::move(out_); }

 private:
  const Vec3& at(int point) const { return out_.points[point]; }

  /// The side a b passes through the face: where, as a point that all faces at the side share.
  std::optional<int> pierced(int a, int b, int face) {
    const Corners& c = mesh_.triangles[face];
    const Vec3 &p = mesh_.points[a], &q = mesh_.points[b];
    const auto side = [&](const Vec3& x) {
      return orient3d(mesh_.points[c[0]], mesh_.points[c[1]], mesh_.points[c[2]], x);
    };
    if (side(p) * side(q) >= 0) return std::nullopt;
    int sum = 0;
    for (std::size_t k = 0; k < 3; ++k)
      sum += orient3d(p, q, mesh_.points[c[k]], mesh_.points[c[(k + 1) % 3]]);
    if (sum != 3 && sum != -3) return std::nullopt;
    const Side key = std::minmax(a, b);
    const auto [found, fresh] =
        pierced_.emplace(std::pair(key, face), static_cast<int>(out_.points.size()));
    if (fresh) {
      out_.points.push_back(on_plane(key, c));
      on_side_[key].push_back(found->second);
    }
    return found->second;
  }

  Vec3 on_plane(const Side& side, const Corners& c) const {
    const Vec3 &p = mesh_.points[side.first], &q = mesh_.points[side.second];
    const Vec3& a = mesh_.points[c[0]];
    const Vec3 n = (mesh_.points[c[1]] - a).cross(mesh_.points[c[2]] - a);
    const double over = n.dot(p - a), under = n.dot(q - a);
    const double t = std::clamp(over / (over - under), 0.0, 1.0);
    return p + t * (q - p);
  }

  bool find_segments() {
    const auto meetings = all_meetings(mesh_, kMostMeetings);
    if (meetings.size() >= kMostMeetings) return false;
    for (const SelfMeeting& m : meetings) {
      if (m.kind != Meeting::cross) return false;
      if (!add_segment(m.triangles[0], m.triangles[1])) return false;
    }
    return true;
  }

  bool add_segment(int s, int t) {
    std::vector<int> ends;
    for (const int corner : mesh_.triangles[s])
      for (const int other : mesh_.triangles[t])
        if (corner == other) ends.push_back(corner);
    const auto look = [&](int of, int through) {
      const Corners& c = mesh_.triangles[of];
      for (std::size_t k = 0; k < 3; ++k)
        if (const auto point = pierced(c[k], c[(k + 1) % 3], through)) ends.push_back(*point);
    };
    look(s, t);
    look(t, s);
    if (ends.size() != 2) return false;
    const int number = static_cast<int>(segments_.size());
    segments_.push_back({s, t, ends[0], ends[1]});
    in_face_[s].push_back(number);
    in_face_[t].push_back(number);
    return true;
  }

  int other_face(int segment, int face) const {
    const Segment& s = segments_[segment];
    return s.face_a == face ? s.face_b : s.face_a;
  }

  Vec3 where_three_meet(const Corners& faces) const {
    Mat3 normals;
    Vec3 right;
    const Vec3 origin = mesh_.points[mesh_.triangles[faces[0]][0]];
    for (int k = 0; k < 3; ++k) {
      const Corners& c = mesh_.triangles[faces[static_cast<std::size_t>(k)]];
      const Vec3 a = mesh_.points[c[0]] - origin;
      const Vec3 n =
          (mesh_.points[c[1]] - origin - a).cross(mesh_.points[c[2]] - origin - a).normalized();
      normals.row(k) = n.transpose();
      right[k] = n.dot(a);
    }
    return origin + normals.inverse() * right;
  }

  /// Where two segments cross within a face, three faces meet; each of the three must see it.
  bool find_crossings() {
    std::map<Corners, int> seen;
    for (const auto& [face, held] : in_face_) {
      if (held.size() > kMostInFace) return false;
      const Sheet sheet(out_.points, mesh_.triangles[face]);
      for (std::size_t i = 0; i < held.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
          const Segment &a = segments_[held[i]], &b = segments_[held[j]];
          if (a.from == b.from || a.from == b.to || a.to == b.from || a.to == b.to) continue;
          if (sheet.turn(a.from, a.to, b.from) * sheet.turn(a.from, a.to, b.to) > 0 ||
              sheet.turn(b.from, b.to, a.from) * sheet.turn(b.from, b.to, a.to) > 0)
            continue;
          Corners three{face, other_face(held[i], face), other_face(held[j], face)};
          std::sort(three.begin(), three.end());
          ++seen[three];
        }
    }
    for (const auto& [three, times] : seen) {
      constexpr int kFaces = 3;
      if (times != kFaces) return false;
      const Vec3 place = where_three_meet(three);
      if (!place.allFinite()) return false;
      add_crossing(three, static_cast<int>(out_.points.size()));
      out_.points.push_back(place);
    }
    for (Segment& s : segments_) {
      const Vec3 a = at(s.from), d = at(s.to) - a;
      std::sort(s.between.begin(), s.between.end(),
                [&](int i, int j) { return d.dot(at(i) - a) < d.dot(at(j) - a); });
    }
    return true;
  }

  void add_crossing(const Corners& three, int point) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = three[k], b = three[(k + 1) % 3];
      for (const int number : in_face_[a])
        if (other_face(number, a) == b) segments_[number].between.push_back(point);
    }
  }

  /// The points on a side, from its smaller corner on.
  const std::vector<int>& along(const Side& side) {
    std::vector<int>& out = on_side_[side];
    const Vec3 a = at(side.first), d = at(side.second) - a;
    std::sort(out.begin(), out.end(),
              [&](int i, int j) { return d.dot(at(i) - a) < d.dot(at(j) - a); });
    return out;
  }

  bool cut_border(const Corners& whole, Sheet* sheet) {
    for (std::size_t k = 0; k < 3; ++k) {
      int from = whole[k];
      const int to = whole[(k + 1) % 3];
      const Side side = std::minmax(from, to);
      if (!on_side_.contains(side)) continue;
      std::vector<int> points = along(side);
      if (from > to) std::reverse(points.begin(), points.end());
      for (const int p : points) {
        if (!sheet->split_border(from, to, p)) return false;
        from = p;
      }
    }
    return true;
  }

  bool cut_inside(int face, Sheet* sheet) {
    const Corners& whole = mesh_.triangles[face];
    std::set<int> there(whole.begin(), whole.end());
    for (std::size_t k = 0; k < 3; ++k)
      if (const auto side = on_side_.find(std::minmax(whole[k], whole[(k + 1) % 3]));
          side != on_side_.end())
        there.insert(side->second.begin(), side->second.end());
    const auto held = in_face_.find(face);
    if (held == in_face_.end()) return true;
    std::vector<Side> pieces;
    for (const int number : held->second) {
      const Segment& s = segments_[number];
      int last = s.from;
      for (const int p : s.between) {
        pieces.emplace_back(last, p);
        last = p;
      }
      pieces.emplace_back(last, s.to);
    }
    for (const auto& [a, b] : pieces)
      for (const int p : {a, b})
        if (there.insert(p).second && !sheet->add_inside(p)) return false;
    for (const auto& [a, b] : pieces) {
      if (!sheet->add_segment(a, b)) return false;
      out_.segments.push_back(std::minmax(a, b));
    }
    return true;
  }

  bool cut_all() {
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      const int face = static_cast<int>(t);
      Sheet sheet(out_.points, mesh_.triangles[t]);
      if (!cut_border(mesh_.triangles[t], &sheet) || !cut_inside(face, &sheet)) return false;
      for (const Corners& part : sheet.parts()) {
        out_.parts.push_back(part);
        out_.face.push_back(face);
      }
    }
    std::sort(out_.segments.begin(), out_.segments.end());
    const auto last = std::unique(out_.segments.begin(), out_.segments.end());
    out_.segments.erase(last, out_.segments.end());
    return true;
  }

  const TriangleMesh& mesh_;
  CutFaces out_;
  std::vector<Segment> segments_;
  std::map<int, std::vector<int>> in_face_;      // segments by face
  std::map<std::pair<Side, int>, int> pierced_;  // points by side and face
  std::map<Side, std::vector<int>> on_side_;
};

}  // namespace

std::optional<CutFaces> cut_faces(const TriangleMesh& mesh) {
  Cutter cutter(mesh);
  if (!cutter.cut()) return std::nullopt;
  return cutter.take();
}

}  // namespace repose::shape
