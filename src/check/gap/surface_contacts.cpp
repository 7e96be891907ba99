#include "check/gap/surface_contacts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <Eigen/Dense>

#include "check/gap/distance.h"
#include "check/gap/polish.h"
#include "check/gap/prepared.h"
#include "check/gap/shared_face.h"
#include "check/gap/silhouette.h"
#include "check/gap/triangle.h"

namespace repose::check {

namespace {

constexpr double kGroundHalfWidth = 100.0;  // sizes of the other body
constexpr double kSameNormal = 0.99;        // cosine: contacts side by side are one
constexpr double kSameFlat = 1.0 - 1e-9;    // the same between triangles
constexpr double kSameFacet = 1.0 - 1e-6;   // the same between a triangle and a curved face
constexpr double kBehind = 1e-3;    // sine: how far a wedge may reach behind the contact plane
constexpr double kNoContact = 1.0;  // sine: reaches behind as far as can be
constexpr double kSharp = 1e4;      // over size: curvature of corners and across edges
constexpr double kNearly = 1e-3;    // of size: surfaces that may touch, and are moved apart to tell
constexpr double kPole = 1e-3;      // of the other parameter's way: where one moves nothing
constexpr double kOnSide = 1e-9;    // of a patch's or triangle's parameters
constexpr double kSlanted = 0.1;    // sine: sides that stand up more are met with their ends alone
constexpr double kInset = 1e-2;  // of an edge: contacts along it are taken this far from its ends

/// A body as a surface in some frame of its own.
struct Part {
  std::shared_ptr<Surface> surface;
  Frame world_from_part;
  double radius = 0.0;  // of a ball, whose surface is its centre
};

/// A contact with how badly its neighbourhood contradicts its normal.
struct Candidate {
  ContactPoint contact;
  Vec3 found = Vec3::Zero();  // where the first of its like was
  double violation = 0.0;
  bool flat = false;                            // of two triangles
  bool plane_of_a = false, plane_of_b = false;  // the contact plane is that of a face
  bool along_edges = false;                     // found only where edges run along each other
  std::optional<std::array<Segment, 2>> edges;  // that cross there, of a and of b
};

Part part_of(const PlacedBody& item, const PlacedBody& other) {
  Part p;
  p.world_from_part = world_frame(item);
  if (const auto* ball = std::get_if<shape::Ball>(&item.shape->geometry)) {
    p.surface = std::make_shared<Surface>(Vec3(Vec3::Zero()));
    p.radius = ball->radius;
  } else if (std::holds_alternative<shape::HalfSpace>(item.shape->geometry)) {
    // a triangle under the other body, large beside it
    const Vec3 center = bounding_ball_world(other).center;
    const Frame& f = p.world_from_part;
    p.world_from_part.shift += f.turn * Vec3((f.turn.transpose() * (center - f.shift)).x(),
                                             (f.turn.transpose() * (center - f.shift)).y(), 0.0);
    const double w = kGroundHalfWidth * other.size();
    auto shape = std::make_shared<shape::Shape>();
    shape->geometry =
        shape::TriangleMesh{{Vec3(-w, -w, 0), Vec3(w, -w, 0), Vec3(0, w, 0)}, {{0, 1, 2}}};
    p.surface = std::make_shared<Surface>(*shape);
  } else {
    p.surface = surface_of(item.shape);
  }
  return p;
}

/// Sine of the largest angle at which the triangle's corners reach to the side `n` of point p.
/// Corners nearer than `near` are the point itself.
double reach_beyond(const Vec3 corner[3], const Vec3& p, const Vec3& n, double near) {
  double worst = -1.0;
  for (int k = 0; k < 3; ++k) {
    const Vec3 d = corner[k] - p;
    const double length = d.norm();
    if (length > near) worst = std::max(worst, n.dot(d) / length);
  }
  return worst;
}
/// The same of several triangles.
double reach_beyond(const std::vector<const Vec3*>& triangles, const Vec3& p, const Vec3& n,
                    double near) {
  double worst = -1.0;
  for (const Vec3* corner : triangles) worst = std::max(worst, reach_beyond(corner, p, n, near));
  return worst;
}

class Finder {
 public:
  Finder(const PlacedBody& a, const PlacedBody& b, const ContactSettings& s)
      : a_(part_of(a, b)), b_(part_of(b, a)), settings_(s), size_(pair_size(a, b)) {
    friction_ = std::min(a.friction, b.friction);
    usable_ = a_.surface && b_.surface;
    if (!usable_) return;
    const Frame &wa = a_.world_from_part, &wb = b_.world_from_part;
    frame_.turn = wa.turn.transpose() * wb.turn;
    frame_.shift = wa.turn.transpose() * (wb.shift - wa.shift);
    face_ = shared_face(a, b, {s.touch * size_, static_cast<int>(std::ceil(1.0 / s.merge))});
  }

