#include "cells.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "repose/base/hash.h"
#include "repose/base/random.h"
#include "repose/math/pose.h"

#include "kinds.h"

namespace repose::matrix {

namespace {

constexpr int kPoured = 50, kMixed = 200;  // bodies
constexpr double kFrictions[] = {0.5, 0.0};
constexpr const char* kMixedName = "mixed";

/// Room that bodies come to lie in, over that of the balls around them.
constexpr double kRoomOfBalls = 1.7;

template <class Kind>
const Kind& named(std::span<const Kind> kinds, const std::string& name) {
  return *std::find_if(kinds.begin(), kinds.end(),
                       [&](const Kind& kind) { return name == kind.name; });
}

/// The parts of `pattern` are the first of `name`, or *.
bool begins_as(const std::string& name, const std::string& pattern) {
  std::size_t n = 0, p = 0;
  while (p < pattern.size()) {
    if (n > name.size()) return false;
    const std::size_t name_end = std::min(name.find('/', n), name.size());
    const std::size_t pattern_end = std::min(pattern.find('/', p), pattern.size());
    const std::string part = pattern.substr(p, pattern_end - p);
    if (part != "*" && part != name.substr(n, name_end - n)) return false;
    n = name_end + 1;
    p = pattern_end + 1;
  }
  return true;
}

std::uint64_t seed_of(const Cell& cell, std::uint64_t seed) {
  Random mixed(seed);
  std::uint64_t out = mixed.bits();
  for (const char c : cell.name()) out = Random(out ^ static_cast<std::uint64_t>(c)).bits();
  return out >> 16;  // a whole number that JSON holds
}

std::string head(const std::string& method, double friction, const std::string& fixed) {
  return fmt::format(
      R"({{"repose": 1, "method": {{{}}},
"materials": {{"stone": {{"friction": {}, "color": [0.6, 0.57, 0.52]}}, "clay": {{"density": 1000, "friction": {}, "color": [0.75, 0.36, 0.2]}}}},
"bodies": [
{{"name": "ground", "shape": {{"kind": "half_space"}}, "fixed": true, "role": "ground", "material": "stone"}}{}{})",
      method, friction, friction, fixed.empty() ? "" : ",\n", fixed);
}

/// Uniformly turned, above the fixed body and a little beside its axis.
std::string placement(const Cell& cell) {
  constexpr double kBeside = 0.02, kClear = 0.005, kHigher = 0.02;  // m
  const Moving& moving = named(moving_kinds(), cell.moving);
  const Fixed& fixed = named(fixed_kinds(), cell.fixed);
  Random random(cell.seed);
  const Quat turn = random_rotation(random);
  const double x = random.between(-kBeside, kBeside), y = random.between(-kBeside, kBeside);
  const double z = fixed.top + moving.radius + random.between(kClear, kHigher);
  return head(R"("kind": "place")", cell.friction, fixed.bodies(1.0)) +
         fmt::format(
             R"(,
{{"name": "{}", "shape": {}, "material": "clay", "position": [{}, {}, {}], "orientation_wxyz": [{}, {}, {}, {}]}}
]}}
)",
             cell.moving, moving.shape(), x, y, z, turn.w(), turn.x(), turn.y(), turn.z());
}

double ball_volume(double radius) {
  return 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3);
}

/// In the hollow and above it; over a terrain, which encloses none, in a box above it.
std::string arrangement(const Fixed& fixed, double scale, double balls) {
  if (*fixed.container != '\0')
    return fmt::format(R"("kind": "pour", "container": [{}])", fixed.container);
  constexpr double kHalfWidth = 0.1, kFilled = 0.15;  // m; of the box, by balls around bodies
  const double half = kHalfWidth * scale, low = fixed.top * scale;
  return fmt::format(R"("kind": "scatter", "low": [-{0}, -{0}, {1}], "high": [{0}, {0}, {2}])",
                     half, low, low + balls / (kFilled * 4.0 * half * half));
}

std::string poured(const Moving& moving, const std::string& arrangement, int count,
                   std::uint64_t seed) {
  return fmt::format(
      R"({{"name": "{}", "body": {{"shape": {}, "material": "clay"}}, "arrange": {{{}, "count": {}, "seed": {}, "clearance": 0.0005, "turn": true}}}})",
      moving.name, moving.shape(), arrangement, count, seed);
}

/// How many of each kind are poured: parallel to moving_kinds().
std::vector<int> counts(const Cell& cell) {
  const auto kinds = moving_kinds();
  std::vector<int> out(kinds.size(), 0);
  for (std::size_t k = 0; k < kinds.size(); ++k)
    if (cell.moving == kinds[k].name) out[k] = kPoured;
  for (int k = 0; cell.moving == kMixedName && k < kMixed; ++k)
    ++out[static_cast<std::size_t>(k) % out.size()];
  return out;
}

/// The container is as large as they need.
std::string pour(const Cell& cell) {
  const Fixed& fixed = named(containers(), cell.fixed);
  const auto kinds = moving_kinds();
  const std::vector<int> count = counts(cell);
  double balls = 0.0;  // m^3
  for (std::size_t k = 0; k < kinds.size(); ++k) balls += count[k] * ball_volume(kinds[k].radius);
  const double scale = std::cbrt(kRoomOfBalls * balls / fixed.hollow);
  const std::string where = arrangement(fixed, scale, balls);
  std::vector<std::string> sets;
  for (std::size_t k = 0; k < kinds.size(); ++k)
    if (count[k] > 0) sets.push_back(poured(kinds[k], where, count[k], cell.seed + k));
  const std::string method = fmt::format(R"("kind": "pile", "friction": {})", cell.friction > 0.0);
  return head(method, cell.friction, fixed.bodies(scale)) +
         fmt::format("\n],\n\"instances\": [\n{}\n]}}\n", fmt::join(sets, ",\n"));
}

}  // namespace

std::string Cell::name() const {
  return method == "pile" ? fmt::format("{}/{}/{}/{}/{}", method, moving, fixed, friction, start)
                          : fmt::format("{}/{}/{}/{}", method, moving, fixed, start);
}

std::vector<Cell> cells(const Wanted& wanted) {
  std::vector<Cell> out;
  const auto add = [&](Cell cell) {
    if (!begins_as(cell.name(), wanted.only)) return;
    cell.seed = seed_of(cell, wanted.seed);
    out.push_back(std::move(cell));
  };
  for (int start = 0; wanted.place && start < wanted.starts; ++start)
    for (const Moving& moving : moving_kinds())
      for (const Fixed& fixed : fixed_kinds())
        add({"place", moving.name, fixed.name, 0.0, start, 0});
  if (!wanted.pile) return out;
  for (const double friction : kFrictions) {
    for (const Moving& moving : moving_kinds())
      for (const Fixed& container : containers())
        add({"pile", moving.name, container.name, friction, 0, 0});
    add({"pile", kMixedName, containers().front().name, friction, 0, 0});
  }
  return out;
}

std::string scene_text(const Cell& cell) {
  return cell.method == "pile" ? pour(cell) : placement(cell);
}

}  // namespace repose::matrix
