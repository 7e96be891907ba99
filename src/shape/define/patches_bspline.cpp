#include <algorithm>

#include <fmt/format.h>

#include "repose/shape/patches.h"

#include "shape/define/bezier_cell.h"
#include "shape/define/seams.h"
#include "shape/define/validate.h"

namespace repose::shape {
namespace {

constexpr double kLeastWeight = 1e-6, kLargestWeight = 1e6;
/// Control points of one spline; more is a mistake of the file.
constexpr std::size_t kMostPoints = 4'000'000;
constexpr int kSmooth = 2;  // times continuously differentiable, within one patch

/// Bezier cells in a grid, v running fastest, between the given lines.
class CellPatch final : public Patch {
 public:
  CellPatch(std::vector<double> lines_u, std::vector<double> lines_v, std::vector<BezierCell> cells)
      : lines_u_(std::move(lines_u)), lines_v_(std::move(lines_v)), cells_(std::move(cells)) {}

  /// Looks for seams; after that the patch does not change.
  void find_seams() {
    closed_u_ = meets_itself_along_u(*this);
    closed_v_ = meets_itself_along_v(*this);
  }

  UvBox domain() const override {
    return {lines_u_.front(), lines_u_.back(), lines_v_.front(), lines_v_.back()};
  }
  PatchJet jet(double u, double v) const override {
    return to_jet(cell(cell_at(lines_u_, u), cell_at(lines_v_, v)).terms(u, v));
  }
  PatchEnclosure enclose(const UvBox& box) const override {
    const std::size_t i0 = cell_at(lines_u_, box.u0), i1 = cell_at(lines_u_, box.u1);
    const std::size_t j0 = cell_at(lines_v_, box.v0), j1 = cell_at(lines_v_, box.v1);
    PatchEnclosure out;
    for (std::size_t i = i0; i <= i1; ++i)
      for (std::size_t j = j0; j <= j1; ++j) {
        const BezierCell& part = cell(i, j);
        const UvBox& whole = part.box();
        const auto e =
            to_enclosure(part.terms(UvBox{std::max(box.u0, whole.u0), std::min(box.u1, whole.u1),
                                          std::max(box.v0, whole.v0), std::min(box.v1, whole.v1)}));
        out = i == i0 && j == j0 ? e : joined(out, e);
      }
    return out;
  }
  bool closed_u() const override { return closed_u_; }
  bool closed_v() const override { return closed_v_; }

 private:
  static std::size_t cell_at(const std::vector<double>& lines, double t) {
    const auto after = std::upper_bound(lines.begin(), lines.end(), t) - lines.begin();
    return static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(after - 1, 0, static_cast<std::ptrdiff_t>(lines.size()) - 2));
  }
  const BezierCell& cell(std::size_t i, std::size_t j) const {
    return cells_[i * (lines_v_.size() - 1) + j];
  }
  static PatchEnclosure joined(const PatchEnclosure& a, const PatchEnclosure& b) {
    PatchEnclosure out;
    for (std::size_t k = 0; k < 3; ++k) {
      out.s[k] = hull(a.s[k], b.s[k]);
      out.su[k] = hull(a.su[k], b.su[k]);
      out.sv[k] = hull(a.sv[k], b.sv[k]);
      out.suu[k] = hull(a.suu[k], b.suu[k]);
      out.suv[k] = hull(a.suv[k], b.suv[k]);
      out.svv[k] = hull(a.svv[k], b.svv[k]);
    }
    return out;
  }

  std::vector<double> lines_u_, lines_v_;
  std::vector<BezierCell> cells_;
  bool closed_u_ = false, closed_v_ = false;
};

/// One direction of the spline: its distinct lines, and where it must be cut.
struct Direction {
  int degree;
  const std::vector<double>& knots;
  std::vector<std::size_t> spans;  // index of each non-empty knot span in the domain
  std::vector<bool> cut_before;    // of each span: the line before it is not smooth

