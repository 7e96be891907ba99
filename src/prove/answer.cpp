#include "repose/prove/answer.h"

namespace repose::prove {

const char* to_text(Answer answer) {
  switch (answer) {
    case Answer::proven:
      return "proven";
    case Answer::missed:
      return "missed";
    case Answer::undecided:
      return "undecided";
    case Answer::not_judged:
      return "not judged";
  }
  return "undecided";
}

const char* to_text(GapStatus status) {
  switch (status) {
    case GapStatus::closed:
      return "closed";
    case GapStatus::apart:
      return "apart";
    case GapStatus::overlap:
      return "overlap";
    case GapStatus::undecided:
      return "undecided";
    case GapStatus::unjudged:
      return "unjudged";
  }
  return "undecided";
}

// Comparisons are written so that a number that is none fails them.

Bracket::Bracket(double lower, double upper) {
  if (lower > upper) return;
  if (lower <= std::numeric_limits<double>::infinity()) lower_ = lower;
  if (upper >= -std::numeric_limits<double>::infinity()) upper_ = upper;
}

Answer at_least(const Bracket& number, double least) {
  if (number.lower() >= least) return Answer::proven;
  if (number.upper() < least) return Answer::missed;
  return Answer::undecided;
}

Answer at_most(const Bracket& number, double most) {
  if (number.upper() <= most) return Answer::proven;
  if (number.lower() > most) return Answer::missed;
  return Answer::undecided;
}

Answer both(Answer a, Answer b) {
  if (a == Answer::not_judged) return b;
  if (b == Answer::not_judged) return a;
  if (a == Answer::missed || b == Answer::missed) return Answer::missed;
  if (a == Answer::proven && b == Answer::proven) return Answer::proven;
  return Answer::undecided;
}

GapStatus gap_status(const Bracket& gap, const GapGoal& goal) {
  if (at_least(gap, goal.enough) == Answer::proven) return GapStatus::apart;
  if (gap.upper() - gap.lower() <= goal.width) return GapStatus::closed;
  if (gap.upper() < -goal.deep) return GapStatus::overlap;
  return GapStatus::undecided;
}

}  // namespace repose::prove
