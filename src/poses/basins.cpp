#include "basins.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

namespace repose::poses {

namespace {

constexpr double kPi = std::numbers::pi;

/// Directions by their turn about a vertex's direction. All of a cell at one turn share their
/// descent.
struct Compass {
  Vec3 axis, east, north;

  explicit Compass(const Vec3& point) : axis(point.normalized()) {
    east = axis.unitOrthogonal();
    north = axis.cross(east);
  }
  double turn(const Vec3& u) const { return std::atan2(u.dot(north), u.dot(east)); }
  Vec3 at(double turn) const { return std::cos(turn) * east + std::sin(turn) * north; }
};

/// A stretch of turns that ends in one face.
struct Sector {
  double from, to;  // from < to <= from + 2 pi
  int end;
};

/// The part of a polygon with side.u >= 0.
std::vector<Vec3> clipped(const std::vector<Vec3>& corners, const Vec3& side) {
  std::vector<Vec3> out;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vec3 &a = corners[k], &b = corners[(k + 1) % corners.size()];
    const double at_a = side.dot(a), at_b = side.dot(b);
    if (at_a >= 0.0) out.push_back(a);
    if ((at_a > 0.0 && at_b < 0.0) || (at_a < 0.0 && at_b > 0.0))
      out.push_back((at_a > 0.0 ? at_a * b - at_b * a : at_b * a - at_a * b).normalized());
  }
  return out;
}

class Basins {
 public:
  explicit Basins(const NormalFan& fan) : fan_(fan), sectors_(fan.cells().size()) {
    share_.assign(fan.faces().size(), 0.0);
  }

