#include "normal_fan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <Eigen/Geometry>

#include "check/verdict/tally.h"

namespace repose::poses {

namespace {

constexpr double kPi = std::numbers::pi;

/// Area-weighted normal of a plane polygon.
Vec3 polygon_normal(const std::vector<Vec3>& points, const std::vector<int>& corners) {
  Vec3 sum = Vec3::Zero();
  const Vec3& a = points[static_cast<std::size_t>(corners[0])];
  for (std::size_t k = 1; k + 1 < corners.size(); ++k)
    sum += (points[static_cast<std::size_t>(corners[k])] - a)
               .cross(points[static_cast<std::size_t>(corners[k + 1])] - a);
  return sum.normalized();
}

}  // namespace

NormalFan::NormalFan(const shape::ConvexPolyhedron& hull, const Vec3& center) {
  for (const Vec3& p : hull.points) points_.push_back(p - center);
  find_faces(hull, center);
  find_cells();
  stable_.assign(faces_.size(), true);
  for (std::size_t f = 0; f < faces_.size(); ++f)
    for (std::size_t k = 0; k < faces_[f].corners.size(); ++k)
      if (inward(static_cast<int>(f), k) < 0.0) stable_[f] = false;
  end_.assign(faces_.size(), -1);
}

void NormalFan::find_faces(const shape::ConvexPolyhedron& hull, const Vec3&) {
  std::map<std::pair<int, int>, int> owner;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const auto& corners = hull.faces[f];
    Face face{polygon_normal(points_, corners), 0.0, corners, {}};
    for (const int c : corners)
      face.height += face.normal.dot(points_[static_cast<std::size_t>(c)]) /
                     static_cast<double>(corners.size());
    inside_ = inside_ && face.height > 0.0;
    for (std::size_t k = 0; k < corners.size(); ++k)
      owner[{corners[k], corners[(k + 1) % corners.size()]}] = static_cast<int>(f);
    faces_.push_back(std::move(face));
  }
  for (Face& face : faces_)
    for (std::size_t k = 0; k < face.corners.size(); ++k)
      face.across.push_back(
          owner.at({face.corners[(k + 1) % face.corners.size()], face.corners[k]}));
}

void NormalFan::find_cells() {
  cells_.resize(points_.size());
  std::vector<int> any(points_.size(), -1);
  for (std::size_t f = 0; f < faces_.size(); ++f)
    for (const int c : faces_[f].corners) any[static_cast<std::size_t>(c)] = static_cast<int>(f);
  for (std::size_t v = 0; v < points_.size(); ++v) {
    Cell& cell = cells_[v];
    cell.point = points_[v];
    int face = any[v];
    if (face < 0) continue;
    do {  // counter-clockwise about the vertex, seen from outside
      const Face& here = faces_[static_cast<std::size_t>(face)];
      const auto at = static_cast<std::size_t>(
          std::find(here.corners.begin(), here.corners.end(), static_cast<int>(v)) -
          here.corners.begin());
      const std::size_t before = (at + here.corners.size() - 1) % here.corners.size();
      Arc arc;
      arc.vertex = here.corners[before];
      arc.from = face;
      arc.to = here.across[before];
      arc.way = points_[static_cast<std::size_t>(arc.vertex)] - points_[v];
      arc.foot = -points_[v].dot(arc.way) / arc.way.squaredNorm();
      arc.through = arc.foot > 1.0;
      cell.arcs.push_back(arc);
      face = arc.to;
    } while (face != any[v]);
  }
}

double NormalFan::inward(int face, std::size_t k) const {
  const Face& f = faces_[static_cast<std::size_t>(face)];
  const Vec3& a = points_[static_cast<std::size_t>(f.corners[k])];
  const Vec3& b = points_[static_cast<std::size_t>(f.corners[(k + 1) % f.corners.size()])];
  return f.normal.cross(b - a).normalized().dot(f.height * f.normal - a);
}

NormalFan::Exit NormalFan::leave(int c, const Vec3& u) const {
  const Cell& cell = cells_[static_cast<std::size_t>(c)];
  ++check::tally.cells;
  const Vec3 axis = cell.point.normalized();
  Vec3 side = u - axis.dot(u) * axis;
  if (!(side.norm() > 0.0)) side = axis.unitOrthogonal();  // at the peak any way leads down
  side.normalize();
  const double start = std::atan2(u.dot(side), u.dot(axis));
  // on axis cos t + side sin t the arc's plane is crossed outwards at t = atan2(-A, B)
  double first = std::numeric_limits<double>::infinity();
  Exit out{0, u};
  for (std::size_t k = 0; k < cell.arcs.size(); ++k) {
    const Vec3& way = cell.arcs[k].way;
    double t = std::atan2(-way.dot(axis), way.dot(side));
    // already beyond by rounding: leaves at once
    constexpr double kRounding = 1e-12;  // rad
    if (t < start - kRounding) t += 2.0 * kPi;
    if (t >= first) continue;
    first = t;
    out.arc = k;
  }
  out.at = std::cos(first) * axis + std::sin(first) * side;
  return out;
}

