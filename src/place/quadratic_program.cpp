#include "quadratic_program.h"

#include <limits>
#include <vector>

namespace repose::place {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Directions shorter than this share of the row they come from are rounding: the row depends on
/// those already held.
constexpr double kDependent = 1e-11;
constexpr int kTurnsPerRow = 8, kLeastTurns = 100;

class Solver {
 public:
  Solver(const QuadraticProgram& program, double slack)
      : qp_(program), slack_(slack), factor_(program.hessian) {
    // in the coordinates y = L^T x the Hessian is the identity
    lower_ = factor_.matrixL();
    rows_ = lower_.triangularView<Eigen::Lower>().solve(program.rows);
    y_ = -lower_.triangularView<Eigen::Lower>().solve(program.gradient);
  }

  QuadraticSolution run() {
    QuadraticSolution out;
    multipliers_ = VectorXd::Zero(qp_.rows.cols());
    const int turns = kLeastTurns + kTurnsPerRow * static_cast<int>(qp_.rows.cols());
    for (int k = 0; k < turns; ++k) {
      const Index p = most_violated();
      if (p < 0) {
        out.feasible = true;
        break;
      }
      if (!take_in(p)) break;
    }
    out.x = lower_.transpose().triangularView<Eigen::Upper>().solve(y_);
    out.multipliers = multipliers_;
    return out;
  }

 private:
  Index most_violated() const {
    Index worst = -1;
    double most = slack_;
    for (Index i = 0; i < rows_.cols(); ++i) {
      if (multipliers_[i] > 0.0 || held(i)) continue;
      const double miss = qp_.least[i] - rows_.col(i).dot(y_);
      if (miss > most) {
        most = miss;
        worst = i;
      }
    }
    return worst;
  }

  bool held(Index i) const {
    for (const Index h : held_)
      if (h == i) return true;
    return false;
  }

  /// Steps in primal and dual space until row p holds; rows whose multiplier runs out are let go.
  bool take_in(Index p) {
    const VectorXd normal = rows_.col(p);
    double added = 0.0;
    const int turns = kLeastTurns + static_cast<int>(rows_.cols());
    for (int k = 0; k < turns; ++k) {
      VectorXd z = normal, r(0);
      if (!held_.empty()) {
        MatrixXd active(rows_.rows(), static_cast<Index>(held_.size()));
        for (std::size_t i = 0; i < held_.size(); ++i)
          active.col(static_cast<Index>(i)) = rows_.col(held_[i]);
        const Eigen::ColPivHouseholderQR<MatrixXd> qr(active);
        r = qr.solve(normal);
        z = normal - active * r;
      }
      // how far the multipliers of held rows allow
      double dual = std::numeric_limits<double>::infinity();
      std::size_t drop = held_.size();
      for (std::size_t i = 0; i < held_.size(); ++i) {
        const double ri = r[static_cast<Index>(i)];
        if (ri <= kDependent) continue;
        const double t = multipliers_[held_[i]] / ri;
        if (t < dual) {
          dual = t;
          drop = i;
        }
      }
      const bool dependent = z.norm() <= kDependent * normal.norm() * kLeastTurns;
      const double miss = qp_.least[p] - normal.dot(y_);
      const double primal =
          dependent ? std::numeric_limits<double>::infinity() : miss / z.squaredNorm();
      const double t = std::min(dual, primal);
      if (t == std::numeric_limits<double>::infinity()) return false;
      for (std::size_t i = 0; i < held_.size(); ++i)
        multipliers_[held_[i]] =
            std::max(0.0, multipliers_[held_[i]] - t * r[static_cast<Index>(i)]);
      added += t;
      if (!dependent) y_ += t * z;
      if (t == primal) {
        held_.push_back(p);
        multipliers_[p] = added;
        return true;
      }
      multipliers_[held_[drop]] = 0.0;
      held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(drop));
    }
    return false;
  }

  const QuadraticProgram& qp_;
  double slack_;
  Eigen::LLT<MatrixXd> factor_;
  MatrixXd lower_, rows_;
  VectorXd y_, multipliers_;
  std::vector<Index> held_;
};

}  // namespace

QuadraticSolution solve(const QuadraticProgram& program, double slack) {
  return Solver(program, slack).run();
}

}  // namespace repose::place
