#pragma once

#include <string>
#include <vector>

namespace repose::handover {

/// What became of the helper program.
struct CadAnswer {
  enum class End { done, refused, fell_over, too_slow, too_large, missing };
  End end = End::missing;
  std::string text;  // what it wrote
};

/// Runs repose-cad with these words and `input` on its standard input. It limits its own memory and
/// processor time; it is ended after kMostWait and when it writes more than kMostBytes.
CadAnswer run_cad(const std::vector<std::string>& words, const std::string& input = {});

}  // namespace repose::handover
