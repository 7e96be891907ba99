#include "repose/shape/skin.h"

#include <algorithm>
#include <cmath>

#include "repose/base/check.h"

#include "shape/skin/cell_table.h"

namespace repose::shape {

namespace {

/// Samples of the field that are kept at once; 256 MB.
constexpr double kMostSamples = 32.0 * 1024 * 1024;
/// Cuts stay this share of an edge away from its ends, so that no two of them fall together and no
/// triangle is a line.
constexpr double kOffCorner = 1e-3;

using Place = std::array<int, 3>;

/// The field's samples on a cubic grid about all balls.
class FieldGrid {
 public:
  FieldGrid(const std::vector<Vec3>& centers, const std::vector<double>& radii,
            const SkinSettings& settings) {
    REPOSE_CHECK(!centers.empty() && centers.size() == radii.size());
    const double grow = 1.0 + settings.reach;
    Vec3 low = centers[0], high = centers[0];
    double least = radii[0];
    for (std::size_t i = 0; i < centers.size(); ++i) {
      low = low.cwiseMin(centers[i] - Vec3::Constant(grow * radii[i]));
      high = high.cwiseMax(centers[i] + Vec3::Constant(grow * radii[i]));
      least = std::min(least, radii[i]);
    }
    lay_out(low, high, settings.spacing > 0.0 ? settings.spacing : 0.5 * least);
    values_.assign(static_cast<std::size_t>(count_[0]) * count_[1] * count_[2], 0.0);
    rows_.assign(static_cast<std::size_t>(count_[1]) * count_[2], {count_[0], -1});
    for (std::size_t i = 0; i < centers.size(); ++i) splat(centers[i], radii[i], grow * radii[i]);
  }

  double spacing() const { return spacing_; }
  int count(int axis) const { return count_[static_cast<std::size_t>(axis)]; }
  double value(int x, int y, int z) const { return values_[index(x, y, z)]; }
  std::size_t index(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * count_[1] + y) * count_[0] + x;
  }
  Vec3 point(int x, int y, int z) const { return low_ + spacing_ * Vec3(x, y, z); }
  /// The samples along x that some ball reached: first and last; none if first > last.
  std::array<int, 2> touched(int y, int z) const {
    return rows_[static_cast<std::size_t>(z) * count_[1] + y];
  }

 private:
  /// A sample of zero all around, so that the surface closes.
  void lay_out(const Vec3& low, const Vec3& high, double spacing) {
    constexpr double kCoarser = 1.25;
    for (spacing_ = spacing;; spacing_ *= kCoarser) {
      const Vec3 cells = ((high - low) / spacing_).array().ceil() + 3.0;
      if (!(cells.prod() <= kMostSamples)) continue;
      for (int k = 0; k < 3; ++k) count_[static_cast<std::size_t>(k)] = static_cast<int>(cells[k]);
      break;
    }
    low_ = low - Vec3::Constant(spacing_);
  }

  void splat(const Vec3& center, double radius, double reach) {
    Place from, to;
    for (int k = 0; k < 3; ++k) {
      const auto axis = static_cast<std::size_t>(k);
      from[axis] =
          std::max(0, static_cast<int>(std::ceil((center[k] - reach - low_[k]) / spacing_)));
      to[axis] = std::min(count_[axis] - 1,
                          static_cast<int>(std::floor((center[k] + reach - low_[k]) / spacing_)));
    }
    const double reach2 = reach * reach, scale = 1.0 / (1.0 - radius * radius / reach2);
    for (int z = from[2]; z <= to[2]; ++z)
      for (int y = from[1]; y <= to[1]; ++y) {
        const double dy = low_.y() + spacing_ * y - center.y();
        const double dz = low_.z() + spacing_ * z - center.z();
        const double across = dy * dy + dz * dz;
        if (across >= reach2) continue;
        auto& row = rows_[static_cast<std::size_t>(z) * count_[1] + y];
        row = {std::min(row[0], from[0]), std::max(row[1], to[0])};
        double* value = values_.data() + index(0, y, z);
        for (int x = from[0]; x <= to[0]; ++x) {
          const double dx = low_.x() + spacing_ * x - center.x();
          const double t = scale * (1.0 - (across + dx * dx) / reach2);
          if (t > 0.0) value[x] += t * t * t;
        }
      }
  }

  Vec3 low_ = Vec3::Zero();
  double spacing_ = 0.0;
  Place count_{};
  std::vector<double> values_;
  std::vector<std::array<int, 2>> rows_;
};

/// Walks the grid layer by layer and makes each cut of an edge one point.
class Polygoniser {
 public:
  explicit Polygoniser(const FieldGrid& grid) : grid_(grid) {
    const auto layer = static_cast<std::size_t>(grid.count(0)) * grid.count(1);
    for (auto& cuts : cuts_) cuts.assign(3 * layer, -1);
  }

