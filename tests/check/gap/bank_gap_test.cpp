// Gaps and contacts of bodies of every kind with each other, as recorded: see bank.h.
#include <numbers>

#include <gtest/gtest.h>

#include "check/bank.h"
#include "check/sweep_bodies.h"
#include "check/truth_cases.h"
#include "src/check/gap/convex_body.h"
#include "src/check/gap/distance.h"
#include "src/check/gap/inside.h"
#include "src/check/gap/least_along.h"
#include "src/check/gap/polish.h"
#include "src/check/gap/prepared.h"
#include "src/check/gap/support.h"

namespace repose::check {
namespace {

shape::ShapePtr tube() {
  shape::TubeInput in;
  in.spine = {Vec3(-0.9, 0.1, 0), Vec3(-0.2, -0.3, 0.3), Vec3(0.4, 0.3, -0.2), Vec3(0.9, 0, 0.1)};
  in.radii = {0.12};
  return shape::make_tube(in).value();
}
shape::ShapePtr snowman() {
  shape::UnionInput in;
  in.parts = {
      {shape::make_ellipsoid({Vec3(0.6, 0.5, 0.4)}).value(), {Vec3(0, 0, -0.4), Quat::Identity()}},
      {shape::make_torus({0.5, 0.15}).value(),
       {Vec3(0.1, 0, 0.5), rotation_from_vector(Vec3(0.7, 0.2, 0))}}};
  return shape::make_union(in).value();
}
shape::ShapePtr lump(Random& random) {
  std::vector<Vec3> points;
  for (int k = 0; k < 9; ++k)
    points.push_back(random_direction(random).cwiseProduct(Vec3(1.1, 0.8, 0.6)));
  return shape::make_convex({points, {}}).value();
}

constexpr int kKinds = 14;
/// A body of kind k, a copy of its own, so that nothing is known of it from before.
shape::ShapePtr made(int kind, std::uint64_t seed) {
  static std::map<std::pair<int, std::uint64_t>, shape::ShapePtr> all;
  shape::ShapePtr& known = all[{kind, seed % 4}];
  if (!known) {
    Random random(seed % 4 + 1);
    const auto& makers = sweep::makers();
    known = kind < static_cast<int>(makers.size())
                ? makers[static_cast<std::size_t>(kind)](random).shape
            : kind == 11 ? tube()
            : kind == 12 ? snowman()
                         : lump(random);
  }
  return std::make_shared<shape::Shape>(*known);
}
std::string kind_name(int kind) {
  static const char* kNames[] = {
      "sphere", "ellipsoid", "torus",   "superellipsoid", "cylinder", "revolved", "bezier",
      "mesh",   "box",       "capsule", "cone",           "tube",     "union",    "lump"};
  return kNames[kind];
}

class BankKind : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(all, BankKind, testing::Range(0, kKinds));

/// Two bodies whose surfaces are about `gap` times the smaller size apart.
struct Placed {
  PlacedBody a, b;
};
Placed placed(int i, int j, std::uint64_t seed) {
  Random random(seed);
  Placed p{at(made(i, seed + 1), 0.3 * random_direction(random), random_rotation(random)),
           at(made(j, seed + 2), Vec3::Zero(), random_rotation(random))};
  const double reach = p.a.shape->bounding_radius + p.b.shape->bounding_radius;
  p.b.world_from_body.position = p.a.world_from_body.position + reach * random_direction(random);
  return p;
}
void bring_to(Placed& p, double gap_wanted) {
  GapSettings rough;
  rough.width = 1e-4;
  const GapBracket g = gap(p.a, p.b, rough);
  const double size = std::min(p.a.size(), p.b.size());
  p.b.world_from_body.position -= (g.upper - gap_wanted * size) * g.normal_a_to_b;
}

TEST_P(BankKind, gaps_with_every_other_kind_are_as_recorded) {
  const int i = GetParam();
  Bank bank("gaps " + kind_name(i));
  for (int j = i; j < kKinds; ++j) {
    Placed p = placed(i, j, 5000 + static_cast<std::uint64_t>(100 * i + 3 * j));
    const bool turned = (i + j) % 2;
    const auto judge = [&](const char* name, double width, double enough) {
      GapSettings s;
      s.width = width;
      s.enough = enough;
      s.budget = 6000;
      bank.line(kind_name(j) + " " + name).bits(turned ? gap(p.b, p.a, s) : gap(p.a, p.b, s));
    };
    constexpr double kAll = std::numeric_limits<double>::infinity();
    bring_to(p, 0.01);
    bring_to(p, 1e-3);
    judge("apart", 1e-6, kAll);
    judge("apart enough", 1e-6, 5e-4);
    bring_to(p, 0.0);
    judge("touching", 1e-5, kAll);
    bring_to(p, -1e-3 * (1 + j % 3));
    judge("overlapping", 1e-5, kAll);
    const Vec3 from = p.a.center_world() - p.b.center_world();
    p.b.world_from_body.position += 0.7 * from;
    judge("deep", 1e-4, kAll);
  }
}

TEST_P(BankKind, contacts_with_every_other_kind_are_as_recorded) {
  const int i = GetParam();
  Bank bank("contacts " + kind_name(i));
  for (int j = i; j < kKinds; ++j) {
    Placed p = placed(i, j, 9000 + static_cast<std::uint64_t>(100 * i + 3 * j));
    for (const double apart : {0.01, 1e-4, 2e-7}) bring_to(p, apart);
    ContactSettings s;
    s.touch = 1e-5;
    s.merge = j % 2 ? 0.02 : 0.1;
    s.areas = j % 3 == 0;
    s.budget = 5000;
    bank.line(kind_name(j)).bits(find_contacts(p.a, p.b, s));
  }
}

TEST_P(BankKind, the_ground_under_it_is_as_recorded) {
  const int i = GetParam();
  Bank bank("ground " + kind_name(i));
  Random random(700 + static_cast<std::uint64_t>(i));
  PlacedBody floor =
      at(ground(), Vec3(0.2, -0.1, 0.05), rotation_from_vector(Vec3(0.2, -0.1, 0.4)));
  PlacedBody body = at(made(i, 40), Vec3(0.4, 0.3, 3.0), random_rotation(random));
  floor.friction = 0.3;
  const Vec3 up = floor.world_from_body.rotation * Vec3::UnitZ();
  GapSettings enough;
  enough.enough = 0.1;
  bank.line("far").bits(gap(floor, body)).bits(gap(body, floor, enough));
  for (int k = 0; k < 2; ++k) body.world_from_body.position -= gap(floor, body).upper * up;
  bank.line("touching").bits(gap(body, floor)).bits(find_contacts(floor, body));
  bank.line("other way").bits(find_contacts(body, floor));
  body.world_from_body.position -= 0.02 * up;
  bank.line("sunk").bits(gap(floor, body)).bits(find_contacts(floor, body));
}

TEST_P(BankKind, its_surface_its_inside_and_its_reach_are_as_recorded) {
  const int i = GetParam();
  Bank bank("surface " + kind_name(i));
  Random random(300 + static_cast<std::uint64_t>(i));
  const shape::ShapePtr shape = made(i, 60);
  const auto surface = surface_of(shape);
  if (const ConvexBody* body = prepared(shape)->convex()) {
    BankLine& line = bank.line("convex");
    line.add("round", body->skin()).add("reach", body->reach()).bits(body->error());
    line.bits(body->center());
    for (const Vec3& n : body->flat_normals()) line.bits(n);
    for (int k = 0; k < 40; ++k) {
      const Vec3 d =
          k < 6 ? Vec3((k % 2 ? 1.0 : -1.0) * Vec3::Unit(k / 2)) : random_direction(random);
      line.bits(body->farthest(d)).bits(body->support(d));
      line.bits(body->depth(0.6 * body->reach() * random.unit() * d, 1e-12));
      for (const Vec3& p : body->outermost(d)) line.bits(p);
    }
  }
  if (const Swept* swept = prepared(shape)->swept())
    bank.line("swept").add("radius", swept->radius).bits(swept->error).bits(swept->exact);
  if (!surface) return;
  const double reach = surface->reach();
  BankLine& tree = bank.line("tree");
  tree.add("reach", reach).count(surface->count());
  for (const Vec3& p : surface->part_points()) tree.bits(p);
  for (int k = 0; k < 150; ++k) {
    int at = surface->root();
    for (int depth = 0; depth < 12 && !surface->piece(at).leaf(); ++depth)
      at = surface->children(at) + static_cast<int>(random.below(2));
    const Piece& p = surface->piece(at);
    tree.bits(p.center).bits(p.half_u).bits(p.half_v).bits(p.normal).bits(p.sway_u).bits(p.sway_v);
    tree.bits(p.thickness).bits(p.slack).bits(p.size).bits(p.on_surface).bits(p.on_error);
    tree.bits(surface->outward(at)).bits(p.split_u).bits(p.flat);
    if (p.kind != PieceKind::patch) continue;
    const Vec3 d = random_direction(random);
    const LeastAlong least = least_along(*surface->face(p.face).patch, p.uv, d);
    tree.bits(least.lower).bits(least.point).bits(least.error);
  }
  BankLine& sides = bank.line("inside");
  double inside = 0.0;
  for (int k = 0; k < 60; ++k) {
    const Vec3 p = reach * std::cbrt(random.unit()) * random_direction(random);
    const Side side = side_of(*surface, p);
    sides.bits(static_cast<int>(side));
    inside += side == Side::inside;
  }
  sides.add("of_60", inside);
  BankLine& far = bank.line("support");
  for (int k = 0; k < 12; ++k) {
    const Support s = support(*surface, random_direction(random), k % 2 ? 1e-9 : 1e-4, 500);
    far.bits(s.lower).bits(s.upper).bits(s.point).count(static_cast<std::size_t>(s.tests));
  }
}

TEST_P(BankKind, distances_and_near_pairs_of_surfaces_are_as_recorded) {
  const int i = GetParam(), j = (i * 5 + 3) % kKinds;
  Bank bank("surfaces " + kind_name(i));
  Placed p = placed(i, j, 800 + static_cast<std::uint64_t>(i));
  bring_to(p, 0.02);
  const auto a = surface_of(p.a.shape), b = surface_of(p.b.shape);
  if (!a || !b) return;
  const Frame frame = relative_frame(p.a, p.b);
  for (const double width : {1e-2, 1e-6}) {
    PairSearch search(*a, *b, frame);
    DistanceGoal goal;
    goal.width = width;
    goal.budget = 3000;
    const Distance d = search.distance(goal);
    bank.line(fmt::format("distance to {}", width))
        .add("lower", d.lower)
        .add("upper", d.upper)
        .bits(d.point_a)
        .bits(d.point_b)
        .bits(d.spent)
        .bits(a->piece(d.piece_a).center)
        .bits(b->piece(d.piece_b).center)
        .count(static_cast<std::size_t>(d.tests));
  }
  PairSearch search(*a, *b, frame);
  BankLine& near = bank.line("near");
  const auto pairs = search.pairs_within(0.05, 0.1, 2000);
  near.add("pairs", static_cast<double>(pairs.size()));
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    near.bits(pairs[k].lower).bits(search.placed(pairs[k].b).center);
    if (k % 7 != 0 || a->piece(pairs[k].a).kind == PieceKind::box ||
        b->piece(pairs[k].b).kind == PieceKind::box)
      continue;
    const Polished q = polish(*a, pairs[k].a, *b, pairs[k].b, frame);
    near.bits(q.point_a).bits(q.point_b).bits(q.error).bits(q.distance).bits(q.uv_a).bits(q.uv_b);
  }
}

TEST(Bank, cases_of_closed_form_cost_what_is_recorded) {
  Bank bank("truth");
  Random random(77);
  for (const truth::Case& plain : truth::cases(1.0)) {
    const truth::Case c = truth::moved(plain, truth::random_motion(random, 1.0));
    GapSettings s;
    s.width = c.contact == truth::Contact::curve ? 1e-3 : 1e-9;
    bank.line(c.name).bits(gap(c.a, c.b, s));
    ContactSettings touching;
    touching.merge = c.contact == truth::Contact::curve ? 0.1 : 0.02;
    bank.line(c.name + " contacts").bits(find_contacts(c.b, c.a, touching));
  }
}

TEST(Bank, bodies_within_bodies_are_as_recorded) {
  Bank bank("nested");
  Random random(78);
  GapSettings s;
  s.width = 1e-4;
  s.budget = 3000;
  const std::pair<const char*, shape::ShapePtr> outer[] = {
      {"mesh", round_mesh(12, 8, 2.0, 0.1)},
      {"funnel", truth::funnel(1.0)},
      {"torus", shape::make_torus({1.5, 1.0}).value()},
      {"ellipsoid", shape::make_ellipsoid({Vec3(2, 1.8, 1.6)}).value()}};
  for (const auto& [name, out] : outer)
    for (const int kind : {0, 2, 6, 7, 8, 9, 11}) {
      const PlacedBody a = at(out, Vec3::Zero(), random_rotation(random));
      const shape::ShapePtr in = made(kind, 12);
      PlacedBody b = at(in, Vec3(1.5, 0, -0.5), random_rotation(random));
      b.world_from_body.position = a.world_from_body.rotation * b.world_from_body.position;
      bank.line(std::string(name) + " " + kind_name(kind)).bits(gap(a, b, s)).bits(gap(b, a, s));
    }
}

/// Bodies turned about one axis or very nearly so, upright and on their heads.
TEST(Bank, bodies_of_one_axis_are_as_recorded) {
  Bank bank("one axis");
  Random random(80);
  shape::RevolutionInput vase;
  vase.profile = {{0.6, 0.0}, {0.9, 0.5}, {0.4, 1.1}, {0.5, 1.5}, {0.0, 1.6}};
  vase.corners = {0, 3};
  shape::RevolutionInput rim;
  rim.profile = {{1.0, -0.3}, {1.5, -0.3}, {1.5, 0.0}, {1.0, 0.0}};
  rim.corners = {0, 1, 2, 3};
  rim.closed = true;
  const std::pair<const char*, shape::ShapePtr> all[] = {
      {"vase", shape::make_revolution(vase).value()},
      {"rim", shape::make_revolution(rim).value()},
      {"funnel", truth::funnel(1.0)},
      {"torus", shape::make_torus({0.9, 0.25}).value()},
      {"cone", shape::make_cone({0.7, 1.2, 0.2}).value()}};
  for (const auto& [low, a_shape] : all)
    for (const auto& [high, b_shape] : all)
      for (const double stray : {0.0, 1e-7, 1e-5}) {
        const Vec3 off = random_direction(random);
        const bool over = random.unit() < 0.5;
        const Quat tilt = rotation_from_vector(stray * Vec3(off.y(), off.z(), 0.0)) *
                          (over ? Quat(0.0, 1.0, 0.0, 0.0) : Quat::Identity());
        const PlacedBody a = at(std::make_shared<shape::Shape>(*a_shape), Vec3::Zero());
        PlacedBody b =
            at(std::make_shared<shape::Shape>(*b_shape), Vec3(stray * off.x(), 0, 4.0), tilt);
        GapSettings s;
        s.width = 1e-6;
        s.budget = 1500;
        for (const double wanted : {0.05, 1e-7, -1e-4}) {
          const GapBracket g = gap(a, b, s);
          b.world_from_body.position.z() -= (g.upper - wanted) * g.normal_a_to_b.z();
          bank.line(fmt::format("{} {} {} {}", low, high, stray, wanted)).bits(gap(a, b, s));
        }
        const auto on_a = surface_of(a.shape), on_b = surface_of(b.shape);
        DistanceGoal goal;
        goal.width = 1e-7;
        goal.budget = 500;
        b.world_from_body.position.z() += 0.01;
        const Distance d = PairSearch(*on_a, *on_b, relative_frame(a, b)).distance(goal);
        bank.line(fmt::format("{} {} {} distance", low, high, stray))
            .add("lower", d.lower)
            .add("upper", d.upper)
            .bits(d.point_a)
            .bits(d.point_b)
            .count(static_cast<std::size_t>(d.tests));
      }
}

/// Meshes and boxes edge over edge, corner on face, and face on face.
TEST(Bank, flat_bodies_on_flat_bodies_are_as_recorded) {
  Bank bank("flat");
  Random random(79);
  const auto lay = [&](const char* name, const shape::ShapePtr& low, const shape::ShapePtr& high,
                       const Quat& turn, const Vec2& shift) {
    const Pose by{random_direction(random), random_rotation(random)};
    PlacedBody a = at(low, Vec3::Zero()), b = at(high, Vec3(shift.x(), shift.y(), 3.0), turn);
    b.friction = 0.3;
    for (int k = 0; k < 2; ++k) b.world_from_body.position.z() -= gap(a, b).upper;
    GapSettings too_narrow;  // for rounding
    too_narrow.width = 1e-14;
    too_narrow.budget = 300;
    PlacedBody above = b;
    above.world_from_body.position.z() += 1e-3;
    bank.line(std::string(name) + " narrow, apart").bits(gap(a, above, too_narrow));
    bank.line(std::string(name) + " narrow")
        .bits(gap(a, b, too_narrow))
        .bits(gap(b, a, too_narrow));
    for (const double lift : {0.0, 1e-7, -1e-4}) {
      PlacedBody x = a, y = b;
      y.world_from_body.position.z() += lift;
      x.world_from_body = by * x.world_from_body;
      y.world_from_body = by * y.world_from_body;
      bank.line(fmt::format("{} {}", name, lift)).bits(gap(x, y)).bits(find_contacts(x, y));
      bank.line(fmt::format("{} {} turned", name, lift)).bits(gap(y, x)).bits(find_contacts(y, x));
    }
  };
  const Vec3 brick(1.0, 0.7, 0.4);
  const Quat edge = rotation_from_vector(Vec3(0.6, 0, 0)),
             corner = rotation_from_vector(Vec3(0.6, 0.5, 0)),
             face = rotation_from_vector(Vec3(0, 0, 0.4));
  const auto box = shape::make_box({brick}).value();
  for (const auto& [name, low] : {std::pair{"box", shape::make_box({Vec3(1.2, 0.9, 0.5)}).value()},
                                  std::pair{"mesh", box_mesh(Vec3(1.2, 0.9, 0.5))}}) {
    const std::string on = name;
    lay((on + " face").c_str(), low, box, face, Vec2(0.3, 0.1));
    lay((on + " edge").c_str(), low, box_mesh(brick), edge, Vec2(0.2, 0.3));
    lay((on + " corner").c_str(), low, box, corner, Vec2(-0.2, 0.1));
    lay((on + " roof").c_str(), low, box_mesh(brick), corner, Vec2(0.75, 0.1));
    lay((on + " cylinder").c_str(), low, shape::make_cylinder({0.3, 0.6}).value(), face,
        Vec2(0.4, 0.2));
    lay((on + " cone").c_str(), low, shape::make_cone({0.4, 0.6, 0.2}).value(), face,
        Vec2(0.4, 0.2));
  }
}

}  // namespace
}  // namespace repose::check
