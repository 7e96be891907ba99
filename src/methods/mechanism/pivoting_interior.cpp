#include "pivoting_interior.h"

#include <algorithm>
#include <cmath>

namespace repose::mechanism {
namespace {

constexpr int kMaxSteps = 90;
/// Joints have no range to stay inside of; this over A_ii = 1 keeps redundant ones solvable.
constexpr double kJointProximal = 1e-8;
/// First forces and duals over the largest |b|.
constexpr double kFirstForce = 10.0;
/// Share of the way to the nearest limit that a step may go.
constexpr double kBoundary = 0.99;
/// Products of slack and dual aimed at, over their present mean: between these.
constexpr double kLeastCentering = 0.02, kMostCentering = 0.9;
/// A step shorter than this counts as none; so many in a row end the run.
constexpr double kNoStep = 1e-6;
constexpr int kMaxNoSteps = 4;
/// Steps without a smaller residual that end the run.
constexpr int kPatience = 15;
constexpr double kNoSlack = -1.0;

}  // namespace

/// Friction that follows its normal force has no equation of its own.
bool InteriorPoint::follows(int row) const {
  return problem_->laws[row].slides;
}

void InteriorPoint::begin(const ScaledProblem& problem) {
  problem_ = &problem;
  steps_ = products_ = 0;
  const int n = problem.rows();
  const double drive = problem.drive;
  for (auto* v : {&f_, &a_, &df_, &dq_, &dp_, &dw_, &du_, &w_, &q_, &u_, &p_, &own_, &cross_}) {
    v->assign(n, 0.0);
  }
  for (int i = 0; i < n; ++i) {
    const RowLaw& law = problem.laws[i];
    if (law.kind == RowKind::normal) f_[i] = kFirstForce * drive;
    if (law.kind != RowKind::bilateral) continue;
    const bool low = law.low > -kNoLimit, high = law.high < kNoLimit;
    f_[i] = low && high ? 0.5 * (law.low + law.high)
            : low       ? law.low + drive
            : high      ? law.high - drive
                        : 0.0;
  }
  find_slacks();
  for (int i = 0; i < n; ++i) {
    if (w_[i] != kNoSlack) q_[i] = drive, ++products_;
    if (u_[i] != kNoSlack) p_[i] = drive, ++products_;
  }
  pairs_.clear();
  for (const RowGeometry& g : problem.geometry) {
    if (g.body_a < problem.bodies && g.body_b < problem.bodies) {
      pairs_.emplace_back(g.body_a, g.body_b);
    }
  }
  blocks_.analyze(problem.bodies, pairs_);
  pair_place_.assign(n, -1);
  for (int i = 0; i < n; ++i) {
    const RowGeometry& g = problem.geometry[i];
    if (g.body_a < problem.bodies && g.body_b < problem.bodies) {
      pair_place_[i] = blocks_.pair_place(g.body_a, g.body_b);
    }
  }
  find_accelerations();
}

/// Slacks from forces; sliding friction follows.
void InteriorPoint::find_slacks() {
  for (int i = 0; i < problem_->rows(); ++i) {
    const RowLaw& law = problem_->laws[i];
    w_[i] = u_[i] = kNoSlack;
    if (law.slides) {
      f_[i] = side_of(law.slide_state) * law.mu * f_[law.partner];
    } else if (law.kind == RowKind::friction) {
      w_[i] = law.mu * f_[law.partner] + f_[i];
      u_[i] = law.mu * f_[law.partner] - f_[i];
    } else {
      if (law.low > -kNoLimit) w_[i] = f_[i] - law.low;
      if (law.high < kNoLimit) u_[i] = law.high - f_[i];
    }
  }
}

void InteriorPoint::find_accelerations() {
  spread_forces(*problem_, f_, y_);
  gather_accelerations(*problem_, y_, a_);
}

/// own, cross: D; columns: J' D^-1.
bool InteriorPoint::factor() {
  const int n = problem_->rows(), idle = problem_->bodies;
  columns_.assign(problem_->geometry.begin(), problem_->geometry.end());
  for (int i = 0; i < n; ++i) {
    own_[i] = kJointProximal;
    cross_[i] = 0.0;
    const double lower = w_[i] != kNoSlack ? q_[i] / w_[i] : 0.0;
    const double upper = u_[i] != kNoSlack ? p_[i] / u_[i] : 0.0;
    own_[i] += lower + upper;
    const RowLaw& law = problem_->laws[i];
    if (law.kind == RowKind::friction && !law.slides) cross_[i] = law.mu * (lower - upper);
  }
  auto add = [](RowGeometry& target, const RowGeometry& other, double share) {
    const bool same = other.body_a == target.body_a || other.body_b == target.body_b;
    for (int c = 0; c < 3; ++c) {
      target.part_a[c] += share * (same ? other.part_a[c] : other.part_b[c]);
      target.part_b[c] += share * (same ? other.part_b[c] : other.part_a[c]);
    }
  };
  blocks_.clear(1.0);
  for (int i = 0; i < n; ++i) {
    if (follows(i)) continue;
    const RowLaw& law = problem_->laws[i];
    const RowGeometry& g = problem_->geometry[i];
    RowGeometry& h = columns_[i];
    if (law.kind == RowKind::normal && law.partner >= 0) {
      // a unit of the normal's own right-hand side moves its friction too
      const RowLaw& friction = problem_->laws[law.partner];
      const double share = friction.slides ? side_of(friction.slide_state) * friction.mu
                                           : -cross_[law.partner] / own_[law.partner];
      add(h, problem_->geometry[law.partner], share);
    }
    const double over = 1.0 / own_[i];
    for (int c = 0; c < 3; ++c) h.part_a[c] *= over, h.part_b[c] *= over;
    for (const auto& [body, left, right] :
         {std::tuple{g.body_a, &h.part_a, &g.part_a}, std::tuple{g.body_b, &h.part_b, &g.part_b}}) {
      if (body >= idle) continue;
      double* block = blocks_.diagonal_block(body);
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c)
          block[solve::SparseBlocks::kRowSize * r + c] += (*left)[r] * (*right)[c];
      }
    }
    if (pair_place_[i] < 0) continue;
    blocks_.add_pair(pair_place_[i], blocks_.eliminated_before(g.body_a, g.body_b), h.part_a.data(),
                     g.part_b.data(), h.part_b.data(), g.part_a.data());
  }
  return blocks_.factor(false);
}

