#pragma once

#include <array>

#include "arena.h"
#include "balance.h"
#include "propose.h"

namespace repose::place {

/// Why a step was not taken.
enum class Failure { none, restore, energy, blocked, budget };
inline constexpr std::size_t kFailures = 5;
const char* to_text(Failure failure);

SearchSettings search_settings(const Arena& arena, const Pairing& pair, const PlaceSettings& s,
                               double within);

/// Rows of every pair nearer than the step can bring them, and those that `extra` lead to.
std::vector<Row> gather_rows(const Arena& arena, const Places& places, const PlaceSettings& s,
                             double epsilon, std::span<const Seed> extra);

/// Two curved bodies touch along a curve: gaps below the settling gap are beyond what can be
/// proven.
bool curve_contact(const Arena& arena, std::span<const Row> rows,
                   const std::vector<bool>& touching);

/// Moves the bodies by the least motion until every row keeps its gap; new rows are taken in.
struct Restored {
  bool kept = false;
  bool bent = false;  // corrected where it ended
  Places places;
  std::vector<Row> rows;
};
Restored restore(const Arena& arena, const Problem& problem, const Places& from,
                 std::span<const Row> rows, const Proposal& proposal, const PlaceSettings& s,
                 double gap);

/// Proves the way of all bodies free; on failure the seeds of rows that were missed.
struct Proof {
  Passage passage = Passage::free;
  double time = 0.0;  // share of the way at which it failed
  std::vector<Seed> seeds;
  long tests = 0;
};
Proof prove_way(const Arena& arena, const Problem& problem, const Places& from, const Places& to,
                std::span<const Row> rows_from, std::span<const Row> rows_to,
                const PlaceSettings& s, double gap);

}  // namespace repose::place
