#include "nearest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "corner.h"

namespace repose::pile {
namespace {

constexpr int kMaxIterations = 100;
/// The search ends when the support plane is as far as the nearest point, up to this share of it.
constexpr double kRelative = 1e-12;
/// Cores nearer than this share of their size meet.
constexpr double kMeet = 1e-14;
/// Hulls that overlap by less than this share of their size touch.
constexpr double kTouching = 1e-9;
/// Curved sets nearer than this share of their size are looked at feature by feature.
constexpr double kNear = 0.1;
/// A tetrahedron of less volume than this share of that of its edges' box holds no point for sure.
constexpr double kThin = 1e-7;
constexpr double kLift =
    1e-3;  // of size: how far touching hulls are moved apart to see their points
constexpr double kSameDirection = 1e-9;  // sine
constexpr double kWide = 0.8;  // a slab of this share of the distance is wide enough for a proof
/// Newton's method on a normal: steps, and how far support points may lie aside, of size.
constexpr int kPolishSteps = 6;
constexpr double kPolished = 1e-10;
/// What stands no lower than this share of the size below a support plane touches it.
constexpr double kBeside = 1e-6;
/// Lines cross if the sine of their angle is larger.
constexpr double kLinesCross = 1e-3;

/// Up to four corners and the weights of the point of their hull nearest to the origin.
struct GjkSimplex {
  std::array<Corner, 4> corner;
  std::array<double, 4> weight{};
  int count = 0;

  const Vec3& at(int i) const { return corner[i].difference; }
  Vec3 nearest() const {
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < count; ++i) sum += weight[i] * corner[i].difference;
    return sum;
  }
};

/// Weights of the point of a hull of corners nearest to the origin; zero where a corner is not
/// needed.
using Weights = std::array<double, 4>;

Weights nearest_on_segment(const GjkSimplex& s, int i, int j) {
  const Vec3 edge = s.at(j) - s.at(i);
  const double along = -s.at(i).dot(edge), length = edge.squaredNorm();
  Weights out{};
  const double t = length > 0.0 ? std::clamp(along / length, 0.0, 1.0) : 0.0;
  out[i] = 1.0 - t;
  out[j] = t;
  return out;
}

double square_of(const GjkSimplex& s, const Weights& w) {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < s.count; ++i)
    if (w[i] != 0.0) sum += w[i] * s.at(i);
  return sum.squaredNorm();
}

void keep_nearer(const GjkSimplex& s, const Weights& candidate, Weights& best, double& square) {
  const double here = square_of(s, candidate);
  if (here >= square) return;
  square = here;
  best = candidate;
}

/// Within the triangle if the origin's foot lies there, else on the nearest of its edges.
Weights nearest_on_triangle(const GjkSimplex& s, int i, int j, int k) {
  const Vec3 u = s.at(j) - s.at(i), v = s.at(k) - s.at(i), normal = u.cross(v);
  const double area = normal.squaredNorm();
  Weights out{};
  if (area > 0.0) {
    const Vec3 p = -s.at(i);
    const double wj = normal.dot(p.cross(v)) / area, wk = normal.dot(u.cross(p)) / area;
    if (wj >= 0.0 && wk >= 0.0 && wj + wk <= 1.0) {
      out[i] = 1.0 - wj - wk;
      out[j] = wj;
      out[k] = wk;
      return out;
    }
  }
  double square = std::numeric_limits<double>::infinity();
  keep_nearer(s, nearest_on_segment(s, i, j), out, square);
  keep_nearer(s, nearest_on_segment(s, j, k), out, square);
  keep_nearer(s, nearest_on_segment(s, i, k), out, square);
  return out;
}

/// True if the origin lies on the far side of the plane through i, j, k from corner `other`.
bool beyond(const GjkSimplex& s, int i, int j, int k, int other) {
  const Vec3 normal = (s.at(j) - s.at(i)).cross(s.at(k) - s.at(i));
  const double side = normal.dot(s.at(other) - s.at(i)), here = normal.dot(-s.at(i));
  return side >= 0.0 ? here < 0.0 : here > 0.0;
}

