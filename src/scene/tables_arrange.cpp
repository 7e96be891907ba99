// Arrangements of instances.
#include <fmt/format.h>

#include "tables.h"

namespace repose {

namespace {

constexpr Range kNotNegativeLength{0.0, 1e9};  // m
constexpr Range kSeed{0.0, kLargestSeed};
constexpr double kMostDeviation = 5.0;
constexpr double kMostTries = 1e6;

const ObjectTable<GridArrangement>& grid_table() {
  static const auto table =
      ObjectTable<GridArrangement>("grid", "Rows, columns and layers.")
          .field(&GridArrangement::counts, {.name = "counts",
                                            .unit = "1",
                                            .range = {1.0, kMostBodies},
                                            .required = true,
                                            .meaning = "How many along x, y, z."})
          .field(&GridArrangement::spacing, {.name = "spacing",
                                             .unit = "m",
                                             .range = kCoordinate,
                                             .required = true,
                                             .meaning = "From one to the next along x, y, z."})
          .field(&GridArrangement::origin, {.name = "origin",
                                            .unit = "m",
                                            .range = kCoordinate,
                                            .meaning = "Place of the first."})
          .field(&GridArrangement::stagger,
                 {.name = "stagger",
                  .unit = "m",
                  .range = kCoordinate,
                  .meaning = "Added to every second layer, as in a wall."})
          .field(&GridArrangement::jitter,
                 {.name = "jitter",
                  .unit = "m",
                  .range = kNotNegativeLength,
                  .meaning = "Each place is shifted at random by at most this along x, y and z."})
          .field(&GridArrangement::seed, {.name = "seed",
                                          .unit = "1",
                                          .range = kSeed,
                                          .default_text = "the scene's",
                                          .meaning = "Of the shifts."})
          .field(&GridArrangement::container,
                 {.name = "container",
                  .meaning = "Names of fixed bodies. Only places whose bounding ball lies in their "
                             "hollow and touches no fixed body are filled."});
  return table;
}

const ObjectTable<LineArrangement>& line_table() {
  static const auto table =
      ObjectTable<LineArrangement>("line", "Evenly along a segment, ends included.")
          .field(&LineArrangement::count, {.name = "count",
                                           .unit = "1",
                                           .range = {1.0, kMostBodies},
                                           .required = true,
                                           .meaning = "How many."})
          .field(&LineArrangement::from, {.name = "from",
                                          .unit = "m",
                                          .range = kCoordinate,
                                          .required = true,
                                          .meaning = "Place of the first."})
          .field(&LineArrangement::to, {.name = "to",
                                        .unit = "m",
                                        .range = kCoordinate,
                                        .required = true,
                                        .meaning = "Place of the last."});
  return table;
}

const ObjectTable<RingArrangement>& ring_table() {
  static const auto table =
      ObjectTable<RingArrangement>("ring", "Evenly on a horizontal circle.")
          .field(&RingArrangement::count, {.name = "count",
                                           .unit = "1",
                                           .range = {1.0, kMostBodies},
                                           .required = true,
                                           .meaning = "How many."})
          .field(&RingArrangement::center, {.name = "center",
                                            .unit = "m",
                                            .range = kCoordinate,
                                            .meaning = "Centre of the circle."})
          .field(&RingArrangement::radius, {.name = "radius",
                                            .unit = "m",
                                            .range = kLength,
                                            .required = true,
                                            .meaning = "Radius of the circle."})
          .field(&RingArrangement::start_deg,
                 {.name = "start_deg",
                  .unit = "degree",
                  .range = {-360.0, 360.0},
                  .meaning = "Where the first stands, from x towards y."})
          .field(&RingArrangement::turn,
                 {.name = "turn", .meaning = "The bodies turn with the circle."});
  return table;
}

const ObjectTable<UniformSizes>& uniform_sizes_table() {
  static const auto table =
      ObjectTable<UniformSizes>("uniform", "Evenly between two radii.")
          .field(&UniformSizes::low, {.name = "low",
                                      .unit = "m",
                                      .range = kLength,
                                      .required = true,
                                      .meaning = "Smallest radius."})
          .field(&UniformSizes::high, {.name = "high",
                                       .unit = "m",
                                       .range = kLength,
                                       .required = true,
                                       .meaning = "Largest radius."})
          .check([](Reading& reading, JsonView at, const UniformSizes& in) {
            return in.low <= in.high ||
                   reading.fail(*at.find("high"), "less than low", "the larger radius");
          });
  return table;
}

const ObjectTable<LogNormalSizes>& log_normal_sizes_table() {
  static const auto table =
      ObjectTable<LogNormalSizes>("log_normal",
                                  "Radii whose logarithms are normal, cut off at both ends.")
          .field(&LogNormalSizes::median, {.name = "median",
                                           .unit = "m",
                                           .range = kLength,
                                           .required = true,
                                           .meaning = "Half of the uncut radii are smaller."})
          .field(&LogNormalSizes::deviation,
                 {.name = "deviation",
                  .unit = "1",
                  .range = {0.0, kMostDeviation},
                  .required = true,
                  .meaning = "Standard deviation of the radius' natural logarithm."})
          .field(&LogNormalSizes::low, {.name = "low",
                                        .unit = "m",
                                        .range = kLength,
                                        .required = true,
                                        .meaning = "Smaller radii are drawn again."})
          .field(&LogNormalSizes::high, {.name = "high",
                                         .unit = "m",
                                         .range = kLength,
                                         .required = true,
                                         .meaning = "Larger radii are drawn again."})
          .check([](Reading& reading, JsonView at, const LogNormalSizes& in) {
            return (in.low <= in.median && in.median <= in.high) ||
                   reading.fail(*at.find("median"), "not between low and high",
                                "low <= median <= high");
          });
  return table;
}

const ObjectTable<ListedSizes>& listed_sizes_table() {
  static const auto table =
      ObjectTable<ListedSizes>("list", "A few radii with their shares.")
          .field(&ListedSizes::radii, {.name = "radii",
                                       .unit = "m",
                                       .range = kLength,
                                       .required = true,
                                       .meaning = "The radii."})
          .field(
              &ListedSizes::shares,
              {.name = "shares",
               .unit = "1",
               .range = kPositive,
               .required = true,
               .meaning = "Of the number of bodies, one for each radius; they need not add up to "
                          "1."})
          .check([](Reading& reading, JsonView at, const ListedSizes& in) {
            if (in.radii.empty())
              return reading.fail(*at.find("radii"), "no radius", "at least one");
            return in.shares.size() == in.radii.size() ||
                   reading.fail(
                       *at.find("shares"),
                       fmt::format("{} shares of {} radii", in.shares.size(), in.radii.size()),
                       "one share for each radius");
          });
  return table;
}

/// The fields that scatter and pour share; `whole` is what the packing fraction refers to.
template <class Table>
void add_drawn_fields(Table& t, const std::string& whole) {
  t.field(&DrawnBodies::count, {.name = "count",
                                .unit = "1",
                                .range = {1.0, kMostBodies},
                                .meaning = "How many; this or `packing`."});
  t.field(&DrawnBodies::packing,
          {.name = "packing",
           .unit = "1",
           .range = {0.0, 1.0, true, false},
           .meaning = "As many bodies as come nearest to this packing fraction: their volume over "
                      "that of " +
                      whole + "."});
  t.field(&DrawnBodies::seed, {.name = "seed",
                               .unit = "1",
                               .range = kSeed,
                               .default_text = "the scene's",
                               .meaning = "Of the random numbers."});
  t.field(&DrawnBodies::clearance,
          {.name = "clearance",
           .unit = "m",
           .range = kNotNegativeLength,
           .meaning = "Kept free between bounding balls, and between them and fixed bodies."});
  t.field(&DrawnBodies::turn, {.name = "turn", .meaning = "Random rotations as well."});
  t.field(&DrawnBodies::sizes, {.name = "sizes",
                                .default_text = "the body's own size",
                                .meaning = "Balls only: how radii are drawn."});
  t.field(&DrawnBodies::tries,
          {.name = "tries",
           .unit = "1",
           .range = {1.0, kMostTries},
           .meaning = "Places tried for each body before the box, or this height of the container, "
                      "counts as full. Larger: denser, slower."});
}

bool check_drawn(Reading& reading, JsonView at, const DrawnBodies& in) {
  return in.count.has_value() != in.packing.has_value() ||
         reading.fail(at, in.count ? "both count and packing" : "neither count nor packing",
                      "one of the two");
}

const ObjectTable<ScatterArrangement>& scatter_table() {
  static const auto table = [] {
    ObjectTable<ScatterArrangement> t(
        "scatter",
        "At random in a box, so that bounding balls overlap neither one another, nor those of "
        "movable bodies before them, nor fixed bodies. The same seed gives the same places "
        "everywhere.");
    t.field(&ScatterArrangement::low, {.name = "low",
                                       .unit = "m",
                                       .range = kCoordinate,
                                       .required = true,
                                       .meaning = "Least corner of the box."});
    t.field(&ScatterArrangement::high,
            {.name = "high",
             .unit = "m",
             .range = kCoordinate,
             .required = true,
             .meaning = "Greatest corner; the box holds the bounding balls whole."});
    add_drawn_fields(t, "the box");
    t.check([](Reading& reading, JsonView at, const ScatterArrangement& in) {
      if (!(in.low.array() < in.high.array()).all())
        return reading.fail(*at.find("high"), "an empty box", "more than low in x, y and z");
      return check_drawn(reading, at, in);
    });
    return t;
  }();
  return table;
}

const ObjectTable<PourArrangement>& pour_table() {
  static const auto table = [] {
    ObjectTable<PourArrangement> t(
        "pour",
        "At random in the hollow of a container, from its bottom up and, once it is full, above "
        "its opening; free of overlap as a scatter is. The hollow is all that the container "
        "encloses: points from which every line along the two horizontal axes meets it on both "
        "sides.");
    t.field(
        &PourArrangement::container,
        {.name = "container",
         .required = true,
         .meaning = "Names of the fixed bodies that enclose the hollow: one bowl, four walls."});
    add_drawn_fields(t, "the hollow");
    t.check([](Reading& reading, JsonView at, const PourArrangement& in) {
      if (in.container.empty())
        return reading.fail(*at.find("container"), "no container", "the name of a fixed body");
      return check_drawn(reading, at, in);
    });
    return t;
  }();
  return table;
}

const ObjectTable<ListArrangement>& list_table() {
  static const auto table =
      ObjectTable<ListArrangement>("list", "One by one.")
          .field(&ListArrangement::places,
                 {.name = "places", .required = true, .meaning = "A place for each body."});
  return table;
}

}  // namespace

const KindsTable<Sizes>& sizes_kinds() {
  static const auto table = [] {
    KindsTable<Sizes> kinds("sizes", "How the radii of balls are drawn.");
    kinds.kind(uniform_sizes_table()).kind(log_normal_sizes_table()).kind(listed_sizes_table());
    return kinds;
  }();
  return table;
}

const KindsTable<Arrangement>& arrangement_kinds() {
  static const auto table = [] {
    KindsTable<Arrangement> kinds("arrangement", "Where the instances of a pattern stand.");
    kinds.kind(grid_table()).kind(line_table()).kind(ring_table());
    kinds.kind(scatter_table()).kind(pour_table()).kind(list_table());
    return kinds;
  }();
  return table;
}

}  // namespace repose
