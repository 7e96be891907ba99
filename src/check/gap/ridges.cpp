#include "check/gap/ridges.h"

#include <algorithm>
#include <optional>

#include "check/gap/distance.h"
#include "check/gap/prepared.h"
#include "check/gap/triangle.h"

namespace repose::check {

namespace {

constexpr double kBehind = 1e-3;  // sine: faces that bend by less lie in one plane
constexpr double kSharp = 1e4;    // over size: curvature of a corner

/// The triangles of a body about a place, in the frame of the first body.
struct Fan {
  std::vector<const Piece*> triangles;

  void add(const Piece& piece) {
    const bool known = std::any_of(triangles.begin(), triangles.end(), [&](const Piece* other) {
      return std::equal(piece.corner, piece.corner + 3, other->corner);
    });
    if (!known) triangles.push_back(&piece);
  }
};

/// The edge that two triangles share, if it leads through or from `place`.
std::optional<std::array<Vec3, 2>> shared_edge(const Piece& one, const Piece& other,
                                               const Vec3& place, double near) {
  std::vector<Vec3> both;
  for (const Vec3& p : one.corner)
    if (std::find(other.corner, other.corner + 3, p) != other.corner + 3) both.push_back(p);
  if (both.size() != 2) return std::nullopt;
  const ClosePoints close = closest_of_segments(both[0], both[1], place, place);
  if ((close.a - place).norm() > near) return std::nullopt;
  return std::array{both[0], both[1]};
}

/// Sine by which `other` falls behind the plane of `one` beyond the edge they share.
double falls(const Piece& one, const Piece& other, const std::array<Vec3, 2>& edge) {
  double out = 0.0;
  for (const Vec3& p : other.corner) {
    if (p == edge[0] || p == edge[1]) continue;
    const Vec3 along = (edge[1] - edge[0]).normalized(), way = p - edge[0];
    const double across = (way - along * along.dot(way)).norm();
    out = across > 0.0 ? -one.normal.dot(way) / across : 0.0;
  }
  return out;
}

/// The two faces of the only ridge about `place`. None if there is none, or another one, or if the
/// triangles do not close about the place: a corner of two surfaces, a border.
std::optional<std::array<const Piece*, 2>> only_ridge(const Fan& fan, const Vec3& place,
                                                      double near) {
  std::optional<std::array<const Piece*, 2>> out;
  const std::size_t count = fan.triangles.size();
  std::vector<std::vector<std::size_t>> beside(count);
  std::size_t edges = 0;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 1; j < count; ++j) {
      const auto edge = shared_edge(*fan.triangles[i], *fan.triangles[j], place, near);
      if (!edge) continue;
      ++edges;
      beside[i].push_back(j);
      beside[j].push_back(i);
      if (falls(*fan.triangles[i], *fan.triangles[j], *edge) <= kBehind) continue;
      if (out) return std::nullopt;
      out = std::array{fan.triangles[i], fan.triangles[j]};
    }
  // on an edge two triangles, about a corner one round of them
  if (count == 2 && edges == 1) return out;
  std::size_t at = 0, before = count, seen = 1;
  for (; seen <= count; ++seen) {
    if (beside[at].size() != 2) return std::nullopt;
    const std::size_t next = beside[at][beside[at][0] == before ? 1 : 0];
    before = at;
    at = next;
    if (at == 0) break;
  }
  return seen == count && edges == count ? out : std::nullopt;
}

class Finder {
 public:
  Finder(const PlacedBody& a, const PlacedBody& b, const ContactSettings& s)
      : surface_a_(surface_of(a.shape)), surface_b_(surface_of(b.shape)), settings_(s) {
    const Frame wa = world_frame(a), wb = world_frame(b);
    world_ = wa;
    frame_.turn = wa.turn.transpose() * wb.turn;
    frame_.shift = wa.turn.transpose() * (wb.shift - wa.shift);
    size_ = pair_size(a, b);
    friction_ = std::min(a.friction, b.friction);
  }

  std::vector<RidgeContact> find() {
    if (!surface_a_ || !surface_b_) return {};
    PairSearch search(*surface_a_, *surface_b_, frame_);
    const double touch = settings_.touch * size_, near = 2.0 * touch;
    Fan all_a, all_b;
    for (const UnclearPair& u :
         search.pairs_within(near, settings_.merge * size_, settings_.budget)) {
      const Piece &pa = surface_a_->piece(u.a), &pb = search.placed(u.b);
      if (pa.kind != PieceKind::triangle || pb.kind != PieceKind::triangle) continue;
      all_a.add(pa);
      all_b.add(pb);
    }
    std::vector<RidgeContact> out;
    look(all_b, all_a, 1.0, touch, out);
    look(all_a, all_b, -1.0, touch, out);
    return out;
  }

 private:
  /// Corners of one body at ridges of the other; `side`: of the normal from a to b against that of
  /// the ridge's faces.
  void look(const Fan& cornered, const Fan& ridged, double side, double touch,
            std::vector<RidgeContact>& out) const {
    std::vector<Vec3> seen;
    for (const Piece* t : cornered.triangles)
      for (const Vec3& corner : t->corner) {
        const auto same = [&](const Vec3& other) { return (other - corner).norm() <= touch; };
        if (std::any_of(seen.begin(), seen.end(), same)) continue;
        seen.push_back(corner);
        Fan about;
        double nearest = 2.0 * touch;
        for (const Piece* r : ridged.triangles) {
          const double distance = (closest_on_triangle(corner, r->corner) - corner).norm();
          nearest = std::min(nearest, distance);
          if (distance <= 2.0 * touch) about.add(*r);
        }
        if (nearest > touch) continue;
        if (const auto ridge = only_ridge(about, corner, 2.0 * touch))
          out.push_back({contact(corner, *(*ridge)[0], side), contact(corner, *(*ridge)[1], side)});
      }
  }

  ContactPoint contact(const Vec3& corner, const Piece& face, double side) const {
    ContactPoint c;
    const Vec3 n = world_.turn * face.normal;
    c.point = world_ * corner;
    c.normal_a_to_b = side * n;
    c.gap = face.normal.dot(corner - face.corner[0]);
    c.friction = friction_;
    const Mat3 sharp = kSharp / size_ * (Mat3::Identity() - n * n.transpose());
    (side > 0.0 ? c.curvature_b : c.curvature_a) = sharp;
    return c;
  }

  std::shared_ptr<Surface> surface_a_, surface_b_;
  const ContactSettings& settings_;
  Frame frame_, world_;
  double size_ = 1.0, friction_ = 0.0;
};

}  // namespace

std::vector<RidgeContact> ridge_contacts(const PlacedBody& a, const PlacedBody& b,
                                         const ContactSettings& s) {
  return Finder(a, b, s).find();
}

}  // namespace repose::check
