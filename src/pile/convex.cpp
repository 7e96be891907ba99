#include "convex.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "repose/shape/tessellate.h"

namespace repose::pile {
namespace {

constexpr int kMaxIterations = 100;
/// The search ends when the support plane is as far as the nearest point, up to this share of it.
constexpr double kRelative = 1e-12;
/// Cores nearer than this share of their size meet.
constexpr double kMeet = 1e-14;
/// Hulls that overlap by less than this share of their size touch.
constexpr double kTouching = 1e-9;
constexpr double kSameDirection = 1e-9;  // sine
constexpr double kFullTurn = 6.283185307179586;
constexpr int kArcs = 32;  // pieces of a torus
/// Nearest points on arcs: the search goes from one set to the other until it stands still.
constexpr int kMaxRounds = 60;

/// A point of the difference b - a with the two points it comes from.
struct Corner {
  Vec3 difference, on_a, on_b;
};

/// Up to four corners and the weights of the point of their hull nearest to the origin.
struct Simplex {
  std::array<Corner, 4> corner;
  std::array<double, 4> weight{};
  int count = 0;

  Vec3 nearest() const {
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < count; ++i) sum += weight[i] * corner[i].difference;
    return sum;
  }
};

/// Barycentric weights of the point nearest to the origin on the affine hull of the chosen corners;
/// false if the hull is degenerate.
bool affine_weights(const Simplex& s, const std::array<int, 4>& chosen, int count,
                    std::array<double, 4>& weight) {
  const Vec3& base = s.corner[chosen[0]].difference;
  if (count == 1) {
    weight[0] = 1.0;
    return true;
  }
  Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> edges(3, count - 1);
  for (int i = 1; i < count; ++i) edges.col(i - 1) = s.corner[chosen[i]].difference - base;
  const auto gram = (edges.transpose() * edges).eval();
  const auto ldlt = gram.fullPivLu();
  if (ldlt.rank() < count - 1) return false;
  const auto solved = ldlt.solve(-(edges.transpose() * base)).eval();
  double sum = 0.0;
  for (int i = 1; i < count; ++i) sum += weight[i] = solved[i - 1];
  weight[0] = 1.0 - sum;
  return true;
}

/// Keeps the corners that carry the hull's nearest point: all subsets tried, the nearest inner one
/// taken. Answers its squared distance.
double reduce(Simplex& s) {
  double best = std::numeric_limits<double>::infinity();
  Simplex kept;
  for (int mask = 1; mask < 1 << s.count; ++mask) {
    std::array<int, 4> chosen{};
    int count = 0;
    for (int i = 0; i < s.count; ++i)
      if (mask >> i & 1) chosen[count++] = i;
    std::array<double, 4> weight{};
    if (!affine_weights(s, chosen, count, weight)) continue;
    bool inside = true;
    for (int i = 0; i < count; ++i) inside = inside && weight[i] >= 0.0;
    if (!inside) continue;
    Simplex candidate;
    candidate.count = count;
    for (int i = 0; i < count; ++i) {
      candidate.corner[i] = s.corner[chosen[i]];
      candidate.weight[i] = weight[i];
    }
    const double square = candidate.nearest().squaredNorm();
    if (square < best) {
      best = square;
      kept = candidate;
    }
  }
  s = kept;
  return best;
}

Corner corner_of(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                 const Vec3& direction) {
  // farthest of b - a against `direction`: a's support along it, b's against it
  Corner out;
  out.on_a = pose_a * a.support(pose_a.rotation.conjugate() * direction);
  out.on_b = pose_b * b.support(pose_b.rotation.conjugate() * Vec3(-direction));
  out.difference = out.on_b - out.on_a;
  return out;
}

/// The distinct points among up to four.
int distinct(const Simplex& s, const Vec3 Corner::*which, std::array<Vec3, 4>& out) {
  int count = 0;
  for (int i = 0; i < s.count; ++i) {
    const Vec3& p = s.corner[i].*which;
    bool known = false;
    for (int j = 0; j < count; ++j) known = known || out[j] == p;
    if (!known) out[count++] = p;
  }
  return count;
}

/// The normal of the two features that a simplex stands for, where they define one: a face against
/// a corner, an edge across an edge. Exact however near they are.
bool feature_normal(const Simplex& s, const Vec3& roughly, Vec3& normal) {
  std::array<Vec3, 4> on_a, on_b;
  const int a = distinct(s, &Corner::on_a, on_a), b = distinct(s, &Corner::on_b, on_b);
  if (a == 3)
    normal = (on_a[1] - on_a[0]).cross(on_a[2] - on_a[0]);
  else if (b == 3)
    normal = (on_b[1] - on_b[0]).cross(on_b[2] - on_b[0]);
  else if (a == 2 && b == 2)
    normal = (on_a[1] - on_a[0]).cross(on_b[1] - on_b[0]);
  else
    return false;
  const double length = normal.norm();
  if (length == 0.0) return false;
  normal /= normal.dot(roughly) < 0.0 ? -length : length;
  return true;
}

}  // namespace