int NormalFan::slide(int c, std::size_t k, const Vec3& at) const {
  const Cell& cell = cells_[static_cast<std::size_t>(c)];
  const Arc& arc = cell.arcs[k];
  // steepest descent along the arc, whose plane the way to the foot is square to
  const Vec3 down = cell.point.dot(at) * at - cell.point;
  const Vec3 along = faces_[static_cast<std::size_t>(arc.to)].normal -
                     faces_[static_cast<std::size_t>(arc.from)].normal;
  return down.dot(along) > 0.0 ? arc.to : arc.from;
}

int NormalFan::step_from(int face, int& cell) const {
  const Face& f = faces_[static_cast<std::size_t>(face)];
  const Vec3 foot = f.height * f.normal;
  double nearest = std::numeric_limits<double>::infinity();
  int next = face;
  cell = -1;
  for (std::size_t k = 0; k < f.corners.size(); ++k) {
    const int first = f.corners[k];
    const Vec3& a = points_[static_cast<std::size_t>(first)];
    const Vec3 way = points_[static_cast<std::size_t>(f.corners[(k + 1) % f.corners.size()])] - a;
    const double t = (foot - a).dot(way) / way.squaredNorm();
    const double distance = (a + std::clamp(t, 0.0, 1.0) * way - foot).norm();
    if (distance >= nearest || t > 1.0) continue;  // its end is the next side's beginning
    nearest = distance;
    cell = t < 0.0 ? first : -1;
    next = f.across[k];
  }
  return next;
}

int NormalFan::end_of_face(int face) const {
  // heights fall at every move, so that none comes twice; where rounding hides the fall, the lowest
  // corner met is the end
  std::vector<int> passed;
  int at = face, lowest = face;
  while (!stable_[static_cast<std::size_t>(at)] && end_[static_cast<std::size_t>(at)] < 0) {
    if (passed.size() > faces_.size()) {
      end_[static_cast<std::size_t>(lowest)] = lowest;
      at = lowest;
      break;
    }
    passed.push_back(at);
    if (faces_[static_cast<std::size_t>(at)].height <
        faces_[static_cast<std::size_t>(lowest)].height)
      lowest = at;
    int cell = -1;
    ++check::tally.cells;
    const int next = step_from(at, cell);
    if (cell < 0) {
      at = next;
      continue;
    }
    Vec3 u = faces_[static_cast<std::size_t>(at)].normal;
    for (;;) {
      const Exit exit = leave(cell, u);
      const Arc& arc = cells_[static_cast<std::size_t>(cell)].arcs[exit.arc];
      if (!arc.through) {
        at = slide(cell, exit.arc, exit.at);
        break;
      }
      cell = arc.vertex;
      u = exit.at;
    }
  }
  const int end = stable_[static_cast<std::size_t>(at)] ? at : end_[static_cast<std::size_t>(at)];
  for (const int p : passed) end_[static_cast<std::size_t>(p)] = end;
  return end;
}

int NormalFan::end(int cell, const Vec3& start) const {
  Vec3 u = start;
  // nearer and nearer vertices: none comes twice
  for (;;) {
    const Exit exit = leave(cell, u);
    const Arc& arc = cells_[static_cast<std::size_t>(cell)].arcs[exit.arc];
    if (!arc.through) return end_of_face(slide(cell, exit.arc, exit.at));
    cell = arc.vertex;
    u = exit.at;
  }
}

std::vector<NormalFan::Saddle> NormalFan::saddles() const {
  std::vector<Saddle> out;
  for (std::size_t f = 0; f < faces_.size(); ++f) {
    const Face& face = faces_[f];
    for (std::size_t k = 0; k < face.corners.size(); ++k) {
      const int other = face.across[k];
      if (other < static_cast<int>(f)) continue;
      const int a = face.corners[k], b = face.corners[(k + 1) % face.corners.size()];
      const Vec3& p = points_[static_cast<std::size_t>(a)];
      const Vec3 way = points_[static_cast<std::size_t>(b)] - p;
      const double t = -p.dot(way) / way.squaredNorm();
      if (t < 0.0 || t > 1.0) continue;
      const Face& beyond = faces_[static_cast<std::size_t>(other)];
      const auto back = static_cast<std::size_t>(
          std::find(beyond.corners.begin(), beyond.corners.end(), b) - beyond.corners.begin());
      if (inward(static_cast<int>(f), k) < 0.0 || inward(other, back) < 0.0) continue;
      out.push_back({(p + t * way).norm(), end_of_face(static_cast<int>(f)), end_of_face(other)});
    }
  }
  std::sort(out.begin(), out.end(), [](const Saddle& x, const Saddle& y) {
    if (x.height != y.height) return x.height < y.height;
    return x.end_a != y.end_a ? x.end_a < y.end_a : x.end_b < y.end_b;
  });
  return out;
}

}  // namespace repose::poses
