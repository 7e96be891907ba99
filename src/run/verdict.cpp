#include "repose/run/verdict.h"

#include "repose/base/check.h"

namespace repose {

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
  REPOSE_CHECK(false, "unknown answer");
}

Verdict judge(const Problem&, const State&, const VerdictSettings&) {
  Verdict out;
  out.why = "no independent judge looked at this state";
  return out;
}

}  // namespace repose
