#include "paper_look.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/base/stage_clock.h"
#include "repose/shape/cover.h"

#include "motion.h"
#include "paper_contact.h"

namespace repose::surfel {

namespace {

/// Where the weights of the implicit surface end, of the surfels' spacing.
constexpr double kSupport = 3.0;
/// What is found holds until something has gone this far, of the least spacing. Larger: fewer
/// looks, surfels that begin to collide are seen later.
constexpr double kHolds = 0.5;
/// Where the kernel of forces ends, and where phyxels are no neighbours any more, in mean distances
/// of phyxels.
constexpr double kKernelReach = 2.0;
constexpr double kInfluence = 2.0;
/// Balls reach no farther from their phyxels than so many times what they do at rest.
constexpr double kMostStretch = 3.0;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

struct Box {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());

  void take(const Vec3& p, double about) {
    low = low.cwiseMin(p - Vec3::Constant(about));
    high = high.cwiseMax(p + Vec3::Constant(about));
  }
  bool empty() const { return !(low.array() <= high.array()).all(); }
};

Box intersection(const Box& p, const Box& q) {
  return {p.low.cwiseMax(q.low), p.high.cwiseMin(q.high)};
}

/// What contact handling knows of one body.
struct Actor {
  std::size_t body = 0;
  int first = 0, last = 0;  // phyxels
  std::vector<Vec3> phyxels;
  Box wide;              // holds all balls, found from phyxels alone
  Box box;               // of the balls, once it was asked for
  double modulus = 0.0;  // Pa, Young's
  double pitch = 0.0;    // m, mean distance of phyxels
  double spacing = 0.0;  // m, of surfels
};

class Looking {
 public:
  Looking(const Arena& arena, const SurfelSettings& settings, const Motion& motion)
      : arena_(arena), settings_(settings), motion_(motion), centers_(at(arena.balls())) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t b = 0; b + 1 < arena_.first_ball.size(); ++b)
      if (arena_.collides[b] && arena_.first_ball[b] < arena_.first_ball[b + 1]) {
        actors_.push_back(actor_of(b));
        least = std::min(least, actors_.back().spacing);
      }
    out_.left = kHolds * least;
  }

  HeldContacts run() {
    for (std::size_t j = 0; j < actors_.size(); ++j) {
      for (std::size_t k = j + 1; k < actors_.size(); ++k) meet(actors_[j], actors_[k]);
      for (std::size_t s = 0; s < arena_.solids.size(); ++s) meet_solid(actors_[j], s);
      meet_itself(actors_[j]);
    }
    return std::move(out_);
  }

 private:
  Actor actor_of(std::size_t b) const {
    Actor out;
    out.body = b;
    out.first = arena_.first_phyxel[b];
    out.last = arena_.first_phyxel[b + 1];
    out.phyxels.assign(motion_.x.begin() + out.first, motion_.x.begin() + out.last);
    const Matter& matter = arena_.matter[at(out.first)];
    out.modulus = matter.mu * (3.0 * matter.lambda + 2.0 * matter.mu) / (matter.lambda + matter.mu);
    out.pitch = std::cbrt(matter.volume);
    double reach = 0.0;
    for (const Cluster& cluster : arena_.clusters.all) {
      if (at(cluster.body) != b) continue;
      reach = std::max(reach, cluster.reach_at_rest + cluster.most_radius);
      out.spacing = std::max(out.spacing, cluster.most_radius / shape::kCoverBall);
    }
    for (const Vec3& x : out.phyxels) out.wide.take(x, kMostStretch * reach);
    return out;
  }

  /// Places of all balls of a body, and the box about them.
  void carry(Actor& actor) {
    if (!actor.box.empty()) return;
    for (int k = arena_.first_ball[actor.body]; k < arena_.first_ball[actor.body + 1]; ++k) {
      centers_[at(k)] = at_ball(arena_, motion_.x, k);
      actor.box.take(centers_[at(k)], arena_.radius[at(k)]);
    }
  }

  /// The surfels of a body that lie in a box or near it.
  SurfelCloud surfels_in(const Actor& actor, const Box& box) const {
    SurfelCloud out;
    for (int k = arena_.first_ball[actor.body]; k < arena_.first_ball[actor.body + 1]; ++k) {
      const double radius = arena_.radius[at(k)], reach = radius + kSupport * actor.spacing;
      const Vec3& c = centers_[at(k)];
      if (!((c.array() + reach >= box.low.array()).all() &&
            (c.array() - reach <= box.high.array()).all()))
        continue;
      const CarriedSurfel surfel = surfel_of(arena_, motion_, k);
      if (!surfel.known) continue;
      out.points.push_back(surfel.point);
      out.normals.push_back(surfel.normal);
      out.balls.push_back(k);
    }
    return out;
  }

  Response response_of(double modulus, double pitch, double friction) const {
    Response out;
    out.spring = settings_.spring * modulus / pitch;
    out.damping = settings_.spring_damping * out.spring * arena_.stable_step;
    out.friction = settings_.friction ? friction : 0.0;
    return out;
  }

  static std::vector<Vec3> chosen(const std::vector<Vec3>& all, const std::vector<int>& which) {
    std::vector<Vec3> out;
    for (const int i : which) out.push_back(all[at(i)]);
    return out;
  }

  /// Two bodies: colliding surfels and the contact surface.
  void meet(Actor& one, Actor& two) {
    if (intersection(one.wide, two.wide).empty()) return;
    carry(one);
    carry(two);
    const Box box = intersection(one.box, two.box);
    if (box.empty()) return;
    const SurfelCloud first = surfels_in(one, box), second = surfels_in(two, box);
    const double spacing = std::max(one.spacing, two.spacing), support = kSupport * spacing;
    const ImplicitSurface surface_one(first, support), surface_two(second, support);
    std::vector<int> in_two, in_one;
    {
      const StageScope timed("colliding_surfels");
      in_two = colliding_surfels(first, surface_two, box.low, box.high);
      in_one = colliding_surfels(second, surface_one, box.low, box.high);
    }
    out_.colliding += static_cast<int>(in_two.size() + in_one.size());
    if (in_two.empty() && in_one.empty()) return;
    const Meeting meeting{surface_one, surface_two, one.modulus, two.modulus, spacing};
    std::vector<Vec3> surface;
    {
      const StageScope timed("contact_surface");
      surface = resampled(meeting, contact_surface(meeting, chosen(first.points, in_two),
                                                   chosen(second.points, in_one)));
    }
    hold(one, two, first, second, surface_one, surface_two, surface, support);
  }

  void hold(const Actor& one, const Actor& two, const SurfelCloud& first, const SurfelCloud& second,
            const ImplicitSurface& surface_one, const ImplicitSurface& surface_two,
            const std::vector<Vec3>& surface, double support) {
    const StageScope timed("hold_contacts");
    HeldContact out;
    out.one = static_cast<int>(one.body);
    out.two = static_cast<int>(two.body);
    out.yields_two = two.modulus / (one.modulus + two.modulus);
    const double friction = std::min(arena_.friction[one.body], arena_.friction[two.body]);
    out.response =
        response_of(std::min(one.modulus, two.modulus), std::max(one.pitch, two.pitch), friction);
    const HashedGrid grid(surface, support);
    const Spreading over_one(one.phyxels, kKernelReach * one.pitch);
    const Spreading over_two(two.phyxels, kKernelReach * two.pitch);
    const std::vector<Vec3> normals = normals_of(surface, surface_one, support);
    for (std::size_t c = 0; c < surface.size(); ++c) {
      const int s1 = surface_one.nearest(surface[c]), s2 = surface_two.nearest(surface[c]);
      if (s1 < 0 || s2 < 0) continue;
      HeldSurfel held;
      held.one = first.balls[at(s1)];
      held.two = second.balls[at(s2)];
      held.point = surface[c];
      held.from_one = first.points[at(s1)];
      held.from_two = second.points[at(s2)];
      held.normal = normals[c];
      held.area = surfel_area(surface, grid, support, c);
      held.share[0] = out.shares.size();
      over_one.shares(held.point, one.first, out.shares);
      held.share[1] = out.shares.size();
      over_two.shares(held.point, two.first, out.shares);
      held.share[2] = out.shares.size();
      out.surfels.push_back(held);
    }
    out_.contacts.push_back(std::move(out));
  }

  static std::vector<Vec3> normals_of(const std::vector<Vec3>& surface, const ImplicitSurface& like,
                                      double within) {
    std::vector<Vec3> out;
    for (const Vec3& p : surface) out.push_back(like.local(p).normal);
    return principal_normals(surface, within, out);
  }

  /// A solid is stiffer than any body: the contact surface is its own. Surfels that may reach it
  /// while this look holds.
  void meet_solid(Actor& actor, std::size_t s) {
    const Solid& solid = arena_.solids[s];
    const Pose body_from_world = motion_.solids[s].inverse();
    carry(actor);
    HeldContact out;
    out.one = static_cast<int>(actor.body);
    out.two = solid.body;
    out.solid = static_cast<int>(s);
    std::vector<Vec3> surface;
    std::vector<int> pieces;
    const double ahead = out_.left;
    for (int k = arena_.first_ball[actor.body]; k < arena_.first_ball[actor.body + 1]; ++k) {
      pieces.clear();
      solid.obstacle->near(body_from_world * centers_[at(k)], arena_.radius[at(k)] + ahead, pieces);
      if (pieces.empty()) continue;
      const CarriedSurfel surfel = surfel_of(arena_, motion_, k);
      if (!surfel.known) continue;
      for (const int piece : pieces) {
        const Vec3 local = body_from_world * surfel.point;
        if (!(solid.obstacle->plane(local, piece).gap(local) < ahead)) continue;
        HeldSurfel held;
        held.one = k;
        held.piece = piece;
        held.point = surfel.point;
        out.surfels.push_back(held);
        surface.push_back(surfel.point);
      }
    }
    if (surface.empty()) return;
    const StageScope timed("hold_contacts");
    out.response = response_of(actor.modulus, actor.pitch,
                               std::min(arena_.friction[actor.body], solid.friction));
    const double support = kSupport * actor.spacing;
    const HashedGrid grid(surface, support);
    const Spreading over(actor.phyxels, kKernelReach * actor.pitch);
    for (std::size_t c = 0; c < surface.size(); ++c) {
      HeldSurfel& held = out.surfels[c];
      held.area = surfel_area(surface, grid, support, c);
      held.share[0] = out.shares.size();
      over.shares(held.point, actor.first, out.shares);
      held.share[1] = held.share[2] = out.shares.size();
    }
    out_.contacts.push_back(std::move(out));
  }

  /// Phyxels that come near while this look holds and were no neighbours (section 8).
  void meet_itself(const Actor& actor) {
    const StageScope timed("self_contact");
    HeldSelf out;
    out.reach = actor.pitch;
    out.stiffness = settings_.spring * actor.modulus * actor.pitch;
    const double within = actor.pitch + out_.left;
    const HashedGrid grid(actor.phyxels, within);
    for (std::size_t i = 0; i < actor.phyxels.size(); ++i)
      grid.near(actor.phyxels[i], within, [&](int j, double) {
        if (j >= static_cast<int>(i)) return;
        const int a = actor.first + static_cast<int>(i), b = actor.first + j;
        if ((arena_.rest[at(a)] - arena_.rest[at(b)]).norm() > kInfluence * actor.pitch)
          out.pairs.push_back({a, b});
      });
    std::sort(out.pairs.begin(), out.pairs.end());
    if (!out.pairs.empty()) out_.selves.push_back(std::move(out));
  }

  const Arena& arena_;
  const SurfelSettings& settings_;
  const Motion& motion_;
  std::vector<Vec3> centers_;
  std::vector<Actor> actors_;
  HeldContacts out_;
};

}  // namespace

