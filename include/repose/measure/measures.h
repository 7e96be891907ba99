#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "repose/measure/heap.h"
#include "repose/measure/region.h"

namespace repose::measure {

/// How many others touch a grain, walls included, over the grains that were asked for.
struct Coordination {
  double mean = 0.0;
  double mean_between = 0.0;           // walls not counted
  int rattlers = 0;                    // grains with fewer loaded contacts than hold them
  double mean_without_rattlers = 0.0;  // of loaded contacts between the others and with walls
  std::vector<int> grains_with;        // [k]: grains that k others touch
};
/// Over grains whose centre lies in the region. A contact is loaded if it carries force, where
/// forces are known. Three loaded contacts hold a grain against gravity, four without it;
/// rattlers are taken away until all that are left are held.
Coordination coordination(const Grains& grains, const Region& region);

/// A curve or histogram, value by value.
struct Curve {
  std::vector<double> x;  // middle of the bin
  std::vector<double> y;
  double bin = 0.0;  // width
};

/// The density of centres at distance r of a centre over the mean density. Borders are corrected
/// for by translation (Ohser 1983): each pair counts over the volume that the region and its moved
/// self have in common. `bin` and `within` in metres.
Curve radial_distribution(const Grains& grains, const Region& region, double bin, double within);

/// Forces between pairs of bodies that touch.
struct ForceHistogram {
  double mean = 0.0;  // N
  Curve density;      // of force over mean force; its integral is 1
  std::vector<int> counts;
};
/// The last bin also takes what is beyond it.
ForceHistogram force_histogram(const Grains& grains, double bin, int bins);

struct MeasureSettings {
  /// Where to measure, in the grains' frame; region_of(grains) if not given.
  std::optional<Region> region;
  /// Left out of the inner region on all sides, in mean diameters; [0, 100].
  double layer = 2.0;
  /// Bin of the radial distribution, in mean diameters; (0, 1]. Smaller: sharper, noisier.
  double radial_bin = 0.05;
  /// How far it goes, in mean diameters; at most half the region.
  double radial_within = 5.0;
  /// Bins of the force histogram, in mean forces, and how many there are.
  double force_bin = 0.25;
  int force_bins = 24;
};

/// All figures of one state. Where a region holds too little, its figures are NaN or empty.
struct Measures {
  std::size_t bodies = 0;
  double mean_radius = 0.0;  // m
  Region whole, inner;       // inner: without the boundary layer
  double packing = 0.0, packing_inner = 0.0;
  Coordination coordination, coordination_inner;
  Curve radial;
  ForceHistogram forces;
  std::optional<HeapSlope> heap;  // where the bodies lie on planes alone
};
Measures measure(const Grains& grains, const MeasureSettings& settings = {});

/// The figures that people look at, in the words and with the digits in which terminal and page
/// tell them; what is not known is left out.
std::vector<std::pair<std::string, std::string>> in_words(const Measures& measures);

}  // namespace repose::measure