/// `outside`: the origin is known not to be within.
Weights nearest_on_tetrahedron(const GjkSimplex& s, bool outside) {
  constexpr std::array<std::array<int, 4>, 4> kFaces{
      {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}}};
  Weights out{};
  double square = std::numeric_limits<double>::infinity();
  // of a flat tetrahedron rounding decides on which side of its faces the origin lies
  const Vec3 u = s.at(1) - s.at(0), v = s.at(2) - s.at(0), w = s.at(3) - s.at(0);
  outside = outside || std::fabs(u.cross(v).dot(w)) <= kThin * u.norm() * v.norm() * w.norm();
  for (const auto& f : kFaces)
    if (outside || beyond(s, f[0], f[1], f[2], f[3]))
      keep_nearer(s, nearest_on_triangle(s, f[0], f[1], f[2]), out, square);
  if (std::isfinite(square)) return out;
  return {0.25, 0.25, 0.25, 0.25};  // the origin is within: the cores meet
}

/// Keeps the corners that carry the hull's nearest point. Answers its squared distance; zero where
/// the origin is within.
double reduce(GjkSimplex& s, bool outside) {
  Weights w{1.0, 0.0, 0.0, 0.0};
  if (s.count == 2) w = nearest_on_segment(s, 0, 1);
  if (s.count == 3) w = nearest_on_triangle(s, 0, 1, 2);
  if (s.count == 4) w = nearest_on_tetrahedron(s, outside);
  int count = 0;
  for (int i = 0; i < s.count; ++i) {
    if (w[i] == 0.0) continue;
    s.corner[count] = s.corner[i];
    s.weight[count++] = w[i];
  }
  s.count = count;
  return count == 4 ? 0.0 : s.nearest().squaredNorm();
}