  Direction(int p, const std::vector<double>& t) : degree(p), knots(t) {
    const auto first = static_cast<std::size_t>(p);
    std::size_t multiplicity = 0;
    for (std::size_t i = first; i + first + 1 < t.size(); ++i) {
      ++multiplicity;
      if (t[i] == t[i + 1]) continue;
      spans.push_back(i);
      cut_before.push_back(spans.size() > 1 && p - static_cast<int>(multiplicity) < kSmooth);
      multiplicity = 0;
    }
  }
};

/// The Bezier coefficients over one span from the degree + 1 B-spline coefficients that reach it:
/// the polynomial's blossom at the span's two ends, by de Boor's scheme.
std::vector<Homogeneous<double>> bezier_row(const Direction& direction, std::size_t span,
                                            const std::vector<Homogeneous<double>>& row) {
  const auto p = static_cast<std::size_t>(direction.degree);
  const std::vector<double>& t = direction.knots;
  std::vector<Homogeneous<double>> out(p + 1), d(p + 1);
  for (std::size_t m = 0; m <= p; ++m) {
    d = row;
    for (std::size_t r = 1; r <= p; ++r) {
      const double x = r <= m ? t[span + 1] : t[span];
      for (std::size_t j = p; j >= r; --j) {
        const std::size_t k = span - p + j;
        const double alpha = (x - t[k]) / (t[k + p - r + 1] - t[k]);
        for (std::size_t c = 0; c < 4; ++c) d[j][c] = (1.0 - alpha) * d[j - 1][c] + alpha * d[j][c];
      }
    }
    out[m] = d[p];
  }
  return out;
}

Net<double> bezier_net(const Bspline& in, const Direction& du, std::size_t span_u,
                       const Direction& dv, std::size_t span_v) {
  const auto p = static_cast<std::size_t>(du.degree), q = static_cast<std::size_t>(dv.degree);
  // along v for each of the rows this cell reads, then along u
  std::vector<std::vector<Homogeneous<double>>> columns(q + 1,
                                                        std::vector<Homogeneous<double>>(p + 1));
  std::vector<Homogeneous<double>> row(q + 1);
  for (std::size_t i = 0; i <= p; ++i) {
    for (std::size_t j = 0; j <= q; ++j) {
      const std::size_t a = span_u - p + i, b = span_v - q + j;
      const double w = in.weights.empty() ? 1.0 : in.weights[a][b];
      const Vec3& x = in.points[a][b];
      row[j] = {w * x[0], w * x[1], w * x[2], w};
    }
    const auto bezier = bezier_row(dv, span_v, row);
    for (std::size_t j = 0; j <= q; ++j) columns[j][i] = bezier[j];
  }
  Net<double> net{du.degree, dv.degree, std::vector<Homogeneous<double>>((p + 1) * (q + 1))};
  for (std::size_t j = 0; j <= q; ++j) {
    const auto bezier = bezier_row(du, span_u, columns[j]);
    for (std::size_t i = 0; i <= p; ++i)
      net.at(static_cast<int>(i), static_cast<int>(j)) = bezier[i];
  }
  return net;
}

Fault check_knots(const char* name, const std::vector<double>& knots, int degree,
                  std::size_t points) {
  const auto p = static_cast<std::size_t>(degree);
  const auto wrong = [&](std::string value, const char* what, std::string right) {
    return fault("/" + std::string(name), std::move(value), what, std::move(right));
  };
  if (points < p + 1)
    return wrong(fmt::format("{} points", points), "too few points for the degree",
                 fmt::format("at least {}", p + 1));
  if (knots.size() != points + p + 1)
    return wrong(fmt::format("{} knots", knots.size()), "wrong number of knots",
                 fmt::format("{} (points + degree + 1)", points + p + 1));
  std::size_t run = 0;
  for (std::size_t i = 0; i < knots.size(); ++i) {
    if (!(std::fabs(knots[i]) <= kMaxLength))
      return wrong(fmt::format("{}", knots[i]), "not a usable knot", "a finite number");
    if (i > 0 && !(knots[i] >= knots[i - 1]))
      return wrong(fmt::format("{} after {}", knots[i], knots[i - 1]), "the knots fall",
                   "knots that never fall");
    run = i > 0 && knots[i] == knots[i - 1] ? run + 1 : 1;
    const bool inner = knots[i] > knots[p] && knots[i] < knots[points];
    if (run > (inner ? p : p + 1))
      return wrong(fmt::format("{}", knots[i]), "a knot repeats too often: the surface would tear",
                   fmt::format("at most {} times", inner ? p : p + 1));
  }
  if (!(knots[p] < knots[points]))
    return wrong("", "the knots span nothing", "growing knots between the ends");
  return std::nullopt;
}

Fault check_points(const Bspline& in) {
  if (in.points.empty() || in.points[0].empty())
    return fault("/points", "", "no points", "a grid of points");
  const std::size_t columns = in.points[0].size();
  if (in.points.size() > kMostPoints / columns)
    return fault("/points", "", "too many points", fmt::format("at most {}", kMostPoints));
  const bool weighted = !in.weights.empty();
  if (weighted && in.weights.size() != in.points.size())
    return fault("/weights", "", "not the layout of the points", "one weight per point");
  for (std::size_t i = 0; i < in.points.size(); ++i) {
    if (in.points[i].size() != columns)
      return fault(fmt::format("/points/{}", i), "", "rows of different length",
                   fmt::format("{} points in each row", columns));
    if (weighted && in.weights[i].size() != columns)
      return fault(fmt::format("/weights/{}", i), "", "not the layout of the points",
                   "one weight per point");
    for (std::size_t j = 0; j < columns; ++j) {
      if (auto error = check_point(fmt::format("/points/{}/{}", i, j).c_str(), in.points[i][j]))
        return error;
      if (weighted && !(in.weights[i][j] >= kLeastWeight && in.weights[i][j] <= kLargestWeight))
        return fault(fmt::format("/weights/{}/{}", i, j), fmt::format("{}", in.weights[i][j]),
                     "not a usable weight",
                     fmt::format("a number in [{}, {}]", kLeastWeight, kLargestWeight));
    }
  }
  return std::nullopt;
}

Fault check_degree(const char* name, int degree) {
  if (degree >= 1 && degree <= kHighestDegree) return std::nullopt;
  return fault("/" + std::string(name), fmt::format("{}", degree), "not a usable degree",
               fmt::format("1 to {}", kHighestDegree));
}

/// The smooth runs of spans: [first, last] of each.
std::vector<std::pair<std::size_t, std::size_t>> runs(const Direction& direction) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (std::size_t i = 0; i < direction.spans.size(); ++i) {
    if (i == 0 || direction.cut_before[i]) out.emplace_back(i, i);
    out.back().second = i;
  }
  return out;
}

