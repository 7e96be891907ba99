#include "repose/base/nearest.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace repose {

namespace {

/// What other tools and other people call a thing, and its name here.
struct OtherName {
  const char* other;
  const char* here;
  const char* note = "";  // where the two are not the same
};
constexpr OtherName kOtherNames[] = {
    {"sphere", "ball"},
    {"cube", "box"},
    {"cuboid", "box"},
    {"block", "box"},
    {"plane", "half_space"},
    {"ground", "half_space"},
    {"floor", "half_space"},
    {"pipe", "tube"},
    {"hull", "convex"},
    {"polyhedron", "convex"},
    {"stl", "mesh_file"},
    {"obj", "mesh_file"},
    {"polygon", "plane_region"},
    {"pos", "position"},
    {"xyz", "position"},
    {"origin", "position"},
    {"translation", "position"},
    {"location", "position"},
    {"quat", "orientation_wxyz", "w comes first"},
    {"quaternion", "orientation_wxyz", "w comes first"},
    {"orientation", "orientation_wxyz", "w comes first"},
    {"rotation", "orientation_wxyz", "w comes first; or roll_pitch_yaw_deg"},
    {"orientation_xyzw", "orientation_wxyz", "w comes first"},
    {"rpy", "roll_pitch_yaw_deg", "degrees"},
    {"euler", "roll_pitch_yaw_deg", "degrees; about x, then y, then z, of the world"},
    {"roll_pitch_yaw", "roll_pitch_yaw_deg", "degrees"},
    {"axis_angle", "axis_angle_deg", "degrees"},
    {"static", "fixed"},
    {"kinematic", "fixed"},
    {"geometry", "shape"},
    {"geom", "shape"},
    {"colour", "color"},
    {"rgba", "color", "three numbers; opacity stands beside it"},
    {"alpha", "opacity"},
    {"mu", "friction"},
    {"elasticity", "restitution"},
    {"bounciness", "restitution"},
    {"youngs_modulus", "young_modulus"},
    {"diameter", "radius", "half of the diameter"},
    {"half_extents", "size", "whole edges"},
    {"dimensions", "size"},
    {"extents", "size"},
    {"length", "height"},
    {"objects", "bodies"},
    {"links", "bodies"},
    {"constraints", "joints"},
    {"file", "path"},
    {"filename", "path"},
    {"uri", "path"},
    {"url", "path"},
    {"hinge", "pin"},
    {"revolute", "pin"},
    {"prismatic", "slider"},
    {"fixed", "weld"},
    {"dt", "step_time"},
    {"timestep", "step_time"},
    {"extricate", "repair_start"},
};

/// The row for a name of which one of `known` is meant, or null.
const OtherName* other_name(std::string wrong, const std::vector<std::string>& known) {
  for (char& c : wrong) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const auto found = std::ranges::find_if(kOtherNames, [&](const OtherName& name) {
    return name.other == wrong && std::ranges::find(known, name.here) != known.end();
  });
  return found == std::end(kOtherNames) ? nullptr : &*found;
}

// names longer than this are not compared: the table would grow with their product
constexpr std::size_t kLongest = 100;

std::size_t edits_between(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

/// A name of which the wrong one is a whole word: "a" of "body_a".
std::string with_word(const std::string& word, const std::vector<std::string>& known) {
  const auto holds = [&word](const std::string& name) {
    return !word.empty() && ("_" + name + "_").find("_" + word + "_") != std::string::npos;
  };
  const auto found = std::find_if(known.begin(), known.end(), holds);
  return found == known.end() ? std::string() : *found;
}

}  // namespace

std::string nearest(const std::string& wrong, const std::vector<std::string>& known) {
  if (wrong.size() > kLongest) return {};
  if (const OtherName* other = other_name(wrong, known)) return other->here;
  // at most a third of the letters may differ
  std::size_t best = wrong.size() / 3 + 1;
  std::string out;
  for (const std::string& name : known) {
    const std::size_t longer = std::max(name.size(), wrong.size());
    if (name.size() > kLongest || longer - std::min(name.size(), wrong.size()) > best) continue;
    const std::size_t edits = edits_between(wrong, name);
    const bool nearer = edits < best || (edits == best && out.empty() && edits < wrong.size());
    if (nearer) {
      best = edits;
      out = name;
    }
  }
  return out.empty() ? with_word(wrong, known) : out;
}

std::string name_here(const std::string& other) {
  const auto found =
      std::ranges::find_if(kOtherNames, [&](const OtherName& name) { return name.other == other; });
  return found == std::end(kOtherNames) ? std::string() : found->here;
}

std::string suggestion(const std::string& wrong, const std::vector<std::string>& known) {
  const std::string near = nearest(wrong, known);
  const OtherName* other = other_name(wrong, known);
  if (other != nullptr && *other->note != 0)
    return fmt::format("did you mean \"{}\"? ({})", near, other->note);
  if (!near.empty()) return fmt::format("did you mean \"{}\"?", near);
  constexpr std::size_t kShown = 30;
  if (known.empty()) return "there is none yet";
  if (known.size() > kShown)
    return fmt::format("one of {}, ...",
                       fmt::join(known.begin(), known.begin() + static_cast<long>(kShown), ", "));
  return fmt::format("one of {}", fmt::join(known, ", "));
}

}  // namespace repose
