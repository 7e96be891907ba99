#include <fmt/format.h>

#include "repose/shape/patches.h"

#include "build_solid.h"

namespace repose::shape {
namespace {

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
  return build_solid("tube", patches, {}, "/spine");
}

}  // namespace repose::shape