  std::vector<ContactPoint> find(std::span<const Vec3> told) {
    if (!usable_) return {};
    const double touch = settings_.touch * size_;
    if (face_)
      corners_of(*face_, touch);
    else
      search_pairs(touch);
    for (const Vec3& point : told) look_at(point, touch);
    std::vector<ContactPoint> out;
    for (const Candidate& c : found_)
      if (c.violation <= kBehind) out.push_back(to_world(c.contact));
    return out;
  }

 private:
  /// Faces on each other press at the corners of what they share: a push between them is one of
  /// pushes at the corners.
  void corners_of(const SharedFace& face, double touch) {
    const Frame& f = a_.world_from_part;
    for (std::size_t k = 0; k < face.corners.size(); ++k) {
      Candidate c;
      c.contact.point = f.turn.transpose() * (face.corners[k] - f.shift);
      c.contact.normal_a_to_b = f.turn.transpose() * face.normal_a_to_b;
      c.contact.gap = face.gaps[k];
      keep(c, touch, kSameFacet);
    }
  }

  void search_pairs(double touch) {
    PairSearch search(*a_.surface, *b_.surface, frame_);
    const auto pairs = search.pairs_within(touch + a_.radius + b_.radius, settings_.merge * size_,
                                           settings_.budget);
    for (const UnclearPair& u : pairs) {
      const Piece &pa = a_.surface->piece(u.a), &pb = search.placed(u.b);
      if (pa.kind == PieceKind::box || pb.kind == PieceKind::box) continue;
      if (pa.kind == PieceKind::triangle && pb.kind == PieceKind::triangle)
        triangles(pa, pb, touch);
      else
        smooth(search, u, touch);
    }
    look_around(search, pairs, touch);
  }

  ContactPoint to_world(ContactPoint c) const {
    const Frame& f = a_.world_from_part;
    c.point = f * c.point;
    c.normal_a_to_b = f.turn * c.normal_a_to_b;
    c.curvature_a = f.turn * c.curvature_a * f.turn.transpose();
    c.curvature_b = f.turn * c.curvature_b * f.turn.transpose();
    c.friction = friction_;
    return c;
  }