double slab_between(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                    const Vec3& normal) {
  return normal.dot(corner_of(a, pose_a, b, pose_b, normal).difference) - a.radius - b.radius;
}

Vec3 Convex::nearest_on_arc(const Vec3& p) const {
  double off = std::remainder(std::atan2(p.y(), p.x()) - middle, kFullTurn);
  off = std::clamp(off, -half, half);
  return {ring * std::cos(middle + off), ring * std::sin(middle + off), 0.0};
}

Vec3 Convex::support(const Vec3& direction) const {
  if (core == Core::arc) return nearest_on_arc(direction);
  if (core == Core::discs) {
    const double across = std::hypot(direction.x(), direction.y());
    const auto on = [&](const Disc& disc) {
      const double share = across > 0.0 ? disc.radius / across : 0.0;
      return Vec3(share * direction.x(), share * direction.y(), disc.height);
    };
    const Vec3 p = on(low), q = on(high);
    return p.dot(direction) >= q.dot(direction) ? p : q;
  }
  if (core == Core::ellipsoid) {
    const Vec3 scaled = semi_axes.cwiseProduct(direction);
    return points[0] + semi_axes.cwiseProduct(scaled / scaled.norm());
  }
  std::size_t best = 0;
  double far = points[0].dot(direction);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double along = points[i].dot(direction);
    if (along > far) {
      far = along;
      best = i;
    }
  }
  return points[best];
}

namespace {

/// The normal and the edges of a face, each direction once.
void add_face(Convex& hull, std::span<const int> face) {
  const auto add = [](std::vector<Vec3>& list, const Vec3& v) {
    if (v.norm() == 0.0) return;
    const Vec3 unit = v.normalized();
    for (const Vec3& known : list)
      if (known.cross(unit).norm() < kSameDirection) return;
    list.push_back(unit);
  };
  const auto point = [&](std::size_t i) { return hull.points[face[i % face.size()]]; };
  add(hull.faces, (point(1) - point(0)).cross(point(2) - point(0)));
  for (std::size_t i = 0; i < face.size(); ++i) add(hull.edges, point(i + 1) - point(i));
}

}  // namespace

Convex triangle_piece(const Vec3& a, const Vec3& b, const Vec3& c) {
  Convex out;
  out.points = {a, b, c};
  const int corners[] = {0, 1, 2};
  add_face(out, corners);
  return out;
}

