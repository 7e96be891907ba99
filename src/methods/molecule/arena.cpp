#include "arena.h"

#include <algorithm>

#include "repose/base/at.h"

namespace repose::molecule {

namespace {

/// Molecules of a block. Small enough to share work, large enough that few springs cross.
constexpr int kBlock = 4096;
/// A molecule whose joined ones lie evenly about it, within this share of their distance, has no
/// inward side.
constexpr double kFlat = 1e-6;
/// Distances are equal within this share.
constexpr double kAsFar = 1e-9;

void find_neighbours(Arena& arena) {
  const std::size_t n = arena.mass.size();
  arena.first_neighbour.assign(n + 1, 0);
  for (const Spring& s : arena.springs) {
    ++arena.first_neighbour[at(s.a) + 1];
    ++arena.first_neighbour[at(s.b) + 1];
  }
  for (std::size_t i = 0; i < n; ++i) arena.first_neighbour[i + 1] += arena.first_neighbour[i];
  arena.neighbours.resize(2 * arena.springs.size());
  std::vector<int> next(arena.first_neighbour.begin(), arena.first_neighbour.end() - 1);
  for (const Spring& s : arena.springs) {
    arena.neighbours[at(next[at(s.a)]++)] = s.b;
    arena.neighbours[at(next[at(s.b)]++)] = s.a;
  }
  for (std::size_t i = 0; i < n; ++i)
    std::sort(arena.neighbours.begin() + arena.first_neighbour[i],
              arena.neighbours.begin() + arena.first_neighbour[i + 1]);
}

/// The joined molecules that lie farthest and deepest in the body at rest: the same ones however it
/// is deformed, so that friction does not jump from one to another.
Helpers helpers_of(const Arena& arena, int point) {
  const std::span<const int> joined = arena.joined(point);
  const Vec3& own = arena.rest[at(point)];
  Vec3 inward = Vec3::Zero();
  for (const int j : joined) inward += arena.rest[at(j)] - own;
  if (!joined.empty()) inward /= static_cast<double>(joined.size());
  Helpers out;
  std::array<double, std::tuple_size_v<decltype(out.point)>> worth{};
  for (const int j : joined) {
    const Vec3 way = arena.rest[at(j)] - own;
    const double length = way.norm(),
                 depth = inward.norm() > kFlat * length ? inward.normalized().dot(way) : 0.0;
    const double value = length * (length + depth);
    auto place = at(out.count);
    while (place > 0 && value > (1.0 + kAsFar) * worth[place - 1]) --place;
    if (place >= worth.size()) continue;
    for (std::size_t k = std::min(at(out.count), worth.size() - 1); k > place; --k) {
      out.point[k] = out.point[k - 1];
      worth[k] = worth[k - 1];
    }
    out.point[place] = j;
    worth[place] = value;
    out.count = std::min(out.count + 1, static_cast<int>(worth.size()));
  }
  return out;
}

void find_helpers(Arena& arena) {
  arena.helpers.clear();
  for (int i = 0; i < arena.size(); ++i) arena.helpers.push_back(helpers_of(arena, i));
}

// every molecule shares its mass equally among its springs; fixed ones have endless mass
void share_masses(Arena& arena) {
  const auto inverse_share = [&](int point) {
    return arena.inverse_mass[at(point)] * static_cast<double>(arena.joined(point).size());
  };
  for (Spring& s : arena.springs) {
    const double inverse = inverse_share(s.a) + inverse_share(s.b);
    s.shared_mass = inverse > 0.0 ? 1.0 / inverse : 0.0;
  }
}

void cut_blocks(Arena& arena) {
  const int n = arena.size();
  arena.blocks.clear();
  arena.ends.clear();
  arena.stiffness.clear();
  arena.rest_length.clear();
  for (const Spring& s : arena.springs) {
    arena.ends.push_back({s.a, s.b, -1});
    arena.stiffness.push_back(s.stiffness);
    arena.rest_length.push_back(s.length);
  }
  arena.crossings = 0;
  int spring = 0;
  const int springs = static_cast<int>(arena.springs.size());
  for (int first = 0; first < std::max(n, 1); first += kBlock) {
    Block block{first, std::min(first + kBlock, n), spring, spring, {}};
    while (spring < springs && arena.springs[at(spring)].a < block.last) ++spring;
    block.last_spring = spring;
    arena.blocks.push_back(block);
  }
  for (int s = 0; s < springs; ++s) {
    const int home = arena.springs[at(s)].a / kBlock, away = arena.springs[at(s)].b / kBlock;
    if (home == away) continue;
    arena.ends[at(s)].crossing = arena.crossings;
    arena.blocks[at(away)].incoming.push_back({arena.crossings, arena.springs[at(s)].b});
    ++arena.crossings;
  }
}

}  // namespace

bool Arena::are_joined(int a, int b) const {
  const std::span<const int> all = joined(a);
  return std::binary_search(all.begin(), all.end(), b);
}

void find_corners(Arena& arena) {
  arena.edges.clear();
  for (const auto& body : arena.surface) {
    auto& edges = arena.edges.emplace_back();
    for (const auto& t : body)
      for (std::size_t k = 0; k < 3; ++k)
        edges.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  }
  arena.first_corner.assign(arena.mass.size() + 1, 0);
  for (const auto& body : arena.surface)
    for (const auto& triangle : body)
      for (const int corner : triangle) ++arena.first_corner[at(corner) + 1];
  for (std::size_t i = 0; i < arena.mass.size(); ++i)
    arena.first_corner[i + 1] += arena.first_corner[i];
  arena.corner_of.resize(at(arena.first_corner.back()));
  std::vector<int> next(arena.first_corner.begin(), arena.first_corner.end() - 1);
  for (const auto& body : arena.surface)
    for (std::size_t t = 0; t < body.size(); ++t)
      for (const int corner : body[t])
        arena.corner_of[at(next[at(corner)]++)] = static_cast<int>(t);
}

void connect(Arena& arena) {
  for (Spring& s : arena.springs)
    if (s.a > s.b) std::swap(s.a, s.b);
  std::sort(arena.springs.begin(), arena.springs.end(),
            [](const Spring& p, const Spring& q) { return p.a != q.a ? p.a < q.a : p.b < q.b; });
  find_neighbours(arena);
  find_helpers(arena);
  share_masses(arena);
  cut_blocks(arena);
}

}  // namespace repose::molecule
