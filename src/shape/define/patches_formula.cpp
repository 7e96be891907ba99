#include <fmt/format.h>

#include "repose/base/work.h"
#include "repose/math/expression.h"
#include "repose/shape/patches.h"

#include "shape/define/seams.h"
#include "shape/define/terms.h"
#include "shape/define/validate.h"

namespace repose::shape {
namespace {

class FormulaPatch final : public AboutPatch {
 public:
  FormulaPatch(const std::array<Expression, 3>& xyz, const UvBox& domain)
      : xyz_(xyz), domain_(domain) {}

  /// Looks for seams; after that the patch does not change.
  void find_seams() {
    closed_u_ = meets_itself_along_u(*this);
    closed_v_ = meets_itself_along_v(*this);
  }

  UvBox domain() const override { return domain_; }
  PatchJet jet(double u, double v) const override { return to_jet(terms(u, v)); }
  Vec3 point(double u, double v) const override {
    std::array<double, 3> out{};
    xyz_.evaluate(u, v, std::span<double>(out));
    return vec3(out);
  }
  PatchEnclosure enclose(const UvBox& box) const override {
    const Vec2 c = box.center();
    return narrowed(whole(box), to_enclosure(terms(Interval(c[0]), Interval(c[1]))), box);
  }
  PatchEnclosure enclose_about(const UvBox& box, const PatchJet& middle) const override {
    return narrowed(whole(box), points_of(middle), box);
  }
  bool closed_u() const override { return closed_u_; }
  bool closed_v() const override { return closed_v_; }

 private:
  PatchEnclosure whole(const UvBox& box) const {
    return to_enclosure(terms(Interval(box.u0, box.u1), Interval(box.v0, box.v1)));
  }
  template <class T>
  Terms<T> terms(T u, T v) const {
    std::array<Jet2<T>, 3> out;
    xyz_.evaluate(Jet2<T>::variable_u(u), Jet2<T>::variable_v(v), std::span<Jet2<T>>(out));
    return terms_of(out[0], out[1], out[2]);
  }

  Formulas xyz_;
  UvBox domain_;
  bool closed_u_ = false, closed_v_ = false;
};

/// The least width of a parameter's range, by itself and as a part of its larger end: below, steps
/// of a part of the range are lost in rounding.
constexpr double kLeastRange = 1e-9;

Fault check_domain(const UvBox& d) {
  const auto range = [](const char* name, double low, double high) -> Fault {
    const double size = std::max(std::fabs(low), std::fabs(high));
    if (size <= kMaxLength && high - low >= kLeastRange * std::max(size, 1.0)) return std::nullopt;
    return fault("/" + std::string(name), fmt::format("[{}, {}]", low, high), "not a usable range",
                 fmt::format("two numbers within {} of 0, the smaller first, apart by {} "
                             "and by {} of the larger or more",
                             kMaxLength, kLeastRange, kLeastRange));
  };
  return first_fault(range("u1", d.u0, d.u1), range("v1", d.v0, d.v1));
}

/// Of an enclosure, in units of WorkLimit.
constexpr int kEnclosureWork = 8;

bool finite(const PatchJet& j) {
  return j.su.allFinite() && j.sv.allFinite() && j.suu.allFinite() && j.suv.allFinite() &&
         j.svv.allFinite() && j.s.cwiseAbs().maxCoeff() <= kMaxLength;
}

bool bounded(const PatchEnclosure& e) {
  for (const IVec3* v : {&e.s, &e.su, &e.sv, &e.suu, &e.suv, &e.svv})
    for (int k = 0; k < 3; ++k)
      if (!std::isfinite((*v)[k].width())) return false;
  return true;
}

/// A place about which no enclosure is finite, however small; nothing if points and derivatives
/// are bounded everywhere, which is proven then.
std::optional<Vec2> unbounded_place(const Patch& patch) {
  constexpr int kMaxCells = 10000, kMaxHalvings = 60;
  struct Cell {
    UvBox box;
    int halvings;
  };
  std::vector<Cell> waiting{{patch.domain(), 0}};
  for (int seen = 0; !waiting.empty(); ++seen) {
    spend_work(kEnclosureWork);
    const auto [box, halvings] = waiting.back();
    waiting.pop_back();
    if (bounded(patch.enclose(box))) continue;
    const Vec2 c = box.center();
    if (seen >= kMaxCells || halvings >= kMaxHalvings) return c;
    if (halvings % 2 == 0) {
      waiting.push_back({{box.u0, c.x(), box.v0, box.v1}, halvings + 1});
      waiting.push_back({{c.x(), box.u1, box.v0, box.v1}, halvings + 1});
    } else {
      waiting.push_back({{box.u0, box.u1, box.v0, c.y()}, halvings + 1});
      waiting.push_back({{box.u0, box.u1, c.y(), box.v1}, halvings + 1});
    }
  }
  return std::nullopt;
}

/// Points and derivatives are finite on a grid that holds borders and centre, by their enclosures
/// as well (a base below zero has no power), and between its points.
Fault check_values(const Patch& patch) {
  constexpr int kGrid = 32;
  const UvBox d = patch.domain();
  const WorkStage stage("looking whether its formulas are finite");
  const auto wrong_at = [](double u, double v) {
    return fault("/x", fmt::format("u = {:.6g}, v = {:.6g}", u, v),
                 "the formulas or their derivatives are not finite there, or they jump",
                 "formulas that are smooth over the whole domain");
  };
  spend_work(kEnclosureWork * kGrid * kGrid);
  for (int i = 0; i <= kGrid; ++i)
    for (int k = 0; k <= kGrid; ++k) {
      const double u = i == kGrid ? d.u1 : d.u0 + (d.u1 - d.u0) * i / kGrid;
      const double v = k == kGrid ? d.v1 : d.v0 + (d.v1 - d.v0) * k / kGrid;
      if (!finite(patch.jet(u, v)) || !bounded(patch.enclose({u, u, v, v}))) return wrong_at(u, v);
    }
  if (const auto at = unbounded_place(patch)) return wrong_at(at->x(), at->y());
  return std::nullopt;
}

}  // namespace

Result<PatchPtr> formula_patch(const Formula& formula) {
  if (auto error = check_domain(formula.domain)) return *error;
  std::array<Expression, 3> xyz;
  const std::array<std::pair<const char*, const std::string*>, 3> texts = {
      {{"/x", &formula.x}, {"/y", &formula.y}, {"/z", &formula.z}}};
  for (std::size_t k = 0; k < 3; ++k) {
    auto parsed = Expression::parse(*texts[k].second, formula.parameters);
    if (!parsed) {
      InputError error = parsed.error();
      if (error.pointer.empty()) error.pointer = texts[k].first;
      return error;
    }
    xyz[k] = *parsed;
  }
  auto patch = std::make_shared<FormulaPatch>(xyz, formula.domain);
  if (auto error = check_values(*patch)) return *error;
  patch->find_seams();
  return PatchPtr(std::move(patch));
}

}  // namespace repose::shape