  /// Every triangle at a corner or edge contact must lie on its side of the contact plane, not only
  /// the two that made it. One of the bodies may instead have all of its triangles there before the
  /// plane: it holds all that lies behind (a valley), and the plane of one of its faces is the
  /// contact's all the same.
  void look_around(PairSearch& search, const std::vector<UnclearPair>& pairs, double touch) {
    for (Candidate& c : found_) {
      if (!c.flat) continue;
      const Vec3 &p = c.contact.point, &n = c.contact.normal_a_to_b;
      const double near = 2.0 * touch;
      std::vector<const Vec3*> of_a, of_b;
      for (const UnclearPair& u : pairs) {
        const Piece &pa = a_.surface->piece(u.a), &pb = search.placed(u.b);
        if (pa.kind != PieceKind::triangle || pb.kind != PieceKind::triangle) continue;
        if ((closest_on_triangle(p, pa.corner) - p).norm() <= near) of_a.push_back(pa.corner);
        if ((closest_on_triangle(p, pb.corner) - p).norm() <= near) of_b.push_back(pb.corner);
      }
      const double beyond_a = reach_beyond(of_a, p, n, near),
                   beyond_b = reach_beyond(of_b, p, -n, near);
      const bool valley_a = c.plane_of_a && reach_beyond(of_a, p, -n, near) <= kBehind;
      const bool valley_b = c.plane_of_b && reach_beyond(of_b, p, n, near) <= kBehind;
      const auto holds = [&](const std::vector<const Vec3*>& ends, std::size_t k, const Vec3& up,
                             const std::vector<const Vec3*>& runs) {
        return c.edges && bounds_silhouette({p, up, (*c.edges)[k], (*c.edges)[1 - k], near}, ends,
                                            runs, kBehind);
      };
      if (!valley_a && beyond_a > kBehind && !(beyond_b <= kBehind && holds(of_a, 0, n, of_b)))
        c.violation = std::max(c.violation, beyond_a);
      if (!valley_b && beyond_b > kBehind && !(beyond_a <= kBehind && holds(of_b, 1, -n, of_a)))
        c.violation = std::max(c.violation, beyond_b);
      // edges along each other press where one of them is a valley's; else their ends tell
      const bool in_valley = (valley_a && beyond_a > kBehind) || (valley_b && beyond_b > kBehind);
      if (c.along_edges && !in_valley) c.violation = kNoContact;
    }
  }

  /// Contacts at one place with one normal are one, the nearest; the worst violation counts. The
  /// place stays where it was first found: one that followed the nearest would swallow a curve.
  void keep(const Candidate& c, double apart, double same_normal) {
    for (Candidate& k : found_) {
      if ((k.found - c.contact.point).norm() > apart) continue;
      if (k.contact.normal_a_to_b.dot(c.contact.normal_a_to_b) < same_normal) continue;
      k.violation = std::max(k.violation, c.violation);
      k.along_edges = k.along_edges && c.along_edges;
      k.plane_of_a = k.plane_of_a || c.plane_of_a;
      k.plane_of_b = k.plane_of_b || c.plane_of_b;
      if (!k.edges) k.edges = c.edges;
      if (c.contact.gap < k.contact.gap) k.contact = c.contact;
      return;
    }
    found_.push_back(c);
    found_.back().found = c.contact.point;
  }

  static bool along_normal(const Vec3& n, const Vec3& face) {
    constexpr double kFlat = 1e-6;
    return n.cross(face).norm() <= kFlat;
  }
  Mat3 sharp_or_flat(const Vec3& n, const Vec3& face) const {
    if (along_normal(n, face)) return Mat3::Zero();
    return kSharp / size_ * (Mat3::Identity() - n * n.transpose());
  }
  /// Sharp across an edge, and bent by `along` in its direction.
  Mat3 edge_curvature(const Vec3& n, const Vec3& edge, double along) const {
    const Vec3 t = (edge - n * n.dot(edge)).normalized(), s = n.cross(t);
    return kSharp / size_ * s * s.transpose() + along * t * t.transpose();
  }

  /// Edges, where given: the contact lies on them, and they are what is sharp.
  void triangle_contact(const Piece& a, const Piece& b, const Vec3& p, const Vec3& n, double gap,
                        const Vec3* edge_a = nullptr, const Vec3* edge_b = nullptr,
                        bool along_edges = false,
                        const std::optional<std::array<Segment, 2>>& crossing = std::nullopt) {
    Candidate c;
    c.along_edges = along_edges;
    c.edges = crossing;
    c.contact.point = p;
    c.contact.normal_a_to_b = n;
    c.contact.gap = gap;
    c.plane_of_a = along_normal(n, a.normal);
    c.plane_of_b = along_normal(n, b.normal);
    c.contact.curvature_a =
        edge_a && !c.plane_of_a ? edge_curvature(n, *edge_a, 0.0) : sharp_or_flat(n, a.normal);
    c.contact.curvature_b =
        edge_b && !c.plane_of_b ? edge_curvature(n, *edge_b, 0.0) : sharp_or_flat(n, b.normal);
    const double near = 2.0 * settings_.touch * size_;
    c.violation = std::max(reach_beyond(a.corner, p, n, near), reach_beyond(b.corner, p, -n, near));
    c.flat = true;
    keep(c, settings_.touch * size_, kSameFlat);
  }

