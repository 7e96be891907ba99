#include "step_paper.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "repose/base/stage_clock.h"
#include "repose/shape/cover.h"

#include "elasticity.h"
#include "motion.h"
#include "paper_contact.h"
#include "paper_forces.h"

namespace repose::surfel {

namespace {

/// Where the weights of the implicit surface end, of the surfels' spacing.
constexpr double kSupport = 3.0;
/// The share of the stable step that springs leave.
constexpr double kSpringShare = 0.7;
/// A surfel goes no farther in a step than this share of its spacing.
constexpr double kTravel = 0.5;
/// Where the kernel of forces ends, and where phyxels are no neighbours any more, in mean distances
/// of phyxels.
constexpr double kKernelReach = 2.0;
constexpr double kInfluence = 2.0;

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
  Box box;
  double modulus = 0.0;  // Pa, Young's
  double pitch = 0.0;    // m, mean distance of phyxels
  double spacing = 0.0;  // m, of surfels
};

class Handling {
 public:
  Handling(const Stage& stage, const Motion& motion, Memory& memory)
      : arena_(stage.arena),
        settings_(stage.settings),
        motion_(motion),
        memory_(memory),
        contacts_(stage.cache.paper_contacts),
        centers_(at_balls(arena_, motion.x)) {
    memory_.paper_forces.assign(motion.x.size(), Vec3::Zero());
    memory_.colliding = 0;
    contacts_.clear();
    for (std::size_t b = 0; b + 1 < arena_.first_ball.size(); ++b)
      if (arena_.collides[b] && arena_.first_ball[b] < arena_.first_ball[b + 1])
        actors_.push_back(actor_of(b));
  }

  void run() {
    for (std::size_t j = 0; j < actors_.size(); ++j) {
      for (std::size_t k = j + 1; k < actors_.size(); ++k) meet(actors_[j], actors_[k]);
      for (std::size_t s = 0; s < arena_.solids.size(); ++s) meet_solid(actors_[j], s);
      meet_itself(actors_[j]);
    }
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
    for (int k = arena_.first_ball[b]; k < arena_.first_ball[b + 1]; ++k) {
      out.box.take(centers_[at(k)], arena_.radius[at(k)]);
      out.spacing = std::max(out.spacing, arena_.radius[at(k)] / shape::kCoverBall);
    }
    return out;
  }

  struct Surfel {
    Vec3 point, normal;
  };
  /// A ball's surfel and normal turn with the gradient of what carries it; nothing where that is
  /// flat.
  std::optional<Surfel> surfel_of(int ball) const {
    Mat3 gradient = Mat3::Zero(), cofactor;
    for (const Carrier& carrier : arena_.carrying(ball))
      gradient += motion_.x[at(carrier.phyxel)] * carrier.slope.transpose();
    cofactor.col(0) = gradient.col(1).cross(gradient.col(2));
    cofactor.col(1) = gradient.col(2).cross(gradient.col(0));
    cofactor.col(2) = gradient.col(0).cross(gradient.col(1));
    const Vec3& rest = arena_.rest_normal[at(ball)];
    const double depth = shape::cover_depth() / shape::kCoverBall * arena_.radius[at(ball)];
    const Surfel out{centers_[at(ball)] + gradient * (depth * rest),
                     (cofactor * rest).normalized()};
    return out.point.allFinite() && out.normal.allFinite() ? std::optional(out) : std::nullopt;
  }

