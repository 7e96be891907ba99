#include "telling_rows.h"

#include <algorithm>
#include <cmath>

#include "repose/base/stage_clock.h"

namespace repose::pile {
namespace {

/// A place is beside a nearer one within this many times sqrt(r g).
constexpr double kBeside = 1.0;
/// ... and if the normals make at most this angle (cosine).
constexpr double kSameWay = 0.95;

/// The rows of two bodies, or of one and a wall.
class BodyPair {
 public:
  BodyPair(std::span<const Separation> all, double size) : all_(all), size_(size) {}

  /// Marks what is needed, nearest pieces first.
  void choose(std::span<char> needed) {
    std::vector<Rows> pieces = by_pieces();
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const Rows& l, const Rows& r) { return l.gap < r.gap; });
    for (const Rows& rows : pieces) {
      bool told = true;
      for (std::size_t k = rows.first; k < rows.end && told; ++k) told = is_told(all_[k]);
      if (told) continue;
      for (std::size_t k = rows.first; k < rows.end; ++k) {
        needed[k] = 1;
        taken_.push_back(&all_[k]);
      }
    }
  }

 private:
  struct Rows {
    std::size_t first, end;
    double gap;  // m, of the nearest
  };
  std::vector<Rows> by_pieces() const {
    std::vector<Rows> out;
    for (std::size_t k = 0; k < all_.size(); ++k) {
      const bool more = k > 0 && same_pieces(all_[k - 1], all_[k]);
      if (!more) out.push_back({k, k, all_[k].gap});
      out.back().end = k + 1;
      out.back().gap = std::min(out.back().gap, all_[k].gap);
    }
    return out;
  }
  bool is_told(const Separation& s) const {
    if (!std::isfinite(s.gap)) return false;
    const double beside = kBeside * std::sqrt(size_ * std::max(0.0, s.gap));
    return std::any_of(taken_.begin(), taken_.end(), [&](const Separation* nearer) {
      return (nearer->point - s.point).squaredNorm() < beside * beside &&
             nearer->normal.dot(s.normal) > kSameWay;
    });
  }

  std::span<const Separation> all_;
  double size_;  // m, of the smaller body
  std::vector<const Separation*> taken_;
};

}  // namespace

std::vector<Separation> telling_rows(const Arena& arena, std::span<const Separation> separations) {
  const StageScope timed("telling_rows");
  std::vector<char> needed(separations.size(), 0);
  for (std::size_t first = 0, end = 0; first < separations.size(); first = end) {
    const Separation& s = separations[first];
    while (end < separations.size() && separations[end].a == s.a && separations[end].b == s.b &&
           separations[end].wall_body == s.wall_body)
      ++end;
    double size = arena.movers[s.b].radius;
    if (s.a >= 0) size = std::min(size, arena.movers[s.a].radius);
    BodyPair(separations.subspan(first, end - first), size)
        .choose(std::span(needed).subspan(first, end - first));
  }
  std::vector<Separation> out;
  for (std::size_t k = 0; k < separations.size(); ++k)
    if (needed[k]) out.push_back(separations[k]);
  return out;
}

}  // namespace repose::pile