  /// Corners on faces both ways, and crossing edges.
  void triangles(const Piece& a, const Piece& b, double touch) {
    for (int i = 0; i < 3; ++i) {
      const Vec3 on_b = closest_on_triangle(a.corner[i], b.corner);
      if ((on_b - a.corner[i]).norm() <= touch)
        triangle_contact(a, b, a.corner[i], -b.normal, -b.normal.dot(on_b - a.corner[i]));
      const Vec3 on_a = closest_on_triangle(b.corner[i], a.corner);
      if ((on_a - b.corner[i]).norm() <= touch)
        triangle_contact(a, b, b.corner[i], a.normal, a.normal.dot(b.corner[i] - on_a));
      for (int j = 0; j < 3; ++j) edges(a, i, b, j, touch);
    }
  }

  void edges(const Piece& a, int i, const Piece& b, int j, double touch) {
    constexpr double kParallel = 1e-6;  // sine
    const Vec3 &p = a.corner[i], &q = b.corner[j];
    const Vec3 d = a.corner[(i + 1) % 3] - p, e = b.corner[(j + 1) % 3] - q;
    const Vec3 product = d.cross(e);
    const double sine = product.norm();
    if (sine <= kParallel * d.norm() * e.norm()) return side_by_side(a, p, d, b, q, e, touch);
    // where the two lines come nearest, along each; hardly beyond an end it is a corner that bears
    const Vec3 r = q - p;
    const double s = r.cross(e).dot(product) / (sine * sine);
    const double t = r.cross(d).dot(product) / (sine * sine);
    const double on_s = std::clamp(s, 0.0, 1.0), on_t = std::clamp(t, 0.0, 1.0);
    if (std::fabs(s - on_s) * d.norm() > touch || std::fabs(t - on_t) * e.norm() > touch) return;
    const Vec3 on_a = p + on_s * d, on_b = q + on_t * e;
    if ((on_b - on_a).norm() > touch) return;
    Vec3 n = product / sine;
    if (n.dot(a.normal - b.normal) < 0.0) n = -n;
    triangle_contact(a, b, 0.5 * (on_a + on_b), n, n.dot(on_b - on_a), &d, &e, false,
                     std::array{Segment{p, p + d}, Segment{q, q + e}});
  }

  /// Edges that run along each other, as one in a valley does: the ends of what they share, a
  /// little inward, with the planes of both faces.
  void side_by_side(const Piece& a, const Vec3& p, const Vec3& d, const Piece& b, const Vec3& q,
                    const Vec3& e, double touch) {
    const double length = d.squaredNorm();
    if (!(length > 0.0)) return;
    const double s0 = d.dot(q - p) / length, s1 = d.dot(q + e - p) / length;
    const double low = std::max(0.0, std::min(s0, s1)), high = std::min(1.0, std::max(s0, s1));
    if (!(high > low)) return;
    for (const double share : {kInset, 1.0 - kInset}) {
      const Vec3 on_a = p + (low + share * (high - low)) * d;
      const Vec3 on_b = q + e * (e.dot(on_a - q) / e.squaredNorm());
      if ((on_b - on_a).norm() > touch) return;
      triangle_contact(a, b, on_b, -b.normal, -b.normal.dot(on_b - on_a), &d, &e, true);
      triangle_contact(a, b, on_a, a.normal, a.normal.dot(on_b - on_a), &d, &e, true);
    }
  }

