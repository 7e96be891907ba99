#include "room.h"

#include <algorithm>
#include <limits>

#include "repose/base/stage_clock.h"

namespace repose::place {
namespace {

/// Pieces are fine enough once their sizes are this share of the bodies' reach.
constexpr double kFine = 0.05;
/// Pieces looked at for one pair of bodies; what is left then bounds the way as it is.
constexpr int kMostPieces = 2000;
constexpr double kAspect = 4.0;
/// Loads turn a body if their torque over reach exceeds this share of the largest force.
constexpr double kTurns = 1e-9;
constexpr double kNever = std::numeric_limits<double>::infinity();

/// Two pieces and the first time at which they might meet.
struct Meeting {
  double time = 0.0;
  Vec3 direction = Vec3::UnitZ();  // that shows it, frame of q, towards p
  int p = -1, q = -1;

  bool operator<(const Meeting& other) const {  // a heap's top is the first
    return std::tie(time, p, q) > std::tie(other.time, other.p, other.q);
  }
};

/// Two bodies that go straight: the pieces that might meet first are halved until they are fine.
class Ahead {
 public:
  /// `velocity`: of p against q, world.
  Ahead(const Posed& p, const Posed& q, const Vec3& velocity, double fine)
      : p_(*p.surface),
        q_(*q.surface),
        turn_(q.rotation.transpose() * p.rotation),
        shift_(q.rotation.transpose() * (p.position - q.position)),
        velocity_(q.rotation.transpose() * velocity),
        fine_(fine) {}

  double first_meeting() {
    const bool ground = q_.half_space();
    if (p_.faces() < 0 || (!ground && q_.faces() < 0)) return kNever;
    push(p_.faces(), ground ? -1 : q_.faces());
    for (int k = 0; k < kMostPieces && halve(); ++k) {
    }
    return heap_.front().time;
  }

 private:
  /// Apart by `gap` along n, they are so until its closing.
  static double until(double gap, double closing) {
    if (!(gap > 0.0)) return 0.0;
    return closing > 0.0 ? gap / closing : kNever;
  }

  Meeting meeting_of(int p, int q) const {
    const Cell& c = p_.cell(p);
    Meeting out;
    out.p = p;
    out.q = q;
    const auto attempt = [&](const Vec3& n) {
      const double far_q = q < 0 ? 0.0 : n.dot(q_.cell(q).center) + reach_along(q_.cell(q), n);
      const double gap =
          n.dot(turn_ * c.center + shift_) - reach_along(c, turn_.transpose() * -n) - far_q;
      const double time = until(gap, -n.dot(velocity_));
      if (time <= out.time && out.time > 0.0) return;
      out.time = time;
      out.direction = n;
    };
    if (q < 0) {
      attempt(Vec3::UnitZ());
      return out;
    }
    const Vec3 apart = turn_ * c.center + shift_ - q_.cell(q).center;
    const double speed = velocity_.squaredNorm();
    const Vec3 aside = speed > 0.0 ? Vec3(apart - apart.dot(velocity_) / speed * velocity_) : apart;
    for (const Vec3& way : {apart, aside, Vec3(-velocity_)})
      if (way.squaredNorm() > 0.0) attempt(way.normalized());
    if (q_.cell(q).feature >= 0 && q_.cell(q).normal != Vec3::Zero()) attempt(q_.cell(q).normal);
    if (c.feature >= 0 && c.normal != Vec3::Zero()) attempt(turn_ * -c.normal);
    return out;
  }

  void push(int p, int q) {
    heap_.push_back(meeting_of(p, q));
    std::push_heap(heap_.begin(), heap_.end());
  }

  /// False where the first pieces are fine, cannot be halved or never meet.
  bool halve() {
    const Meeting first = heap_.front();
    const double size_p = p_.cell(first.p).radius;
    const double size_q = first.q < 0 ? 0.0 : q_.cell(first.q).radius;
    const bool can_p = p_.can_split(first.p);
    const bool can_q = first.q >= 0 && q_.can_split(first.q);
    if (first.time == kNever || size_p + size_q <= fine_ || (!can_p && !can_q)) return false;
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
    const bool of_p = can_p && (size_p >= size_q || !can_q);
    const int half = of_p ? p_.split(first.p, turn_.transpose() * first.direction, kAspect)
                          : q_.split(first.q, first.direction, kAspect);
    for (int k = half; k < half + 2; ++k) push(of_p ? k : first.p, of_p ? first.q : k);
    return true;
  }

  Surface &p_, &q_;
  Mat3 turn_;
  Vec3 shift_, velocity_;
  double fine_;
  std::vector<Meeting> heap_;
};

/// Along the loads, the largest freedom at one; none where they turn a body or vanish.
std::optional<Eigen::VectorXd> straight(const Arena& arena, const Problem& problem,
                                        const Potential& potential) {
  Eigen::VectorXd out = -potential.gradient;
  for (Eigen::Index i = 0; i < out.size(); ++i) {
    const Active& a = arena.active[static_cast<std::size_t>(i / 6)];
    const Body& body = problem.bodies[static_cast<std::size_t>(a.body)];
    if (body.frozen[static_cast<std::size_t>(i % 6)]) out[i] = 0.0;
  }
  const double most = out.lpNorm<Eigen::Infinity>();
  for (std::size_t k = 0; k < arena.active.size(); ++k)
    if (out.segment<3>(static_cast<Eigen::Index>(6 * k + 3)).norm() > kTurns * most)
      return std::nullopt;
  if (!(most > 0.0)) return std::nullopt;
  return out / most;
}

Vec3 velocity_of(const Arena& arena, int body, const Eigen::VectorXd& way) {
  const int slot = arena.slot[static_cast<std::size_t>(body)];
  if (slot < 0) return Vec3::Zero();
  return arena.active[static_cast<std::size_t>(slot)].reach * way.segment<3>(6 * slot);
}

}  // namespace

std::optional<Eigen::VectorXd> free_fall(const Arena& arena, const Problem& problem,
                                         const Places& places, const Potential& potential) {
  const StageScope timed("free_fall");
  const auto way = straight(arena, problem, potential);
  if (!way) return std::nullopt;
  // loads that change on the way: no farther than to the least energy
  const double bend = way->dot(potential.hessian * *way);
  double time = bend > 0.0 ? -potential.gradient.dot(*way) / bend : kNever;
  for (const Pairing& pair : arena.pairs) {
    const Vec3 velocity = velocity_of(arena, pair.p, *way) - velocity_of(arena, pair.q, *way);
    Ahead ahead(places[static_cast<std::size_t>(pair.p)], places[static_cast<std::size_t>(pair.q)],
                velocity, kFine * arena.length_unit);
    time = std::min(time, ahead.first_meeting());
  }
  if (!std::isfinite(time)) return std::nullopt;
  return time * *way;
}

}  // namespace repose::place
