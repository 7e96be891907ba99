#include "repose/check/fault.h"

#include <cmath>

#include <fmt/format.h>

namespace repose::check {

namespace {

/// Squared length of a quaternion that still stands for a turn to rounding.
constexpr double kLeastTurn = 1e-100, kMostTurn = 1e100;
/// The ranges that the settings' own comments give.
constexpr double kMostShare = 0.1;     // fractions of size or weight
constexpr double kMostTouch = 1e-2;    // fractions of size and slack within which bodies touch
constexpr double kLeastWidth = 1e-12;  // of brackets, fraction of size
constexpr double kInf = std::numeric_limits<double>::infinity();

std::string pose_fault(const PlacedBody& body) {
  if (!body.world_from_body.position.allFinite()) return "its position is not finite";
  const double turn = body.world_from_body.rotation.squaredNorm();
  if (!(turn >= kLeastTurn && turn <= kMostTurn)) return "its orientation is no rotation";
  for (const Vec3& p : body.points_world)
    if (!p.allFinite()) return "one of its points is not finite";
  return {};
}

std::string weight_fault(const PlacedBody& body) {
  if (!(body.friction >= 0.0) || !std::isfinite(body.friction))
    return fmt::format("its friction is {}", body.friction);
  if (!body.center_body.allFinite()) return "its centre of mass is not finite";
  if (body.fixed) return {};
  if (std::holds_alternative<shape::HalfSpace>(body.shape->geometry))
    return "it is endless and not fixed";
  if (!(body.mass >= 0.0) || !std::isfinite(body.mass))
    return fmt::format("its mass is {} kg", body.mass);
  return body.inertia_body.allFinite() ? std::string() : "its inertia is not finite";
}

bool known(const Input& input, int body) {
  return body >= 0 && body < static_cast<int>(input.bodies.size());
}

std::string load_fault(const Input& input, const Load& load) {
  if (!known(input, load.body)) return "a load acts on a body that is not there";
  const bool finite =
      load.force.allFinite() && load.torque.allFinite() && load.point_world.allFinite();
  return finite ? std::string() : "a load is not finite";
}

std::string restraint_fault(const Input& input, const Restraint& restraint) {
  for (const int body : {restraint.body_a, restraint.body_b})
    if (body != -1 && !known(input, body)) return "it joins a body that is not there";
  bool finite = restraint.point_world.allFinite() && restraint.span_world.allFinite();
  for (const auto* all : {&restraint.forces, &restraint.torques})
    for (const Vec3& v : *all) finite = finite && v.allFinite();
  if (!finite) return "it is not finite";
  return restraint.min <= restraint.max ? std::string() : "its bounds leave nothing";
}

std::string tie_fault(const Input& input, const Tie& tie) {
  for (const int body : {tie.body_a, tie.body_b})
    if (body != -1 && !known(input, body)) return "a spring holds a body that is not there";
  const bool finite = tie.point_a_world.allFinite() && tie.point_b_world.allFinite() &&
                      std::isfinite(tie.pull) && std::isfinite(tie.stiffness);
  return finite ? std::string() : "a spring is not finite";
}

}  // namespace

std::string fault_of(const Input& input) {
  if (!input.gravity.allFinite()) return "gravity is not finite";
  for (const PlacedBody& body : input.bodies) {
    std::string fault = body.shape ? pose_fault(body) : "it has no shape";
    if (fault.empty()) fault = weight_fault(body);
    if (!fault.empty()) return fmt::format("body '{}': {}", body.name, fault);
  }
  for (const Load& load : input.loads)
    if (std::string fault = load_fault(input, load); !fault.empty()) return fault;
  for (const Tie& tie : input.ties)
    if (std::string fault = tie_fault(input, tie); !fault.empty()) return fault;
  for (const Restraint& restraint : input.restraints)
    if (const std::string fault = restraint_fault(input, restraint); !fault.empty())
      return fmt::format("joint '{}': {}", restraint.name, fault);
  return {};
}

std::string fault_of(const Settings& settings) {
  struct Range {
    const char* name;
    double value, low, high;
  };
  const Range ranges[] = {
      {"tolerance", settings.tolerance, 0.0, kMostShare},
      {"within", settings.within, 0.0, 1.0},
      {"gap.width", settings.gap.width, kLeastWidth, kMostShare},
      {"gap.enough", settings.gap.enough, -kInf, kInf},
      {"gap.budget", static_cast<double>(settings.gap.budget), 1.0, kInf},
      {"contact.touch", settings.contact.touch, 0.0, kMostTouch},
      {"contact.merge", settings.contact.merge, 0.0, kMostShare},
      {"balance.balanced", settings.balance.balanced, 0.0, kMostShare},
      {"stability.neutral", settings.stability.neutral, 0.0, kMostShare},
      {"stability.margin_width", settings.stability.margin_width, 0.0, 1.0},
      {"ranges.slack", settings.ranges.slack, 0.0, kMostTouch},
  };
  for (const Range& r : ranges)
    if (!(r.value >= r.low && r.value <= r.high))
      return fmt::format("setting {} is {}, not within [{}, {}]", r.name, r.value, r.low, r.high);
  return {};
}

}  // namespace repose::check