  /// Curved pieces: slide to the nearest pair and take the normal that separates the pieces best.
  void smooth(PairSearch& search, const UnclearPair& u, double touch) {
    Polished p = polish(*a_.surface, u.a, *b_.surface, u.b, frame_);
    const double gap = p.distance - a_.radius - b_.radius;
    const bool round = a_.radius > 0.0 || b_.radius > 0.0;
    // points of surfaces that touch come near each other but slowly: whether they do is told below
    if (gap > (round ? touch : kNearly * size_)) return;
    const Piece &pa = a_.surface->piece(u.a), &pb = search.placed(u.b);
    const Vec3 between = p.point_b - p.point_a;
    // a polished point that left its pieces belongs to another pair
    if ((p.point_a - pa.on_surface).norm() > 4.0 * pa.size + settings_.merge * size_ ||
        (p.point_b - pb.on_surface).norm() > 4.0 * pb.size + settings_.merge * size_)
      return along_curve(u, touch);
    Candidate c;
    ContactPoint& contact = c.contact;
    contact.gap = gap;
    bool sure = round;  // of its normal
    if (round) {
      contact.normal_a_to_b = between.normalized();
    } else {
      const Vec3 na = a_.surface->outward(u.a), nb = -(frame_.turn * b_.surface->outward(u.b));
      const auto separation = [&](const Vec3& n) { return span(pb, n).low - span(pa, n).high; };
      const bool by_a = separation(na) >= separation(nb);
      contact.normal_a_to_b = by_a ? na : nb;
      sure = sharpen(u, p, contact);
      if (!sure) {
        // an edge on a curved surface: the edge's own face may lie far from the contact plane
        const ContactPoint first = contact;
        contact.normal_a_to_b = by_a ? nb : na;
        sure = sharpen(u, p, contact);
        if (!sure) contact = first;
      }
      if (contact.gap > touch) return;
      take_plane_normal(u, p, contact.normal_a_to_b);
    }
    contact.point = p.point_a + a_.radius * contact.normal_a_to_b;
    const Vec3& n = contact.normal_a_to_b;
    contact.curvature_a = curvature(a_, u.a, Frame{}, p.uv_a, n);
    contact.curvature_b = curvature(b_, u.b, frame_, p.uv_b, n);
    // beside a corner or an edge of a mesh each triangle presses along a normal of its own
    const bool facet = pa.kind == PieceKind::triangle || pb.kind == PieceKind::triangle;
    keep(c, settings_.merge * size_, facet && sure ? kSameFacet : kSameNormal);
    if (settings_.areas && !round) beside(u, touch, n);
  }

  /// Within a plane face the contact's normal is the face's own: nearest points of surfaces that
  /// touch along a curve tell it only roughly.
  void take_plane_normal(const UnclearPair& u, const Polished& p, Vec3& n) const {
    constexpr double kSamePlane = 1e-3;  // sine
    const auto within = [](const Part& part, int piece, const Vec2& uv) {
      const Piece& of = part.surface->piece(piece);
      if (!of.flat && of.kind != PieceKind::triangle) return false;
      if (of.kind == PieceKind::patch)
        return !sides_at(*part.surface->face(of.face).patch, uv).any();
      return uv.minCoeff() > kOnSide && 1.0 - uv.sum() > kOnSide;
    };
    const Vec3 na = a_.surface->outward(u.a), nb = -(frame_.turn * b_.surface->outward(u.b));
    if (within(a_, u.a, p.uv_a) && na.cross(n).norm() < kSamePlane && na.dot(n) > 0.0) n = na;
    if (within(b_, u.b, p.uv_b) && nb.cross(n).norm() < kSamePlane && nb.dot(n) > 0.0) n = nb;
  }

  /// Along a curve of contact the nearest point may slide far; what of the pieces themselves
  /// touches is kept where both surfaces are so nearly parallel that it is no mere approach. A ball
  /// is parallel to what faces its centre.
  void along_curve(const UnclearPair& u, double touch) {
    const Polished p = polish(*a_.surface, u.a, *b_.surface, u.b, frame_, Slide::pieces);
    const Vec3 between = p.point_b - p.point_a;
    const bool round_a = a_.radius > 0.0, round_b = b_.radius > 0.0;
    if (p.distance - a_.radius - b_.radius > touch) return;
    if ((round_a || round_b) && !(p.distance > 0.0)) return;
    const Vec3 of_a = round_a ? Vec3(between.normalized()) : normal_at(a_, u.a, p.uv_a);
    const Vec3 of_b =
        round_b ? Vec3(-between.normalized()) : Vec3(frame_.turn * normal_at(b_, u.b, p.uv_b));
    const Vec3 n = round_b ? Vec3(-of_b) : of_a;
    if (of_a.cross(of_b).norm() > nearly_parallel()) return;
    Candidate c;
    c.contact.gap = n.dot(between) - a_.radius - b_.radius;
    c.contact.point = p.point_a + a_.radius * n;
    c.contact.normal_a_to_b = n;
    c.contact.curvature_a = curvature(a_, u.a, Frame{}, p.uv_a, n);
    c.contact.curvature_b = curvature(b_, u.b, frame_, p.uv_b, n);
    keep(c, settings_.merge * size_, kSameNormal);
  }