  Skin run() {
    for (int z = 0; z + 1 < grid_.count(2); ++z) {
      std::swap(cuts_[0], cuts_[1]);
      std::fill(cuts_[1].begin(), cuts_[1].end(), -1);
      for (int y = 0; y + 1 < grid_.count(1); ++y) row(y, z);
    }
    out_.spacing = grid_.spacing();
    set_normals();
    return std::move(out_);
  }

 private:
  void row(int y, int z) {
    int first = grid_.count(0), last = -1;
    for (const int dy : {0, 1})
      for (const int dz : {0, 1}) {
        const auto touched = grid_.touched(y + dy, z + dz);
        first = std::min(first, touched[0]);
        last = std::max(last, touched[1]);
      }
    first = std::max(0, first - 1);
    last = std::min(grid_.count(0) - 2, last);
    if (last < first) return;
    // corners of the cell at x: bits of x are even, those of x + 1 odd
    int side = column(first, y, z);
    for (int x = first; x <= last; ++x) {
      const int next = column(x + 1, y, z);
      const int inside = side | next << 1;
      if (inside != 0 && inside != 255) cell(x, y, z, inside);
      side = next;
    }
  }
  /// The four corners at x, as bits 0, 2, 4, 6.
  int column(int x, int y, int z) const {
    return (grid_.value(x, y, z) >= 1.0 ? 1 : 0) | (grid_.value(x, y + 1, z) >= 1.0 ? 4 : 0) |
           (grid_.value(x, y, z + 1) >= 1.0 ? 16 : 0) |
           (grid_.value(x, y + 1, z + 1) >= 1.0 ? 64 : 0);
  }

  void cell(int x, int y, int z, int inside) {
    const CellCase& of = cell_cases()[static_cast<std::size_t>(inside)];
    const int middles = static_cast<int>(out_.mesh.points.size());
    for (const auto& polygon : of.polygons) {
      Vec3 sum = Vec3::Zero();
      std::vector<Vec3> corners;
      for (const int edge : polygon) corners.push_back(cut_point(x, y, z, edge));
      for (const Vec3& p : corners) sum += p;
      out_.mesh.points.push_back(sum / static_cast<double>(polygon.size()));
    }
    for (const auto& triangle : of.triangles) {
      std::array<int, 3> made;
      for (std::size_t k = 0; k < 3; ++k)
        made[k] =
            triangle[k] >= kMiddle ? middles + triangle[k] - kMiddle : cut(x, y, z, triangle[k]);
      out_.mesh.triangles.push_back(made);
    }
  }

  /// Where the surface crosses an edge of the cell.
  Vec3 cut_point(int x, int y, int z, int edge) const {
    const auto ends = edge_corners(edge);
    const auto corner = [&](int c) {
      return Place{x + (c & 1), y + (c >> 1 & 1), z + (c >> 2 & 1)};
    };
    const Place a = corner(ends[0]), b = corner(ends[1]);
    const double fa = grid_.value(a[0], a[1], a[2]), fb = grid_.value(b[0], b[1], b[2]);
    const double share = std::clamp((1.0 - fa) / (fb - fa), kOffCorner, 1.0 - kOffCorner);
    return (1.0 - share) * grid_.point(a[0], a[1], a[2]) + share * grid_.point(b[0], b[1], b[2]);
  }
  int cut(int x, int y, int z, int edge) {
    const int low = edge_corners(edge)[0];
    const int cx = x + (low & 1), cy = y + (low >> 1 & 1), layer = low >> 2 & 1;
    int& known = cuts_[static_cast<std::size_t>(layer)]
                      [3 * (static_cast<std::size_t>(cy) * grid_.count(0) + cx) + edge / 4];
    if (known >= 0) return known;
    known = static_cast<int>(out_.mesh.points.size());
    out_.mesh.points.push_back(cut_point(x, y, z, edge));
    return known;
  }

  void set_normals() {
    out_.normals.assign(out_.mesh.points.size(), Vec3::Zero());
    const auto at = [&](int i) { return out_.mesh.points[static_cast<std::size_t>(i)]; };
    for (const auto& [a, b, c] : out_.mesh.triangles) {
      const Vec3 twice = (at(b) - at(a)).cross(at(c) - at(a));
      for (const int i : {a, b, c}) out_.normals[static_cast<std::size_t>(i)] += twice;
    }
    for (Vec3& normal : out_.normals) {
      const double length = normal.norm();
      normal = length > 0.0 ? Vec3(normal / length) : Vec3(Vec3::UnitZ());
    }
  }

  const FieldGrid& grid_;
  // points on the edges that begin in a layer, three for each of its samples: the lower and the
  // upper layer of the cells at hand
  std::array<std::vector<int>, 2> cuts_;
  Skin out_;
};

}  // namespace

double paper_spacing(double volume) {
  constexpr double kShare = 1.0 / 20.0, kLeast = 0.005;
  return kShare * std::sqrt(volume) + kLeast;
}

Skin skin_of(const std::vector<Vec3>& centers, const std::vector<double>& radii,
             const SkinSettings& settings) {
  return Polygoniser(FieldGrid(centers, radii, settings)).run();
}

}  // namespace repose::shape