/// The distinct points among up to four.
int distinct(const GjkSimplex& s, const Vec3 Corner::*which, std::array<Vec3, 4>& out) {
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
bool feature_normal(const GjkSimplex& s, const Vec3& roughly, Vec3& normal) {
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

/// The widest slab across the normals of faces and of pairs of edges, and its normal: what rounding
/// hides from the search for nearest points where they touch.
double widest_direction(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                        Vec3& best) {
  double widest = -std::numeric_limits<double>::infinity();
  const Placed on_a(a, pose_a), on_b(b, pose_b);
  const auto look = [&](const Vec3& direction) {
    for (const double side : {1.0, -1.0}) {
      const Vec3 normal = side * direction;
      const double slab = normal.dot(corner_of(on_a, on_b, normal).difference);
      if (slab <= widest) continue;
      widest = slab;
      best = normal;
    }
  };
  for (const Vec3& f : b.faces) look(pose_b.turn(f));
  for (const Vec3& f : a.faces) look(pose_a.turn(f));
  for (const Vec3& e : a.edges)
    for (const Vec3& f : b.edges) {
      const Vec3 across = pose_a.turn(e).cross(pose_b.turn(f));
      if (across.norm() > kSameDirection) look(across.normalized());
    }
  return widest;
}

/// Newton's method on the normal of the slab until its support points lie across from each other:
/// for sets that are both curved, or cornered, where they are nearest. Elsewhere nothing changes.
void polish_normal(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                   double size, Nearest& out, double& widest) {
  Vec3 n = out.normal;
  Corner here = corner_of(a, pose_a, b, pose_b, n);
  double slab = n.dot(here.difference), aside = (here.difference - slab * n).norm();
  for (int step = 0; step < kPolishSteps && aside > kMeet * size; ++step) {
    const Mat3 bend = bend_of(a, pose_a, n) + bend_of(b, pose_b, -n);
    const Vec3 u = n.unitOrthogonal(), v = n.cross(u);
    Mat2 m;
    m << u.dot(bend * u) + slab, u.dot(bend * v), v.dot(bend * u), v.dot(bend * v) + slab;
    if (!(m.determinant() > 0.0)) break;
    const Vec2 turn = m.inverse() * Vec2(u.dot(here.difference), v.dot(here.difference));
    if (!(turn.norm() < 1.0)) break;
    const Vec3 next = (n + turn.x() * u + turn.y() * v).normalized();
    const Corner there = corner_of(a, pose_a, b, pose_b, next);
    const double wider = next.dot(there.difference),
                 left = (there.difference - wider * next).norm();
    if (left >= aside) break;
    n = next;
    here = there;
    slab = wider;
    aside = left;
  }
  if (aside > kPolished * size) return;
  out.normal = n;
  out.point_a = here.on_a;
  out.point_b = here.on_b;
  widest = slab;
}

bool curved(const Convex& set) {
  return set.core == Convex::Core::discs || set.core == Convex::Core::ellipsoid;
}

/// Where an ellipsoid stands over a face of the other set its point is its support along the
/// face's normal: the simplices of the search get flat there and tell the point no better than to
/// the root of rounding.
void stand_on_face(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                   double widest, Nearest& out) {
  const auto over_face = [&](const Convex& set, const Convex& other, const Pose& pose) {
    if (set.core != Convex::Core::ellipsoid || other.core != Convex::Core::points) return false;
    return std::any_of(other.faces.begin(), other.faces.end(), [&](const Vec3& face) {
      return pose.turn(face).cross(out.normal).norm() <= kSameDirection;
    });
  };
  const bool of_a = over_face(a, b, pose_b);
  if (!of_a && !over_face(b, a, pose_a)) return;
  const Corner here = corner_of(a, pose_a, b, pose_b, out.normal);
  out.point_a = of_a ? here.on_a : Vec3(here.on_b - widest * out.normal);
  out.point_b = of_a ? Vec3(here.on_a + widest * out.normal) : here.on_b;
}

/// The ends of the straight line in which a set touches its support plane along `direction` (unit,
/// world): an edge of a hull, a line of the side of two discs' hull. Nothing where it touches
/// elsewhere.
std::optional<std::array<Vec3, 2>> support_line(const Convex& set, const Pose& pose,
                                                const Vec3& direction, double size) {
  const Vec3 d = pose.rotation.conjugate() * direction;
  std::vector<Vec3> ends;
  if (set.core == Convex::Core::points) {
    const double top = d.dot(set.support(d));
    for (const Vec3& p : set.points)
      if (d.dot(p) >= top - kBeside * size) ends.push_back(p);
  } else if (set.core == Convex::Core::discs && std::hypot(d.x(), d.y()) > kBeside) {
    const Vec3 out = Vec3(d.x(), d.y(), 0.0).normalized();
    for (const Convex::Disc& disc : {set.low, set.high})
      ends.push_back(disc.radius * out + disc.height * Vec3::UnitZ());
    if (std::fabs(d.dot(ends[1] - ends[0])) > kBeside * size) return {};
  }
  if (ends.size() != 2) return {};
  return std::array<Vec3, 2>{pose * ends[0], pose * ends[1]};
}

/// A plane that was found feature by feature may touch a set along a line, and the points told with
/// it lie anywhere on that. Of two lines that cross they are those where they do.
void face_each_other(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                     double size, Nearest& out) {
  const auto on_a = support_line(a, pose_a, out.normal, size);
  const auto on_b = on_a ? support_line(b, pose_b, -out.normal, size) : std::nullopt;
  if (!on_b) return;
  const Vec3 &p = (*on_a)[0], along_a = (*on_a)[1] - p, &q = (*on_b)[0], along_b = (*on_b)[1] - q;
  const double square_a = along_a.squaredNorm(), square_b = along_b.squaredNorm();
  const double across = along_a.cross(along_b).squaredNorm();
  if (!(across > kLinesCross * kLinesCross * square_a * square_b)) return;
  const double both = along_a.dot(along_b), from_a = along_a.dot(q - p),
               from_b = along_b.dot(q - p);
  double t = std::clamp((from_a * square_b - from_b * both) / across, 0.0, 1.0);
  const double u = std::clamp((both * t - from_b) / square_b, 0.0, 1.0);
  t = std::clamp((from_a + both * u) / square_a, 0.0, 1.0);
  out.point_a = p + t * along_a;
  out.point_b = q + u * along_b;
}

/// The search itself, from the direction `start`. `outside`: the cores are known not to meet, so
/// that no simplex holds the origin. Answers the widest slab seen; below zero: none separates. It
/// ends once that of the grown sets is the share `wide` of their distance, or they meet. `meet`
/// receives whether a simplex holds the origin.
double search(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
              const Vec3& start, bool outside, double& size, Nearest& out, double wide = 1.0,
              bool* meet = nullptr) {
  const Placed on_a(a, pose_a), on_b(b, pose_b);
  GjkSimplex simplex;
  simplex.corner[0] =
      corner_of(on_a, on_b, start.squaredNorm() > 0.0 ? start : Vec3(Vec3::UnitZ()));
  simplex.weight[0] = 1.0;
  simplex.count = 1;
  size = a.bound_radius + b.bound_radius + simplex.corner[0].difference.norm();
  const double radii = a.radius + b.radius;
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
    const Corner next = corner_of(on_a, on_b, normal);
    const double slab = normal.dot(next.difference);
    take(normal, slab);
    if (distance - slab <= kRelative * distance + kMeet * size || simplex.count == 4) break;
    if (wide < 1.0 && (distance <= radii || slab - radii >= wide * (distance - radii))) break;
    GjkSimplex larger = simplex;
    larger.corner[larger.count] = next;
    larger.weight[larger.count++] = 0.0;
    const double square = reduce(larger, outside || widest > 0.0);
    if (!(square < distance * distance)) break;
    simplex = larger;
  }
  if (meet != nullptr) *meet = simplex.count == 4;
  Vec3 feature;
  if (feature_normal(simplex, out.normal, feature))
    take(feature, feature.dot(corner_of(on_a, on_b, feature).difference));
  out.point_a = out.point_b = Vec3::Zero();
  for (int i = 0; i < simplex.count; ++i) {
    out.point_a += simplex.weight[i] * simplex.corner[i].on_a;
    out.point_b += simplex.weight[i] * simplex.corner[i].on_b;
  }
  return widest;
}

}  // namespace