  /// Sine: surfaces that part by less than what counts as touching from one sample to the next.
  double nearly_parallel() const { return settings_.touch / settings_.merge; }

  /// The middle of each curved piece with its nearest point on the other, where they touch and are
  /// so nearly parallel to the contact plane that from one sample to the next they part by less
  /// than what counts as touching.
  void beside(const UnclearPair& u, double touch, const Vec3& n) {
    const double parallel = nearly_parallel();
    const Piece &pa = a_.surface->piece(u.a), &pb = b_.surface->piece(u.b);
    const auto add = [&](const Vec3& on_a, const Vec3& on_b, const Vec2& uv_a, const Vec2& uv_b) {
      const Vec3 na = normal_at(a_, u.a, uv_a), nb = frame_.turn * normal_at(b_, u.b, uv_b);
      if (na.cross(n).norm() > parallel || nb.cross(n).norm() > parallel) return;
      Candidate c;
      c.contact.gap = n.dot(on_b - on_a);
      c.contact.point = on_a;
      c.contact.normal_a_to_b = n;
      c.contact.curvature_a = curvature(a_, u.a, Frame{}, uv_a, n);
      c.contact.curvature_b = curvature(b_, u.b, frame_, uv_b, n);
      keep(c, settings_.merge * size_, kSameNormal);
    };
    if (pa.kind == PieceKind::patch) {
      const Surface middle(pa.on_surface);
      const Polished p = polish(middle, 0, *b_.surface, u.b, frame_);
      if (p.distance <= touch) add(p.point_a, p.point_b, pa.uv.center(), p.uv_b);
    }
    if (pb.kind == PieceKind::patch) {
      const Surface middle(Vec3(frame_ * pb.on_surface));
      const Polished p = polish(middle, 0, *a_.surface, u.a, Frame{});
      if (p.distance <= touch) add(p.point_b, p.point_a, p.uv_b, pb.uv.center());
    }
  }
  static Vec3 normal_at(const Part& part, int piece, const Vec2& uv) {
    const Piece& p = part.surface->piece(piece);
    return p.kind == PieceKind::patch ? part.surface->face(p.face).normal(uv.x(), uv.y())
                                      : p.normal;
  }