std::vector<double> lines(const Direction& direction, std::pair<std::size_t, std::size_t> run) {
  std::vector<double> out;
  for (std::size_t i = run.first; i <= run.second; ++i)
    out.push_back(direction.knots[direction.spans[i]]);
  out.push_back(direction.knots[direction.spans[run.second] + 1]);
  return out;
}

PatchPtr smooth_patch(const Bspline& in, const Direction& du, const Direction& dv,
                      std::pair<std::size_t, std::size_t> run_u,
                      std::pair<std::size_t, std::size_t> run_v) {
  const auto lines_u = lines(du, run_u), lines_v = lines(dv, run_v);
  std::vector<BezierCell> cells;
  for (std::size_t i = run_u.first; i <= run_u.second; ++i)
    for (std::size_t j = run_v.first; j <= run_v.second; ++j) {
      const std::size_t a = i - run_u.first, b = j - run_v.first;
      cells.emplace_back(bezier_net(in, du, du.spans[i], dv, dv.spans[j]),
                         UvBox{lines_u[a], lines_u[a + 1], lines_v[b], lines_v[b + 1]},
                         !in.weights.empty());
    }
  auto patch = std::make_shared<CellPatch>(lines_u, lines_v, std::move(cells));
  patch->find_seams();
  return patch;
}

}  // namespace

Result<PatchPtr> bezier_patch(const BezierNet& points) {
  Net<double> net{3, 3, {}};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      const Vec3& p = points[i][j];
      if (auto error = check_point(fmt::format("/points/{}/{}", i, j).c_str(), p)) return *error;
      net.points.push_back({p[0], p[1], p[2], 1.0});
    }
  std::vector<BezierCell> cells;
  cells.emplace_back(std::move(net), UvBox{}, false);
  auto patch = std::make_shared<CellPatch>(std::vector<double>{0.0, 1.0},
                                           std::vector<double>{0.0, 1.0}, std::move(cells));
  patch->find_seams();
  return PatchPtr(std::move(patch));
}

Result<std::vector<PatchPtr>> bspline_patches(const Bspline& in) {
  if (auto error = first_fault(check_degree("degree_u", in.degree_u),
                               check_degree("degree_v", in.degree_v), check_points(in)))
    return *error;
  if (auto error =
          first_fault(check_knots("knots_u", in.knots_u, in.degree_u, in.points.size()),
                      check_knots("knots_v", in.knots_v, in.degree_v, in.points[0].size())))
    return *error;
  const Direction du(in.degree_u, in.knots_u), dv(in.degree_v, in.knots_v);
  std::vector<PatchPtr> out;
  for (const auto& run_u : runs(du))
    for (const auto& run_v : runs(dv)) out.push_back(smooth_patch(in, du, dv, run_u, run_v));
  return out;
}

}  // namespace repose::shape
