#include "stiffness.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <Eigen/Dense>

namespace repose::molecule {

namespace {

using Place = std::array<int, 3>;

// shares of a cell: how many cells hold an edge or a face diagonal inside a large lattice
constexpr double kCellEdge = 0.4 / 4.0;      // of E a, for each of four cells
constexpr double kCellDiagonal = 0.4 / 2.0;  // for each of two cells
constexpr double kSquareEdge = 0.75 / 2.0;   // of a sheet; for each of two squares
constexpr double kSquareDiagonal = 0.375;
constexpr double kRow = 1.0;  // of a row: E a^2 / a
/// Lengths within this of each other, relative, get the same stiffness when fitted.
constexpr double kSameLength = 1e-6;
/// Rounds of the fit; each lowers the error, the last ones by nothing.
constexpr int kFitRounds = 400;

int steps_between(const Place& p, const Place& q) {
  return std::abs(p[0] - q[0]) + std::abs(p[1] - q[1]) + std::abs(p[2] - q[2]);
}

bool near_enough(const Place& p, const Place& q) {
  for (std::size_t k = 0; k < 3; ++k)
    if (std::abs(p[k] - q[k]) > 1) return false;
  const int steps = steps_between(p, q);
  return steps == 1 || steps == 2;
}

/// The lattice as sets of places, to ask which cells and squares are whole.
class Lattice {
 public:
  explicit Lattice(const std::vector<Place>& places) : all_(places.begin(), places.end()) {}

  bool has(const Place& p) const { return all_.count(p) > 0; }
  /// The box of places from `low` to low + extent is whole.
  bool whole(const Place& low, const Place& extent) const {
    for (int x = 0; x <= extent[0]; ++x)
      for (int y = 0; y <= extent[1]; ++y)
        for (int z = 0; z <= extent[2]; ++z)
          if (!has({low[0] + x, low[1] + y, low[2] + z})) return false;
    return true;
  }
  /// Whole boxes of the unit extent that hold both p and q.
  int holders(const Place& p, const Place& q, const Place& extent) const {
    Place low{}, span{};
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(p[k], q[k]);
      span[k] = std::abs(p[k] - q[k]);
      if (span[k] > extent[k]) return 0;
    }
    int out = 0;
    for (int x = span[0] - extent[0]; x <= 0; ++x)
      for (int y = span[1] - extent[1]; y <= 0; ++y)
        for (int z = span[2] - extent[2]; z <= 0; ++z)
          out += whole({low[0] + x, low[1] + y, low[2] + z}, extent) ? 1 : 0;
    return out;
  }
  int cells(const Place& p, const Place& q) const { return holders(p, q, {1, 1, 1}); }
  int squares(const Place& p, const Place& q) const {
    return holders(p, q, {1, 1, 0}) + holders(p, q, {1, 0, 1}) + holders(p, q, {0, 1, 1});
  }

 private:
  std::set<Place> all_;
};

/// All pairs up to sqrt(2) pitches are joined, and no others.
bool follows_the_rule(const Body3& body, const Lattice& lattice) {
  if (!(body.pitch > 0.0) || body.places.size() != body.points.size()) return false;
  for (const auto& [a, b] : body.links)
    if (!near_enough(body.places[static_cast<std::size_t>(a)],
                     body.places[static_cast<std::size_t>(b)]))
      return false;
  std::size_t pairs = 0;
  for (const Place& p : body.places)
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z) {
          const int steps = std::abs(x) + std::abs(y) + std::abs(z);
          if (steps == 1 || steps == 2)
            pairs += lattice.has({p[0] + x, p[1] + y, p[2] + z}) ? 1 : 0;
        }
  return pairs == 2 * body.links.size();
}

/// In units of E a.
double lattice_share(const Lattice& lattice, const Place& p, const Place& q) {
  const bool edge = steps_between(p, q) == 1;
  if (const int cells = lattice.cells(p, q); cells > 0)
    return cells * (edge ? kCellEdge : kCellDiagonal);
  if (const int squares = lattice.squares(p, q); squares > 0)
    return squares * (edge ? kSquareEdge : kSquareDiagonal);
  return edge ? kRow : kRow / std::sqrt(2.0);
}

double mean_modulus(const Body3& body, const std::array<int, 2>& link) {
  return 0.5 * (body.moduli[static_cast<std::size_t>(link[0])] +
                body.moduli[static_cast<std::size_t>(link[1])]);
}

/// Moduli of a solid of central springs, 15 numbers (symmetric in all four indices), by monomials
/// of the direction.
using Moduli = Eigen::Matrix<double, 15, 1>;

