#include <algorithm>
#include <cmath>

#include "repose/base/stage_clock.h"
#include "repose/math/dense.h"

#include "program.h"
#include "step.h"

namespace repose::place {
namespace {

/// A row's point is followed along soft directions while a step slides it by less than this over
/// the smaller body's radius: no farther than to the rows beside it.
constexpr double kShortSlide = 0.015;
/// Curvature that a first guess of the forces assumes, energy units.
constexpr double kFirstBending = 0.1;
/// Least curvature of a step's model: what holds loose bodies where they are.
constexpr double kLeastBending = 1e-5;
/// Curvatures below the first do not say where a balanced body is to go; the second holds it.
constexpr double kIdle = 1e-4, kHeld = 1e6;
/// Bearing rows that differ from others by less than this share are no rows of their own.
constexpr double kRank = 1e-6;
/// Rounds in which rows learn their own curvature.
constexpr int kBendingRounds = 10;
/// Curvatures below this share of the largest are a valley's, along which a correction does not go.
constexpr double kValley = 0.01;
/// Gaps at a step's end, so that the proof of the way stays affordable: over the square of the
/// step; where bodies touch along a curve, over the step itself.
constexpr double kTravelGap = 0.05, kCurveGap = 0.02;
/// A step that used this share of its bound is followed by one as long, others by one of its
/// square.
constexpr double kWholeStep = 0.9;
/// They cost no more than this share of the energy that the step gains.
constexpr double kTravelShare = 0.25;
/// Shares of a motion that are tried by the model: from one to the next, and the least.
constexpr double kShareStep = 0.8, kLeastShare = 0.02;
/// The gap kept at a step's end exceeds what the quadratic model asks for by this factor.
constexpr double kLift = 1.3;

/// The curvature of rows, found when first asked for.
class Bendings {
 public:
  /// For steps no longer than `epsilon`.
  Bendings(const Arena& arena, const Places& places, std::span<const Row> rows,
           const PlaceSettings& s, double epsilon)
      : arena_(arena),
        places_(places),
        rows_(rows),
        settings_(s),
        epsilon_(epsilon),
        known_(rows.size()) {}

  const Eigen::MatrixXd& operator()(std::size_t i) {
    if (known_[i].size() == 0) {
      SearchSettings search =
          search_settings(arena_, pairing_of(arena_, rows_[i].at), settings_, 0.0);
      // a turn slides the point by itself over what the gap bends by
      search.valley.firm = std::min(search.valley.firm, epsilon_ / (kShortSlide * search.length));
      known_[i] = hessian(arena_, places_, rows_[i], search.valley);
    }
    return known_[i];
  }

