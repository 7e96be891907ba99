// Distances of two surfaces, of surfaces and cores, and points slid to the nearest.
#include "src/check/gap/distance.h"

#include <gtest/gtest.h>

#include "repose/shape/curves.h"
#include "repose/shape/make.h"

#include "check/shapes.h"
#include "src/check/gap/convex_search.h"
#include "src/check/gap/pair_case.h"
#include "src/check/gap/polish.h"
#include "src/check/gap/swept.h"

namespace repose::check {
namespace {

Frame placed(const Vec3& shift, const Quat& turn = Quat::Identity()) {
  Frame f;
  f.turn = turn.toRotationMatrix();
  f.shift = shift;
  return f;
}

/// Two round bodies whose surfaces are `gap` apart along d, seen as patches.
struct Round {
  Surface a{*ellipsoid(Vec3::Ones())}, b{*ellipsoid(Vec3::Constant(0.5))};
};

TEST(PairSearch, brackets_a_known_distance_and_says_where) {
  Random random(71);
  Round round;
  for (int k = 0; k < 12; ++k) {
    const double gap = std::pow(10.0, random.between(-5.0, 0.0));
    const Vec3 d = random_direction(random);
    PairSearch search(round.a, round.b, placed((1.5 + gap) * d, random_rotation(random)));
    DistanceGoal goal;
    goal.width = 1e-9;
    const Distance found = search.distance(goal);
    EXPECT_LE(found.lower, gap);
    EXPECT_GE(found.upper, gap);
    EXPECT_LE(found.upper - found.lower, 1e-9);
    EXPECT_TRUE(found.clear);
    EXPECT_FALSE(found.spent);
    EXPECT_GT(found.tests, 0);
    EXPECT_LT(found.tests, 20'000);
    EXPECT_NEAR((found.point_b - found.point_a).norm(), gap, 1e-9);
    EXPECT_NEAR(found.point_a.norm(), 1.0, 1e-12);
    EXPECT_NEAR((found.point_b - (1.5 + gap) * d).norm(), 0.5, 1e-12);
    // the pieces named are those of the witnesses
    EXPECT_LE((round.a.piece(found.piece_a).on_surface - found.point_a).norm(), 0.6);
    EXPECT_LE((search.placed(found.piece_b).on_surface - found.point_b).norm(), 0.6);
    // every goal ends the search
    goal.enough = 0.5 * gap;
    const Distance early = search.distance(goal);
    EXPECT_GE(early.lower, 0.5 * gap);
    EXPECT_LE(early.lower, gap);
    EXPECT_LE(early.tests, 2 * found.tests + 100);
    goal.enough = std::numeric_limits<double>::infinity();
    goal.width = 0.0;
    goal.budget = 40;
    const Distance cut = search.distance(goal);
    EXPECT_TRUE(cut.spent);
    EXPECT_LE(cut.tests, 42);
    EXPECT_LE(cut.lower, gap);
    EXPECT_GE(cut.upper, gap);
    goal.budget = 400'000;
    goal.touch = 2.0 * gap;
    const Distance touched = search.distance(goal);
    EXPECT_LE(touched.upper, 2.0 * gap);
    EXPECT_LT(touched.tests, 20'000);
  }
}

TEST(PairSearch, surfaces_that_cross_are_not_clear) {
  Round round;
  for (const double gap : {-0.01, -0.3}) {
    DistanceGoal goal;
    goal.width = goal.touch = 1e-6;
    const Distance d = PairSearch(round.a, round.b, placed(Vec3(0, 0, 1.5 + gap))).distance(goal);
    EXPECT_FALSE(d.clear);
    EXPECT_LE(d.lower, 0.0);
    EXPECT_LE(d.upper, 1e-6);
  }
}

/// Points of a piece of a patch or a triangle.
std::vector<Vec3> points_of(const Surface& s, int i, const Frame& f) {
  std::vector<Vec3> out;
  const Piece& p = s.piece(i);
  if (p.kind == PieceKind::triangle) {
    for (int k = 0; k <= 4; ++k)
      for (int l = 0; k + l <= 4; ++l)
        out.push_back(f * Vec3(p.corner[0] + (p.corner[1] - p.corner[0]) * (k / 4.0) +
                               (p.corner[2] - p.corner[0]) * (l / 4.0)));
  } else if (p.kind == PieceKind::patch) {
    for (int k = 0; k <= 4; ++k)
      for (int l = 0; l <= 4; ++l)
        out.push_back(f * s.face(p.face).patch->point(p.uv.u0 + (p.uv.u1 - p.uv.u0) * k / 4.0,
                                                      p.uv.v0 + (p.uv.v1 - p.uv.v0) * l / 4.0));
  }
  return out;
}

int down(Surface& s, Random& random, int deep) {
  int i = s.root();
  for (int k = 0; k < deep && !s.piece(i).leaf(); ++k)
    i = s.children(i) + static_cast<int>(random.below(2));
  return i;
}

TEST(PairSearch, bounds_of_pieces_lie_below_every_distance_and_not_far) {
  Random random(72);
  std::vector<Surface> surfaces;
  for (const auto& s : {torus(1.0, 0.3), cylinder(0.5, 1.0), ellipsoid(Vec3(0.4, 0.6, 1.0)),
                        round_mesh(8, 6, 0.7), superellipsoid(Vec3(0.5, 0.4, 0.6), 0.6, 0.8)})
    surfaces.emplace_back(*s);
  surfaces.emplace_back(shape::circle_curve(0.8, 0.0));
  surfaces.emplace_back(shape::segment_curve(Vec3(0, 0.1, -1), Vec3(0.2, 0, 1)));
  int told = 0, all = 0;
  for (int k = 0; k < 600; ++k) {
    Surface& a = surfaces[random.below(surfaces.size())];
    Surface& b = surfaces[random.below(surfaces.size())];
    const Frame f = placed(2.0 * random.unit() * random_direction(random), random_rotation(random));
    PairSearch search(a, b, f);
    const int deep = 3 + static_cast<int>(random.below(10));
    const int i = down(a, random, deep), j = down(b, random, deep);
    const double lower = search.lower_bound(i, j);
    double least = 1e300;
    for (const Vec3& p : points_of(a, i, Frame{}))
      for (const Vec3& q : points_of(b, j, f)) least = std::min(least, (p - q).norm());
    EXPECT_LE(lower, least);
    if (least > 1e299) continue;
    ++all;
    told += lower > 0.7 * least - 0.1 * (a.piece(i).size + b.piece(j).size);
  }
  EXPECT_GT(told, 0.8 * all);
}

TEST(PairSearch, near_misses_no_pair_that_is_near) {
  Random random(73);
  Surface a(*round_mesh(10, 8, 1.0, 0.1)), b(*round_mesh(9, 7, 0.6));
  const Frame f = placed(Vec3(1.5, 0.2, 0.1), random_rotation(random));
  PairSearch search(a, b, f);
  const double within = 0.05;
  const auto found = search.pairs_within(within, 1e-3, 1'000'000);
  const auto holds = [&](int i, int j) {
    return std::any_of(found.begin(), found.end(),
                       [&](const UnclearPair& u) { return u.a == i && u.b == j; });
  };
  int near = 0;
  for (int i = 0; i < static_cast<int>(a.count()); ++i)
    for (int j = 0; j < static_cast<int>(b.count()); ++j) {
      if (!a.piece(i).leaf() || !b.piece(j).leaf()) continue;
      double least = 1e300;
      for (const Vec3& p : points_of(a, i, Frame{}))
        for (const Vec3& q : points_of(b, j, f)) least = std::min(least, (p - q).norm());
      if (least > within) continue;
      ++near;
      EXPECT_TRUE(holds(i, j));
    }
  EXPECT_GT(near, 3);
  EXPECT_LE(found.size(), 4u * static_cast<std::size_t>(near) + 40u);
  for (const UnclearPair& u : found) EXPECT_LE(u.lower, within);
  // pieces of patches are split down to the size asked for
  Surface ring(*torus(1.0, 0.3)), egg(*ellipsoid(Vec3(0.3, 0.4, 0.5)));
  PairSearch smooth(ring, egg, placed(Vec3(1.0, 0.0, 0.75)));
  for (const UnclearPair& u : smooth.pairs_within(0.01, 0.05, 1'000'000)) {
    EXPECT_LE(ring.piece(u.a).size, 0.05);
    EXPECT_LE(egg.piece(u.b).size, 0.05);
    EXPECT_EQ(ring.piece(u.a).kind, PieceKind::patch);
  }
  // and with no budget at all everything is left open
  EXPECT_FALSE(smooth.pairs_within(0.01, 0.05, 1).empty());
}

TEST(Polish, slides_to_the_nearest_points_and_proves_them) {
  Random random(74);
  Surface egg(*ellipsoid(Vec3(0.5, 0.5, 0.5))), ring(*torus(1.0, 0.25)),
      box(*box_mesh(Vec3(2, 2, 1))), point{Vec3::Zero()};
  int good = 0;
  for (int k = 0; k < 40; ++k) {
    // from any piece of the egg near its lowest point, to the block's top
    const double gap = 0.05;
    const Frame f = placed(Vec3(0.3, -0.2, 1.0 + gap), random_rotation(random));
    PairSearch search(box, egg, f);
    DistanceGoal goal;
    goal.width = 0.05;
    const Distance d = search.distance(goal);
    const Polished p = polish(box, d.piece_a, egg, d.piece_b, f);
    EXPECT_NEAR(p.distance, (p.point_a - p.point_b).norm(), 1e-15);
    EXPECT_GE(p.distance + p.error, gap);
    EXPECT_LT(p.error, 1e-12);
    EXPECT_GT(p.error, 1e-16);
    EXPECT_NEAR((p.point_b - f.shift).norm(), 0.5, 1e-12);
    EXPECT_NEAR(p.point_a.z(), 0.5, 1e-15);
    good += std::fabs(p.distance - gap) < 1e-9;
  }
  EXPECT_GE(good, 36);
  for (int k = 0; k < 40; ++k) {
    // a point and a torus: the nearest on the tube
    const double turn = random.between(0, 6), far = random.between(1.4, 2.0);
    const Vec3 at(far * std::cos(turn), far * std::sin(turn), random.between(-0.5, 0.5));
    Surface query{at};
    PairSearch search(query, ring, Frame{});
    DistanceGoal goal;
    goal.width = 0.1;
    const Distance d = search.distance(goal);
    const Polished p = polish(query, 0, ring, d.piece_b, Frame{});
    EXPECT_NEAR(p.distance, std::hypot(far - 1.0, at.z()) - 0.25, 1e-9);
    EXPECT_EQ(p.point_a, at);
    EXPECT_NEAR(std::hypot(std::hypot(p.point_b.x(), p.point_b.y()) - 1.0, p.point_b.z()), 0.25,
                1e-12);
    // the other way round as well
    const Polished back = polish(ring, d.piece_b, query, 0, Frame{});
    EXPECT_NEAR(back.distance, p.distance, 1e-9);
  }
}

TEST(Polish, stops_at_the_ends_of_a_patch_and_goes_round_closed_ones) {
  // a disc beside a point: the nearest is on its rim
  auto plate = std::make_shared<shape::Shape>();
  shape::Part part;
  part.faces.push_back({*shape::disc_patch(1.0), 1.0});
  plate->geometry = shape::Solid{{part}};
  plate->bounding_radius = 1.0;
  plate->volume.volume = 1.0;
  Surface disc(*plate);
  Random random(75);
  for (int k = 0; k < 20; ++k) {
    const double turn = random.between(0, 6.2);
    const Vec3 at(1.5 * std::cos(turn), 1.5 * std::sin(turn), 0.3);
    Surface query{at};
    DistanceGoal goal;
    goal.width = 1e-7;
    const Distance d = PairSearch(query, disc, Frame{}).distance(goal);
    EXPECT_LE(d.lower, std::hypot(0.5, 0.3));
    EXPECT_GE(d.upper, std::hypot(0.5, 0.3));
    EXPECT_LE(d.upper - d.lower, 1e-7);
    EXPECT_LT(d.tests, 4000);
  }
}

TEST(CoreSearch, distances_of_surfaces_from_cores_are_those_of_closed_forms) {
  Random random(76);
  Surface ring(shape::circle_curve(1.0, 0.0)), mesh(*round_mesh(24, 16, 1.0)),
      tube(*torus(1.0, 0.25));
  const auto ball = ConvexBody::of(check::ball(0.2));
  const auto box = ConvexBody::of(shape::make_box({Vec3(0.4, 0.6, 0.8)}).value());
  for (int k = 0; k < 25; ++k) {
    DistanceGoal goal;
    goal.width = 1e-9;
    const Vec3 at = random.between(1.5, 2.5) * random_direction(random);
    const Distance d = distance_to_core(ring, *ball, placed(at), goal);
    const double truth = std::hypot(std::hypot(at.x(), at.y()) - 1.0, at.z());
    EXPECT_LE(d.lower, truth);
    EXPECT_GE(d.upper, truth);
    EXPECT_LE(d.upper - d.lower, 1e-9);
    EXPECT_LT((d.point_b - at).norm(), 1e-12);
    EXPECT_NEAR(std::hypot(d.point_a.x(), d.point_a.y()), 1.0, 1e-9);
    const Distance on_tube = distance_to_core(tube, *ball, placed(at), goal);
    EXPECT_LE(on_tube.lower, truth - 0.25);
    EXPECT_GE(on_tube.upper, truth - 0.25);
    EXPECT_LE(on_tube.upper - on_tube.lower, 1e-9);
    EXPECT_LT(on_tube.tests, 3000);
    // the same from a box as from its own surface
    const Frame f = placed(at, random_rotation(random));
    const Distance core = distance_to_core(mesh, *box, f, goal);
    Surface faces(std::get<shape::ConvexPolyhedron>(
        shape::make_convex({box->faced()->points, {}}).value()->geometry));
    const Distance plain = PairSearch(mesh, faces, f).distance(goal);
    EXPECT_LE(std::max(core.lower, plain.lower), std::min(core.upper, plain.upper) + 1e-12);
    EXPECT_EQ(core.clear, plain.clear);
    goal.budget = 5;
    goal.width = 0.0;
    const Distance cut = distance_to_core(tube, *ball, placed(at), goal);
    EXPECT_TRUE(cut.spent);
    EXPECT_LE(cut.tests, 7);
    EXPECT_LE(cut.lower, truth - 0.25);
  }
}

TEST(CoreSearch, names_the_piece_that_its_nearest_point_lies_on) {
  Random random(77);
  Surface mesh(*round_mesh(24, 16, 1.0)), tube(*torus(1.0, 0.25));
  const auto box = ConvexBody::of(shape::make_box({Vec3(0.4, 0.6, 0.8)}).value());
  for (int k = 0; k < 12; ++k)
    for (Surface* surface : {&mesh, &tube}) {
      const Vec3 at = random.between(2.0, 2.5) * random_direction(random);
      DistanceGoal goal;
      goal.width = 1e-6;
      const Distance d =
          distance_to_core(*surface, *box, placed(at, random_rotation(random)), goal);
      const Piece& p = surface->piece(d.piece_a);
      EXPECT_NE(p.kind, PieceKind::box);
      EXPECT_LE((d.point_a - p.center).norm(), p.size * (1.0 + 1e-9) + 1e-12);
      EXPECT_LT(p.size, 0.5);
      EXPECT_LE((d.point_b - d.point_a).norm(), d.upper);
    }
}

TEST(Polish, comes_to_the_nearest_point_where_the_distance_is_flat_to_the_fourth_order) {
  // the centre of curvature of an ellipse's sharp end: sideways the distance grows by the fourth
  // power, where Newton's method gains a third of the way a step
  constexpr double kLong = 2.0, kShort = 1.0, kRadius = kShort * kShort / kLong;
  Surface egg(*ellipsoid(Vec3(kLong, kShort, kShort))), query{Vec3(kLong - kRadius, 0, 0)};
  int tried = 0;
  std::vector<int> open{egg.root()};
  while (!open.empty()) {
    const int i = open.back();
    open.pop_back();
    const Piece p = egg.piece(i);
    if (p.kind == PieceKind::patch && p.size < 0.6) {
      if (p.on_surface.x() < 1.4) continue;  // of another patch, or far round
      ++tried;
      const Polished got = polish(query, 0, egg, i, Frame{});
      EXPECT_LT(got.distance / kRadius - 1.0, 1e-14) << p.on_surface.transpose();
      continue;
    }
    const int child = egg.children(i);
    open.push_back(child);
    open.push_back(child + 1);
  }
  EXPECT_GT(tried, 3);
}

TEST(PairCase, the_pieces_named_are_those_of_the_nearest_points) {
  // a ball's surface beside a box that is measured whole, either of the two first
  Random random(77);
  const auto box = shape::make_box({Vec3(1, 2, 3)}).value();
  for (const bool box_first : {false, true})
    for (int k = 0; k < 8; ++k) {
      Surface round(*ellipsoid(Vec3::Ones())), cornered(*box_mesh(Vec3(1, 2, 3)));
      const auto core = ConvexBody::of(box);
      const Vec3 d = random_direction(random);
      const GapSettings settings;
      Case c{box_first ? cornered : round,
             box_first ? round : cornered,
             placed(4.0 * d, random_rotation(random)),
             2.0,
             1e-9,
             settings};
      (box_first ? c.convex_a : c.convex_b) = core.get();
      DistanceGoal goal;
      goal.width = 1e-9;
      const Distance found = distance_of(c, goal);
      ASSERT_TRUE(found.clear);
      const Vec3 on_ball = box_first ? c.to_b(found.point_b) : found.point_a;
      EXPECT_NEAR(on_ball.norm(), 1.0, 1e-9);
      EXPECT_NEAR((found.point_b - found.point_a).norm(), found.upper, 1e-9);
      const Piece& piece = round.piece(box_first ? found.piece_b : found.piece_a);
      EXPECT_NE(piece.kind, PieceKind::box);
      EXPECT_LE((piece.on_surface - on_ball).norm(), 1.0);
    }
}

}  // namespace
}  // namespace repose::check
