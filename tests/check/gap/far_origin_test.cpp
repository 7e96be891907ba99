// Bodies far from their own origin, or the world's: what cancels between shape and pose is in the
// bracket. Truths are whole numbers of any size made from the same doubles.
#include <gtest/gtest.h>

#include "repose/check/gap.h"
#include "repose/shape/make.h"

#include "check/shapes.h"
#include "math/integers.h"

namespace repose::check {
namespace {

using Long = long double;

/// The rotation that q stands for, times the square of its length.
struct WholeTurn {
  Integer m[3][3];
  Integer weight;
};
WholeTurn whole_turn(const Quat& q) {
  const Integer w(q.w()), x(q.x()), y(q.y()), z(q.z());
  const auto twice = [](const Integer& a, const Integer& b) { return a * b + a * b; };
  const Integer ww = w * w, xx = x * x, yy = y * y, zz = z * z;
  WholeTurn out;
  out.weight = ww + xx + yy + zz;
  const Integer rows[3][3] = {
      {ww + xx - yy - zz, twice(x, y) - twice(w, z), twice(x, z) + twice(w, y)},
      {twice(x, y) + twice(w, z), ww - xx + yy - zz, twice(y, z) - twice(w, x)},
      {twice(x, z) - twice(w, y), twice(y, z) + twice(w, x), ww - xx - yy + zz}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out.m[i][j] = rows[i][j];
  return out;
}

/// Coordinate `axis` of a point of `b` in the frame of `a`, less `offset`, without rounding but in
/// the answer.
Long coordinate_in(const PlacedBody& a, int axis, const PlacedBody& b, const Vec3& point,
                   double offset) {
  const WholeTurn ta = whole_turn(a.world_from_body.rotation);
  const WholeTurn tb = whole_turn(b.world_from_body.rotation);
  Integer sum;
  for (int k = 0; k < 3; ++k) {
    Integer world = tb.weight * (Integer(b.world_from_body.position[k]) -
                                 Integer(a.world_from_body.position[k]));
    for (int j = 0; j < 3; ++j) world = world + tb.m[k][j] * Integer(point[j]);
    sum = sum + ta.m[k][axis] * world;
  }
  const Integer weights = ta.weight * tb.weight;
  return ratio(sum - weights * Integer(offset), weights * Integer(1.0));
}

/// A slab whose top is the face `offset` along `axis` in its own frame, and a body over it that the
/// points (within `round` of which it ends) stand for.
struct Slab {
  shape::ShapePtr shape;
  Vec3 middle_of_top;
  int axis = 2;
};
struct Over {
  shape::ShapePtr shape;
  std::vector<Vec3> points;
  double round = 0.0, size = 1.0;
};

Long height_over(const Slab& slab, const PlacedBody& a, const Over& over, const PlacedBody& b) {
  Long least = std::numeric_limits<Long>::infinity();
  for (const Vec3& p : over.points)
    least = std::min(least, coordinate_in(a, slab.axis, b, p, slab.middle_of_top[slab.axis]));
  return least - over.round;
}

std::vector<Vec3> box_points(const Vec3& half, const Vec3& middle) {
  std::vector<Vec3> out;
  for (int i = 0; i < 8; ++i)
    out.push_back(middle + Vec3(i & 1 ? half.x() : -half.x(), i & 2 ? half.y() : -half.y(),
                                i & 4 ? half.z() : -half.z()));
  return out;
}
const std::vector<std::array<int, 3>>& box_triangles() {
  static const std::vector<std::array<int, 3>> kAll = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                                       {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                                       {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return kAll;
}
shape::ShapePtr mesh_of(const std::vector<Vec3>& points) {
  return shape::make_mesh({{points, box_triangles()}, false}).value();
}
/// Six patches of degree one that are the box's faces.
shape::ShapePtr patches_of(const std::vector<Vec3>& p) {
  constexpr std::array<std::array<std::size_t, 4>, 6> kFaces = {
      {{0, 2, 1, 3}, {4, 5, 6, 7}, {0, 1, 4, 5}, {2, 6, 3, 7}, {0, 4, 2, 6}, {1, 3, 5, 7}}};
  shape::BsplineInput in;
  for (const auto& [a, b, c, d] : kFaces)
    in.patches.push_back({1, 1, {0, 0, 1, 1}, {0, 0, 1, 1}, {{p[a], p[b]}, {p[c], p[d]}}, {}});
  return shape::make_bspline(in).value();
}

using Maker = shape::ShapePtr (*)(const std::vector<Vec3>&);
shape::ShapePtr hull_of(const std::vector<Vec3>& points) {
  return shape::make_convex({points, {}}).value();
}
constexpr std::array<Maker, 3> kMakers = {mesh_of, hull_of, patches_of};

/// The slab's top lies at a place of the world, the body `gap` above it but for rounding.
struct Scene {
  PlacedBody slab, over;
};
Scene scene_of(const Slab& slab, const Over& over, const Quat& turn_slab, const Quat& turn_over,
               const Vec3& top_at, double gap) {
  const Vec3 place = top_at - turn_slab * slab.middle_of_top;
  Scene out{at(slab.shape, place, turn_slab), at(over.shape, Vec3::Zero(), turn_over)};
  Vec3 target = turn_slab * slab.middle_of_top + place;
  const Vec3 up = turn_slab * Vec3::Unit(slab.axis);
  double least = std::numeric_limits<double>::infinity();
  for (const Vec3& p : over.points)
    least = std::min(least, up.dot(turn_over * Vec3(p - over.points.front())));
  target += up * (gap + over.round - least);
  out.over.world_from_body.position = target - turn_over * over.points.front();
  return out;
}

/// `room`: m, how much wider than asked for the bracket of bodies apart may be.
void expect_truth(const Slab& slab, const Over& over, const Scene& scene, double room,
                  const std::string& what) {
  const Long truth = height_over(slab, scene.slab, over, scene.over);
  for (const bool first : {true, false}) {
    const GapBracket g = first ? gap(scene.slab, scene.over) : gap(scene.over, scene.slab);
    EXPECT_LE(Long(g.lower), truth) << what << ' ' << first;
    EXPECT_GE(Long(g.upper), truth) << what << ' ' << first;
    if (truth > 0.0L) {
      EXPECT_LT(g.width(), 1e-8 * over.size + room) << what << ' ' << first;
    }
  }
}

TEST(FarOrigin, brackets_of_boxes_hold_the_truth_wherever_their_origins_are) {
  Random random(211);
  for (const double scale : {1e-3, 1.0, 1e3})
    for (const double far : {0.0, 10.0, 1e6})
      for (std::size_t k = 0; k < 9; ++k) {
        // patches far away are split down to rounding: slow, and the same as nearer
        if (far > 10.0 && (k % 3 == 2 || k / 3 % 3 == 2)) continue;
        const auto away = [&] { return Vec3(scale * far * random_direction(random)); };
        const Vec3 from_slab = away(), from_over = away();
        // near the world's origin what cancels is not to be seen there
        const Vec3 place = k % 2 == 0 ? Vec3(Vec3::Zero()) : away();
        const auto wide = box_points(scale * Vec3(8, 8, 1), from_slab);
        const Slab slab{kMakers[k % 3](wide), 0.5 * (wide[4] + wide[7]), 2};
        const auto points = box_points(scale * Vec3(0.5, 0.4, 0.3), from_over);
        const Over over{kMakers[k / 3 % 3](points), points, 0.0, scale};
        const double gap = scale * 1e-7 * (2.0 * random.unit() - 1.0);
        const Scene scene =
            scene_of(slab, over, random_rotation(random), random_rotation(random), place, gap);
        // the room follows what cancels: of patches' enclosures, not of roundings alone
        constexpr double kRoom = 1e-10;
        expect_truth(slab, over, scene, kRoom * scale * far,
                     std::to_string(scale) + " " + std::to_string(far) + " " + std::to_string(k));
      }
}

TEST(FarOrigin, small_bodies_on_large_ones_whose_origins_are_far_are_measured_to_their_own_size) {
  Random random(213);
  constexpr double kFar = 1e8;     // m
  constexpr double kSmall = 1e-6;  // of the small body's size
  for (const double large : {1.0, 1e2, 1e4})
    for (const double small : {1e-5, 1e-3, 1e-1})
      for (int k = 0; k < 8; ++k) {
        const auto wide = box_points(large * Vec3(8, 8, 1), kFar * random_direction(random));
        const Slab slab{k % 2 == 0 ? hull_of(wide) : mesh_of(wide), 0.5 * (wide[4] + wide[7]), 2};
        const bool ball = k % 4 == 3;
        const auto points =
            ball ? std::vector<Vec3>{Vec3::Zero()}
                 : box_points(small * Vec3(0.5, 0.4, 0.3), 1e5 * small * random_direction(random));
        const Over over{ball ? shape::make_ball({0.5 * small}).value() : hull_of(points), points,
                        ball ? 0.5 * small : 0.0, small};
        const Scene scene = scene_of(slab, over, random_rotation(random), random_rotation(random),
                                     Vec3::Zero(), 0.2 * small * random.unit());
        expect_truth(slab, over, scene, kSmall * small,
                     std::to_string(large) + " " + std::to_string(small) + " " + std::to_string(k));
      }
}

constexpr double kFarthest = 1e8;  // m: no shape has points much farther off

TEST(FarOrigin, brackets_of_plane_bodies_hold_the_truth_wherever_their_origins_are) {
  Random random(212);
  for (const double scale : {1e-3, 1.0, 1e3})
    for (const double far : {0.0, 10.0, 1e4, 1e8})
      for (int k = 0; k < 20; ++k) {
        if (scale * far > kFarthest) continue;
        const auto away = [&] {
          const Vec3 d = random_direction(random);
          return Vec2(scale * far * d.head<2>());
        };
        const auto rectangle = [&](const Vec2& half, const Vec2& o) {
          return std::vector<Vec2>{o - half,
                                   {o.x() + half.x(), o.y() - half.y()},
                                   o + half,
                                   {o.x() - half.x(), o.y() + half.y()}};
        };
        const auto loop = rectangle(scale * Vec2(8, 1), away());
        const Slab slab{shape::make_plane_region({{{loop, {}}}, {}, scale}).value(),
                        Vec3(0.5 * (loop[2].x() + loop[3].x()), loop[2].y(), 0), 1};
        Over over;
        over.size = scale;
        if (k % 2 == 0) {
          const auto square = rectangle(scale * Vec2(0.5, 0.5), away());
          over.shape = shape::make_plane_region({{{square, {}}}, {}, scale}).value();
          for (const Vec2& p : square) over.points.emplace_back(p.x(), p.y(), 0);
        } else {
          const Vec2 o = away();
          over.shape = shape::make_plane_region({{}, {{o, 0.5 * scale}}, scale}).value();
          over.points = {Vec3(o.x(), o.y(), 0)};
          over.round = 0.5 * scale;
        }
        const auto turn = [&] {
          const double t = 2.0 * std::numbers::pi * random.unit();
          return Quat(std::cos(t), 0, 0, std::sin(t));
        };
        const Vec2 place = k % 4 < 2 ? Vec2(Vec2::Zero()) : away();
        const double gap = scale * std::max(1e-7, 1e-15 * far) * (2.0 * random.unit() - 1.0);
        const Scene scene =
            scene_of(slab, over, turn(), turn(), Vec3(place.x(), place.y(), 0), gap);
        // what cancels is not lost
        expect_truth(slab, over, scene, 0.0,
                     std::to_string(scale) + " " + std::to_string(far) + " " + std::to_string(k));
      }
}

}  // namespace
}  // namespace repose::check