namespace {

std::vector<Convex> pieces_of(const shape::Shape& shape) {
  Convex out;
  if (const auto* ball = std::get_if<shape::Ball>(&shape.geometry)) {
    out.points = {Vec3::Zero()};
    out.radius = ball->radius;
    return {out};
  }
  if (const auto* hull = std::get_if<shape::ConvexPolyhedron>(&shape.geometry)) {
    out.points = hull->points;
    for (const auto& face : hull->faces) add_face(out, face);
    return {out};
  }
  if (const auto* mesh = std::get_if<shape::TriangleMesh>(&shape.geometry)) {
    std::vector<Convex> pieces;
    for (const auto& t : mesh->triangles) {
      Convex piece;
      piece = triangle_piece(mesh->points[t[0]], mesh->points[t[1]], mesh->points[t[2]]);
      pieces.push_back(piece);
    }
    return pieces;
  }
  if (!std::holds_alternative<shape::Solid>(shape.geometry)) return {};
  // the vertices of a tessellation lie on the surface: they give the measures of a round solid
  shape::TessellateSettings coarse;
  coarse.cells_per_side = 8;
  const shape::Tessellation mesh = shape::tessellate(shape, coarse);
  Vec3 low = mesh.points[0], high = low;
  for (const Vec3& p : mesh.points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  if (shape.kind == "box") {
    for (int i = 0; i < 8; ++i)
      out.points.emplace_back((i & 1 ? high : low).x(), (i & 2 ? high : low).y(),
                              (i & 4 ? high : low).z());
    out.faces = out.edges = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
    return {out};
  }
  const auto rim = [&](double z) {
    double widest = 0.0;
    for (const Vec3& p : mesh.points)
      if (p.z() == z) widest = std::max(widest, std::hypot(p.x(), p.y()));
    return widest;
  };
  if (shape.kind == "cylinder" || shape.kind == "cone") {
    out.core = Convex::Core::discs;
    out.low = {rim(low.z()), low.z()};
    out.high = {rim(high.z()), high.z()};
    return {out};
  }
  if (shape.kind == "capsule") {
    out.radius = high.x();
    out.points = {Vec3(0.0, 0.0, low.z() + out.radius), Vec3(0.0, 0.0, high.z() - out.radius)};
    return {out};
  }
  if (shape.kind == "ellipsoid") {
    out.core = Convex::Core::ellipsoid;
    out.points = {Vec3::Zero()};
    out.semi_axes = high;
    return {out};
  }
  if (shape.kind == "torus") {
    std::vector<Convex> pieces;
    out.core = Convex::Core::arc;
    out.radius = high.z();
    out.ring = high.x() - out.radius;
    out.half = 0.5 * kFullTurn / kArcs;
    for (int i = 0; i < kArcs; ++i) {
      out.middle = (2 * i + 1) * out.half;
      pieces.push_back(out);
    }
    return pieces;
  }
  return {};
}

/// A ball about the middle of the core's box.
void bound(Convex& set) {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    Vec3 axis = Vec3::Zero();
    axis[k] = 1.0;
    high[k] = set.support(axis)[k];
    low[k] = set.support(-axis)[k];
  }
  set.bound_center = 0.5 * (low + high);
  set.bound_radius = 0.5 * (high - low).norm() + set.radius;
}

}  // namespace

std::vector<Convex> convex_pieces(const shape::Shape& shape) {
  std::vector<Convex> out = pieces_of(shape);
  for (Convex& piece : out) bound(piece);
  return out;
}

