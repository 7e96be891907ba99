#include "room.h"

#include <algorithm>
#include <limits>

#include "repose/base/stage_clock.h"

namespace repose::place {
namespace {

/// Pieces are fine enough once their sizes are this share of their distance.
constexpr double kFine = 0.25;
/// Pieces looked at for one pair of bodies; what is left then bounds the distance as it is.
constexpr int kMostPieces = 2000;
constexpr double kAspect = 4.0;

struct Piece {
  CellGap gap;
  int p = -1, q = -1;

  bool operator<(const Piece& other) const {  // a heap's top is the nearest
    return std::tie(gap.lower, p, q) > std::tie(other.gap.lower, other.p, other.q);
  }
};

/// Best first: the nearest piece is halved until it is fine.
class Room {
 public:
  Room(const Posed& p, const Posed& q)
      : p_(*p.surface),
        q_(*q.surface),
        turn_(q.rotation.transpose() * p.rotation),
        shift_(q.rotation.transpose() * (p.position - q.position)) {}

  double least() {
    const bool ground = q_.half_space();
    if (p_.faces() < 0 || (!ground && q_.faces() < 0))
      return std::numeric_limits<double>::infinity();
    push(p_.faces(), ground ? -1 : q_.faces());
    for (int k = 0; k < kMostPieces && halve(); ++k) {
    }
    return heap_.front().gap.lower;
  }

 private:
  CellGap gap_of(int p, int q) const {
    const Cell& c = p_.cell(p);
    if (q >= 0)
      return cell_gap(c, q_.cell(q), turn_, shift_, std::numeric_limits<double>::infinity());
    const Vec3 up = turn_.transpose() * Vec3::UnitZ();
    return {(turn_ * c.center + shift_).z() - reach_along(c, -up), Vec3::UnitZ()};
  }

  void push(int p, int q) {
    heap_.push_back({gap_of(p, q), p, q});
    std::push_heap(heap_.begin(), heap_.end());
  }

  /// False where the nearest piece is fine or cannot be halved.
  bool halve() {
    const Piece nearest = heap_.front();
    const double size_p = p_.cell(nearest.p).radius;
    const double size_q = nearest.q < 0 ? 0.0 : q_.cell(nearest.q).radius;
    if (size_p + size_q <= kFine * nearest.gap.lower) return false;
    const bool can_p = p_.can_split(nearest.p);
    const bool can_q = nearest.q >= 0 && q_.can_split(nearest.q);
    if (!can_p && !can_q) return false;
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
    const bool of_p = can_p && (size_p >= size_q || !can_q);
    const int first = of_p ? p_.split(nearest.p, turn_.transpose() * nearest.gap.direction, kAspect)
                           : q_.split(nearest.q, nearest.gap.direction, kAspect);
    for (int k = first; k < first + 2; ++k) push(of_p ? k : nearest.p, of_p ? nearest.q : k);
    return true;
  }

  Surface &p_, &q_;
  Mat3 turn_;
  Vec3 shift_;
  std::vector<Piece> heap_;
};

}  // namespace

double free_room(const Arena& arena, const Places& places) {
  const StageScope timed("free_room");
  double out = std::numeric_limits<double>::infinity();
  for (const Pairing& pair : arena.pairs)
    out = std::min(out, Room(places[static_cast<std::size_t>(pair.p)],
                             places[static_cast<std::size_t>(pair.q)])
                            .least());
  return out;
}

}  // namespace repose::place
