#include "paper_look.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"
#include "repose/shape/cover.h"

#include "motion.h"
#include "padded.h"
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
/// What is found of a body with itself holds until phyxels have come nearer by this share of their
/// mean distance.
constexpr double kHoldsWithin = 0.25;
/// Balls reach no farther from their phyxels than so many times what they do at rest.
constexpr double kMostStretch = 3.0;
/// Where the speeds of phyxels tell how fast bodies come nearer to each other: so many times that
/// beyond them.
constexpr double kNearStretch = 1.5;

struct Box {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());

  void take(const Vec3& p, double about) {
    low = low.cwiseMin(p - Vec3::Constant(about));
    high = high.cwiseMax(p + Vec3::Constant(about));
  }
  bool empty() const { return !(low.array() <= high.array()).all(); }
  bool holds(const Vec3& p) const {
    return (p.array() >= low.array()).all() && (p.array() <= high.array()).all();
  }
};

Box intersection(const Box& p, const Box& q) {
  return {p.low.cwiseMax(q.low), p.high.cwiseMin(q.high)};
}

bool meets(const Arena& arena, std::size_t body) {
  return arena.collides[body] && arena.first_ball[body] < arena.first_ball[body + 1];
}

/// m; how far the balls of a body reach from its phyxels at rest.
std::vector<double> reaches_of(const Arena& arena) {
  std::vector<double> out(arena.friction.size(), 0.0);
  for (const Cluster& cluster : arena.clusters.all)
    out[at(cluster.body)] =
        std::max(out[at(cluster.body)], cluster.reach_at_rest + cluster.most_radius);
  return out;
}

/// What is stiff of a body, and how far apart its phyxels are.
double modulus_of(const Matter& matter) {
  return matter.mu * (3.0 * matter.lambda + 2.0 * matter.mu) / (matter.lambda + matter.mu);
}
double pitch_of(const Matter& matter) {
  return std::cbrt(matter.volume);
}

/// m; how far a ball's surfel lies above its centre at rest.
double surfel_depth(const Arena& arena, int ball) {
  return shape::cover_depth() / shape::kCoverBall * arena.radius[at(ball)];
}

/// m/s; how fast the phyxels of a body go at most against `mean`, of those in a box.
double fastest_in(const Arena& arena, const Motion& motion, std::size_t body, const Box& box,
                  const Vec3& mean) {
  double squared = 0.0;
  for (int i = arena.first_phyxel[body]; i < arena.first_phyxel[body + 1]; ++i)
    if (box.holds(motion.x[at(i)]))
      squared = std::max(squared, (motion.v[at(i)] - mean).squaredNorm());
  return std::sqrt(squared);
}