Moduli monomials(const Vec3& d) {
  Moduli out;
  int at = 0;
  for (int i = 4; i >= 0; --i)
    for (int j = 4 - i; j >= 0; --j) {
      const int k = 4 - i - j;
      // each stands for all orders of its indices
      static constexpr double kFactorial[] = {1.0, 1.0, 2.0, 6.0, 24.0};
      const double orders = kFactorial[4] / (kFactorial[i] * kFactorial[j] * kFactorial[k]);
      out[at++] = std::sqrt(orders) * std::pow(d.x(), i) * std::pow(d.y(), j) * std::pow(d.z(), k);
    }
  return out;
}

/// Of an isotropic solid with E = 1 and Poisson's ratio 1/4, times its volume: springs of every
/// direction alike with sum k L^2 = 6 V E.
Moduli isotropic(double volume) {
  Moduli out = Moduli::Zero();
  // x^4 has mean 1/5 over directions, x^2 y^2 1/15, odd powers none
  int at = 0;
  for (int i = 4; i >= 0; --i)
    for (int j = 4 - i; j >= 0; --j, ++at) {
      const int k = 4 - i - j;
      if (i % 2 != 0 || j % 2 != 0 || k % 2 != 0) continue;
      const bool pure = i == 4 || j == 4 || k == 4;
      out[at] = 6.0 * volume * (pure ? 1.0 / 5.0 : std::sqrt(6.0) / 15.0);
    }
  return out;
}

double fitted_volume(const Body3& body) {
  if (body.volume > 0.0) return body.volume;
  return static_cast<double>(body.points.size()) * std::pow(body.pitch, 3);
}

/// One stiffness for each length, none negative, nearest to an isotropic solid.
Stiffness fitted(const Body3& body) {
  std::vector<double> lengths;
  const auto vector_of = [&](const std::array<int, 2>& link) -> Vec3 {
    return body.points[static_cast<std::size_t>(link[1])] -
           body.points[static_cast<std::size_t>(link[0])];
  };
  for (const auto& link : body.links) lengths.push_back(vector_of(link).norm());
  std::sort(lengths.begin(), lengths.end());
  std::vector<double> shells;
  for (const double length : lengths)
    if (shells.empty() || length > shells.back() * (1.0 + kSameLength)) shells.push_back(length);
  const auto shell_of = [&](double length) {
    const auto above = std::upper_bound(shells.begin(), shells.end(), length);
    return static_cast<Eigen::Index>(above - shells.begin()) - 1;
  };
  const auto n = static_cast<Eigen::Index>(shells.size());
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(15, n);
  for (const auto& link : body.links) {
    const Vec3 d = vector_of(link);
    const double length = d.norm();
    // E = 1; the spring's own modulus comes in at the end
    columns.col(shell_of(length)) += monomials(d / length) * (length * length);
  }
  const Moduli wanted = isotropic(fitted_volume(body));
  // every shell alike first, then one after the other to its best
  const Eigen::VectorXd together = columns.rowwise().sum();
  const double alike = std::max(0.0, together.dot(wanted) / together.squaredNorm());
  Eigen::VectorXd k = Eigen::VectorXd::Constant(n, alike);
  // irregular bodies have a length for every spring: they keep one stiffness
  if (n <= 15) {
    for (int round = 0; round < kFitRounds; ++round)
      for (Eigen::Index s = 0; s < n; ++s) {
        const Eigen::VectorXd rest = wanted - columns * k + columns.col(s) * k[s];
        k[s] = std::max(0.0, columns.col(s).dot(rest) / columns.col(s).squaredNorm());
      }
  }
  Stiffness out;
  out.error = (columns * k - wanted).norm() / wanted.norm();
  for (const auto& link : body.links)
    out.values.push_back(mean_modulus(body, link) * k[shell_of(vector_of(link).norm())]);
  return out;
}

}  // namespace

Stiffness stiffness_of(const Body3& body) {
  Stiffness out;
  if (body.links.empty()) return out;
  const Lattice lattice(body.places);
  if (!follows_the_rule(body, lattice)) return fitted(body);
  for (const auto& link : body.links) {
    const Place& p = body.places[static_cast<std::size_t>(link[0])];
    const Place& q = body.places[static_cast<std::size_t>(link[1])];
    out.values.push_back(lattice_share(lattice, p, q) * mean_modulus(body, link) * body.pitch);
  }
  return out;
}

}  // namespace repose::molecule
