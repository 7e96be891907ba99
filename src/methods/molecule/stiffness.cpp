#include "stiffness.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include <Eigen/Dense>

#include "repose/shape/lattice.h"

namespace repose::molecule {

namespace {

using Place = std::array<int, 3>;

// shares of a cell: how many cells hold an edge or a face diagonal inside a large lattice
constexpr double kCellEdge = 0.4 / 4.0;      // of E a, for each of four cells
constexpr double kCellDiagonal = 0.4 / 2.0;  // for each of two cells
constexpr double kSquareEdge = 0.75 / 2.0;   // of a sheet; for each of two squares
constexpr double kSquareDiagonal = 0.375;
constexpr double kRow = 1.0;  // of a row: E a^2 / a
/// Of a link across a notch of the outline, which cells on both sides hold already: next to
/// nothing.
constexpr double kNotch = 0.1 * kCellEdge;
/// Edges and face diagonals of a cell.
constexpr int kCellLinks = 24;
/// A corner moved by more than this, of the pitch, makes a cell no cube.
constexpr double kMoved = 1e-6;
/// The fit of a cell that is no cube: least share of a link, of its start; how much it is held to
/// that start; rounds.
constexpr double kLeastShare = 0.1;
constexpr double kHoldToStart = 1e-3;
constexpr int kCellRounds = 150;
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
  /// Some third place shares a cell with each of the two.
  bool meet_in_cells(const Place& p, const Place& q) const {
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z) {
          const Place middle{p[0] + x, p[1] + y, p[2] + z};
          if (middle != p && middle != q && near_enough(middle, q) && has(middle) &&
              holders(p, middle, {1, 1, 1}) > 0 && holders(middle, q, {1, 1, 1}) > 0)
            return true;
        }
    return false;
  }
  int squares(const Place& p, const Place& q) const {
    return holders(p, q, {1, 1, 0}) + holders(p, q, {1, 0, 1}) + holders(p, q, {0, 1, 1});
  }

 private:
  std::set<Place> all_;
};

/// All pairs up to sqrt(2) pitches are joined, and no others but what was drawn as near as that.
bool follows_the_rule(const Body3& body, const Lattice& lattice) {
  if (!(body.pitch > 0.0) || body.places.size() != body.points.size()) return false;
  std::size_t drawn = 0;
  for (const auto& [i, j] : body.links) {
    const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
    if (near_enough(body.places[a], body.places[b])) continue;
    if ((body.points[a] - body.points[b]).norm() > std::sqrt(2.0) * body.pitch) return false;
    ++drawn;
  }
  std::size_t pairs = 0;
  for (const Place& p : body.places)
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z) {
          const int steps = std::abs(x) + std::abs(y) + std::abs(z);
          if (steps == 1 || steps == 2)
            pairs += lattice.has({p[0] + x, p[1] + y, p[2] + z}) ? 1 : 0;
        }
  return pairs == 2 * (body.links.size() - drawn);
}