namespace {

/// Goes on from the nearest points of the hulls to those of the arcs themselves.
void search_on_arcs(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                    Nearest& nearest) {
  const auto on = [](const Convex& set, const Pose& pose, const Vec3& p, const Vec3& fallback) {
    if (set.core == Convex::Core::arc) return pose * set.nearest_on_arc(pose.inverse() * p);
    Convex point;
    point.points = {Vec3::Zero()};
    const Nearest found = nearest_of(point, {p, Quat::Identity()}, set, pose);
    return found.apart ? found.point_b : fallback;
  };
  for (int round = 0; round < kMaxRounds; ++round) {
    const Vec3 next_a = on(a, pose_a, nearest.point_b, nearest.point_a);
    const Vec3 next_b = on(b, pose_b, next_a, nearest.point_b);
    const double moved = (next_a - nearest.point_a).norm() + (next_b - nearest.point_b).norm();
    nearest.point_a = next_a;
    nearest.point_b = next_b;
    if (moved <= kMeet * (a.ring + b.ring)) break;
  }
  const Vec3 between = nearest.point_b - nearest.point_a;
  const double distance = between.norm();
  nearest.apart = distance > 0.0;
  if (!nearest.apart) return;
  nearest.normal = between / distance;
  nearest.gap = distance - a.radius - b.radius;
}

/// True if the point that stands for an arc has left it for the chord.
bool off_arc(const Convex& set, const Pose& pose, const Vec3& point) {
  if (set.core != Convex::Core::arc) return false;
  const Vec3 p = pose.inverse() * point;
  return (set.nearest_on_arc(p) - p).norm() > kRelative * set.ring;
}

/// The widest slab across the normals of faces and of pairs of edges: where hulls touch, it is what
/// rounding hides from the search for nearest points.
void search_directions(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                       double size, Nearest& out) {
  double widest = -std::numeric_limits<double>::infinity();
  const auto look = [&](const Vec3& direction) {
    for (const double side : {1.0, -1.0}) {
      const Vec3 normal = side * direction;
      const Corner corner = corner_of(a, pose_a, b, pose_b, normal);
      const double slab = normal.dot(corner.difference);
      if (slab <= widest) continue;
      widest = slab;
      out.normal = normal;
      out.point_a = corner.on_a;
      out.point_b = corner.on_b;
    }
  };
  for (const Vec3& f : b.faces) look(pose_b.turn(f));
  for (const Vec3& f : a.faces) look(pose_a.turn(f));
  const bool by_face = !a.faces.empty() || !b.faces.empty();
  for (const Vec3& e : a.edges)
    for (const Vec3& f : b.edges) {
      const Vec3 across = pose_a.turn(e).cross(pose_b.turn(f));
      if (across.norm() > kSameDirection) look(across.normalized());
    }
  out.apart = by_face && widest > -kTouching * size;
  out.gap = widest - a.radius - b.radius;
}

}  // namespace

Nearest nearest_of(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b) {
  Nearest out;
  Simplex simplex;
  simplex.corner[0] = corner_of(a, pose_a, b, pose_b, pose_b.position - pose_a.position);
  simplex.weight[0] = 1.0;
  simplex.count = 1;
  const double size = simplex.corner[0].difference.norm() + simplex.corner[0].on_a.norm();
  double widest = -std::numeric_limits<double>::infinity();  // best slab so far
  const auto take = [&](const Vec3& normal, double slab) {
    if (slab <= widest) return;
    widest = slab;
    out.normal = normal;
  };
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    const Vec3 nearest = simplex.nearest();
    const double distance = nearest.norm();
    if (distance <= kMeet * size) break;
    const Vec3 normal = nearest / distance;
    const Corner next = corner_of(a, pose_a, b, pose_b, normal);
    const double slab = normal.dot(next.difference);
    take(normal, slab);
    if (distance - slab <= kRelative * distance + kMeet * size || simplex.count == 4) break;
    Simplex larger = simplex;
    larger.corner[larger.count] = next;
    larger.weight[larger.count++] = 0.0;
    const double square = reduce(larger);
    if (!(square < distance * distance)) break;
    simplex = larger;
  }
  Vec3 feature;
  if (feature_normal(simplex, out.normal, feature))
    take(feature, feature.dot(corner_of(a, pose_a, b, pose_b, feature).difference));
  out.point_a = out.point_b = Vec3::Zero();
  for (int i = 0; i < simplex.count; ++i) {
    out.point_a += simplex.weight[i] * simplex.corner[i].on_a;
    out.point_b += simplex.weight[i] * simplex.corner[i].on_b;
  }
  out.apart = widest > 0.0;
  out.gap = widest - a.radius - b.radius;
  if (!out.apart && a.core == Convex::Core::points && b.core == Convex::Core::points) {
    search_directions(a, pose_a, b, pose_b, size, out);
  } else if (!out.apart && (a.core == Convex::Core::arc || b.core == Convex::Core::arc)) {
    out.point_a = pose_a * a.support(pose_a.rotation.conjugate() *
                                     Vec3(pose_b * b.bound_center - pose_a.position));
    out.point_b = pose_b * b.bound_center;
    if (b.core == Convex::Core::arc) out.point_b = pose_b * b.nearest_on_arc(b.bound_center);
    search_on_arcs(a, pose_a, b, pose_b, out);
  } else if (off_arc(a, pose_a, out.point_a) || off_arc(b, pose_b, out.point_b)) {
    search_on_arcs(a, pose_a, b, pose_b, out);
  }
  return out;
}

}  // namespace repose::pile
