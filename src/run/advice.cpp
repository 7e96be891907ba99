#include "repose/run/advice.h"

#include <array>

namespace repose {

namespace {

/// Of one method; the last row is for all others.
struct MethodAdvice {
  const char* method;
  const char* text;
};

template <std::size_t Rows>
std::string for_method(const std::array<MethodAdvice, Rows>& rows, const std::string& method) {
  for (const MethodAdvice& row : rows)
    if (row.method == method) return row.text;
  return rows.back().text;
}

constexpr std::array kStuck = {
    MethodAdvice{"place",
                 "another start, a little higher or turned; friction, where there is "
                 "none; sharp edges in curved hollows end so most often"},
    MethodAdvice{"", "another start, a little higher or turned"}};

constexpr std::array kUnbalanced = {
    MethodAdvice{"place", "more steps (--steps); a start from which it cannot slide off"},
    MethodAdvice{"pile",
                 "friction (--set pile.friction=true): without any a heap may creep on for "
                 "ever"},
    MethodAdvice{
        "molecule",
        "touching bodies nearer to each other, so that the judge finds their contact (--set "
        "molecule.contact_gap=..., its least); else a longer run"},
    MethodAdvice{"", "a longer run, so that it comes to rest"}};

std::string end_advice(const RunResult& r) {
  if (!r.outcome.last.remedy.empty()) return r.outcome.last.remedy;
  if (r.outcome.status == RunStatus::stuck) return for_method(kStuck, r.method);
  if (r.outcome.why.find("interrupted") != std::string::npos)
    return "go on where it stopped: repose run --resume DIR";
  return "more steps (--steps, or limits in the scene); the figure in brackets tells how far from "
         "rest it was";
}

std::string overlap_advice(const RunResult& r) {
  if (r.verdict.overlap == check::Answer::undecided)
    return "look at the pair with repose check DIR; close the mesh, or use the shape by name "
           "instead of a mesh of it";
  if (r.method == "still") return "move one of the two";
  return "nothing: this is a fault of ours. Please report it with the scene";
}

}  // namespace

const char* in_words(RunStatus status) {
  switch (status) {
    case RunStatus::rest:
      return "at rest";
    case RunStatus::metastable:
      return "at rest, but a small push lets it move for good";
    case RunStatus::finished:
      return "finished";
    case RunStatus::stuck:
      return "stuck before it came to rest";
    case RunStatus::jammed:
      return "jammed";
    case RunStatus::stopped:
      return "stopped before its end";
    case RunStatus::moving:
      break;
  }
  return "still moving";
}

std::string advice(const Promise& missed, const RunResult& r) {
  if (missed.name == kComesToItsEnd) return end_advice(r);
  if (missed.name == kNoOverlapAtLast) return overlap_advice(r);
  if (missed.name == kBalanceAtRest) return for_method(kUnbalanced, r.method);
  if (r.method == "mechanism") return "a shorter step (--set mechanism.step_time=...)";
  return "shorter steps, or softer materials and slower bodies";
}

}  // namespace repose
