#include "repose/check/stability.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "least_residual.h"
#include "second_order.h"

namespace repose::check {

const char* to_text(StabilityClass c) {
  switch (c) {
    case StabilityClass::stable:
      return "stable";
    case StabilityClass::metastable:
      return "metastable";
    case StabilityClass::unstable:
      return "unstable";
    case StabilityClass::undecided:
      return "undecided";
  }
  return "undecided";
}

namespace {

/// The fastest body of a motion, scaled so that its fastest point moves at unit speed.
Screw fastest(const Input& input, const std::vector<int>& items, const Eigen::VectorXd& motion) {
  Screw out;
  double top = 0.0;
  for (std::size_t k = 0; k < items.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(6 * k);
    const Item& item = input.items[static_cast<std::size_t>(items[k])];
    const Vec3 v = motion.segment<3>(at), w = motion.segment<3>(at + 3);
    const double speed = v.norm() + 0.5 * item.size() * w.norm();
    if (speed <= top) continue;
    top = speed;
    out.body = items[k];
    out.velocity = v;
    out.angular = w;
  }
  if (top > 0.0) {
    out.velocity /= top;
    out.angular /= top;
  }
  return out;
}

/// What the loads would do: the residual of the best forces is itself a motion that no contact
/// forbids and along which the loads work.
Screw residual_motion(const Input& input, const Wrenches& wrenches, const LeastResidual& least) {
  Eigen::VectorXd motion(static_cast<Eigen::Index>(6 * wrenches.bodies()));
  std::vector<int> items;
  for (std::size_t k = 0; k < wrenches.bodies(); ++k) {
    motion.segment<6>(static_cast<Eigen::Index>(6 * k)) = wrenches.motion(least.residual, k);
    items.push_back(wrenches.item(k));
  }
  Screw screw = fastest(input, items, motion);
  screw.power = least.residual.dot(wrenches.load());
  return screw;
}

/// Balance under changed circumstances, asked many times.
class Question {
 public:
  Question(const Input& input, const std::vector<ContactPoint>& contacts, double balanced)
      : input_(input), contacts_(contacts), balanced_(balanced) {}

  bool holds(const Vec3& gravity, double load_factor) {
    if (!wrenches_) wrenches_ = std::make_unique<Wrenches>(input_, contacts_, 1.0);
    wrenches_->set_load(input_, gravity, load_factor);
    return ask(*wrenches_);
  }
  /// What moves first under another gravity that does not hold.
  Screw motion(const Vec3& gravity) {
    Wrenches w(input_, contacts_, 1.0);
    w.set_load(input_, gravity, 1.0);
    return residual_motion(input_, w, least_residual(w, {}));
  }
  bool holds_with_friction(double mu) const {
    std::vector<ContactPoint> all = contacts_;
    for (ContactPoint& c : all) c.friction = mu;
    return ask(Wrenches(input_, all, 1.0));
  }

 private:
  bool ask(const Wrenches& w) const {
    constexpr int kSteps = 2000;
    const LeastResidual least = least_residual(w, {.small = balanced_, .max_steps = kSteps});
    return least.residual.size() == 0 || least.residual.cwiseAbs().maxCoeff() <= balanced_;
  }

  const Input& input_;
  const std::vector<ContactPoint>& contacts_;
  double balanced_;
  std::unique_ptr<Wrenches> wrenches_;
};

/// Largest x in [low, high] for which `holds`; requires that it holds at low.
template <class Holds>
double last_holding(double low, double high, double width, Holds holds) {
  if (holds(high)) return high;
  while (high - low > width) {
    const double middle = 0.5 * (low + high);
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

double tilt_margin(const Input& input, Question& question, const StabilitySettings& s,
                   Screw& first) {
  Vec3 t1, t2;
  tangents(-input.gravity.normalized(), t1, t2);
  double least = 0.5 * std::numbers::pi;
  Vec3 weakest = Vec3::Zero();
  for (int k = 0; k < s.tilt_directions; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / s.tilt_directions;
    const Vec3 axis = std::cos(angle) * t1 + std::sin(angle) * t2;
    const auto holds = [&](double tilt) {
      return question.holds(rotation_from_vector(tilt * axis) * input.gravity, 1.0);
    };
    if (holds(least)) continue;
    least = last_holding(0.0, least, s.margin_width, holds);
    weakest = axis;
  }
  constexpr double kBeyond = 0.02;  // rad: so clearly more that what moves is plain
  if (!weakest.isZero(0.0))
    first = question.motion(rotation_from_vector((least + kBeyond) * weakest) * input.gravity);
  return least;
}

double friction_margin(Question& question, const StabilitySettings& s) {
  constexpr double kMostFriction = 4.0;
  if (question.holds_with_friction(0.0)) return 0.0;
  if (!question.holds_with_friction(kMostFriction)) return -1.0;
  double low = 0.0, high = kMostFriction;
  while (high - low > s.margin_width) {
    const double middle = 0.5 * (low + high);
    (question.holds_with_friction(middle) ? high : low) = middle;
  }
  return high;
}

Margins find_margins(const Input& input, const std::vector<ContactPoint>& contacts,
                     const Balance& balance, const StabilitySettings& s) {
  constexpr double kThreshold = 1e-4;  // residual that counts as balanced while bisecting
  constexpr double kMostLoad = 1e3;
  Question question(input, contacts, kThreshold);
  Margins m;
  m.friction = friction_margin(question, s);
  if (!balance.balanced) return m;
  m.tilt = tilt_margin(input, question, s, m.first_if_tilted);
  if (!input.loads.empty())
    m.load = last_holding(1.0, kMostLoad, s.margin_width,
                          [&](double f) { return question.holds(input.gravity, f); });
  return m;
}

}  // namespace

Stability stability(const Input& input, const std::vector<ContactPoint>& contacts,
                    const Balance& balance, const StabilitySettings& settings) {
  Stability out;
  const auto name = [&](int i) { return input.items[static_cast<std::size_t>(i)].name; };
  const auto movable =
      std::count_if(input.items.begin(), input.items.end(), [](const Item& i) { return !i.fixed; });
  const bool few = movable <= settings.margin_bodies &&
                   contacts.size() <= static_cast<std::size_t>(settings.margin_contacts);
  if (settings.margins && few) out.margins = find_margins(input, contacts, balance, settings);
  if (!balance.balanced) {
    const Wrenches wrenches(input, contacts, 1.0);
    out.kind = balance.converged ? StabilityClass::unstable : StabilityClass::undecided;
    out.witness = residual_motion(input, wrenches, least_residual(wrenches, {}));
    out.why = out.witness.body >= 0 ? fmt::format("{} moves at once", name(out.witness.body))
                                    : std::string("the loads are not balanced");
    return out;
  }
  if (movable > settings.second_order_bodies) {
    out.why = "balanced; too many bodies for the second-order test";
    return out;
  }
  const SecondOrder second = second_order(input, contacts, balance);
  if (second.lowest >= -settings.neutral) {
    out.kind = StabilityClass::stable;
    out.why = "balanced, and no small motion loses energy";
    return out;
  }
  out.kind = StabilityClass::metastable;
  out.witness = fastest(input, second.items, second.motion);
  out.witness.power = -second.lowest;
  out.why = fmt::format("balanced, but a small push moves {} off", name(out.witness.body));
  return out;
}

}  // namespace repose::check
