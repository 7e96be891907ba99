#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace repose::mechanism {

/// 1/mass, 1/mass, 1/inertia of the freedoms x, y, turn; 0 for a frozen freedom, all 0 for a fixed
/// body.
using InverseInertia = std::array<double, 3>;
/// One row's coefficients for the freedoms x, y, turn of a body.
using RowPart = std::array<double, 3>;

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// What must hold between a row's force f and its relative acceleration a.
///   bilateral  a = 0, or, where limits are given: low <= f <= high with a >= 0 at low and a <= 0
///              at high (a motor with a greatest torque, a brake)
///   normal     f >= 0, a >= 0, f a = 0 (contact, rope, stop)
///   friction   static:  |f| <= mu f_n; a = 0, or f = mu f_n with a <= 0, or f = -mu f_n with a >=
///   0
///              dynamic: f = -slip mu f_n, whatever a is
enum class RowKind : std::uint8_t { bilateral, normal, friction };

/// A row of the contact equations a = A f + b of Baraff 1995, eq. 6, in Jacobian form: its force f
/// acts on its bodies as part_a f and part_b f, its relative velocity is part_a . v_a + part_b .
/// v_b.
struct ForceRow {
  RowKind kind = RowKind::bilateral;
  int body_a = -1, body_b = -1;  // -1: the world
  RowPart part_a{}, part_b{};
  double b = 0.0;  // relative acceleration without the rows' forces, the Jacobian's rate included
  double low = -kNoLimit, high = kNoLimit;  // bilateral: least and greatest force
  int normal_row = -1;                      // friction: its contact's normal row
  double mu = 0.0;                          // friction: coefficient
  int slip = 0;  // friction: 0 static, +1 or -1 the sign of the sliding velocity along this row
};

struct ForceProblem {
  std::vector<InverseInertia> bodies;
  std::vector<ForceRow> rows;
};

/// Which of its alternatives a row takes: the partition of Baraff 1995, eq. 8, with friction.
///   unknown  nothing is known (a contact that was not there before)
///   open     f = 0: a contact that parts, and its friction
///   held     a = 0
///   at_low   f = low, or f = -mu f_n
///   at_high  f = high, or f = +mu f_n
enum class RowState : std::uint8_t { unknown, open, held, at_low, at_high };

///   solved         the residual is at most ForceSettings::residual
///   impulse_needed friction admits no finite force (Painleve): see solve_inconsistent
///   contradictory  rows that no forces can satisfy together: `involved` names them
///   not_converged  no partition was found; f is the best one seen, with its residual
///   invalid        the problem holds a number that is not finite or an index out of range
enum class ForceStatus : std::uint8_t {
  solved,
  impulse_needed,
  contradictory,
  not_converged,
  invalid
};
const char* to_text(ForceStatus status);
const char* to_text(RowState state);

struct Forces {
  ForceStatus status = ForceStatus::solved;
  std::vector<double> f;         // one per row
  std::vector<double> a;         // A f + b
  std::vector<RowState> states;  // one per row
  double residual = 0.0;         // residual_of(problem, f)
  int pivots = 0;                // changes of the partition, all searches together
  int linear_solves = 0;         // factorisations
  bool kept_partition = false;   // the start's partition held: no search took place
  int failed_row = -1;           // the row that decides a status other than `solved`
  std::vector<int> involved;     // contradictory: the rows that cannot hold together
  std::string why;               // one sentence when the status is not `solved`
};

/// What is known from the step before, row by row in the new problem's order. Either may be empty.
struct ForceStart {
  std::span<const RowState> states;
  std::span<const double> f;  // 0 where nothing is known
};

struct ForceSettings {
  /// A solve counts as solved at this residual (residual_of). Pure number; [1e-13, 1e-6]. Larger:
  /// wrong partitions pass more often.
  double residual = 1e-10;
  /// Stiffness of the proximal term over a row's own A_ii: eigenvalues of A below this fraction
  /// count as redundancy. Pure number; [1e-12, 1e-4].
  double redundancy = 1e-6;
  /// Groups of coupled rows up to this many are solved by dense pivoting, larger ones by sparse
  /// block pivoting. >= 0.
  int dense_rows = 64;
  /// Large groups of which nothing is known begin in the middle of what redundant rows leave open,
  /// far from all limits, so that the steps after it keep the partition. Off: with the least
  /// forces.
  bool centre = true;
  /// Changes of partition allowed for each row before a search gives up. >= 4.
  int pivots_per_row = 40;
};

/// Solves for contact, friction and joint forces together: the previous partition as one linear
/// solve, else pivoting (Baraff 1994). Where redundant rows leave f open, the answer is the one
/// nearest to the start's f (without one, to 0; but see `centre`) in the norm sum A_ii f_i^2. Keeps
/// its work space: a solver called again for problems of the same size does not allocate.
class ForceSolver {
 public:
  explicit ForceSolver(const ForceSettings& settings = {});
  ~ForceSolver();
  ForceSolver(ForceSolver&&) noexcept;
  ForceSolver& operator=(ForceSolver&&) noexcept;

  /// The answer stays valid until the next call.
  const Forces& solve(const ForceProblem& problem, const ForceStart& start = {});

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

/// How far f is from satisfying every row, recomputed from the problem alone: the largest
/// |f_i - clamp(f_i - a_i / A_ii, low_i, high_i)| A_ii over (|A| |f| + |b|)_i, with rows measured
/// in units of sqrt(A_ii). The scale is never below kScaleFloor of the largest, so that rounding in
/// idle rows does not count, and never above kScaleCap of what drives the problem (the largest |b|
/// or force limit), so that forces growing without end do not pass for an answer.
double residual_of(const ForceProblem& problem, std::span<const double> f);
inline constexpr double kScaleFloor = 1e-4;
inline constexpr double kScaleCap = 1e4;

/// a = A f + b
void accelerations_of(const ForceProblem& problem, std::span<const double> f,
                      std::vector<double>& a);
/// Sum of part * f on each body: force x, force y, torque. Opposite on the two bodies of a row if
/// its parts are.
void body_forces_of(const ForceProblem& problem, std::span<const double> f,
                    std::vector<std::array<double, 3>>& body_forces);

}  // namespace repose::mechanism