 private:
  const Arena& arena_;
  const Places& places_;
  std::span<const Row> rows_;
  const PlaceSettings& settings_;
  const double epsilon_;
  std::vector<Eigen::MatrixXd> known_;
};

/// The nearest positive definite model: negative curvature counts by its size. `stay`: idle
/// directions are held.
Eigen::MatrixXd positive(const Eigen::MatrixXd& h, bool stay) {
  const SymmetricEigen<Eigen::MatrixXd> eigen(0.5 * (h + h.transpose()));
  Eigen::VectorXd values = eigen.values.cwiseAbs().cwiseMax(kLeastBending);
  for (double& value : values)
    if (stay && value < kIdle) value = kHeld;
  return recomposed(eigen.vectors, values);
}

/// The same on the motions that keep the bearing rows' gaps, which alone are left to choose: across
/// them the energy's own bending says nothing, the rows do.
Eigen::MatrixXd positive_along(const Eigen::MatrixXd& h, const Eigen::MatrixXd& bearing,
                               bool stay) {
  if (bearing.cols() == 0) return positive(h, stay);
  const SpanBasis span(bearing, kRank);
  const Eigen::MatrixXd across = span.basis.leftCols(span.rank),
                        along = span.basis.rightCols(h.rows() - span.rank);
  Eigen::MatrixXd out = square_of(kFirstBending, across);
  if (along.cols() > 0) out += lifted(along, positive(reduced(along, h), stay));
  return out;
}

/// What eases the proof of the next step: over the square of this one for isolated contacts, over
/// the next one's length along curves.
double travel_gap(const Arena& arena, const Row& row, const Eigen::VectorXd& motion, bool whole) {
  const double step = motion.norm();
  const bool curve =
      row.at.samples && !arena.surfaces[static_cast<std::size_t>(row.at.q)]->half_space();
  const double next = whole ? step : step * step;
  return arena.length_unit * (curve ? kCurveGap * next : kTravelGap * step * step);
}

/// The loads' linear model within the rows, as they are now.
solve::QuadraticProgram linear_program(const Arena& arena, const Problem& problem,
                                       std::span<const Row> rows, const ScaledRows& scaled,
                                       const Potential& potential, const StepBounds& bounds) {
  solve::QuadraticProgram qp;
  qp.gradient = potential.gradient;
  qp.rows = scaled.columns;
  qp.least.resize(scaled.scale.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    qp.least[at] =
        std::min(0.0, kept_gap(arena, rows[i], bounds.gap) - rows[i].gap) / scaled.scale[at];
  }
  add_bounds(arena, problem, bounds.epsilon, qp);
  return qp;
}

/// Curvature of the energy along the rows that bear: forces first, from a model without contact
/// curvature; then the model with it.
struct Curvature {
  Eigen::MatrixXd hessian, bearing;
};
Curvature curvature(const Arena& arena, solve::QuadraticProgram& qp, const ScaledRows& scaled,
                    const Potential& potential, Bendings& bendings) {
  const Eigen::Index n = arena.freedoms();
  qp.hessian = kFirstBending * Eigen::MatrixXd::Identity(n, n);
  const solve::QuadraticSolution solution = solve::solve_quadratic(qp, kQpSlack);
  Curvature out{potential.hessian, Eigen::MatrixXd(n, 0)};
  for (Eigen::Index i = 0; i < scaled.scale.size(); ++i) {
    const double force = solution.multipliers[i] / scaled.scale[i];
    if (!(force > 0.0)) continue;
    out.hessian -= force * bendings(static_cast<std::size_t>(i));
    out.bearing.conservativeResize(n, out.bearing.cols() + 1);
    out.bearing.rightCols(1) = scaled.columns.col(i);
  }
  return out;
}

/// Rows are allowed what their curvature gives or takes along the motion: without it a ring that
/// lies down on a ring only ever halves its tilt. What it takes is learned by halves, so that a
/// motion does not swing between too long and none.
solve::QuadraticSolution bent_rows(const Arena& arena, std::span<const Row> rows,
                                   solve::QuadraticProgram& qp, const ScaledRows& scaled,
                                   const StepBounds& bounds, Bendings& bendings) {
  solve::QuadraticSolver solver(qp);
  solve::QuadraticSolution solution = solver.solve(qp.least, kQpSlack);
  std::vector<double> bend(rows.size(), 0.0);
  for (int k = 0; k < kBendingRounds; ++k) {
    const double length = solution.x.norm() * arena.length_unit;
    bool learned = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      const double now =
          rows[i].gap > length ? 0.0 : 0.5 * solution.x.dot(bendings(i) * solution.x);
      bend[i] = k == 0 || now > 0.0 ? now : 0.5 * (bend[i] + now);
      const double allowed = rows[i].gap + bend[i] - kept_gap(arena, rows[i], bounds.gap);
      const double least = std::min(0.0, -allowed) / scaled.scale[at];
      learned = learned || least != qp.least[at];
      qp.least[at] = least;
    }
    if (!learned) break;
    const solve::QuadraticSolution again = solver.solve(qp.least, kQpSlack);
    if (!again.feasible) break;
    solution = again;
  }
  return solution;
}

/// What a share of the motion gains by the model: the loads' energy less what raising the rows to
/// their ends costs, energy units.
double gain_of(const Potential& potential, const Proposal& proposal, double share) {
  const Eigen::VectorXd x = share * proposal.motion;
  double out = -(potential.gradient + 0.5 * potential.hessian * x).dot(x);
  for (const Proposal::End& end : proposal.ends) out -= end.force * end.lift(share);
  return out;
}

/// As much of the motion as gains most: a straight way along bent rows must end above them, and on
/// a slight slope a long one ends higher than it began.
double best_share(const Potential& potential, const Proposal& proposal) {
  double best = 1.0, most = gain_of(potential, proposal, 1.0);
  for (double share = kShareStep; share > kLeastShare; share *= kShareStep) {
    const double gain = gain_of(potential, proposal, share);
    if (!(gain > most)) continue;
    best = share;
    most = gain;
  }
  return best;
}

/// What rows must keep at the end of the proposed motion, and how much of it is taken.
void set_ends(const Arena& arena, std::span<const Row> rows, const ScaledRows& scaled,
              const Potential& potential, const StepBounds& bounds, Bendings& bendings,
              std::span<const double> forces, Proposal& out) {
  const double length = out.motion.norm() * arena.length_unit;
  std::vector<bool> near;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    const double slope = scaled.columns.col(at).dot(out.motion) * scaled.scale[at];
    out.ends.push_back({.keep = kept_gap(arena, rows[i], bounds.gap),
                        .start = std::max(rows[i].gap, 0.0),
                        .slope = slope,
                        .force = forces[i]});
    near.push_back(rows[i].gap + std::min(slope, 0.0) < length);
    if (near[i]) out.ends.back().bend = out.motion.dot(bendings(i) * out.motion);
  }
  out.share = best_share(potential, out);
  const bool whole = out.share * out.motion.lpNorm<Eigen::Infinity>() > kWholeStep * bounds.epsilon;
  const double gain = std::max(gain_of(potential, out, out.share), 0.0);
  double bearing = 1.0 / arena.length_unit;  // what raises all, energy units per m
  for (const Proposal::End& end : out.ends) bearing += end.force;
  const double affordable = kTravelShare * gain / bearing;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!near[i]) continue;
    Proposal::End& end = out.ends[i];
    const double taken = out.share * length;
    end.travel = std::min(affordable, travel_gap(arena, rows[i], out.share * out.motion, whole)) /
                 (out.share * out.share);
    if (bounds.cruise) end.cruise = std::min(affordable, kCurveGap * taken) / out.share;
  }
}

