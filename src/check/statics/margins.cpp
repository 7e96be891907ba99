#include "check/statics/margins.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace repose::check {

Screw fastest(const Input& input, const std::vector<int>& bodies, const Eigen::VectorXd& motion) {
  Screw out;
  double top = 0.0;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(6 * k);
    const PlacedBody& item = input.bodies[static_cast<std::size_t>(bodies[k])];
    const Vec3 v = motion.segment<3>(at), w = motion.segment<3>(at + 3);
    const double speed = v.norm() + 0.5 * item.size() * w.norm();
    if (speed <= top) continue;
    top = speed;
    out.body = bodies[k];
    out.velocity = v;
    out.angular = w;
  }
  if (top > 0.0) {
    out.velocity /= top;
    out.angular /= top;
  }
  return out;
}

Screw residual_motion(const Input& input, const Wrenches& wrenches, const LeastResidual& least) {
  Eigen::VectorXd motion(static_cast<Eigen::Index>(6 * wrenches.bodies()));
  std::vector<int> bodies;
  for (std::size_t k = 0; k < wrenches.bodies(); ++k) {
    motion.segment<6>(static_cast<Eigen::Index>(6 * k)) = wrenches.motion(least.residual, k);
    bodies.push_back(wrenches.item(k));
  }
  Screw screw = fastest(input, bodies, motion);
  screw.power = least.residual.dot(wrenches.load());
  return screw;
}

namespace {

/// Balance under changed circumstances, asked many times. A question that is neither balanced nor
/// proven not to be counts as not holding, and is remembered as open.
class Question {
 public:
  Question(const Input& input, const std::vector<ContactPoint>& contacts, double balanced,
           double work)
      : input_(input), contacts_(contacts), balanced_(balanced), work_left_(work) {}

  bool holds(const Vec3& gravity, double load_factor) {
    if (!wrenches_) wrenches_ = std::make_unique<Wrenches>(input_, contacts_, 1.0);
    wrenches_->set_load(input_, gravity, load_factor);
    return ask(*wrenches_, forces_);
  }
  /// What moves first under another gravity that does not hold.
  Screw motion(const Vec3& gravity) {
    Wrenches w(input_, contacts_, 1.0);
    w.set_load(input_, gravity, 1.0);
    const int steps = steps_left(w);
    const LeastResidual least = least_residual(w, {.max_steps = std::max(1, steps)}, forces_);
    spend(w, least);
    return residual_motion(input_, w, least);
  }
  bool holds_with_friction(double mu) {
    std::vector<ContactPoint> all = contacts_;
    for (ContactPoint& c : all) c.friction = mu;
    Wrenches::Forces none;
    return ask(Wrenches(input_, all, 1.0), none);
  }

  bool spent() const { return spent_; }
  bool open() const { return open_; }

 private:
  static double cost(const Wrenches& w) { return std::max(1.0, static_cast<double>(w.unknowns())); }
  int steps_left(const Wrenches& w) const {
    constexpr double kMostSteps = 20'000.0;
    return static_cast<int>(std::clamp(work_left_ / cost(w), 0.0, kMostSteps));
  }
  void spend(const Wrenches& w, const LeastResidual& least) {
    work_left_ -= cost(w) * std::max(1, least.steps);
  }
  /// Starts from `forces`; those of a question that holds are kept there for the next.
  bool ask(const Wrenches& w, Wrenches::Forces& forces) {
    const int steps = steps_left(w);
    if (steps == 0) {
      spent_ = open_ = true;
      return false;
    }
    LeastResidual least = least_residual(w, {.small = balanced_, .max_steps = steps}, forces);
    spend(w, least);
    if (least.residual.size() == 0 || least.residual.cwiseAbs().maxCoeff() <= balanced_) {
      forces = std::move(least.forces);
      return true;
    }
    open_ = open_ || !least.converged;
    return false;
  }

  const Input& input_;
  const std::vector<ContactPoint>& contacts_;
  double balanced_, work_left_;
  bool spent_ = false, open_ = false;
  std::unique_ptr<Wrenches> wrenches_;
  Wrenches::Forces forces_;
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
  for (int k = 0; k < s.tilt_directions && !question.spent(); ++k) {
    const double angle = 2.0 * std::numbers::pi * k / s.tilt_directions;
    const Vec3 axis = std::cos(angle) * t1 + std::sin(angle) * t2;
    const auto holds = [&](double tilt) {
      return question.holds(rotation_from_vector(tilt * axis) * input.gravity, 1.0);
    };
    if (holds(least)) continue;
    least = last_holding(0.0, least, s.margin_width, holds);
    weakest = axis;
  }
  // not all headings were looked at
  if (question.spent()) return -1.0;
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

std::string what_is_open(const Question& question, const StabilitySettings& s) {
  if (question.spent())
    return fmt::format(
        "the work allowed for margins ({:g} forces times steps) ended first; those not given were "
        "not computed",
        s.margin_work);
  if (question.open())
    return "some states near a margin are neither proven to hold nor to fail: tilt and load bear "
           "at "
           "least what is given, friction needs at most that";
  return {};
}

}  // namespace

Margins find_margins(const Input& input, const std::vector<ContactPoint>& contacts,
                     const Balance& balance, const StabilitySettings& s) {
  constexpr double kThreshold = 1e-4;  // residual that counts as balanced while bisecting
  constexpr double kMostLoad = 1e3;
  Question question(input, contacts, kThreshold, s.margin_work);
  Margins m;
  if (balance.balanced) {
    m.tilt = tilt_margin(input, question, s, m.first_if_tilted);
    if (!input.loads.empty() && !question.spent())
      m.load = last_holding(1.0, kMostLoad, s.margin_width,
                            [&](double f) { return question.holds(input.gravity, f); });
  }
  if (!question.spent()) m.friction = friction_margin(question, s);
  m.open = what_is_open(question, s);
  return m;
}

}  // namespace repose::check