/// x := (A + D)^-1 x = D^-1 (x - J (I + J' D^-1 J)^-1 J' D^-1 x), friction after its normal.
void InteriorPoint::solve(std::vector<double>& x) {
  const int n = problem_->rows();
  y_.assign(3 * (static_cast<std::size_t>(problem_->bodies) + 1), 0.0);
  for (int i = 0; i < n; ++i) {
    if (follows(i)) continue;
    const RowGeometry& h = columns_[i];
    for (int c = 0; c < 3; ++c) {
      y_[3 * static_cast<std::size_t>(h.body_a) + c] += h.part_a[c] * x[i];
      y_[3 * static_cast<std::size_t>(h.body_b) + c] += h.part_b[c] * x[i];
    }
  }
  blocks_.solve(y_);
  for (int i = 0; i < n; ++i) {
    const RowGeometry& g = problem_->geometry[i];
    for (int c = 0; c < 3; ++c) {
      x[i] -= g.part_a[c] * y_[3 * static_cast<std::size_t>(g.body_a) + c];
      x[i] -= g.part_b[c] * y_[3 * static_cast<std::size_t>(g.body_b) + c];
    }
  }
  for (int i = 0; i < n; ++i) {
    if (problem_->laws[i].kind != RowKind::friction) x[i] /= own_[i];
  }
  for (int i = 0; i < n; ++i) {
    const RowLaw& law = problem_->laws[i];
    if (law.kind != RowKind::friction) continue;
    x[i] = law.slides ? side_of(law.slide_state) * law.mu * x[law.partner]
                      : (x[i] - cross_[i] * x[law.partner]) / own_[i];
  }
}

bool InteriorPoint::solve_direction(double target) {
  const int n = problem_->rows();
  x_.resize(n);
  for (int i = 0; i < n; ++i) {
    x_[i] = -a_[i];
    if (w_[i] != kNoSlack) x_[i] += target / w_[i];
    if (u_[i] != kNoSlack) x_[i] -= target / u_[i];
  }
  solve(x_);
  df_ = x_;
  for (int i = 0; i < n; ++i) {
    if (!std::isfinite(df_[i])) return false;
    const RowLaw& law = problem_->laws[i];
    const bool friction = law.kind == RowKind::friction;
    const double widen = friction ? law.mu * df_[law.partner] : 0.0;
    if (w_[i] != kNoSlack) {
      dw_[i] = widen + df_[i];
      dq_[i] = (target - q_[i] * dw_[i]) / w_[i] - q_[i];
    }
    if (u_[i] != kNoSlack) {
      du_[i] = widen - df_[i];
      dp_[i] = (target - p_[i] * du_[i]) / u_[i] - p_[i];
    }
  }
  return true;
}

double InteriorPoint::longest_step() const {
  double longest = 1.0 / kBoundary;
  auto limit = [&](double value, double change) {
    if (change < 0.0) longest = std::min(longest, -value / change);
  };
  for (int i = 0; i < problem_->rows(); ++i) {
    if (w_[i] != kNoSlack) limit(w_[i], dw_[i]), limit(q_[i], dq_[i]);
    if (u_[i] != kNoSlack) limit(u_[i], du_[i]), limit(p_[i], dp_[i]);
  }
  return kBoundary * longest;
}

void InteriorPoint::move(double length) {
  for (int i = 0; i < problem_->rows(); ++i) {
    f_[i] += length * df_[i];
    if (w_[i] != kNoSlack) w_[i] += length * dw_[i], q_[i] += length * dq_[i];
    if (u_[i] != kNoSlack) u_[i] += length * du_[i], p_[i] += length * dp_[i];
  }
  find_accelerations();
}

/// Mean product of slack and dual.
double InteriorPoint::gap() const {
  double sum = 0.0;
  for (int i = 0; i < problem_->rows(); ++i) {
    if (w_[i] != kNoSlack) sum += w_[i] * q_[i];
    if (u_[i] != kNoSlack) sum += u_[i] * p_[i];
  }
  return products_ > 0 ? sum / products_ : 0.0;
}

double InteriorPoint::run(const ScaledProblem& problem, double wanted) {
  begin(problem);
  double centering = kMostCentering, least = kNoLimit;
  int idle = 0, worse = 0;
  best_ = f_;
  for (; steps_ < kMaxSteps && idle < kMaxNoSteps && worse < kPatience; ++steps_) {
    const double now = gap();
    measure(problem, f_, work_);
    const double residual = verify(problem, f_, work_).residual;
    worse = residual < least ? 0 : worse + 1;
    if (residual < least) {
      least = residual;
      best_ = f_;
    }
    if (least <= wanted || !factor() || !solve_direction(centering * now)) break;
    const double length = std::min(1.0, longest_step());
    idle = length < kNoStep ? idle + 1 : 0;
    move(length);
    centering = std::clamp((1.0 - length) * (1.0 - length), kLeastCentering, kMostCentering);
  }
  return least;
}

}  // namespace repose::mechanism