  /// What of a surface lies nearest to a place.
  struct Spot {
    int piece = -1;  // -1: nothing within reach
    Vec2 uv = Vec2::Zero();
    Vec3 point = Vec3::Zero(), normal = Vec3::Zero();  // frame of the part
    bool smooth = true;                                // every face there has this normal
  };
  Spot spot_at(const Part& part, const Vec3& place, double touch) const {
    Surface there(place);
    PairSearch search(*part.surface, there, Frame{});
    Spot out;
    double nearest = touch;
    for (const UnclearPair& u :
         search.pairs_within(touch, settings_.merge * size_, settings_.budget)) {
      const Piece& piece = part.surface->piece(u.a);
      if (piece.kind == PieceKind::box) continue;
      const Polished p = polish(*part.surface, u.a, there, 0, Frame{});
      if (p.distance > touch) continue;
      const Vec3 n = normal_at(part, u.a, p.uv_a);
      const bool pole = piece.kind == PieceKind::patch &&
                        regular_places(*part.surface->face(piece.face).patch, p.uv_a).size() > 1;
      if (pole || (out.piece >= 0 && !along_normal(n, out.normal))) out.smooth = false;
      if (p.distance > nearest) continue;
      nearest = p.distance;
      out.piece = u.a;
      out.uv = p.uv_a;
      out.point = p.point_a;
      out.normal = n;
    }
    return out;
  }
  /// A place where contact is claimed. It is one if both surfaces come so near there; where one of
  /// them is smooth the normal is that one's, since nothing overlaps. Of two edges or corners the
  /// search above tells.
  void look_at(const Vec3& point_world, double touch) {
    if (a_.radius > 0.0 || b_.radius > 0.0) return;  // a ball hides none of its contacts
    const Frame& f = a_.world_from_part;
    const Vec3 place = f.turn.transpose() * (point_world - f.shift);
    const Spot on_a = spot_at(a_, place, touch);
    if (on_a.piece < 0) return;
    const Spot on_b = spot_at(b_, frame_.turn.transpose() * (place - frame_.shift), touch);
    if (on_b.piece < 0 || (!on_a.smooth && !on_b.smooth)) return;
    const Vec3 between = frame_ * on_b.point - on_a.point;
    if (between.norm() > touch) return;
    const Vec3 n = on_a.smooth ? on_a.normal : Vec3(-(frame_.turn * on_b.normal));
    Candidate c;
    c.contact.gap = n.dot(between);
    c.contact.point = on_a.point;
    c.contact.normal_a_to_b = n;
    c.contact.curvature_a = curvature(a_, on_a.piece, Frame{}, on_a.uv, n);
    c.contact.curvature_b = curvature(b_, on_b.piece, frame_, on_b.uv, n);
    keep(c, touch, kSameFacet);
  }

  /// Nearest points of touching surfaces are ill determined sideways. Moved apart along the normal
  /// they are well determined, and are the contact itself where the normal is right; so move, take
  /// the new normal, and once more. False, and nothing changed, where they do not part so.
  bool sharpen(const UnclearPair& u, Polished& p, ContactPoint& contact) const {
    constexpr int kRounds = 3;
    const double apart = kNearly * size_;
    Vec3& n = contact.normal_a_to_b;
    for (int k = 0; k < kRounds; ++k) {
      Frame moved = frame_;
      moved.shift += apart * n;
      const Polished q = polish(*a_.surface, u.a, *b_.surface, u.b, moved);
      const Vec3 between = q.point_b - q.point_a;
      if (!(between.norm() > 0.5 * apart)) return k > 0;
      p.uv_a = q.uv_a;
      p.uv_b = q.uv_b;
      p.point_a = q.point_a;
      p.point_b = q.point_b - apart * n;
      contact.gap = between.norm() - apart;
      n = between.normalized();
    }
    return true;
  }

  /// A triangle that touches with the inside of a side is an edge there, straight along it.
  Mat3 on_triangle(const Piece& p, const Vec2& m, const Frame& f, const Vec3& n) const {
    const bool no_u = m.x() <= kOnSide, no_v = m.y() <= kOnSide, far = 1.0 - m.sum() <= kOnSide;
    const Vec3 side = f.turn * (p.corner[no_v ? 1 : 2] - p.corner[far ? 1 : 0]);
    const bool inside = no_u + no_v + far == 1 && n.cross(side).norm() > kSlanted * side.norm();
    if (inside && !along_normal(n, f.turn * p.normal)) return edge_curvature(n, side, 0.0);
    return sharp_or_flat(n, f.turn * p.normal);
  }
  /// Bending of a part's surface at the contact, frame of a.
  Mat3 curvature(const Part& part, int piece, const Frame& f, const Vec2& m, const Vec3& n) const {
    const Mat3 across = Mat3::Identity() - n * n.transpose();
    if (part.radius > 0.0) return across / part.radius;
    const Piece& p = part.surface->piece(piece);
    if (p.kind == PieceKind::triangle) return on_triangle(p, m, f, n);
    const shape::Face& face = part.surface->face(p.face);
    const std::vector<Vec2> places = regular_places(*face.patch, m);
    Mat3 sum = Mat3::Zero();
    for (const Vec2& at : places) {
      const Vec3 outward = face.normal(at.x(), at.y());
      constexpr double kAligned = 0.9;     // cosine
      constexpr double kOffNormal = 1e-3;  // sine: a border that touches beside its face's normal
      const double off = (f.turn * outward).cross(n).norm();
      if (std::fabs((f.turn * outward).dot(n)) < kAligned ||
          (off > kOffNormal && places.size() == 1 && sides_at(*face.patch, m).any()))
        return on_edge(face, m, f, &part == &a_ ? n : Vec3(-n));
      const shape::PatchJet j = face.patch->jet(at.x(), at.y());
      Eigen::Matrix<double, 3, 2> t;
      t << j.su, j.sv;
      Mat2 second;
      second << outward.dot(j.suu), outward.dot(j.suv), outward.dot(j.suv), outward.dot(j.svv);
      const Mat2 first = t.transpose() * t;
      if (!(first.determinant() > 0.0)) return kSharp / size_ * across;
      const Eigen::Matrix<double, 3, 2> onto = f.turn * t * first.inverse();
      sum -= onto * second * onto.transpose();
    }
    return across * (sum / static_cast<double>(places.size())) * across;
  }

