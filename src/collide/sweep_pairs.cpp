#include "repose/collide/sweep_pairs.h"

#include <algorithm>

namespace repose::collide {

namespace {

constexpr std::size_t kFirstTableSize = 64;

/// Never 0: the larger index is at least 1.
std::uint64_t key_of(int a, int b) {
  const auto low = static_cast<std::uint64_t>(std::min(a, b));
  const auto high = static_cast<std::uint64_t>(std::max(a, b));
  return (high << 32) | low;
}

std::uint64_t mixed(std::uint64_t key) {
  key *= 0x9E3779B97F4A7C15ULL;
  return key ^ (key >> 32);
}

}  // namespace

void SweepPairs::update(const std::vector<Box2>& boxes) {
  exchanges_ = 0;
  if (ends_[0].size() != 2 * boxes.size()) {
    start(boxes);
    return;
  }
  for (int axis = 0; axis < 2; ++axis) sort_axis(ends_[axis], axis, boxes);
}

/// Sorts from scratch and sweeps along x with a list of active boxes.
void SweepPairs::start(const std::vector<Box2>& boxes) {
  pairs_.clear();
  keys_.assign(kFirstTableSize, 0);
  places_.assign(kFirstTableSize, 0);
  for (int axis = 0; axis < 2; ++axis) {
    auto& ends = ends_[axis];
    ends.clear();
    ends.reserve(2 * boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const auto box = static_cast<std::int32_t>(i);
      ends.push_back({boxes[i].low[axis], box, false});
      ends.push_back({boxes[i].high[axis], box, true});
    }
    // touching counts as overlapping: at equal places low ends come first
    std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) {
      if (a.at != b.at) return a.at < b.at;
      if (a.is_high != b.is_high) return b.is_high;
      return a.box < b.box;
    });
  }
  std::vector<std::int32_t> active;
  for (const End& end : ends_[0]) {
    const auto box = static_cast<std::size_t>(end.box);
    if (end.is_high) {
      active.erase(std::find(active.begin(), active.end(), end.box));
      continue;
    }
    for (const std::int32_t other : active)
      if (boxes[box].overlaps(boxes[static_cast<std::size_t>(other)]))
        set_overlap(end.box, other, true);
    active.push_back(end.box);
  }
}

/// Insertion sort; every exchange of a low with a high end may change that pair's overlap.
void SweepPairs::sort_axis(std::vector<End>& ends, int axis, const std::vector<Box2>& boxes) {
  for (End& end : ends) {
    const Box2& box = boxes[static_cast<std::size_t>(end.box)];
    end.at = end.is_high ? box.high[axis] : box.low[axis];
  }
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const End moving = ends[i];
    std::size_t at = i;
    while (at > 0) {
      const End& before = ends[at - 1];
      const bool in_order =
          before.at < moving.at || (before.at == moving.at && (!before.is_high || moving.is_high));
      if (in_order) break;
      if (before.is_high != moving.is_high && before.box != moving.box) {
        // a low end passes a high one: they may begin to overlap; the reverse: they cease to
        const bool overlap =
            !moving.is_high && boxes[static_cast<std::size_t>(before.box)].overlaps(
                                   boxes[static_cast<std::size_t>(moving.box)]);
        set_overlap(before.box, moving.box, overlap);
      }
      ends[at] = before;
      --at;
      ++exchanges_;
    }
    ends[at] = moving;
  }
}

std::size_t SweepPairs::slot_of(std::uint64_t key) const {
  const std::size_t mask = keys_.size() - 1;
  std::size_t slot = mixed(key) & mask;
  while (keys_[slot] != 0 && keys_[slot] != key) slot = (slot + 1) & mask;
  return slot;
}

void SweepPairs::set_overlap(int a, int b, bool overlap) {
  const std::uint64_t key = key_of(a, b);
  std::size_t slot = slot_of(key);
  const bool known = keys_[slot] == key;
  if (known == overlap) return;
  if (overlap) {
    keys_[slot] = key;
    places_[slot] = static_cast<std::int32_t>(pairs_.size());
    pairs_.emplace_back(std::min(a, b), std::max(a, b));
    if (2 * pairs_.size() > keys_.size()) grow_table();
    return;
  }
  // the last pair takes the place of the removed one
  const auto place = static_cast<std::size_t>(places_[slot]);
  const IndexPair last = pairs_.back();
  pairs_[place] = last;
  pairs_.pop_back();
  places_[slot_of(key_of(last.first, last.second))] = static_cast<std::int32_t>(place);
  // close the gap in the table, so that no search stops short
  const std::size_t mask = keys_.size() - 1;
  keys_[slot] = 0;
  for (std::size_t next = (slot + 1) & mask; keys_[next] != 0; next = (next + 1) & mask) {
    const std::size_t home = mixed(keys_[next]) & mask;
    if (((next - home) & mask) < ((next - slot) & mask)) continue;
    keys_[slot] = keys_[next];
    places_[slot] = places_[next];
    keys_[next] = 0;
    slot = next;
  }
}

void SweepPairs::grow_table() {
  keys_.assign(2 * keys_.size(), 0);
  places_.assign(keys_.size(), 0);
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const std::uint64_t key = key_of(pairs_[i].first, pairs_[i].second);
    const std::size_t slot = slot_of(key);
    keys_[slot] = key;
    places_[slot] = static_cast<std::int32_t>(i);
  }
}

}  // namespace repose::collide
