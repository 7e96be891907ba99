#include "crossings.h"

#include <algorithm>

namespace repose::place {
namespace {

/// One of the two edges of a row, seen from its body.
struct EdgeOfRow {
  const Feature* edge;
  int feature, other;  // its own, that of the edge it crosses
  double at;           // its parameter
  Vec3 up;             // towards the other body, body frame
};

EdgeOfRow of_p(const Posed& p, const Row& r) {
  return {&p.surface->feature(r.at.feature_p), r.at.feature_p, r.at.feature_q, r.at.uv_p.x(),
          p.rotation.transpose() * -r.normal};
}
EdgeOfRow of_q(const Posed& q, const Row& r) {
  return {&q.surface->feature(r.at.feature_q), r.at.feature_q, r.at.feature_p, r.at.uv_q.x(),
          q.rotation.transpose() * r.normal};
}

struct End {
  Vec3 point, away;  // body frame; along the edge from there, no unit
};
End end_of(const Feature& edge, bool high) {
  const PointJet jet = point_jet(edge, Vec2(high ? edge.domain.u1 : edge.domain.u0, 0.0));
  return {jet.s, high ? Vec3(-jet.si[0]) : jet.si[0]};
}

/// The end that the row's edge is at.
std::optional<End> end_at(const EdgeOfRow& e) {
  if (e.edge->wrap_u) return std::nullopt;
  if (e.at >= e.edge->domain.u1) return end_of(*e.edge, true);
  if (e.at <= e.edge->domain.u0) return end_of(*e.edge, false);
  return std::nullopt;
}

/// `partner` begins at the end and rises over the line of `row`'s edge.
bool rises_from(const EdgeOfRow& row, const End& end, const EdgeOfRow& partner) {
  if (partner.other != row.other || partner.feature == row.feature || partner.edge->wrap_u)
    return false;
  for (const bool high : {false, true}) {
    const End other = end_of(*partner.edge, high);
    if (other.point == end.point) return row.up.dot(other.away) >= 0.0;
  }
  return false;
}

bool same_pair(const Row& a, const Row& b) {
  return a.at.p == b.at.p && a.at.q == b.at.q;
}

/// The row that holds where this one's edge has ended; -1: none.
int partner_of(const Posed& p, const Posed& q, const Row& row, const std::vector<Row>& rows) {
  const auto end_p = end_at(of_p(p, row)), end_q = end_at(of_q(q, row));
  if (end_p.has_value() == end_q.has_value()) return -1;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!same_pair(rows[k], row) || rows[k].beyond > 0.0) continue;
    const bool rises = end_p ? rises_from(of_p(p, row), *end_p, of_p(p, rows[k]))
                             : rises_from(of_q(q, row), *end_q, of_q(q, rows[k]));
    if (rises) return static_cast<int>(k);
  }
  return -1;
}

}  // namespace

std::vector<Row> bearing_crossings(const Posed& p, const Posed& q, const std::vector<Row>& rows,
                                   const ValleySettings& settings) {
  std::vector<Row> out = rows;
  std::vector<bool> holds(rows.size(), true);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int partner = partner_of(p, q, rows[i], rows);
    holds[i] = rows[i].beyond == 0.0 || partner >= 0;
    if (partner < 0) continue;
    out[i].at.beyond = out[static_cast<std::size_t>(partner)].at.beyond = settings.rising;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < out.size(); ++i)
    if (holds[i]) out[kept++] = out[i];
  out.resize(kept);
  return out;
}

bool edges_bear(const Posed& p, const Row& corner, const std::vector<Row>& rows) {
  const Vec3& at = p.surface->feature(corner.at.feature_p).point;
  return std::any_of(rows.begin(), rows.end(), [&](const Row& r) {
    if (!(r.at.beyond > 0.0)) return false;
    const bool same = same_pair(r, corner), swapped = r.at.p == corner.at.q;
    if (!same && !(swapped && r.at.q == corner.at.p)) return false;
    const int own = same ? r.at.feature_p : r.at.feature_q;
    const int other = same ? r.at.feature_q : r.at.feature_p;
    const Feature& edge = p.surface->feature(own);
    if (other != corner.at.feature_q || edge.kind != FeatureKind::curve || edge.wrap_u)
      return false;
    return end_of(edge, false).point == at || end_of(edge, true).point == at;
  });
}

}  // namespace repose::place
