#include "paper_look.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"
#include "repose/shape/cover.h"

#include "motion.h"
#include "padded.h"
#include "paper_boxes.h"
#include "paper_contact.h"

namespace repose::surfel {

namespace {

/// Where the weights of the implicit surface end, of the surfels' spacing.
constexpr double kSupport = 3.0;
/// Surfels farther from the other body than so many spacings cannot push while a look holds; nor
/// can they be deeper unseen than the other share. Larger: fewer looks, more contact surfels.
constexpr double kAhead = 1.5;
constexpr double kUnseen = 0.5;
/// Surfels that push each other slide along each other by no more than this share of the spacing
/// before the nearest ones are looked for again.
constexpr double kSlides = 0.5;
/// A surfel nearer than so many spacings to one that a contact surfel is near to is covered.
constexpr double kCovered = 1.2;
/// Contact surfels within so many spacings tell the normal and the density of their surface.
constexpr double kNeighbourhood = 2.0;
/// Where the kernel of forces ends, in mean distances of phyxels.
constexpr double kKernelReach = 2.0;
/// Balls reach so much farther from the phyxel they lie about than it stretched the ways to those
/// that carry them.
constexpr double kBeyondStretch = 1.25;

/// m; how far a ball's surfel lies above its centre at rest.
double surfel_depth(const Arena& arena, int ball) {
  return shape::cover_depth() / shape::kCoverBall * arena.radius[at(ball)];
}

/// What contact handling knows of one body.
struct Actor {
  std::size_t body = 0;
  int first = 0, last = 0;  // phyxels
  std::vector<Vec3> phyxels;
  std::vector<int> clusters;
  std::vector<Box> about;  // each cluster's balls, found from phyxels alone
  Box wide;                // about them all
  double modulus = 0.0;    // Pa, Young's
  double pitch = 0.0;      // m, mean distance of phyxels
  double spacing = 0.0;    // m, of surfels
};

/// Two bodies as they meet: what is near of both.
struct Encounter {
  const Actor& one;
  const Actor& two;
  SurfelCloud first, second;
  double support;  // m
  ImplicitSurface surface_one{first, support}, surface_two{second, support};
};

class Looking {
 public:
  Looking(const Arena& arena, const SurfelSettings& settings, const Motion& motion,
          const HeldContacts* before)
      : arena_(arena), settings_(settings), motion_(motion), before_(before) {
    pad(motion.x, x_);
    std::vector<std::vector<int>> clusters(arena_.friction.size());
    for (std::size_t k = 0; k < arena.clusters.size(); ++k)
      clusters[at(arena.clusters.all[k].body)].push_back(static_cast<int>(k));
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t b = 0; b + 1 < arena_.first_ball.size(); ++b)
      if (meets(arena_, b)) {
        actors_.push_back(actor_of(b, std::move(clusters[b])));
        least = std::min(least, actors_.back().spacing);
      }
    out_.from = motion.x;
    ahead_ = kAhead * least;
    out_.left = ahead_ + kUnseen * least;
    out_.most_slid = kSlides * least;
  }

  HeldContacts run() {
    for (std::size_t j = 0; j < actors_.size(); ++j) {
      for (std::size_t k = j + 1; k < actors_.size(); ++k) meet(actors_[j], actors_[k]);
      for (std::size_t s = 0; s < arena_.solids.size(); ++s) meet_solid(actors_[j], s);
    }
    return std::move(out_);
  }

 private:
  Actor actor_of(std::size_t b, std::vector<int> clusters) const {
    Actor out;
    out.body = b;
    out.first = arena_.first_phyxel[b];
    out.last = arena_.first_phyxel[b + 1];
    out.phyxels.assign(motion_.x.begin() + out.first, motion_.x.begin() + out.last);
    out.modulus = modulus_of(arena_.matter[at(out.first)]);
    out.pitch = pitch_of(arena_.matter[at(out.first)]);
    for (int k = arena_.first_ball[b]; k < arena_.first_ball[b + 1]; ++k)
      out.spacing = std::max(out.spacing, arena_.radius[at(k)] / shape::kCoverBall);
    out.clusters = std::move(clusters);
    for (const int c : out.clusters) {
      const Cluster& cluster = arena_.clusters.all[at(c)];
      Box box;
      box.take(
          motion_.x[at(cluster.anchor)],
          kBeyondStretch * stretch_about(cluster) * cluster.reach_at_rest + cluster.most_radius);
      out.about.push_back(box);
      out.wide.low = out.wide.low.cwiseMin(box.low);
      out.wide.high = out.wide.high.cwiseMax(box.high);
    }
    return out;
  }

