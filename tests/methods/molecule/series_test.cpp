#include <algorithm>

#include <gtest/gtest.h>

#include "repose/run/catalogue.h"
#include "repose/run/session.h"
#include "repose/scene/gallery.h"
#include "repose/scene/scene.h"

namespace repose {
namespace {

/// What is one point of a curve, s. The single step in which two layers meet stops them at once,
/// whatever holds them: that is no matter of elasticity.
constexpr double kPoint = 0.02;

/// What a box's curves come to: the peak of its contact force (N), the least height of its top (m).
struct Curves {
  double peak = 0.0, lowest_top = 1e9;
};

/// The paper's figures 4.16 to 4.19, one box after the other; until the boxes have come down.
std::vector<Curves> curves_of(const std::string& name, const std::vector<std::string>& boxes) {
  auto scene = open_scene(name, method_catalogue());
  EXPECT_TRUE(scene) << scene.error().text();
  auto world = build_world(*scene);
  EXPECT_TRUE(world) << world.error().text();
  auto session = Session::start(std::move(world->problem), std::move(world->state),
                                **find_method("molecule"), {});
  EXPECT_TRUE(session) << session.error().text();
  std::vector<Curves> out(boxes.size());
  std::vector<double> sum(boxes.size(), 0.0);  // N s, since the last point
  double since = 0.0;
  while (session->state().time < 0.5) {
    const double before = session->state().time;
    EXPECT_TRUE(session->step());
    const double h = session->state().time - before;
    for (const auto& [series, value] : session->audit().series)
      for (std::size_t b = 0; b < boxes.size(); ++b) {
        if (series == "force " + boxes[b]) sum[b] += h * value;
        if (series == "highest " + boxes[b]) out[b].lowest_top = std::min(out[b].lowest_top, value);
      }
    if (session->state().time - since < kPoint) continue;
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      out[b].peak = std::max(out[b].peak, sum[b] / (session->state().time - since));
      sum[b] = 0.0;
    }
    since = session->state().time;
  }
  return out;
}

TEST(molecule_series, the_heavier_a_box_the_larger_its_blow_and_the_deeper_it_sinks) {
  const auto curves =
      curves_of("molecule/density-series", {"box-625", "box-1250", "box-2500", "box-5000"});
  for (std::size_t k = 1; k < curves.size(); ++k) {
    EXPECT_GT(curves[k].peak, curves[k - 1].peak) << k;
    EXPECT_LT(curves[k].lowest_top, curves[k - 1].lowest_top) << k;
  }
}

TEST(molecule_series, the_softer_a_box_the_smaller_its_blow_and_the_deeper_it_sinks) {
  const auto curves =
      curves_of("molecule/elasticity-series", {"box-80000", "box-20000", "box-5000", "box-2500"});
  for (std::size_t k = 1; k < curves.size(); ++k) {
    EXPECT_LT(curves[k].peak, curves[k - 1].peak) << k;
    EXPECT_LT(curves[k].lowest_top, curves[k - 1].lowest_top) << k;
  }
}

}  // namespace
}  // namespace repose
