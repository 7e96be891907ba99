#pragma once

#include "fuzz/driver.h"

namespace repose::fuzz {

/// Inputs past this are cut: hostile size is the campaign's matter, not the mutations'.
inline constexpr std::size_t kMostBytes = std::size_t{1} << 20;

/// One to eight changes: bits, bytes, numbers, words, pieces cut, doubled, moved, or taken from
/// another seed. The same random source makes the same input.
void mutate(const Target& target, Bytes& input, Random& random);

}  // namespace repose::fuzz