/// In units of E a, of a link that no cell holds.
double sheet_share(const Lattice& lattice, const Place& p, const Place& q) {
  const bool edge = steps_between(p, q) == 1;
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

/// Two corners of a cell that are joined: an edge or a face diagonal.
struct CellLink {
  std::size_t a = 0, b = 0;
  bool edge = true;
};

std::array<CellLink, kCellLinks> cell_links() {
  std::array<CellLink, kCellLinks> out{};
  std::size_t count = 0;
  for (std::size_t a = 0; a < 8; ++a)
    for (std::size_t b = a + 1; b < 8; ++b) {
      const int steps = std::popcount(a ^ b);
      if (steps <= 2) out[count++] = {a, b, steps == 1};
    }
  return out;
}

/// Links by their ends.
class LinkBook {
 public:
  explicit LinkBook(const std::vector<std::array<int, 2>>& links) {
    for (std::size_t l = 0; l < links.size(); ++l)
      book_.push_back({std::min(links[l][0], links[l][1]), std::max(links[l][0], links[l][1]),
                       static_cast<int>(l)});
    std::sort(book_.begin(), book_.end());
  }
  std::size_t find(int a, int b) const {
    const std::array<int, 3> wanted{std::min(a, b), std::max(a, b), 0};
    return static_cast<std::size_t>((*std::lower_bound(book_.begin(), book_.end(), wanted))[2]);
  }

 private:
  std::vector<std::array<int, 3>> book_;  // ends, link
};

bool is_cube(const shape::LatticeCell& cell, const Body3& body) {
  const Vec3& low = body.points[static_cast<std::size_t>(cell[0])];
  for (int k = 1; k < 8; ++k) {
    const Vec3 wanted = low + body.pitch * Vec3(k & 1, k >> 1 & 1, k >> 2 & 1);
    if ((body.points[static_cast<std::size_t>(cell[static_cast<std::size_t>(k)])] - wanted).norm() >
        kMoved * body.pitch)
      return false;
  }
  return true;
}

using CellShares = Eigen::Matrix<double, kCellLinks, 1>;

/// Shares of the links of a cell whose corners have been moved, in units of E a: nearest to those
/// of a cube in proportion to its volume, none below a tenth of that, so that its moduli come
/// nearest to the solid's under every uniform strain. `lack` gets what the moduli still lack.
CellShares fit_cell(const std::array<Vec3, 8>& corners, double volume, Moduli& lack) {
  static const std::array<CellLink, kCellLinks> kLinks = cell_links();
  Eigen::Matrix<double, 15, kCellLinks> columns;
  CellShares start;
  double size = 0.0;
  for (Eigen::Index l = 0; l < kCellLinks; ++l) {
    const CellLink& link = kLinks[static_cast<std::size_t>(l)];
    const Vec3 d = corners[link.b] - corners[link.a];
    columns.col(l) = monomials(d.normalized()) * d.squaredNorm();
    start[l] = link.edge ? kCellEdge : kCellDiagonal;
    size += start[l] * d.squaredNorm();
  }
  // sum of k L^2 is six times the volume, as in a cube
  start *= 6.0 * volume / size;
  const CellShares least = kLeastShare * start;
  CellShares k = start;
  lack = isotropic(volume) - columns * k;
  for (int round = 0; round < kCellRounds; ++round)
    for (Eigen::Index l = 0; l < kCellLinks; ++l) {
      const double wanted = columns.col(l).dot(lack) - kHoldToStart * (k[l] - start[l]);
      const double next =
          std::max(least[l], k[l] + wanted / (columns.col(l).squaredNorm() + kHoldToStart));
      lack -= columns.col(l) * (next - k[l]);
      k[l] = next;
    }
  return k;
}

/// By cells: cubes by the rule, others fitted; what no cell holds by squares and rows.
Stiffness of_lattice(const Body3& body, const Lattice& lattice) {
  static const std::array<CellLink, kCellLinks> kLinks = cell_links();
  const LinkBook book(body.links);
  std::vector<int> cubes(body.links.size(), 0);
  std::vector<double> fits(body.links.size(), 0.0);
  std::vector<bool> in_cell(body.points.size(), false);
  Moduli lack = Moduli::Zero();
  double volume = 0.0;
  for (const shape::LatticeCell& cell : shape::whole_cells(body.places)) {
    const bool cube = is_cube(cell, body);
    CellShares shares = CellShares::Zero();
    std::array<Vec3, 8> corners;
    for (std::size_t k = 0; k < 8; ++k) {
      corners[k] = body.points[static_cast<std::size_t>(cell[k])] / body.pitch;
      in_cell[static_cast<std::size_t>(cell[k])] = true;
    }
    const double own = cube ? 1.0
                            : std::abs(shape::cell_volume({0, 1, 2, 3, 4, 5, 6, 7},
                                                          {corners.begin(), corners.end()}));
    volume += own;
    if (!cube) {
      Moduli left;
      shares = fit_cell(corners, own, left);
      lack += left;
    }
    for (std::size_t l = 0; l < kLinks.size(); ++l) {
      const std::size_t link = book.find(cell[kLinks[l].a], cell[kLinks[l].b]);
      cubes[link] += cube ? 1 : 0;
      fits[link] += shares[static_cast<Eigen::Index>(l)];
    }
  }
  Stiffness out;
  if (volume > 0.0) out.error = lack.norm() / isotropic(volume).norm();
  for (std::size_t l = 0; l < body.links.size(); ++l) {
    const auto a = static_cast<std::size_t>(body.links[l][0]);
    const auto b = static_cast<std::size_t>(body.links[l][1]);
    const Place &p = body.places[a], &q = body.places[b];
    double share = cubes[l] * (steps_between(p, q) == 1 ? kCellEdge : kCellDiagonal) + fits[l];
    if (!near_enough(p, q))
      share = kNotch;
    else if (!(share > 0.0))
      share = in_cell[a] && in_cell[b] && lattice.meet_in_cells(p, q) ? kNotch
                                                                      : sheet_share(lattice, p, q);
    out.values.push_back(share * mean_modulus(body, body.links[l]) * body.pitch);
  }
  return out;
}

}  // namespace

Stiffness stiffness_of(const Body3& body) {
  if (body.links.empty()) return {};
  const Lattice lattice(body.places);
  if (!follows_the_rule(body, lattice)) return fitted(body);
  return of_lattice(body, lattice);
}

}  // namespace repose::molecule
