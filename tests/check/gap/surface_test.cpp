// Surfaces as trees of pieces: what bounds them, how far they reach, what lies inside.
#include "src/check/gap/surface.h"

#include <gtest/gtest.h>

#include "repose/math/exact.h"
#include "repose/shape/curves.h"

#include "check/sweep_bodies.h"
#include "src/check/exact/rounding.h"
#include "src/check/gap/distance.h"
#include "src/check/gap/inside.h"
#include "src/check/gap/least_along.h"
#include "src/check/gap/polish.h"
#include "src/check/gap/support.h"

namespace repose::check {
namespace {

const std::vector<sweep::Body>& bodies() {
  static const std::vector<sweep::Body> made = [] {
    Random random(61);
    std::vector<sweep::Body> out;
    for (const auto make : sweep::makers()) out.push_back(make(random));
    std::erase_if(out, [](const sweep::Body& b) { return b.kind == "sphere"; });
    return out;
  }();
  return made;
}

double norm_of_widths(const IVec3& b) {
  return Vec3(b[0].width(), b[1].width(), b[2].width()).norm();
}

shape::UvBox part_of(const shape::UvBox& d, Random& random, double share) {
  const double u = random.between(0.0, 1.0 - share), v = random.between(0.0, 1.0 - share);
  return {d.u0 + u * (d.u1 - d.u0), d.u0 + (u + share) * (d.u1 - d.u0), d.v0 + v * (d.v1 - d.v0),
          d.v0 + (v + share) * (d.v1 - d.v0)};
}

TEST(Piece, holds_all_of_its_part_of_the_patch_and_leaves_room_for_rounding) {
  Random random(62);
  for (const auto& body : bodies()) {
    const auto* solid = std::get_if<shape::Solid>(&body.shape->geometry);
    if (!solid) continue;
    for (const auto& face : solid->parts[0].faces)
      for (const double share : {1.0, 0.3, 0.05, 1e-3, 1e-6}) {
        const shape::UvBox uv = part_of(face.patch->domain(), random, share);
        const Piece p = patch_piece(*face.patch, uv);
        const Vec2 m = uv.center();
        EXPECT_LE((p.on_surface - face.patch->point(m.x(), m.y())).norm(), p.on_error);
        EXPECT_NEAR(p.normal.norm(), 1.0, 1e-14);
        EXPECT_EQ(p.uv.u1, uv.u1);
        // enclosures at the middle say how far the parallelogram may be off
        const auto here = face.patch->enclose({m.x(), m.x(), m.y(), m.y()});
        EXPECT_GE(p.on_error, norm_of_widths(here.s));
        EXPECT_LE(p.on_error, norm_of_widths(here.s) + 64.0 * kUlp * (p.on_surface.norm() + 1.0));
        const double du = 0.5 * (uv.u1 - uv.u0), dv = 0.5 * (uv.v1 - uv.v0);
        const bool lens = p.slack > 0.0;
        if (lens) {
          EXPECT_GE(p.slack, norm_of_widths(here.s) + norm_of_widths(here.su) * du +
                                 norm_of_widths(here.sv) * dv + 24.0 * kUlp * p.center.norm())
              << body.kind;
          EXPECT_LE(p.slack, norm_of_widths(here.s) + norm_of_widths(here.su) * du +
                                 norm_of_widths(here.sv) * dv +
                                 64.0 * kUlp * (p.center.norm() + 4.0 * p.size + 1e-300) +
                                 64.0 * kUlp *
                                     (here.su[0].mag() + here.su[1].mag() + here.su[2].mag() +
                                      here.sv[0].mag() + here.sv[1].mag() + here.sv[2].mag()) *
                                     (du + dv));
        }
        for (int k = 0; k < 24; ++k) {
          const Vec3 d = k < 3 ? Vec3(Vec3::Unit(k)) : k < 5 ? p.normal : random_direction(random);
          const Span s = span(p, d);
          double low = 1e300, high = -1e300;
          for (int i = 0; i <= 6; ++i)
            for (int j = 0; j <= 6; ++j) {
              const Vec3 x = face.patch->point(uv.u0 + (uv.u1 - uv.u0) * i / 6.0,
                                               uv.v0 + (uv.v1 - uv.v0) * j / 6.0);
              low = std::min(low, d.dot(x));
              high = std::max(high, d.dot(x));
              EXPECT_LE((x - p.center).norm(), p.size * (1.0 + 1e-12)) << body.kind;
            }
          EXPECT_LE(s.low, low) << body.kind << ' ' << share;
          EXPECT_GE(s.high, high) << body.kind << ' ' << share;
          // and not much more: what is left out shrinks with the square of the piece
          if (share <= 0.05) {
            EXPECT_LE(s.high - s.low, high - low + 4.0 * (du + dv) * p.size + 1e-13) << body.kind;
          }
        }
        if (share <= 0.05) {
          EXPECT_LE(p.thickness, 2.0 * (du + dv) * p.size + 1e-14);
          EXPECT_LE(p.sway_u.norm() + p.sway_v.norm(), 8.0 * (du + dv) * p.size + 1e-14);
          EXPECT_LT(std::fabs(p.sway_u.dot(p.normal)), 1e-13 * p.size);
          EXPECT_LT(std::fabs(p.sway_v.dot(p.normal)), 1e-13 * p.size);
        }
      }
  }
}

TEST(Piece, is_split_across_what_makes_it_thick_and_does_not_become_a_sliver) {
  const auto ring = shape::torus_patch(1.0, 0.05).value();
  Surface surface(*torus(1.0, 0.05));
  // down to pieces of a tenth: none is more than some tens of times longer than wide
  std::vector<int> open{surface.root()};
  std::size_t judged = 0;
  while (!open.empty()) {
    const int i = open.back();
    open.pop_back();
    const Piece p = surface.piece(i);
    if (p.kind == PieceKind::patch && p.size < 0.1) {
      ++judged;
      const double u = p.half_u.norm(), v = p.half_v.norm();
      EXPECT_LE(std::max(u, v), 40.0 * std::min(u, v));
      continue;
    }
    const int child = surface.children(i);
    open.push_back(child);
    open.push_back(child + 1);
  }
  EXPECT_LT(judged, 4000u);
  // a cylinder bends along u alone
  Surface tube(*cylinder(1.0, 1.0));
  const auto side =
      patch_piece(*shape::cylinder_side(1.0, -0.5, 0.5).value(), {0.0, 0.5, 0.2, 0.3});
  EXPECT_TRUE(side.split_u);
  const auto turned =
      patch_piece(*shape::cone_side(1.0, 0.5, 0.0, 1.0).value(), {0.0, 0.5, 0.2, 0.3});
  EXPECT_TRUE(turned.split_u);
}

TEST(LeastAlong, lies_below_every_point_and_touches_where_the_patch_bends_up) {
  Random random(69);
  for (const auto& body : bodies()) {
    const auto* solid = std::get_if<shape::Solid>(&body.shape->geometry);
    if (!solid) continue;
    for (const auto& face : solid->parts[0].faces)
      for (int k = 0; k < 12; ++k) {
        const double share = k % 3 == 0 ? 0.3 : k % 3 == 1 ? 0.03 : 1e-3;
        const shape::UvBox uv = part_of(face.patch->domain(), random, share);
        const Vec2 m = uv.center();
        const Vec3 d = k < 6 ? random_direction(random)
                             : Vec3((k % 2 ? 1.0 : -1.0) * face.normal(m.x(), m.y()));
        const LeastAlong got = least_along(*face.patch, uv, d);
        double least = 1e300;
        for (int i = 0; i <= 24; ++i)
          for (int j = 0; j <= 24; ++j)
            least = std::min(least, d.dot(face.patch->point(uv.u0 + (uv.u1 - uv.u0) * i / 24.0,
                                                            uv.v0 + (uv.v1 - uv.v0) * j / 24.0)));
        EXPECT_LE(got.lower, least + 1e-16) << body.kind << ' ' << share;
        const double size = patch_piece(*face.patch, uv).size;
        // second order in the box at worst
        EXPECT_GE(got.lower, least - 6.0 * (uv.u1 - uv.u0 + uv.v1 - uv.v0) * size - 1e-13)
            << body.kind << ' ' << share;
        EXPECT_LT(got.error, 1e-12);
        EXPECT_GT(got.error, 0.0);
        // the point lies on the patch, within the box, and is about the least
        EXPECT_GE(d.dot(got.point), got.lower - got.error);
        EXPECT_LE(d.dot(got.point), least + 3.0 * (uv.u1 - uv.u0 + uv.v1 - uv.v0) * size + 1e-12)
            << body.kind;
        EXPECT_LE((got.point - face.patch->point(m.x(), m.y())).norm(), 2.0 * size + 1e-12);
      }
  }
  // where d.S bends up throughout nothing but rounding is left
  const auto ball = *shape::ellipsoid_patches(Vec3::Ones());
  int exact = 0;
  for (const auto& patch : ball)
    for (int k = 0; k < 20; ++k) {
      const shape::UvBox uv = part_of(patch->domain(), random, 0.2);
      const Vec2 m(uv.u0 + random.unit() * (uv.u1 - uv.u0),
                   uv.v0 + random.unit() * (uv.v1 - uv.v0));
      const Vec3 d = -patch->point(m.x(), m.y()).normalized();
      const LeastAlong got = least_along(*patch, uv, d);
      EXPECT_LE(got.lower, -1.0 + 4e-15);
      EXPECT_NEAR(d.dot(got.point), -1.0, 1e-9);
      exact += got.lower > -1.0 - 1e-12;
    }
  EXPECT_GE(exact, 5);
}

TEST(Piece, of_triangles_and_points_is_exact) {
  Random random(63);
  for (int k = 0; k < 100; ++k) {
    const Vec3 a = random_direction(random), b = random_direction(random),
               c = random_direction(random), d = random_direction(random);
    const Piece t = triangle_piece(a, b, c);
    const Span s = span(t, d);
    EXPECT_EQ(s.low, std::min({d.dot(a), d.dot(b), d.dot(c)}));
    EXPECT_EQ(s.high, std::max({d.dot(a), d.dot(b), d.dot(c)}));
    EXPECT_NEAR(t.normal.dot(b - a), 0.0, 1e-12);
    EXPECT_NEAR(t.normal.dot(c - a), 0.0, 1e-12);
    EXPECT_GT(t.normal.dot((b - a).cross(c - a)), 0.0);
    EXPECT_LT((t.on_surface - (a + b + c) / 3.0).norm(), 1e-15);
    EXPECT_LT((t.center - t.on_surface).norm(), 1e-15);
    for (const Vec3& x : {a, b, c}) EXPECT_LE((x - t.center).norm(), t.size);
    EXPECT_TRUE(t.leaf());
    const Piece p = point_piece(a);
    EXPECT_EQ(span(p, d).low, d.dot(a));
    EXPECT_EQ(p.on_surface, a);
    EXPECT_EQ(p.size, 0.0);
  }
}

struct Extent {
  Vec3 low = Vec3::Constant(1e300), high = -low;
  std::size_t leaves = 0;
};
/// What the leaves below a node span; the node's box holds it with room for rounding.
Extent expect_tree(Surface& surface, int i, const sweep::Body& body) {
  Extent all;
  if (surface.piece(i).kind != PieceKind::box) {
    for (int k = 0; k < 3; ++k) {
      const Span s = span(surface.piece(i), Vec3::Unit(k));
      all.low[k] = s.low;
      all.high[k] = s.high;
    }
    all.leaves = 1;
    return all;
  }
  const int child = surface.children(i);
  for (const int c : {child, child + 1}) {
    const Extent below = expect_tree(surface, c, body);
    all.low = all.low.cwiseMin(below.low);
    all.high = all.high.cwiseMax(below.high);
    all.leaves += below.leaves;
  }
  const double room = 16.0 * kUlp * (all.low.norm() + all.high.norm());
  for (int k = 0; k < 3; ++k) {
    const Span box = span(surface.piece(i), Vec3::Unit(k));
    EXPECT_GE(all.low[k] - box.low, 0.5 * room) << body.kind;
    EXPECT_GE(box.high - all.high[k], 0.5 * room) << body.kind;
    EXPECT_LE(all.low[k] - box.low, 1.5 * room) << body.kind;
    EXPECT_LE(box.high - all.high[k], 1.5 * room) << body.kind;
  }
  EXPECT_NEAR(surface.piece(i).size, 0.5 * (all.high - all.low).norm(), 1e-12);
  return all;
}

TEST(Surface, is_a_tree_whose_pieces_lie_within_each_other) {
  for (const auto& body : bodies()) {
    Surface surface(*body.shape);
    const Extent all = expect_tree(surface, surface.root(), body);
    if (const auto* mesh = std::get_if<shape::TriangleMesh>(&body.shape->geometry)) {
      EXPECT_EQ(all.leaves, mesh->triangles.size());
    }
    EXPECT_TRUE(surface.closed());
    EXPECT_EQ(surface.count(), surface.count_at_first());
    double reach = 0.0;
    for (const auto& s : body.samples) reach = std::max(reach, s.point.norm());
    EXPECT_GE(surface.reach(), reach);
    EXPECT_LE(surface.reach(), 4.0 * reach);
    ASSERT_EQ(surface.part_points().size(), 1u);
    // the point of the part lies on the surface: beside it are inside and outside
    const Vec3 at = surface.part_points()[0];
    double nearest = 1e300;
    for (const auto& s : body.samples) nearest = std::min(nearest, (s.point - at).norm());
    EXPECT_LT(nearest, 0.35 * reach);
  }
}

TEST(Surface, halves_of_a_piece_are_its_parts_and_look_outwards) {
  Random random(64);
  for (const auto& body : bodies()) {
    Surface surface(*body.shape);
    for (int k = 0; k < 20; ++k) {
      int i = surface.root();
      for (int deep = 0; deep < 14 && !surface.piece(i).leaf(); ++deep) {
        const shape::UvBox before = surface.piece(i).uv;
        const bool patch = surface.piece(i).kind == PieceKind::patch;
        const int face = surface.piece(i).face;
        const int child = surface.children(i);
        EXPECT_EQ(surface.children(i), child);
        if (patch) {
          const shape::UvBox a = surface.piece(child).uv, b = surface.piece(child + 1).uv;
          EXPECT_EQ(a.u0, before.u0);
          EXPECT_EQ(b.u1, before.u1);
          EXPECT_EQ(a.v0, before.v0);
          EXPECT_EQ(b.v1, before.v1);
          EXPECT_NEAR((a.u1 - a.u0) * (a.v1 - a.v0) + (b.u1 - b.u0) * (b.v1 - b.v0),
                      (before.u1 - before.u0) * (before.v1 - before.v0), 1e-12);
          EXPECT_TRUE(a.u1 == b.u0 || a.v1 == b.v0);
          EXPECT_EQ(surface.piece(child).face, face);
          EXPECT_EQ(surface.piece(child + 1).face, face);
        }
        i = child + static_cast<int>(random.below(2));
      }
      const Piece& p = surface.piece(i);
      const Vec3 n = surface.outward(i);
      EXPECT_NEAR(n.norm(), 1.0, 1e-12);
      const double step = 1e-4 * surface.reach();
      EXPECT_FALSE(body.inside(p.on_surface + step * n)) << body.kind;
      EXPECT_TRUE(body.inside(p.on_surface - step * n)) << body.kind;
    }
  }
}

TEST(Support, brackets_how_far_the_surface_reaches) {
  Random random(65);
  for (const auto& body : bodies()) {
    Surface surface(*body.shape);
    for (int k = 0; k < 12; ++k) {
      const Vec3 d = random_direction(random);
      const Support s = support(surface, d, 1e-7, 200'000);
      double top = -1e300;
      for (const auto& x : body.samples) top = std::max(top, d.dot(x.point));
      EXPECT_LE(s.lower, s.upper);
      EXPECT_LE(s.upper - s.lower, 1e-7) << body.kind;
      EXPECT_GE(s.upper, top) << body.kind;
      EXPECT_LE(s.lower, top + 0.02) << body.kind;
      EXPECT_NEAR(d.dot(s.point), s.lower, 1e-12);
      EXPECT_LT(s.lower, d.dot(s.point));
      EXPECT_GE(d.dot(s.point) - s.lower, 30.0 * kUlp * surface.reach());
      EXPECT_FALSE(body.inside(s.point + 1e-6 * d));
      EXPECT_GT(s.tests, 0);
      EXPECT_LT(s.tests, 5000);
      const Support rough = support(surface, d, 0.0, 20);
      EXPECT_LE(rough.tests, 22);
      EXPECT_LE(rough.lower, s.upper);
      EXPECT_GE(rough.upper, s.lower);
    }
  }
  // triangles are exact: what is left is rounding
  Surface box(*box_mesh(Vec3(1, 2, 3)));
  const Support s = support(box, Vec3(0.6, 0.0, 0.8), 0.0, 1000);
  EXPECT_LE(s.lower, 1.5);
  EXPECT_GE(s.upper, 1.5);
  EXPECT_LE(s.upper - s.lower, 100.0 * kUlp * box.reach());
  EXPECT_GE(s.upper - 1.5, 30.0 * kUlp * box.reach());
}

TEST(Inside, is_never_wrong_and_hardly_ever_unknown) {
  Random random(66);
  for (const auto& body : bodies()) {
    Surface surface(*body.shape);
    int unknown = 0, inside = 0;
    const double size = body.shape->bounding_radius;
    for (int k = 0; k < 150; ++k) {
      const Vec3 p = body.shape->bounding_center +
                     1.1 * size * std::cbrt(random.unit()) * random_direction(random);
      const Side side = side_of(surface, p);
      const bool truth = body.inside(p);
      inside += truth;
      unknown += side == Side::unknown;
      if (side == Side::unknown) continue;
      EXPECT_EQ(side == Side::inside, truth) << body.kind << ' ' << p.transpose();
    }
    EXPECT_EQ(unknown, 0) << body.kind;
    EXPECT_GT(inside, 5) << body.kind;
    // very near the surface, on both sides of it
    for (int k = 0; k < 25; ++k) {
      const auto& s = body.samples[random.below(body.samples.size())];
      const double step = 1e-8 * size;
      if (body.inside(s.point - step * s.normal) && !body.inside(s.point + step * s.normal)) {
        EXPECT_NE(side_of(surface, s.point - step * s.normal), Side::outside) << body.kind;
        EXPECT_NE(side_of(surface, s.point + step * s.normal), Side::inside) << body.kind;
      }
    }
  }
}

TEST(Inside, a_union_holds_what_one_of_its_parts_holds) {
  auto both = std::make_shared<shape::Shape>();
  shape::Solid solid;
  const auto patches = shape::ellipsoid_patches(Vec3(0.6, 0.5, 0.3)).value();
  for (const double x : {-0.4, 0.4}) {
    shape::Part part;
    for (const auto& p : patches)
      part.faces.push_back({shape::placed(p, {Vec3(x, 0.1, 0), Quat::Identity()}), 1.0});
    solid.parts.push_back(part);
  }
  both->geometry = solid;
  both->bounding_radius = 1.2;
  both->volume.volume = 1.0;
  Surface surface(*both);
  EXPECT_EQ(surface.parts(), 2);
  // no seam joins these faces, so that each counts as a component
  EXPECT_EQ(surface.part_points().size(), 12u);
  Random random(67);
  for (int k = 0; k < 300; ++k) {
    const Vec3 p(random.between(-1.1, 1.1), random.between(-0.6, 0.7), random.between(-0.4, 0.4));
    const auto in = [&](double x) {
      return (p - Vec3(x, 0.1, 0)).cwiseQuotient(Vec3(0.6, 0.5, 0.3)).norm() < 1.0;
    };
    const Side side = side_of(surface, p);
    if (side != Side::unknown) {
      EXPECT_EQ(side == Side::inside, in(-0.4) || in(0.4));
    }
  }
  // surfaces that bound nothing
  Surface curve(shape::circle_curve(1.0, 0.0)), point{Vec3(1, 0, 0)};
  EXPECT_FALSE(curve.closed());
  EXPECT_FALSE(point.closed());
  EXPECT_EQ(side_of(curve, Vec3::Zero()), Side::unknown);
  EXPECT_NEAR(point.reach(), 1.0, 1e-15);
  EXPECT_LT((curve.part_points()[0].norm() - 1.0), 1e-12);
}

TEST(Inside, points_of_the_surface_itself_are_unknown_and_their_rounding_tells) {
  Random random(68);
  const auto ball_like = round_mesh(9, 7, 0.8);
  Surface mesh(*ball_like);
  const auto& m = std::get<shape::TriangleMesh>(ball_like->geometry);
  for (int k = 0; k < 40; ++k) {
    const auto& t = m.triangles[random.below(m.triangles.size())];
    const double u = random.between(0.1, 0.4), v = random.between(0.1, 0.4);
    const auto corner = [&](int i) {
      return m.points[static_cast<std::size_t>(t[static_cast<std::size_t>(i)])];
    };
    const Vec3 p = (1.0 - u - v) * corner(0) + u * corner(1) + v * corner(2);
    const int side = orient3d(corner(0), corner(1), corner(2), p);
    EXPECT_EQ(side_of(mesh, p), side > 0 ? Side::outside : side < 0 ? Side::inside : Side::unknown);
    EXPECT_EQ(side_of(mesh, corner(0)), Side::unknown);
    const Vec3 n = (corner(1) - corner(0)).cross(corner(2) - corner(0)).normalized();
    EXPECT_EQ(side_of(mesh, p - 1e-12 * n), Side::inside);
    EXPECT_EQ(side_of(mesh, p + 1e-12 * n), Side::outside);
  }
  Surface egg(*ellipsoid(Vec3(0.5, 0.7, 0.9)));
  for (int k = 0; k < 4; ++k) {
    const Vec3 d = random_direction(random), p = Vec3(0.5, 0.7, 0.9).cwiseProduct(d);
    EXPECT_EQ(side_of(egg, p), Side::unknown);
    EXPECT_EQ(side_of(egg, (1.0 - 1e-10) * p), Side::inside);
    EXPECT_EQ(side_of(egg, (1.0 + 1e-10) * p), Side::outside);
  }
  Surface box(*box_mesh(Vec3(1, 1, 1)));
  EXPECT_EQ(side_of(box, Vec3(0.5, 0.1, 0.2)), Side::unknown);
  EXPECT_EQ(side_of(box, Vec3(0.5 - 1e-12, 0.1, 0.2)), Side::inside);
  EXPECT_EQ(side_of(box, Vec3(0.5 + 1e-12, 0.1, 0.2)), Side::outside);
  EXPECT_EQ(side_of(box, Vec3(0.0, 0.0, 0.0)), Side::inside);
}

}  // namespace
}  // namespace repose::check