/// By row, energy units per m.
std::vector<double> forces_of(const solve::QuadraticSolution& solution, const ScaledRows& scaled) {
  std::vector<double> out;
  for (Eigen::Index i = 0; i < scaled.scale.size(); ++i)
    out.push_back(std::max(0.0, solution.multipliers[i] / scaled.scale[i]));
  return out;
}

}  // namespace

// a gap that bends up by c over the way stays free if sqrt(start) + sqrt(end) >= sqrt(c / 2)
double Proposal::End::gap(double taken, bool low) const {
  const double root = std::sqrt(0.5 * std::max(bend, 0.0)) * taken - std::sqrt(start);
  return std::max({keep, low ? 0.0 : travel * taken * taken, low ? 0.0 : cruise * taken,
                   root > 0.0 ? kLift * root * root : 0.0});
}

double Proposal::End::lift(double taken) const {
  return std::max(0.0, gap(taken, true) - (start + taken * (slope + 0.5 * taken * bend)));
}

Proposal propose(const Arena& arena, const Problem& problem, const Places& places,
                 std::span<const Row> rows, const Potential& potential, const PlaceSettings& s,
                 const StepBounds& bounds) {
  const StageScope timed("propose");
  const ScaledRows scaled = scaled_rows(arena, places, rows);
  solve::QuadraticProgram qp = linear_program(arena, problem, rows, scaled, potential, bounds);
  Bendings bendings(arena, places, rows, s, bounds.epsilon);
  const Curvature model = curvature(arena, qp, scaled, potential, bendings);
  qp.hessian = positive_along(model.hessian, model.bearing, bounds.stay);
  const solve::QuadraticSolution solution = bent_rows(arena, rows, qp, scaled, bounds, bendings);
  Proposal out;
  out.motion = solution.x;
  set_ends(arena, rows, scaled, potential, bounds, bendings, forces_of(solution, scaled), out);
  return out;
}

Proposal propose_motion(const Arena& arena, const Places& places, std::span<const Row> rows,
                        const Potential& potential, const PlaceSettings& s,
                        const StepBounds& bounds, const Eigen::VectorXd& motion,
                        const Proposal& like) {
  const StageScope timed("propose");
  const ScaledRows scaled = scaled_rows(arena, places, rows);
  Bendings bendings(arena, places, rows, s, bounds.epsilon);
  Proposal out;
  out.motion = motion;
  std::vector<double> forces;
  for (const Proposal::End& end : like.ends) forces.push_back(end.force);
  set_ends(arena, rows, scaled, potential, bounds, bendings, forces, out);
  return out;
}

Correction correct(const Arena& arena, const Problem& problem, const Places& places,
                   std::span<const Row> rows, const Potential& potential, const PlaceSettings& s,
                   const StepBounds& bounds) {
  const StageScope timed("propose");
  const ScaledRows scaled = scaled_rows(arena, places, rows);
  solve::QuadraticProgram qp = linear_program(arena, problem, rows, scaled, potential, bounds);
  Bendings bendings(arena, places, rows, s, bounds.epsilon);
  const Eigen::MatrixXd h = curvature(arena, qp, scaled, potential, bendings).hessian;
  const SymmetricEigen<Eigen::MatrixXd> eigen(0.5 * (h + h.transpose()));
  const Eigen::MatrixXd& directions = eigen.vectors;
  Eigen::VectorXd values = eigen.values.cwiseAbs();
  const double most = std::max(values.maxCoeff(), kLeastBending);
  Correction out;
  out.across.resize(0, h.rows());
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (values[i] < kValley * most) {
      values[i] = most;  // along the valley, as stiff as across
      continue;
    }
    out.across.conservativeResize(out.across.rows() + 1, h.rows());
    out.across.bottomRows(1) = std::sqrt(values[i]) * directions.col(i).transpose();
  }
  qp.hessian = recomposed(directions, values);
  const solve::QuadraticSolution solution = solve::solve_quadratic(qp, kQpSlack);
  out.found = solution.feasible;
  out.motion = solution.x;
  return out;
}

}  // namespace repose::place