double slab_between(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                    const Vec3& normal) {
  return normal.dot(corner_of(a, pose_a, b, pose_b, normal).difference) - a.radius - b.radius;
}

Nearest nearest_of(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                   const Vec3* first) {
  if (a.cell || b.cell) return nearest_on_cells(a, pose_a, b, pose_b);
  return nearest_of_hulls(a, pose_a, b, pose_b, first);
}

double wide_slab(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                 Vec3& normal) {
  Nearest found;
  found.normal = normal;
  double size = 0.0;
  bool meet = false;
  double widest = search(a, pose_a, b, pose_b, normal, false, size, found, kWide, &meet);
  // of curved sets simplices get flat: rounding then hides a narrow gap
  if (widest <= 0.0 && !meet)
    widest = search(a, pose_a, b, pose_b, found.normal, true, size, found, kWide);
  normal = found.normal;
  return widest - a.radius - b.radius;
}

Nearest nearest_of_hulls(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                         const Vec3* first) {
  if (a.core == Convex::Core::arc || b.core == Convex::Core::arc)
    return nearest_on_arcs(a, pose_a, b, pose_b);
  Nearest out;
  double size = 0.0;
  const Vec3 apart = pose_b * b.bound_center - pose_a * a.bound_center;
  double widest = search(a, pose_a, b, pose_b, first != nullptr ? *first : apart, false, size, out);
  const bool bent = curved(a) || curved(b);
  // simplices of curved sets get flat, and rounding then hides a narrow gap
  if (bent && widest <= 0.0) widest = search(a, pose_a, b, pose_b, out.normal, true, size, out);
  if (bent) polish_normal(a, pose_a, b, pose_b, size, out, widest);
  if (widest <= (bent ? kLift * size : 0.0)) {
    Vec3 normal;
    const double slab = widest_direction(a, pose_a, b, pose_b, normal);
    const bool wider = slab > widest, touching = !bent && slab > -kTouching * size;
    if (wider) {
      widest = slab;
      out.normal = normal;
    }
    if (wider && (slab > 0.0 || touching)) {
      // the points of both that face each other, seen with b lifted off
      Pose lifted = pose_b;
      const double lift = 2.0 * kLift * size - slab;
      lifted.position += lift * normal;
      const Nearest above = nearest_of_hulls(a, pose_a, b, lifted, &normal);
      out.point_a = above.point_a;
      out.point_b = above.point_b - lift * normal;
      out.apart = true;
    }
  }
  if (bent && widest <= kNear * size) {
    search_features(a, pose_a, b, pose_b, size, out, widest);
    if (widest > 0.0) face_each_other(a, pose_a, b, pose_b, size, out);
  }
  out.apart = out.apart || widest > 0.0;
  if (out.apart) stand_on_face(a, pose_a, b, pose_b, widest, out);
  out.gap = widest - a.radius - b.radius;
  return out;
}

}  // namespace repose::pile
