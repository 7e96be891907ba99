#include <fmt/format.h>

#include "repose/shape/patches.h"

#include "shape/define/build_solid.h"
#include "shape/define/vanishing.h"

namespace repose::shape {
namespace {

constexpr std::size_t kMaxPatches = 10000;

/// A patch's own error, placed within the list.
InputError within(const std::string& pointer, InputError error) {
  if (!error.pointer.empty() && error.pointer[0] != '/') error.pointer = "/" + error.pointer;
  error.pointer = pointer + error.pointer;
  return error;
}

}  // namespace

Result<ShapePtr> make_tube(const TubeInput& in) {
  constexpr std::size_t kMaxPoints = 10000;
  if (auto bad = check_count("/spine", in.spine.size(), in.closed ? 3 : 2, kMaxPoints)) return *bad;
  for (std::size_t i = 0; i < in.spine.size(); ++i)
    if (auto bad = check_point(fmt::format("/spine/{}", i), in.spine[i])) return *bad;
  if (in.radii.size() != 1 && in.radii.size() != in.spine.size())
    return fault("/radii", fmt::format("{} entries", in.radii.size()), "the count does not fit",
                 fmt::format("1 or {} radii", in.spine.size()));
  for (std::size_t i = 0; i < in.radii.size(); ++i)
    if (auto bad = check_length(fmt::format("/radii/{}", i), in.radii[i])) return *bad;
  auto tube = tube_patches({in.spine, in.radii, in.closed, in.cap == TubeCap::round});
  if (!tube) return within("", tube.error());
  std::vector<PatchPtr> patches{tube->side};
  patches.insert(patches.end(), tube->begin_cap.begin(), tube->begin_cap.end());
  patches.insert(patches.end(), tube->end_cap.begin(), tube->end_cap.end());
  return build_solid(ShapeKind::tube, patches, {}, "/spine");
}

namespace {

std::optional<InputError> check_normal(const std::string& pointer, const Patch& patch) {
  const auto at = vanishing_normal(patch);
  if (!at) return std::nullopt;
  return fault(pointer, fmt::format("(u, v) = ({:.6g}, {:.6g})", at->x(), at->y()),
               "the surface's normal vanishes there",
               "a patch whose derivatives along u and v span a plane everywhere inside");
}

}  // namespace

Result<ShapePtr> make_bezier(const BezierInput& in) {
  if (auto bad = check_count("/patches", in.patches.size(), 1, kMaxPatches)) return *bad;
  std::vector<PatchPtr> patches;
  for (std::size_t i = 0; i < in.patches.size(); ++i) {
    const std::string here = fmt::format("/patches/{}", i);
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k)
        if (auto bad = check_point(fmt::format("{}/{}/{}", here, j, k), in.patches[i][j][k]))
          return *bad;
    auto patch = bezier_patch(in.patches[i]);
    if (!patch) return within(here, patch.error());
    if (auto bad = check_normal(here, **patch)) return *bad;
    patches.push_back(*patch);
  }
  return build_solid(ShapeKind::bezier, patches, in.sew, "/patches");
}

Result<ShapePtr> make_bspline(const BsplineInput& in) {
  if (auto bad = check_count("/patches", in.patches.size(), 1, kMaxPatches)) return *bad;
  std::vector<PatchPtr> patches;
  for (std::size_t i = 0; i < in.patches.size(); ++i) {
    const BsplinePatchInput& p = in.patches[i];
    auto cells =
        bspline_patches({p.degree_u, p.degree_v, p.knots_u, p.knots_v, p.points, p.weights});
    if (!cells) return within(fmt::format("/patches/{}", i), cells.error());
    for (const PatchPtr& cell : *cells)
      if (auto bad = check_normal(fmt::format("/patches/{}", i), *cell)) return *bad;
    patches.insert(patches.end(), cells->begin(), cells->end());
  }
  return build_solid(ShapeKind::bspline, patches, in.sew, "/patches");
}

Result<ShapePtr> make_formula(const FormulaInput& in) {
  if (auto bad = check_count("/patches", in.patches.size(), 1, kMaxPatches)) return *bad;
  std::vector<PatchPtr> patches;
  for (std::size_t i = 0; i < in.patches.size(); ++i) {
    const FormulaPatchInput& p = in.patches[i];
    auto patch = formula_patch({p.x, p.y, p.z, in.parameters, {p.u0, p.u1, p.v0, p.v1}});
    if (!patch) return within(fmt::format("/patches/{}", i), patch.error());
    if (auto bad = check_normal(fmt::format("/patches/{}", i), **patch)) return *bad;
    patches.push_back(*patch);
  }
  return build_solid(ShapeKind::formula, patches, in.sew, "/patches");
}

}  // namespace repose::shape
