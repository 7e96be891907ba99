#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "repose/math/vec.h"

namespace repose::surfel {

/// Surfels of one body, as the paper's engine sees them (Keiser 2004, section 4.1).
struct SurfelCloud {
  std::vector<Vec3> points, normals;  // world, m; unit, outward
  std::vector<int> balls;             // whose surfels they are
};

/// A uniform grid whose cells are hashed (Teschner 2003): insertion and queries in constant time.
class HashedGrid {
 public:
  HashedGrid(const std::vector<Vec3>& points, double width);

  /// Points nearer than `within`, which must not exceed the width; in no order that matters.
  template <class Visit>
  void near(const Vec3& to, double within, Visit visit) const {
    about(to, [&](int index, const Vec3& point) {
      const double squared = (point - to).squaredNorm();
      if (squared < within * within) visit(index, squared);
    });
  }
  /// All points of the cell and those beside it.
  template <class Visit>
  void about(const Vec3& to, Visit visit) const {
    const Cell middle = cell_of(to);
    for (int n = 0; n < kBeside; ++n) {
      const std::uint64_t cell =
          name_of({middle[0] + n / 9 - 1, middle[1] + n / 3 % 3 - 1, middle[2] + n % 3 - 1});
      const std::size_t bucket = bucket_of(cell);
      for (std::size_t k = first_[bucket]; k < first_[bucket + 1]; ++k) {
        if (entries_[k].cell == cell) visit(entries_[k].index, entries_[k].point);
      }
    }
  }

  using Cell = std::array<std::int64_t, 3>;
  static Cell cell_of(const Vec3& p, double width);
  /// Cells of one name are 2^21 apart.
  static std::uint64_t name_of(const Cell& cell) {
    constexpr int kBits = 21;
    constexpr std::uint64_t kMask = (std::uint64_t{1} << kBits) - 1;
    const auto part = [](std::int64_t k) { return static_cast<std::uint64_t>(k) & kMask; };
    return part(cell[0]) << (2 * kBits) | part(cell[1]) << kBits | part(cell[2]);
  }

 private:
  static constexpr int kBeside = 27;
  struct Entry {
    std::uint64_t cell;  // its name
    Vec3 point;
    int index;
  };
  Cell cell_of(const Vec3& p) const { return cell_of(p, width_); }
  std::size_t bucket_of(std::uint64_t name) const;

  double width_;
  std::vector<std::size_t> first_;  // of each bucket, and one past the end
  std::vector<Entry> entries_;      // by bucket
};

/// The implicit surface of a cloud (equation 1): f(x) = n(x) . (x - a(x)) with averages a and n of
/// the surfels about x, weighted by a truncated Gaussian. The surfels that places in one small cell
/// may see are gathered once, four side by side: not for two threads at a time.
class ImplicitSurface {
 public:
  /// `support`: where the weights end, m.
  ImplicitSurface(const SurfelCloud& cloud, double support);

  struct Local {
    bool known = false;  // there are surfels within the support
    Vec3 average = Vec3::Zero(), normal = Vec3::UnitZ();
    double value(const Vec3& x) const { return normal.dot(x - average); }
  };
  Local local(const Vec3& x) const;
  /// m; f(x), negative within. Infinite far from all surfels.
  double value(const Vec3& x) const;

  struct Foot {
    bool known = false;
    Vec3 point = Vec3::Zero(), normal = Vec3::UnitZ();
  };
  /// The orthogonal projection of x (Alexa and Adamson 2004). Not known far from all surfels.
  Foot project(const Vec3& x) const;

  /// m; along the projection, negative within (equation 2). Infinite far from all surfels.
  double signed_gap(const Vec3& x) const;
  bool is_inside(const Vec3& x) const;

  /// The surfel nearest to x among those within the support; -1: none.
  int nearest(const Vec3& x) const;

 private:
  /// Surfels within the support of some place of a cell; the last four are filled up with places
  /// beyond it.
  struct Patch {
    std::size_t first = 0, last = 0;  // in fours_
  };
  struct Four {
    std::array<std::array<double, 4>, 3> points, normals;  // number by number
    std::array<int, 4> indices;                            // -1: filled up
  };
  const Patch& patch_at(const Vec3& x) const;
  Patch gathered(const Vec3& x, const HashedGrid::Cell& cell) const;

  const SurfelCloud& cloud_;
  double support_;
  HashedGrid grid_;
  mutable std::vector<Four> fours_;
  mutable std::unordered_map<std::uint64_t, Patch> patches_;  // looked up only, never walked
  mutable std::uint64_t last_name_ = 0;
  mutable const Patch* last_ = nullptr;  // the patch that was asked for last
};

}  // namespace repose::surfel