Vec3 mean_velocity(const Motion& motion, int first, int last) {
  Vec3 out = Vec3::Zero();
  for (int i = first; i < last; ++i) out += motion.v[at(i)];
  return out / std::max(1, last - first);
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
    pad(motion.x, x_);
    double least = std::numeric_limits<double>::infinity();
    const std::vector<double> reaches = reaches_of(arena);
    for (std::size_t b = 0; b + 1 < arena_.first_ball.size(); ++b)
      if (meets(arena_, b)) {
        actors_.push_back(actor_of(b, reaches[b]));
        least = std::min(least, actors_.back().spacing);
      }
    out_.left = kHolds * least;
  }

  HeldContacts run() {
    for (std::size_t j = 0; j < actors_.size(); ++j) {
      for (std::size_t k = j + 1; k < actors_.size(); ++k) meet(actors_[j], actors_[k]);
      for (std::size_t s = 0; s < arena_.solids.size(); ++s) meet_solid(actors_[j], s);
    }
    return std::move(out_);
  }

 private:
  Actor actor_of(std::size_t b, double reach) const {
    Actor out;
    out.body = b;
    out.first = arena_.first_phyxel[b];
    out.last = arena_.first_phyxel[b + 1];
    out.phyxels.assign(motion_.x.begin() + out.first, motion_.x.begin() + out.last);
    out.modulus = modulus_of(arena_.matter[at(out.first)]);
    out.pitch = pitch_of(arena_.matter[at(out.first)]);
    for (int k = arena_.first_ball[b]; k < arena_.first_ball[b + 1]; ++k)
      out.spacing = std::max(out.spacing, arena_.radius[at(k)] / shape::kCoverBall);
    for (const Vec3& x : out.phyxels) out.wide.take(x, kMostStretch * reach);
    return out;
  }

  /// Places of all balls of a body, and the box about them.
  void carry(Actor& actor) {
    if (!actor.box.empty()) return;
    for (int k = arena_.first_ball[actor.body]; k < arena_.first_ball[actor.body + 1]; ++k) {
      centers_[at(k)] = at_ball(arena_, x_, k);
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
      const CarriedSurfel surfel = surfel_of(arena_, x_, k);
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
    points_of_.assign(at(arena_.balls()), -1);
    const HashedGrid grid(surface, support);
    const Spreading over_one(one.phyxels, kKernelReach * one.pitch);
    const Spreading over_two(two.phyxels, kKernelReach * two.pitch);
    const std::vector<Vec3> normals = normals_of(surface, surface_one, support);
    for (std::size_t c = 0; c < surface.size(); ++c) {
      const int s1 = surface_one.nearest(surface[c]), s2 = surface_two.nearest(surface[c]);
      if (s1 < 0 || s2 < 0) continue;
      HeldSurfel held;
      held.one = hold_point(first.balls[at(s1)], out.points);
      held.two = hold_point(second.balls[at(s2)], out.points);
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

  /// Where the surfel of a ball stands among the points; the same for the same ball.
  std::size_t hold_point(int ball, HeldPoints& points) {
    int& known = points_of_[at(ball)];
    if (known >= 0) return at(known);
    known = static_cast<int>(points.size());
    const Carriers carriers = arena_.carrying(ball);
    const Vec3 up = surfel_depth(arena_, ball) * arena_.rest_normal[at(ball)];
    for (std::size_t k = 0; k < carriers.size(); ++k)
      points.carriers.push_back(
          {carriers.phyxels[k], carriers.weights[k] + carriers.slopes[k].dot(up)});
    points.first.push_back(points.carriers.size());
    return at(known);
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
    const rigid::Rigid& solid = arena_.solids[s];
    const Pose body_from_world = motion_.solids[s].world_from_body.inverse();
    carry(actor);
    HeldContact out;
    out.one = static_cast<int>(actor.body);
    out.two = solid.body;
    out.solid = static_cast<int>(s);
    std::vector<Vec3> surface;
    std::vector<int> pieces;
    points_of_.assign(at(arena_.balls()), -1);
    const double ahead = out_.left;
    for (int k = arena_.first_ball[actor.body]; k < arena_.first_ball[actor.body + 1]; ++k) {
      pieces.clear();
      solid.obstacle->near(body_from_world * centers_[at(k)], arena_.radius[at(k)] + ahead, pieces);
      if (pieces.empty()) continue;
      const CarriedSurfel surfel = surfel_of(arena_, x_, k);
      if (!surfel.known) continue;
      for (const int piece : pieces) {
        const Vec3 local = body_from_world * surfel.point;
        if (!(solid.obstacle->plane(local, piece).gap(local) < ahead)) continue;
        HeldSurfel held;
        held.one = hold_point(k, out.points);
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

  const Arena& arena_;
  const SurfelSettings& settings_;
  const Motion& motion_;
  std::vector<Vec4> x_;  // m; of phyxels
  std::vector<Vec3> centers_;
  std::vector<int> points_of_;  // per ball: its surfel among the points of a contact; -1: none
  std::vector<Actor> actors_;
  HeldContacts out_;
};

/// Phyxels of a body that come near while a look holds and were no neighbours.
HeldSelf met_itself(const Arena& arena, const Motion& motion, std::size_t body, double spring,
                    double ahead) {
  const int first = arena.first_phyxel[body];
  const double pitch = pitch_of(arena.matter[at(first)]);
  HeldSelf out;
  out.reach = pitch;
  out.stiffness = spring * modulus_of(arena.matter[at(first)]) * pitch;
  const std::vector<Vec3> phyxels(motion.x.begin() + first,
                                  motion.x.begin() + arena.first_phyxel[body + 1]);
  const double within = pitch + ahead;
  const HashedGrid grid(phyxels, within);
  for (std::size_t i = 0; i < phyxels.size(); ++i)
    grid.near(phyxels[i], within, [&](int j, double) {
      if (j >= static_cast<int>(i)) return;
      const int a = first + static_cast<int>(i), b = first + j;
      if ((arena.rest[at(a)] - arena.rest[at(b)]).norm() > kInfluence * pitch)
        out.pairs.push_back({a, b});
    });
  std::sort(out.pairs.begin(), out.pairs.end());
  return out;
}

}  // namespace

CarriedSurfel surfel_of(const Arena& arena, const std::vector<Vec4>& x, int ball) {
  Vec4 center = Vec4::Zero(), f0 = Vec4::Zero(), f1 = Vec4::Zero(), f2 = Vec4::Zero();
  const Carriers carriers = arena.carrying(ball);
  for (std::size_t k = 0; k < carriers.size(); ++k) {
    const Vec4& here = x[at(carriers.phyxels[k])];
    const Vec3& slope = carriers.slopes[k];
    center += carriers.weights[k] * here;
    f0 += slope[0] * here;
    f1 += slope[1] * here;
    f2 += slope[2] * here;
  }
  // normals go with the cofactor of the gradient
  const Vec3 a = f0.head<3>(), b = f1.head<3>(), c = f2.head<3>();
  const Vec3& rest = arena.rest_normal[at(ball)];
  const Vec3 up = surfel_depth(arena, ball) * rest;
  CarriedSurfel out;
  out.point = Vec3(center.head<3>()) + (up[0] * a + up[1] * b + up[2] * c);
  out.normal = (rest[0] * b.cross(c) + rest[1] * c.cross(a) + rest[2] * a.cross(b)).normalized();
  out.known = out.point.allFinite() && out.normal.allFinite();
  return out;
}

double fastest_approach(const Arena& arena, const Motion& motion) {
  double most = 0.0;
  if (!arena.solids.empty()) {
    for (std::size_t s = 0; s < arena.solids.size(); ++s)
      most = std::max(most, fastest(arena.solids[s], motion.solids[s]));
    for (const Vec3& v : motion.v) most = std::max(most, v.norm());
    return 2.0 * most;
  }
  const std::vector<double> reaches = reaches_of(arena);
  std::vector<Box> boxes(reaches.size());
  for (std::size_t b = 0; b < boxes.size(); ++b)
    for (int i = arena.first_phyxel[b]; meets(arena, b) && i < arena.first_phyxel[b + 1]; ++i)
      boxes[b].take(motion.x[at(i)], kNearStretch * reaches[b]);
  const Vec3 mean = mean_velocity(motion, 0, arena.phyxels());
  for (std::size_t j = 0; j < boxes.size(); ++j)
    for (std::size_t k = 0; k < j; ++k) {
      const Box box = intersection(boxes[j], boxes[k]);
      if (box.empty()) continue;
      most = std::max(
          most, fastest_in(arena, motion, j, box, mean) + fastest_in(arena, motion, k, box, mean));
    }
  return most;
}

double fastest_within(const Arena& arena, const Motion& motion) {
  double most = 0.0;
  for (std::size_t b = 0; b + 1 < arena.first_phyxel.size(); ++b) {
    const int first = arena.first_phyxel[b], last = arena.first_phyxel[b + 1];
    const Vec3 mean = mean_velocity(motion, first, last);
    for (int i = first; i < last; ++i) most = std::max(most, (motion.v[at(i)] - mean).norm());
  }
  return 2.0 * most;
}

HeldContacts look_for_contacts(const Arena& arena, const SurfelSettings& settings,
                               const Motion& motion) {
  return Looking(arena, settings, motion).run();
}

HeldSelves look_for_selves(const Arena& arena, const SurfelSettings& settings,
                           const Motion& motion) {
  const StageScope timed("self_contact");
  HeldSelves out;
  out.left = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b + 1 < arena.first_ball.size(); ++b) {
    if (!meets(arena, b)) continue;
    const double ahead = kHoldsWithin * pitch_of(arena.matter[at(arena.first_phyxel[b])]);
    out.left = std::min(out.left, ahead);
    HeldSelf self = met_itself(arena, motion, b, settings.spring, ahead);
    if (!self.pairs.empty()) out.bodies.push_back(std::move(self));
  }
  return out;
}

}  // namespace repose::surfel
