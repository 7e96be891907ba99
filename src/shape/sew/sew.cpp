#include "shape/sew/sew.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "repose/base/work.h"

#include "shape/define/validate.h"
#include "shape/sew/sew_match.h"
#include "shape/sew/sew_sharp.h"

namespace repose::shape {
namespace {

constexpr std::size_t kSidesNamed = 4;
constexpr double kMaxGapFraction = 1e-2;

/// +1 where the side's parameter grows counter-clockwise around the parameter rectangle.
double turn_of(Side side) {
  return side == Side::v_low || side == Side::u_high ? 1.0 : -1.0;
}

/// How far the patch reaches across, from its sides u0 and v0: the smaller of the two.
double narrowest(const Patch& patch) {
  constexpr int kSamples = 4;
  const UvBox d = patch.domain();
  Vec3 points[kSamples + 1][kSamples + 1];
  for (int i = 0; i <= kSamples; ++i)
    for (int j = 0; j <= kSamples; ++j)
      points[i][j] =
          patch.point(d.u0 + (d.u1 - d.u0) * i / kSamples, d.v0 + (d.v1 - d.v0) * j / kSamples);
  double across_u = 0.0, across_v = 0.0;
  for (int i = 0; i <= kSamples; ++i)
    for (int j = 0; j <= kSamples; ++j) {
      across_u = std::max(across_u, (points[i][j] - points[0][j]).norm());
      across_v = std::max(across_v, (points[i][j] - points[i][0]).norm());
    }
  return std::min(across_u, across_v);
}

/// Sides of one patch that lie within the sewing gap of each other cannot be told apart.
Fault find_narrow(const std::vector<PatchPtr>& patches, double gap, double gap_fraction,
                  const std::string& pointer) {
  for (std::size_t f = 0; f < patches.size(); ++f)
    if (const double width = narrowest(*patches[f]); !(width > gap))
      return fault(pointer, fmt::format("{:.6g} m", width),
                   fmt::format("patch {} is narrower than its seams, which count as one within "
                               "{:.6g} m ({} of the body's size)",
                               f, gap, gap_fraction),
                   fmt::format("no piece below {:.6g} m, or a smaller body", gap));
  return {};
}

std::string stretch_text(const std::vector<PatchPtr>& patches, const SewSide& side,
                         const Stretch& s) {
  const Vec3 a = side.curve.point(s.t0), b = side.curve.point(s.t1);
  return fmt::format("patch {} along {} from {} to {}", side.face,
                     side_text(patches[side.face]->domain(), side.side), point_text(a),
                     point_text(b));
}

Fault find_loose(const std::vector<PatchPtr>& patches, const std::vector<SewSide>& sides,
                 const std::vector<Stretch>& stretches, const std::vector<int>& crowded,
                 const std::string& pointer) {
  std::vector<int> faulty = crowded;
  for (std::size_t i = 0; i < stretches.size(); ++i)
    if (stretches[i].mate < 0) faulty.push_back(static_cast<int>(i));
  if (faulty.empty()) return {};
  std::string names;
  for (std::size_t i = 0; i < faulty.size() && i < kSidesNamed; ++i)
    names +=
        fmt::format("{}{}", i == 0 ? "" : "; ",
                    stretch_text(patches, sides[stretches[faulty[i]].side], stretches[faulty[i]]));
  if (faulty.size() > kSidesNamed) names += "; ...";
  return fault(
      pointer, "",
      fmt::format("{}: {} patch edges {}: {}",
                  crowded.empty() ? "the body is open" : "the body is not simple", faulty.size(),
                  crowded.empty() ? "meet no other" : "meet none or more than one other", names),
      "patches whose edges meet two by two, within the sewing gap all along");
}

struct Orientation {
  std::vector<int> part_of;     // by face
  std::vector<double> outward;  // by face
  int parts = 0;
};

/// Signed volume over the patch's cone from `reference`, coarsely: only its sign counts.
double rough_volume(const Patch& patch, const Vec3& reference) {
  constexpr int kCells = 12;
  const UvBox d = patch.domain();
  const double du = (d.u1 - d.u0) / kCells, dv = (d.v1 - d.v0) / kCells;
  spend_work(kCells * kCells);
  double sum = 0.0;
  for (int i = 0; i < kCells; ++i)
    for (int j = 0; j < kCells; ++j) {
      const PatchJet s = patch.jet(d.u0 + (i + 0.5) * du, d.v0 + (j + 0.5) * dv);
      sum += (s.s - reference).dot(s.su.cross(s.sv)) * du * dv / 3.0;
    }
  return sum;
}

/// For each face its stretches, in order.
std::vector<std::vector<int>> stretches_of_faces(std::size_t faces,
                                                 const std::vector<SewSide>& sides,
                                                 const std::vector<Stretch>& stretches) {
  std::vector<std::vector<int>> out(faces);
  for (std::size_t i = 0; i < stretches.size(); ++i)
    out[sides[stretches[i].side].face].push_back(static_cast<int>(i));
  return out;
}

/// Walks over mated stretches; false if a piece has no consistent outside.
bool orient(const std::vector<PatchPtr>& patches, const std::vector<SewSide>& sides,
            const std::vector<Stretch>& stretches, Orientation* out) {
  out->part_of.assign(patches.size(), -1);
  out->outward.assign(patches.size(), 1.0);
  const auto around = stretches_of_faces(patches.size(), sides, stretches);
  for (std::size_t seed = 0; seed < patches.size(); ++seed) {
    if (out->part_of[seed] >= 0) continue;
    std::vector<int> piece{static_cast<int>(seed)};
    out->part_of[seed] = out->parts;
    for (std::size_t next = 0; next < piece.size(); ++next)
      for (const int number : around[piece[next]]) {
        const Stretch& s = stretches[number];
        const Stretch& m = stretches[s.mate];
        const int other = sides[m.side].face;
        const double want = -out->outward[piece[next]] * turn_of(sides[s.side].side) *
                            turn_of(sides[m.side].side) * (s.along ? 1.0 : -1.0);
        if (out->part_of[other] < 0) {
          out->part_of[other] = out->parts;
          out->outward[other] = want;
          piece.push_back(other);
        } else if (out->outward[other] != want) {
          return false;
        }
      }
    const UvBox d = patches[seed]->domain();
    const Vec3 reference = patches[seed]->point(d.u0, d.v0);
    double volume = 0.0;
    for (const int f : piece) volume += out->outward[f] * rough_volume(*patches[f], reference);
    if (volume < 0.0)
      for (const int f : piece) out->outward[f] = -out->outward[f];
    ++out->parts;
  }
  return true;
}

/// Position of each face within its part.
std::vector<int> places_in_parts(const Orientation& orientation) {
  std::vector<int> count(orientation.parts, 0), place;
  for (const int part : orientation.part_of) place.push_back(count[part]++);
  return place;
}

SideStretch stretch_of(const SewSide& side, const Stretch& s, const std::vector<int>& place,
                       bool forward) {
  return {place[side.face], side.side, forward ? s.t0 : s.t1, forward ? s.t1 : s.t0};
}

}  // namespace

std::string side_text(const UvBox& domain, Side side) {
  switch (side) {
    case Side::u_low:
      return fmt::format("u = {}", domain.u0);
    case Side::u_high:
      return fmt::format("u = {}", domain.u1);
    case Side::v_low:
      return fmt::format("v = {}", domain.v0);
    case Side::v_high:
      break;
  }
  return fmt::format("v = {}", domain.v1);
}

Result<Solid> sew(const std::vector<PatchPtr>& patches, double size, const SewInput& settings,
                  const std::string& pointer, bool known) {
  if (!(settings.gap_fraction > 0.0 && settings.gap_fraction <= kMaxGapFraction))
    return fault("/sew/gap_fraction", number_text(settings.gap_fraction), "out of range",
                 fmt::format("a fraction of the body's size in (0, {}]", kMaxGapFraction));
  if (!(settings.smooth_angle_deg > 0.0 && settings.smooth_angle_deg <= 45.0))
    return fault("/sew/smooth_angle_deg", number_text(settings.smooth_angle_deg), "out of range",
                 "degrees in (0, 45]");
  const double gap = settings.gap_fraction * size;
  const double smooth = settings.smooth_angle_deg * std::numbers::pi / 180.0;

  const WorkStage stage("sewing patches");
  if (auto bad = find_narrow(patches, gap, settings.gap_fraction, pointer)) return *bad;

  // which sides meet
  const std::vector<SewSide> sides = split_sides(patches, size, gap, !known);
  std::vector<int> crowded;
  std::vector<int> doubtful;
  const std::vector<Stretch> stretches = mate_stretches(sides, gap, !known, &crowded, &doubtful);
  if (!doubtful.empty())
    return fault(
        pointer, fmt::format("{} seams", doubtful.size()),
        "the surface varies too finely to be sewn: its edges are not shown to meet all along",
        "patches that vary less along their edges, or more of them");
  if (auto bad = find_loose(patches, sides, stretches, crowded, pointer)) return *bad;

  // which way is out
  Orientation orientation;
  if (!orient(patches, sides, stretches, &orientation))
    return fault(pointer, "", "the patches form a one-sided surface (a Klein bottle)",
                 "a surface with an inside and an outside");

  // faces and seams, part by part
  const std::vector<int> place = places_in_parts(orientation);
  Solid solid;
  solid.parts.resize(orientation.parts);
  for (const SewSide& side : sides)
    if (side.shrunk) {
      double& widest = solid.parts[orientation.part_of[side.face]].seam_gap;
      widest = std::max(widest, side.hole);
    }
  for (std::size_t f = 0; f < patches.size(); ++f)
    solid.parts[orientation.part_of[f]].faces.push_back({patches[f], orientation.outward[f]});
  const std::vector<Crease> creases =
      find_creases(patches, orientation.outward, sides, stretches, smooth);
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const Stretch& s = stretches[i];
    if (s.mate < static_cast<int>(i)) continue;
    const Stretch& m = stretches[s.mate];
    double& widest = solid.parts[orientation.part_of[sides[s.side].face]].seam_gap;
    widest = std::max(widest, s.gap);
    solid.parts[orientation.part_of[sides[s.side].face]].seams.push_back(
        {stretch_of(sides[s.side], s, place, true), stretch_of(sides[m.side], m, place, s.along),
         creases[i].sharp});
  }
  add_sharp_features({patches, orientation.outward, orientation.part_of, place, sides, stretches,
                      creases, size, gap, smooth},
                     &solid);
  return solid;
}

}  // namespace repose::shape
