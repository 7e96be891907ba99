#include "repose/shape/trim.h"

#include <fmt/format.h>

#include "repose/base/work.h"

#include "shape/define/build_solid.h"
#include "shape/trim/cells.h"
#include "shape/trim/split_region.h"
#include "shape/trim/surfaces.h"

namespace repose::shape {
namespace {

constexpr std::size_t kMostFaces = 20000, kMostCurves = 20000;
/// Curves of a loop meet within this share of the loop's extent.
constexpr double kLoopGap = 1e-3;

InputError within(const std::string& pointer, InputError error) {
  error.pointer = pointer + error.pointer;
  return error;
}

Result<std::vector<FlatCurve>> loop_of(const std::vector<TrimCurve>& curves,
                                       const std::string& pointer) {
  if (auto bad = check_count(pointer, curves.size(), 1, kMostCurves)) return *bad;
  std::vector<FlatCurve> out;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    auto pieces = smooth_pieces(curves[i]);
    if (!pieces) return within(fmt::format("{}/{}", pointer, i), pieces.error());
    out.insert(out.end(), pieces->begin(), pieces->end());
  }
  double extent = 0.0;
  for (const FlatCurve& c : out)
    extent = std::max({extent, (c.point(0.5) - c.begin()).norm(), (c.end() - c.begin()).norm()});
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Vec2 gap = out[(i + 1) % out.size()].begin() - out[i].end();
    if (!(gap.norm() <= kLoopGap * extent))
      return fault(pointer, fmt::format("{:.6g} apart", gap.norm()),
                   "the loop is not closed: a curve does not begin where the one before ends",
                   "curves in the order in which they follow each other");
  }
  return out;
}

/// Metres for one of u and of v, on average along the outline.
Vec2 scale_along(const Patch& surface, const FlatRegion& region) {
  constexpr int kSamples = 8;
  const UvBox box = surface.domain();
  Vec2 sum = Vec2::Zero();
  int count = 0;
  for (const FlatCurve& c : region.loops[0])
    for (int i = 0; i < kSamples; ++i, ++count) {
      const Vec2 at = c.point((i + 0.5) / kSamples);
      const PatchJet j =
          surface.jet(std::clamp(at[0], box.u0, box.u1), std::clamp(at[1], box.v0, box.v1));
      sum += Vec2(j.su.norm(), j.sv.norm());
    }
  return sum / count;
}

/// The regions between each two neighbouring lines.
std::vector<std::vector<FlatRegion>> strips(std::vector<FlatRegion> left, int axis,
                                            const std::vector<double>& lines) {
  std::vector<std::vector<FlatRegion>> out;
  for (const double at : lines) {
    std::vector<FlatRegion> below, above;
    for (const FlatRegion& region : left) {
      for (FlatRegion& r : part_beside(region, axis, at, false)) below.push_back(std::move(r));
      for (FlatRegion& r : part_beside(region, axis, at, true)) above.push_back(std::move(r));
    }
    out.push_back(std::move(below));
    left = std::move(above);
  }
  out.push_back(std::move(left));
  return out;
}

Fault add_region(const FlatRegion& region, const PatchPtr& surface, const std::string& pointer,
                 std::vector<PatchPtr>* patches) {
  const auto cells = cut_into_cells(region, scale_along(*surface, region));
  if (!cells)
    return fault(pointer, "", "the face is not cut into cells that do not fold",
                 "loops that do not cross, and corners that are not too sharp");
  spend_work(static_cast<std::int64_t>(cells->size()));
  for (const FlatCell& cell : *cells) patches->push_back(cell_patch(surface, cell));
  return {};
}

Fault add_face(const TrimFace& face, const std::string& pointer, std::vector<PatchPtr>* patches) {
  auto surface = surface_pieces(face.surface);
  if (!surface) return within(pointer + "/surface", surface.error());
  if (auto bad = check_count(pointer + "/loops", face.loops.size(), 1, kMostCurves)) return bad;
  FlatRegion region;
  for (std::size_t i = 0; i < face.loops.size(); ++i) {
    auto loop = loop_of(face.loops[i], fmt::format("{}/loops/{}", pointer, i));
    if (!loop) return loop.error();
    region.loops.push_back(std::move(*loop));
  }
  const std::size_t columns = surface->lines_v.size() + 1;
  const auto rows = strips({oriented(std::move(region))}, 0, surface->lines_u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto cells = strips(rows[i], 1, surface->lines_v);
    for (std::size_t j = 0; j < cells.size(); ++j)
      for (const FlatRegion& part : cells[j])
        if (auto bad = add_region(part, surface->pieces[i * columns + j], pointer, patches))
          return bad;
  }
  return {};
}

}  // namespace

Result<ShapePtr> make_trimmed(const TrimmedInput& in) {
  if (auto bad = check_count("/faces", in.faces.size(), 1, kMostFaces)) return *bad;
  const WorkStage stage("cutting faces into cells");
  std::vector<PatchPtr> patches;
  for (std::size_t i = 0; i < in.faces.size(); ++i)
    if (auto bad = add_face(in.faces[i], fmt::format("/faces/{}", i), &patches)) return *bad;
  return build_solid(ShapeKind::trimmed, patches, in.sew, "/faces");
}

}  // namespace repose::shape
