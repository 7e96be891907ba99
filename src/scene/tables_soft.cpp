// Soft points and paths of bodies.
#include <fmt/format.h>

#include "tables.h"

namespace repose {

namespace {

bool increasing(Reading& reading, JsonView times, const std::vector<double>& values) {
  for (std::size_t i = 1; i < values.size(); ++i)
    if (!(values[i] > values[i - 1]))
      return reading.fail(times, fmt::format("time {} is not after the one before it", i),
                          "times that increase");
  return !values.empty() || reading.fail(times, "no times", "at least one time");
}

}  // namespace

bool check_times(Reading& reading, JsonView at, const std::vector<double>& times, const char* other,
                 std::size_t others) {
  if (!increasing(reading, *at.find("times"), times)) return false;
  return times.size() == others ||
         reading.fail(*at.find(other), fmt::format("{} for {} times", others, times.size()),
                      "as many as times");
}

const ObjectTable<BoxSpec>& box_region_table() {
  static const auto table =
      ObjectTable<BoxSpec>("box_region", "All points of the rest shape within a box.")
          .field(&BoxSpec::low, {.name = "low",
                                 .unit = "m",
                                 .range = kCoordinate,
                                 .required = true,
                                 .meaning = "Least corner; body frame."})
          .field(&BoxSpec::high, {.name = "high",
                                  .unit = "m",
                                  .range = kCoordinate,
                                  .required = true,
                                  .meaning = "Greatest corner; points on it belong to the box."})
          .check([](Reading& reading, JsonView at, const BoxSpec& in) {
            return (in.low.array() <= in.high.array()).all() ||
                   reading.fail(*at.find("high"), "an empty box", "no less than low in x, y and z");
          });
  return table;
}

const ObjectTable<SoftSpec>& soft_table() {
  static const auto table = [] {
    ObjectTable<SoftSpec> t(
        "soft",
        "What the points of a soft body are: the balls of a sphere_set, lattice "
        "or fill; the phyxels, then the balls beneath the surfels of a sample or point_set. "
        "Counted from 0.");
    t.field(&SoftSpec::fixed,
            {.name = "fixed",
             .choices = {"none", "border", "all"},
             .meaning = "Points that never move. The border of a lattice: points that lack a "
                        "neighbour along an axis on which it has more than one layer."});
    t.field(&SoftSpec::fixed_points,
            {.name = "fixed_points", .range = {0.0, 1e8}, .meaning = "More fixed points."});
    t.field(&SoftSpec::fixed_boxes,
            {.name = "fixed_boxes", .meaning = "All points in these are fixed as well."});
    t.field(&SoftSpec::materials,
            {.name = "materials",
             .default_text = "the body's own",
             .meaning = "Names of the materials that `material_of` counts, from 0."});
    t.field(
        &SoftSpec::material_of,
        {.name = "material_of", .range = {0.0, 1e6}, .meaning = "One of them for every point."});
    t.field(&SoftSpec::mass,
            {.name = "mass",
             .choices = {"cells", "balls"},
             .default_text = "cells of a lattice, else balls",
             .meaning = "Where a point's mass comes from: density times the volume of its ball, or "
                        "times its share of the lattice's cells (of a fill: all alike, density "
                        "times the volume of the shape together)."});
    t.check([](Reading& reading, JsonView at, const SoftSpec& in) {
      if (in.materials.empty() != in.material_of.empty())
        return reading.fail(at, "materials and material_of say nothing without each other",
                            "both or neither");
      for (const int i : in.material_of)
        if (i >= static_cast<int>(in.materials.size()))
          return reading.fail(*at.find("material_of"), fmt::format("there is no material {}", i),
                              fmt::format("0 to {}", in.materials.size() - 1));
      return true;
    });
    return t;
  }();
  return table;
}

const ObjectTable<PathSpec>& path_table() {
  static const auto table =
      ObjectTable<PathSpec>("path",
                            "Where a body is led: in straight lines and even turns from place to "
                            "place; before the first time and after the last it stands still.")
          .field(&PathSpec::times, {.name = "times",
                                    .unit = "s",
                                    .range = {-1e12, 1e12},
                                    .required = true,
                                    .meaning = "When it is at each place; increasing."})
          .field(&PathSpec::places,
                 {.name = "places", .required = true, .meaning = "A place for each time."})
          .check([](Reading& reading, JsonView at, const PathSpec& in) {
            return check_times(reading, at, in.times, "places", in.places.size());
          });
  return table;
}

}  // namespace repose