  /// How much longer the ways from a cluster's anchor to the phyxels that carry its balls became,
  /// at most.
  double stretch_about(const Cluster& cluster) const {
    double squared = 1.0;
    const auto anchor = at(cluster.anchor);
    for (const int i : arena_.clusters.phyxels_of(cluster)) {
      const double rest = (arena_.rest[at(i)] - arena_.rest[anchor]).squaredNorm();
      const double now = (motion_.x[at(i)] - motion_.x[anchor]).squaredNorm();
      if (rest > 0.0) squared = std::max(squared, now / rest);
    }
    return std::sqrt(squared);
  }

  /// The balls of a body that may lie in a box.
  std::vector<int> balls_about(const Actor& actor, const Box& box) const {
    std::vector<int> out;
    for (std::size_t n = 0; n < actor.clusters.size(); ++n) {
      if (intersection(actor.about[n], box).empty()) continue;
      const auto balls = arena_.clusters.balls_of(arena_.clusters.all[at(actor.clusters[n])]);
      out.insert(out.end(), balls.begin(), balls.end());
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  /// The box about some balls; and where they are.
  Box box_about(const std::vector<int>& balls, std::vector<Vec3>& centers) const {
    Box out;
    for (const int k : balls) {
      centers.push_back(at_ball(arena_, x_, k));
      out.take(centers.back(), arena_.radius[at(k)]);
    }
    return out;
  }

  /// The surfels of some balls that lie in a box or near it.
  SurfelCloud surfels_in(const Box& box, const std::vector<int>& balls,
                         const std::vector<Vec3>& centers, double near) const {
    SurfelCloud out;
    for (std::size_t n = 0; n < balls.size(); ++n) {
      if (!box.holds(centers[n], arena_.radius[at(balls[n])] + near)) continue;
      const CarriedSurfel surfel = surfel_of(arena_, x_, balls[n]);
      if (!surfel.known) continue;
      out.points.push_back(surfel.point);
      out.normals.push_back(surfel.normal);
      out.balls.push_back(balls[n]);
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

  /// Two bodies: colliding surfels and the contact surface.
  void meet(const Actor& one, const Actor& two) {
    const Box wide = intersection(one.wide.grown(ahead_), two.wide.grown(ahead_));
    if (wide.empty()) return;
    const std::vector<int> balls_one = balls_about(one, wide), balls_two = balls_about(two, wide);
    std::vector<Vec3> centers_one, centers_two;
    const Box box = intersection(box_about(balls_one, centers_one).grown(ahead_),
                                 box_about(balls_two, centers_two).grown(ahead_));
    if (box.empty()) return;
    const double spacing = std::max(one.spacing, two.spacing), support = kSupport * spacing;
    const Encounter both{one, two, surfels_in(box, balls_one, centers_one, support),
                         surfels_in(box, balls_two, centers_two, support), support};
    NearSurfels in_two, in_one;
    {
      const StageScope timed("colliding_surfels");
      in_two = near_surfels(both.first, both.surface_two, box.low, box.high, ahead_);
      in_one = near_surfels(both.second, both.surface_one, box.low, box.high, ahead_);
    }
    out_.colliding += in_two.colliding + in_one.colliding;
    if (in_two.all.empty() && in_one.all.empty()) return;
    const Meeting meeting{both.surface_one, both.surface_two, one.modulus,
                          two.modulus,      spacing,          ahead_};
    const HeldContact* known = known_contact(one, two);
    Sampling surface;
    {
      const StageScope timed("contact_surface");
      if (known != nullptr) surface = drawn_onto(meeting, carried_points(*known));
      const auto covered = covered_balls(known, surface);
      const double near = kCovered * spacing;
      surface = resampled(meeting, std::move(surface),
                          contact_surface(meeting, uncovered(both.first, in_two.all, covered, near),
                                          uncovered(both.second, in_one.all, covered, near)));
    }
    hold(both, known, surface);
  }

  /// What the look before found between two bodies.
  const HeldContact* known_contact(const Actor& one, const Actor& two) const {
    if (before_ == nullptr) return nullptr;
    for (const HeldContact& contact : before_->contacts)
      if (contact.solid < 0 && at(contact.one) == one.body && at(contact.two) == two.body)
        return &contact;
    return nullptr;
  }

  /// m; where its contact surfels have gone since.
  std::vector<Vec3> carried_points(const HeldContact& known) const {
    std::vector<Vec3> points, out;
    carry(known.points, x_, points);
    for (const HeldSurfel& surfel : known.surfels)
      out.push_back(carried_point(known, surfel, points));
    return out;
  }

  /// Balls whose surfels are the nearest to a contact surfel that goes on.
  std::vector<bool> covered_balls(const HeldContact* known, const Sampling& surface) const {
    std::vector<bool> out(at(arena_.balls()), false);
    for (const int c : surface.from) {
      const HeldSurfel& surfel = known->surfels[at(c)];
      out[at(known->points.balls[surfel.one])] = out[at(known->points.balls[surfel.two])] = true;
    }
    return out;
  }

  /// Of the surfels named, those that are not near a covered one.
  static std::vector<Vec3> uncovered(const SurfelCloud& cloud, const std::vector<int>& which,
                                     const std::vector<bool>& covered, double near) {
    std::vector<Vec3> there, out;
    for (std::size_t i = 0; i < cloud.points.size(); ++i)
      if (covered[at(cloud.balls[i])]) there.push_back(cloud.points[i]);
    const HashedGrid grid(there, near);
    for (const int i : which) {
      bool is_near = covered[at(cloud.balls[at(i)])];
      if (!is_near) grid.near(cloud.points[at(i)], near, [&](int, double) { is_near = true; });
      if (!is_near) out.push_back(cloud.points[at(i)]);
    }
    return out;
  }

  void hold(const Encounter& both, const HeldContact* known, const Sampling& sampling) {
    const StageScope timed("hold_contacts");
    const Actor &one = both.one, &two = both.two;
    const std::vector<Vec3>& surface = sampling.points;
    HeldContact out;
    out.one = static_cast<int>(one.body);
    out.two = static_cast<int>(two.body);
    out.yields_two = two.modulus / (one.modulus + two.modulus);
    const double friction = std::min(arena_.friction[one.body], arena_.friction[two.body]);
    out.response =
        response_of(std::min(one.modulus, two.modulus), std::max(one.pitch, two.pitch), friction);
    points_of_.assign(at(arena_.balls()), -1);
    const double about = kNeighbourhood * std::max(one.spacing, two.spacing);
    const HashedGrid grid(surface, about);
    const Spreading over_one(one.phyxels, kKernelReach * one.pitch);
    const Spreading over_two(two.phyxels, kKernelReach * two.pitch);
    out.surfels.reserve(surface.size());
    if (known != nullptr) out.shares.reserve(known->shares.size());
    std::vector<int> near_one, near_two;
    std::vector<Vec3> outward(surface.size(), Vec3::UnitZ());
    for (std::size_t c = 0; c < surface.size(); ++c) {
      near_one.push_back(both.surface_one.nearest(surface[c]));
      near_two.push_back(both.surface_two.nearest(surface[c]));
      if (near_one[c] >= 0) outward[c] = both.first.normals[at(near_one[c])];
    }
    std::vector<Vec3> normals;
    {
      const StageScope within("recompute_normals");
      normals = principal_normals(surface, about, outward);
    }
    for (std::size_t c = 0; c < surface.size(); ++c) {
      const int s1 = near_one[c], s2 = near_two[c];
      if (s1 < 0 || s2 < 0) continue;
      const int ball_one = both.first.balls[at(s1)], ball_two = both.second.balls[at(s2)];
      HeldSurfel held;
      held.one = hold_point(ball_one, out.points);
      held.two = hold_point(ball_two, out.points);
      held.point = surface[c];
      held.from_one = both.first.points[at(s1)];
      held.from_two = both.second.points[at(s2)];
      held.normal = normals[c];
      held.area = surfel_area(surface, grid, about, c);
      const HeldSurfel* same =
          sampling.from[c] >= 0 ? &known->surfels[at(sampling.from[c])] : nullptr;
      if (same != nullptr && known->points.balls[same->one] == ball_one &&
          known->points.balls[same->two] == ball_two) {
        // phyxels about a surfel hardly change: their shares are those of the look before
        const auto shares = known->shares.begin();
        held.share[0] = out.shares.size();
        out.shares.insert(out.shares.end(), shares + static_cast<std::ptrdiff_t>(same->share[0]),
                          shares + static_cast<std::ptrdiff_t>(same->share[2]));
        held.share[1] = held.share[0] + (same->share[1] - same->share[0]);
      } else {
        held.share[0] = out.shares.size();
        over_one.shares(held.point, one.first, out.shares);
        held.share[1] = out.shares.size();
        over_two.shares(held.point, two.first, out.shares);
      }
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
    points.balls.push_back(ball);
    return at(known);
  }

  /// A solid is stiffer than any body: the contact surface is its own. Surfels that may reach it
  /// while this look holds.
  void meet_solid(const Actor& actor, std::size_t s) {
    const rigid::Rigid& solid = arena_.solids[s];
    const Pose body_from_world = motion_.solids[s].world_from_body.inverse();
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
      solid.obstacle->near(body_from_world * at_ball(arena_, x_, k), arena_.radius[at(k)] + ahead,
                           pieces);
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
  const HeldContacts* before_;
  std::vector<Vec4> x_;         // m; of phyxels
  double ahead_ = 0.0;          // m
  std::vector<int> points_of_;  // per ball: its surfel among the points of a contact; -1: none
  std::vector<Actor> actors_;
  HeldContacts out_;
};

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

HeldContacts look_for_contacts(const Arena& arena, const SurfelSettings& settings,
                               const Motion& motion, const HeldContacts* before) {
  return Looking(arena, settings, motion, before).run();
}

}  // namespace repose::surfel
