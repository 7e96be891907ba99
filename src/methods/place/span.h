#pragma once

#include <utility>
#include <vector>

#include "free_motion.h"

namespace repose::place {

/// A span of time, and where the two bodies stand at its middle.
struct Span {
  double middle = 0.5, half = 0.5;
  Posed p, q;
};

/// Shows every piece apart over [t0, t1]. `visit(span, piece, pieces, later)` shows one apart over
/// the whole span, or puts its halves to `pieces`, or the piece to `later`, which is asked anew
/// over both halves of the span; or it ends the proof by the report's passage.
template <class Piece, class Visit>
void prove_over(double t0, double t1, const Journey& p, const Journey& q, std::vector<Piece> pieces,
                const PassageReport& report, Visit& visit) {
  const double middle = 0.5 * (t0 + t1);
  const Span span{middle, 0.5 * (t1 - t0), p.at(middle), q.at(middle)};
  std::vector<Piece> later;
  while (!pieces.empty() && report.passage == Passage::free) {
    const Piece piece = pieces.back();
    pieces.pop_back();
    visit(span, piece, pieces, later);
  }
  if (later.empty() || report.passage != Passage::free) return;
  prove_over(t0, middle, p, q, later, report, visit);
  if (report.passage == Passage::free)
    prove_over(middle, t1, p, q, std::move(later), report, visit);
}

}  // namespace repose::place