  /// The surfels of a body that lie in a box or near it.
  SurfelCloud surfels_of(const Actor& actor, const Box& box) const {
    SurfelCloud out;
    for (int k = arena_.first_ball[actor.body]; k < arena_.first_ball[actor.body + 1]; ++k) {
      const double radius = arena_.radius[at(k)], reach = radius + kSupport * actor.spacing;
      const Vec3& c = centers_[at(k)];
      if (!((c.array() + reach >= box.low.array()).all() &&
            (c.array() - reach <= box.high.array()).all()))
        continue;
      const auto surfel = surfel_of(k);
      if (!surfel) continue;
      out.points.push_back(surfel->point);
      out.normals.push_back(surfel->normal);
      out.velocities.push_back(at_ball(arena_, motion_.v, k));
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

  /// Two bodies: colliding surfels, contact surface, forces (sections 5 to 7).
  void meet(const Actor& one, const Actor& two) {
    const Box box = intersection(one.box, two.box);
    if (box.empty()) return;
    const SurfelCloud first = surfels_of(one, box), second = surfels_of(two, box);
    const double spacing = std::max(one.spacing, two.spacing), support = kSupport * spacing;
    const ImplicitSurface surface_one(first, support), surface_two(second, support);
    std::vector<int> in_two, in_one;
    {
      const StageScope timed("colliding_surfels");
      in_two = colliding_surfels(first, surface_two, box.low, box.high);
      in_one = colliding_surfels(second, surface_one, box.low, box.high);
    }
    memory_.colliding += static_cast<int>(in_two.size() + in_one.size());
    if (in_two.empty() && in_one.empty()) return;
    const Meeting meeting{surface_one, surface_two, one.modulus, two.modulus, spacing};
    std::vector<Vec3> surface;
    {
      const StageScope timed("contact_surface");
      surface = resampled(meeting, contact_surface(meeting, chosen(first.points, in_two),
                                                   chosen(second.points, in_one)));
    }
    const StageScope timed("surfel_forces");
    const double friction = std::min(arena_.friction[one.body], arena_.friction[two.body]);
    const Response response =
        response_of(std::min(one.modulus, two.modulus), std::max(one.pitch, two.pitch), friction);
    const HashedGrid grid(surface, support);
    const Spreading over_one(one.phyxels, kKernelReach * one.pitch);
    const Spreading over_two(two.phyxels, kKernelReach * two.pitch);
    std::vector<Vec3> on_one(one.phyxels.size(), Vec3::Zero());
    std::vector<Vec3> on_two(two.phyxels.size(), Vec3::Zero());
    const std::vector<Vec3> normals = normals_of(surface, surface_one, support);
    for (std::size_t c = 0; c < surface.size(); ++c) {
      const int s1 = surface_one.nearest(surface[c]), s2 = surface_two.nearest(surface[c]);
      if (s1 < 0 || s2 < 0) continue;
      const Vec3 speed = first.velocities[at(s1)] - second.velocities[at(s2)];
      const Vec3 way_one = first.points[at(s1)] - surface[c];
      const Vec3 way_two = second.points[at(s2)] - surface[c];
      const Vec3 felt_one =
          penalty_force(response, way_one, speed) + friction_force(response, way_one, speed);
      const Vec3 felt_two =
          penalty_force(response, way_two, -speed) + friction_force(response, way_two, -speed);
      const Vec3 force = surfel_area(surface, grid, support, c) * shared_force(felt_one, felt_two);
      over_one.spread(surface[c], force, on_one);
      over_two.spread(surface[c], -force, on_two);
      tell(static_cast<int>(two.body), static_cast<int>(one.body), surface[c], -normals[c], force);
    }
    add(one, on_one);
    add(two, on_two);
  }

  static std::vector<Vec3> normals_of(const std::vector<Vec3>& surface, const ImplicitSurface& like,
                                      double within) {
    std::vector<Vec3> out;
    for (const Vec3& p : surface) out.push_back(like.project(p).normal);
    return principal_normals(surface, within, out);
  }

  /// A solid is stiffer than any body: the contact surface is its own.
  void meet_solid(const Actor& actor, std::size_t s) {
    const Solid& solid = arena_.solids[s];
    const Pose &pose = motion_.solids[s], body_from_world = pose.inverse();
    std::vector<Vec3> surface, ways, speeds;
    std::vector<int> pieces;
    for (int k = arena_.first_ball[actor.body]; k < arena_.first_ball[actor.body + 1]; ++k) {
      pieces.clear();
      solid.obstacle->near(body_from_world * centers_[at(k)], arena_.radius[at(k)], pieces);
      if (pieces.empty()) continue;
      const auto surfel = surfel_of(k);
      if (!surfel) continue;
      for (const int piece : pieces) {
        const Vec3 local = body_from_world * surfel->point;
        const collide::Plane plane = solid.obstacle->plane(local, piece);
        const double gap = plane.gap(local);
        if (!(gap < 0.0)) continue;
        const Vec3 way = gap * pose.turn(plane.normal);
        surface.push_back(surfel->point - way);
        ways.push_back(way);
        speeds.push_back(at_ball(arena_, motion_.v, k) - motion_.solid_velocities[s]);
      }
    }
    memory_.colliding += static_cast<int>(surface.size());
    if (surface.empty()) return;
    const StageScope timed("surfel_forces");
    const Response response = response_of(actor.modulus, actor.pitch,
                                          std::min(arena_.friction[actor.body], solid.friction));
    const double support = kSupport * actor.spacing;
    const HashedGrid grid(surface, support);
    const Spreading over(actor.phyxels, kKernelReach * actor.pitch);
    std::vector<Vec3> felt(actor.phyxels.size(), Vec3::Zero());
    for (std::size_t c = 0; c < surface.size(); ++c) {
      const Vec3 force =
          surfel_area(surface, grid, support, c) * (penalty_force(response, ways[c], speeds[c]) +
                                                    friction_force(response, ways[c], speeds[c]));
      over.spread(surface[c], force, felt);
      tell(solid.body, static_cast<int>(actor.body), surface[c], -ways[c].normalized(), force);
    }
    add(actor, felt);
  }

  /// Phyxels that come near and were no neighbours push each other apart (section 8).
  void meet_itself(const Actor& actor) {
    const StageScope timed("self_contact");
    const HashedGrid grid(actor.phyxels, actor.pitch);
    const double stiffness = settings_.spring * actor.modulus * actor.pitch;
    for (std::size_t i = 0; i < actor.phyxels.size(); ++i)
      grid.near(actor.phyxels[i], actor.pitch, [&](int j, double squared) {
        if (j >= static_cast<int>(i) || !(squared > 0.0)) return;
        const auto a = at(actor.first) + i, b = at(actor.first + j);
        if ((arena_.rest[a] - arena_.rest[b]).norm() <= kInfluence * actor.pitch) return;
        const double apart = std::sqrt(squared);
        const Vec3 force =
            stiffness * (actor.pitch - apart) / apart * (actor.phyxels[i] - actor.phyxels[at(j)]);
        memory_.paper_forces[a] += force;
        memory_.paper_forces[b] -= force;
      });
  }

  void add(const Actor& actor, const std::vector<Vec3>& felt) {
    for (std::size_t i = 0; i < felt.size(); ++i)
      memory_.paper_forces[at(actor.first) + i] += felt[i];
  }

  void tell(int a, int b, const Vec3& point, const Vec3& normal, const Vec3& force_on_b) {
    Contact contact;
    contact.body_a = a;
    contact.body_b = b;
    contact.point_world = point;
    contact.normal_a_to_b = normal;
    contact.force_on_b = force_on_b;
    contacts_.push_back(contact);
  }

  const Arena& arena_;
  const SurfelSettings& settings_;
  const Motion& motion_;
  Memory& memory_;
  std::vector<Contact>& contacts_;
  std::vector<Vec3> centers_;
  std::vector<Actor> actors_;
};

double step_length(const Stage& stage, const Motion& motion, double most_square) {
  const Arena& arena = stage.arena;
  const double stiffer = std::max(1.0, most_square / 3.0);
  const double springs = std::sqrt(1.0 + stage.settings.spring);
  const double stable =
      std::min(stage.settings.longest_step, kSpringShare * stage.settings.stable_share *
                                                arena.stable_step / (stiffer * springs));
  double fastest = 0.0;
  for (const Vec3& v : motion.v) fastest = std::max(fastest, v.norm());
  const double travel = kTravel * arena.least_radius / shape::kCoverBall;
  return fastest * stable > travel ? travel / fastest : stable;
}

}  // namespace

StepOutcome step_paper(const Stage& stage, double time, Motion& motion, Memory& memory) {
  std::vector<Vec3>& forces = stage.cache.forces;
  const Strained strained = elastic_forces(stage.arena, stage.settings.stress, motion, forces);
  if (memory.paper_forces.size() == forces.size())
    for (std::size_t i = 0; i < forces.size(); ++i) forces[i] += memory.paper_forces[i];
  StepOutcome out;
  out.h = step_length(stage, motion, strained.most_square);
  push_freely(stage.arena, stage.problem, forces, time, out.h, motion);  // animatePhyxels
  advance(stage.arena, out.h, motion);
  flow(stage.arena, out.h, motion);
  Handling(stage, motion, memory).run();  // contact handling
  ++memory.effort.steps;
  memory.effort.inverted += strained.inverted;
  memory.inverted = strained.inverted;
  memory.last_step = out.h;
  return out;
}

}  // namespace repose::surfel