  /// The place itself, or, at a pole where one parameter moves nothing, places all round it.
  static std::vector<Vec2> regular_places(const shape::Patch& patch, const Vec2& m) {
    constexpr int kRound = 4;
    const shape::UvBox d = patch.domain();
    const Vec2 low(d.u0, d.v0), extent(d.u1 - d.u0, d.v1 - d.v0);
    const shape::PatchJet j = patch.jet(m.x(), m.y());
    const double way[2] = {j.su.norm() * extent[0], j.sv.norm() * extent[1]};
    const int still = way[0] <= way[1] ? 0 : 1, other = 1 - still;
    if (way[still] > kPole * way[other]) return {m};
    std::vector<Vec2> out;
    for (int k = 0; k < kRound; ++k) {
      Vec2 at = m;
      at[still] = low[still] + extent[still] * (k + 0.5) / kRound;
      const double inward = at[other] - low[other] < 0.5 * extent[other] ? 1.0 : -1.0;
      at[other] += inward * kPole * extent[other];
      out.push_back(at);
    }
    return out;
  }

  /// Whether a place lies on a side of its patch where u ends, or v.
  struct Sides {
    bool on_u = false, on_v = false;
    bool any() const { return on_u || on_v; }
  };
  static Sides sides_at(const shape::Patch& patch, const Vec2& m) {
    const shape::UvBox d = patch.domain();
    const auto at_end = [](double x, double low, double high) {
      return std::min(x - low, high - x) <= kOnSide * (high - low);
    };
    return {!patch.closed_u() && at_end(m.x(), d.u0, d.u1),
            !patch.closed_v() && at_end(m.y(), d.v0, d.v1)};
  }

  /// A patch whose normal is not the contact's touches with its border: sharp across it, along it
  /// as the border bends away from the plane square to `outward`.
  Mat3 on_edge(const shape::Face& face, const Vec2& m, const Frame& f, const Vec3& outward) const {
    const auto [on_u, on_v] = sides_at(*face.patch, m);
    const Mat3 sharp = kSharp / size_ * (Mat3::Identity() - outward * outward.transpose());
    if (on_u == on_v) return sharp;
    const shape::PatchJet j = face.patch->jet(m.x(), m.y());
    const Vec3 t = f.turn * (on_u ? j.sv : j.su), bend = f.turn * (on_u ? j.svv : j.suu);
    if (!(t.squaredNorm() > 0.0)) return sharp;
    return edge_curvature(outward, t, -outward.dot(bend) / t.squaredNorm());
  }

  Part a_, b_;
  ContactSettings settings_;
  double size_, friction_ = 0.0;
  bool usable_ = false;
  Frame frame_;
  std::optional<SharedFace> face_;
  std::vector<Candidate> found_;
};

}  // namespace

std::vector<ContactPoint> surface_contacts(const PlacedBody& a, const PlacedBody& b,
                                           const ContactSettings& s, std::span<const Vec3> told) {
  return Finder(a, b, s).find(told);
}

}  // namespace repose::check
