#include "repose/check/force_ranges.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <coin/ClpSimplex.hpp>
#include <coin/CoinPackedMatrix.hpp>

#include "check/statics/wrenches.h"
#include "check/verdict/tally.h"

namespace repose::check {

namespace {

/// Columns of the program: an edge of its pyramid, or a joint's reaction.
struct Ray {
  std::size_t contact;
  Eigen::VectorXd wrench;
  double low, high;
  double newtons;  // of normal force for one unit
};

std::vector<Ray> rays_of(const Wrenches& w, int sides) {
  std::vector<Ray> out;
  const auto n = static_cast<Eigen::Index>(w.unknowns());
  for (std::size_t c = 0; c < w.columns(); ++c) {
    const Wrenches::View v = w.column(c);
    const auto first = static_cast<Eigen::Index>(v.first);
    const int rays = v.count == 1 ? 1 : sides;
    for (int k = 0; k < rays; ++k) {
      Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
      z[first] = 1.0;
      if (v.count == 3) {
        const double turn = 2.0 * std::numbers::pi * k / sides;
        z[first + 1] = v.friction * std::cos(turn);
        z[first + 2] = v.friction * std::sin(turn);
      }
      Ray ray{c, {}, v.min, v.max, v.scale};
      w.multiply(z, ray.wrench);
      out.push_back(std::move(ray));
    }
  }
  return out;
}

/// Entries of unit columns below this are rounding.
constexpr double kNoEntry = 1e-10;
/// Pivots for each row and column after which a range is not known: at thin bodies, whose columns
/// differ by rounding alone, the simplex method has been seen to go round for ever.
constexpr int kPivotsPerSize = 20;

double bound(double x) {
  return std::isfinite(x) ? x : std::copysign(COIN_DBL_MAX, x);
}

class Program {
 public:
  Program(const Wrenches& w, std::vector<Ray> rays, double slack) : rays_(std::move(rays)) {
    const auto rows = static_cast<int>(w.load().size());
    CoinPackedMatrix matrix(true, 0.0, 0.0);
    matrix.setDimensions(rows, 0);
    std::vector<double> low, high, row, cost(rays_.size(), 0.0);
    for (const Ray& ray : rays_) {
      std::vector<int> at;
      std::vector<double> value;
      for (int i = 0; i < rows; ++i)
        if (std::fabs(ray.wrench[i]) > kNoEntry) {
          at.push_back(i);
          value.push_back(ray.wrench[i]);
        }
      matrix.appendCol(static_cast<int>(at.size()), at.data(), value.data());
      low.push_back(bound(ray.low));
      high.push_back(bound(ray.high));
    }
    for (int i = 0; i < rows; ++i) row.push_back(-w.load()[i]);
    clp_.setLogLevel(0);
    clp_.loadProblem(matrix, low.data(), high.data(), cost.data(), row.data(), row.data());
    clp_.scaling(0);            // rows are scaled already, and rounding must stay small
    clp_.setPerturbation(100);  // Clp's word for: leave the costs as they are
    clp_.setPrimalTolerance(slack);
    clp_.setMaximumIterations(kPivotsPerSize * (rows + static_cast<int>(rays_.size())));
  }

  ForceRange range(std::size_t contact) {
    ForceRange out;
    bool good = true;
    out.low = std::max(0.0, best(contact, 1.0, good));
    out.high = best(contact, -1.0, good);
    out.known = good && out.high >= out.low;
    return out;
  }

 private:
  /// The least of sign * normal force, as a normal force.
  double best(std::size_t contact, double sign, bool& good) {
    for (std::size_t k = 0; k < rays_.size(); ++k)
      clp_.setObjectiveCoefficient(static_cast<int>(k), rays_[k].contact == contact ? sign : 0.0);
    // the primal method alone has been seen to stop short and to call that optimal
    clp_.dual();
    tally.pivots += clp_.numberIterations();
    clp_.primal();
    tally.pivots += clp_.numberIterations();
    constexpr int kOptimal = 0, kUnbounded = 2;
    if (clp_.status() == kUnbounded) return std::numeric_limits<double>::infinity();
    if (clp_.status() != kOptimal || !proven_best()) good = false;
    double sum = 0.0;
    const double* x = clp_.primalColumnSolution();
    for (std::size_t k = 0; k < rays_.size(); ++k)
      if (rays_[k].contact == contact) sum += rays_[k].newtons * x[k];
    return sum;
  }

  /// The dual's value equals the primal's, so that no other forces do better.
  bool proven_best() {
    constexpr double kAgree = 1e-6;     // of the sum of what enters
    constexpr double kZeroCost = 1e-9;  // reduced costs below this are none
    double dual = 0.0, entered = 1.0;
    const auto add = [&](double price, double low, double high) {
      if (std::fabs(price) <= kZeroCost) return true;
      const double at = price > 0.0 ? low : high;
      if (std::fabs(at) >= COIN_DBL_MAX) return false;
      dual += price * at;
      entered += std::fabs(price * at);
      return true;
    };
    bool finite = true;
    for (int i = 0; i < clp_.numberRows(); ++i)
      finite = add(clp_.dualRowSolution()[i], clp_.rowLower()[i], clp_.rowUpper()[i]) && finite;
    for (int j = 0; j < clp_.numberColumns(); ++j)
      finite =
          add(clp_.dualColumnSolution()[j], clp_.columnLower()[j], clp_.columnUpper()[j]) && finite;
    return finite && std::fabs(dual - clp_.objectiveValue()) <= kAgree * entered;
  }

  std::vector<Ray> rays_;
  ClpSimplex clp_;
};

}  // namespace

std::vector<ForceRange> force_ranges(const Input& input, const std::vector<ContactPoint>& contacts,
                                     const Balance& balance, const ForceRangeSettings& settings) {
  std::vector<ForceRange> out;
  if (contacts.size() > static_cast<std::size_t>(settings.max_contacts)) return out;
  const Wrenches w(input, contacts, 1.0);
  constexpr double kRoom = 4.0;  // of the residual that is there anyhow
  Program program(w, rays_of(w, settings.friction_sides),
                  std::max(settings.slack, kRoom * balance.residual));
  for (std::size_t c = 0; c < contacts.size(); ++c) out.push_back(program.range(c));
  return out;
}

}  // namespace repose::check