CarriedSurfel surfel_of(const Arena& arena, const Motion& motion, int ball) {
  Mat3 gradient = Mat3::Zero(), cofactor;
  Vec3 center = Vec3::Zero();
  const Carriers carriers = arena.carrying(ball);
  for (std::size_t k = 0; k < carriers.size(); ++k) {
    const Vec3& x = motion.x[at(carriers.phyxels[k])];
    center += carriers.weights[k] * x;
    gradient += x * carriers.slopes[k].transpose();
  }
  cofactor.col(0) = gradient.col(1).cross(gradient.col(2));
  cofactor.col(1) = gradient.col(2).cross(gradient.col(0));
  cofactor.col(2) = gradient.col(0).cross(gradient.col(1));
  const Vec3& rest = arena.rest_normal[at(ball)];
  const double depth = shape::cover_depth() / shape::kCoverBall * arena.radius[at(ball)];
  CarriedSurfel out;
  out.point = center + gradient * (depth * rest);
  out.normal = (cofactor * rest).normalized();
  out.known = out.point.allFinite() && out.normal.allFinite();
  return out;
}

HeldContacts look_for_contacts(const Arena& arena, const SurfelSettings& settings,
                               const Motion& motion) {
  return Looking(arena, settings, motion).run();
}

}  // namespace repose::surfel
