#pragma once

#include <limits>

namespace repose::prove {

/// What is known of a claim.
enum class Answer { proven, missed, undecided, not_judged };
const char* to_text(Answer answer);

/// A number known to lie between two others, rounding included. Answers are made from brackets
/// alone, and nothing but numbers makes one.
class Bracket {
 public:
  /// Nothing is known.
  Bracket() = default;
  /// A bound that is not a number tells nothing; two that contradict each other tell nothing
  /// either.
  Bracket(double lower, double upper);

  double lower() const { return lower_; }
  double upper() const { return upper_; }

 private:
  double lower_ = -std::numeric_limits<double>::infinity();
  double upper_ = std::numeric_limits<double>::infinity();
};

/// proven: the number is `least` or more; missed: it is surely less. Undecided where `least` is
/// not a number.
Answer at_least(const Bracket& number, double least);
/// proven: the number is `most` or less; missed: it is surely more.
Answer at_most(const Bracket& number, double most);

/// The claims together: missed where one is, proven only where both are. One that was not judged
/// leaves the other as it is.
Answer both(Answer a, Answer b);

/// What is known of the signed gap of two bodies.
enum class GapStatus {
  closed,     // upper - lower within the width asked for
  apart,      // lower is at least what was asked for
  overlap,    // certified overlap, its depth not closed further
  undecided,  // the search ended first; lower and upper hold, but leave room
  unjudged,   // the pair cannot meet (layers, collides) or holds a kind that has no gap
};
const char* to_text(GapStatus status);

/// From a bracket of the gap: closed where no wider than `width`, apart from `enough` on, an
/// overlap below -`deep`; all in metres.
struct GapGoal {
  double width, deep, enough;
};
GapStatus gap_status(const Bracket& gap, const GapGoal& goal);

}  // namespace repose::prove