  std::vector<double> find() {
    std::vector<int> order;
    for (std::size_t v = 0; v < fan_.cells().size(); ++v)
      if (!fan_.cells()[v].arcs.empty()) order.push_back(static_cast<int>(v));
    const auto distance = [&](int v) {
      return fan_.cells()[static_cast<std::size_t>(v)].point.squaredNorm();
    };
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      return distance(a) != distance(b) ? distance(a) < distance(b) : a < b;
    });
    for (const int v : order) divide(v);
    double sum = 0.0;
    for (const double s : share_) sum += s;
    for (double& s : share_) s /= sum;
    return share_;
  }

 private:
  const NormalFan::Cell& cell(int v) const { return fan_.cells()[static_cast<std::size_t>(v)]; }
  const Vec3& normal(int face) const { return fan_.faces()[static_cast<std::size_t>(face)].normal; }

  /// Turns at which the end may change: the cell's corners, the parting of caught descents, and the
  /// basin boundaries of the cells beyond.
  std::vector<double> breaks(int v, const Compass& compass) const {
    std::vector<double> out;
    for (const NormalFan::Arc& arc : cell(v).arcs) {
      out.push_back(compass.turn(normal(arc.from)));
      if (arc.through)
        carry_over(arc, compass, out);
      else if (arc.foot > 0.0)
        out.push_back(compass.turn(cell(v).point + arc.foot * arc.way));
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  void carry_over(const NormalFan::Arc& arc, const Compass& compass,
                  std::vector<double>& out) const {
    const auto& beyond = sectors_[static_cast<std::size_t>(arc.vertex)];
    if (beyond.size() < 2) return;
    const Compass there(cell(arc.vertex).point);
    const Vec3 &a = normal(arc.from), &b = normal(arc.to);
    const Vec3 pole = a.cross(b);
    for (const Sector& s : beyond) {
      const Vec3 heading = there.at(s.from);
      Vec3 u = there.axis.cross(heading).cross(arc.way);
      if (u.dot(heading) < 0.0) u = -u;
      if (!(u.norm() > 0.0)) continue;
      u.normalize();
      if (a.cross(u).dot(pole) > 0.0 && u.cross(b).dot(pole) > 0.0) out.push_back(compass.turn(u));
    }
  }

  /// A direction of the cell at that turn; false where the cell has none.
  bool direction_at(int v, const Compass& compass, double turn, Vec3& u) const {
    const Vec3 side = compass.at(turn);
    double low = 0.0, high = kPi;
    for (const NormalFan::Arc& arc : cell(v).arcs) {
      const double out = std::atan2(-arc.way.dot(compass.axis), arc.way.dot(side));
      if (out > 0.0)
        high = std::min(high, out);
      else
        low = std::max(low, out + kPi);
    }
    if (!(low < high)) return false;
    const double t = 0.5 * (low + high);
    u = std::cos(t) * compass.axis + std::sin(t) * side;
    return true;
  }

  int end_from(int v, const Vec3& u) const {
    const NormalFan::Exit exit = fan_.leave(v, u);
    const NormalFan::Arc& arc = cell(v).arcs[exit.arc];
    if (!arc.through) return fan_.end_of_face(fan_.slide(v, exit.arc, exit.at));
    const auto& beyond = sectors_[static_cast<std::size_t>(arc.vertex)];
    if (beyond.size() == 1) return beyond[0].end;
    const double turn = Compass(cell(arc.vertex).point).turn(exit.at);
    for (const Sector& s : beyond)
      for (const double t : {turn, turn + 2.0 * kPi})
        if (s.from <= t && t < s.to) return s.end;
    return fan_.end(arc.vertex, exit.at);
  }

  void divide(int v) {
    const Compass compass(cell(v).point);
    const std::vector<double> at = breaks(v, compass);
    auto& sectors = sectors_[static_cast<std::size_t>(v)];
    for (std::size_t k = 0; k < at.size(); ++k) {
      const double from = at[k], to = k + 1 < at.size() ? at[k + 1] : at[0] + 2.0 * kPi;
      Vec3 u;
      if (!(from < to) || !direction_at(v, compass, 0.5 * (from + to), u)) continue;
      const int end = end_from(v, u);
      if (!sectors.empty() && sectors.back().end == end)
        sectors.back().to = to;
      else
        sectors.push_back({from, to, end});
    }
    // the first and the last meet
    if (sectors.size() > 1 && sectors.front().end == sectors.back().end &&
        sectors.back().to >= sectors.front().from + 2.0 * kPi) {
      sectors.front().from = sectors.back().from - 2.0 * kPi;
      sectors.pop_back();
    }
    measure(v, compass, sectors);
  }

  void measure(int v, const Compass& compass, const std::vector<Sector>& sectors) {
    std::vector<Vec3> corners;
    for (const NormalFan::Arc& arc : cell(v).arcs) corners.push_back(normal(arc.from));
    if (sectors.size() == 1) {
      share_[static_cast<std::size_t>(sectors[0].end)] += solid_angle(corners);
      return;
    }
    for (const Sector& s : sectors) {
      // wedges narrower than a half turn
      constexpr int kWedges = 3;
      for (int k = 0; k < kWedges; ++k) {
        const double from = s.from + (s.to - s.from) * k / kWedges;
        const double to = s.from + (s.to - s.from) * (k + 1) / kWedges;
        const auto wedge = clipped(clipped(corners, compass.axis.cross(compass.at(from))),
                                   -compass.axis.cross(compass.at(to)));
        share_[static_cast<std::size_t>(s.end)] += solid_angle(wedge);
      }
    }
  }

  const NormalFan& fan_;
  std::vector<std::vector<Sector>> sectors_;
  std::vector<double> share_;
};

}  // namespace

double solid_angle(const std::vector<Vec3>& corners) {
  double sum = 0.0;
  for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
    const Vec3 &a = corners[0], &b = corners[k], &c = corners[k + 1];
    // Van Oosterom and Strackee 1983
    sum += 2.0 * std::atan2(a.dot(b.cross(c)), 1.0 + a.dot(b) + b.dot(c) + c.dot(a));
  }
  return sum;
}

std::vector<double> basin_shares(const NormalFan& fan) {
  return Basins(fan).find();
}

}  // namespace repose::poses
