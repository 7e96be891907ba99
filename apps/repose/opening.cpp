#include "opening.h"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "repose/run/catalogue.h"

#include "messages.h"

namespace {

/// Lists longer than this are cut.
constexpr std::size_t kMostLines = 10;

repose::InputError wrong_option(const char* name, const std::string& value, const char* wrong,
                                const char* right) {
  repose::InputError error;
  error.pointer = name;
  error.value = value;
  error.wrong = wrong;
  error.right = right;
  return error;
}

/// Metres of a unit by its name; 0: there is no such unit.
double unit_named(const std::string& name) {
  constexpr std::pair<const char*, double> kUnits[] = {
      {"m", 1.0}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"ft", 0.3048}};
  for (const auto& [known, metres] : kUnits)
    if (name == known) return metres;
  return 0.0;
}

repose::Result<repose::handover::OpenOptions> understood(const OpeningWords& words) {
  repose::handover::OpenOptions out;
  out.bodies = words.bodies;
  out.key = words.key;
  out.hulls = words.hulls;
  out.ground = words.ground;
  if (!words.unit.empty() && !((out.unit = unit_named(words.unit)) > 0.0))
    return wrong_option("--unit", words.unit, "no such unit", "m, cm, mm, in or ft");
  if (!words.up.empty() && words.up != "y" && words.up != "z")
    return wrong_option("--up", words.up, "no such axis", "y or z");
  if (!words.up.empty()) out.up = words.up[0];
  for (const std::string& told : words.joints) {
    const std::size_t sign = told.rfind('=');
    char* end = nullptr;
    const char* number = sign == std::string::npos ? "" : told.c_str() + sign + 1;
    const double value = std::strtod(number, &end);
    if (sign == 0 || end == number || *end != '\0' || !std::isfinite(value))
      return wrong_option("--joint", told, "not a joint and where it stands",
                          "NAME=VALUE, in radians or metres");
    out.joints[told.substr(0, sign)] = value;
  }
  return out;
}

}  // namespace

bool OpeningWords::any() const {
  return !bodies.empty() || !joints.empty() || !key.empty() || !unit.empty() || !up.empty() ||
         hulls || ground;
}

void add_opening(Command& command, OpeningWords& words) {
  command.texts("--bodies", words.bodies, "Only these bodies move; may be repeated")
      .text("--key", words.key, "MJCF: the key that holds the joints")
      .texts("--joint", words.joints,
             "NAME=VALUE: a hinge or slide of URDF or MJCF stands there (rad, m); may be repeated")
      .flag("--hulls", words.hulls, "Meshes count as their convex hulls (MJCF: always)")
      .flag("--ground", words.ground, "A floor at height 0 beside what the file holds")
      .text("--unit", words.unit, ".obj, .stl, .ply: m, cm, mm, in or ft (else m)")
      .text("--up", words.up, ".obj, .stl, .ply: the axis that points up, y or z (else z)");
}

repose::Result<repose::handover::Handed> open_as(const std::string& path_or_name,
                                                 const OpeningWords& words) {
  const auto options = understood(words);
  if (!options) return options.error();
  return repose::handover::open_any(path_or_name, repose::method_catalogue(), *options);
}

void tell_reading(const repose::handover::Handed& handed) {
  for (const std::string& remark : handed.remarks) show(stderr, remark + "\n");
  const auto& unused = handed.unused;
  for (std::size_t i = 0; i < unused.size() && i < kMostLines; ++i)
    show(stderr, unused[i].text() + "\n");
  if (unused.size() > kMostLines)
    show(stderr,
         fmt::format("... and {} more sorts of what is not used\n", unused.size() - kMostLines));
  if (!handed.standing.empty())
    show(stderr, fmt::format("held as their joints are: {}{}\n", handed.standing.front(),
                             handed.standing.size() > 1
                                 ? fmt::format(" and {} more", handed.standing.size() - 1)
                                 : ""));
}
