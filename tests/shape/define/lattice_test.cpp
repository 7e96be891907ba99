// Measures of lattices that no body can have.
#include <limits>

#include <gtest/gtest.h>

#include "repose/shape/make.h"

namespace repose::shape {
namespace {

TEST(Lattice, names_the_measure_that_is_wrong) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](const LatticeInput& in) {
    const auto made = make_lattice(in);
    return made ? std::string("taken") : made.error().text();
  };
  const LatticeInput good{{3, 3, 2}, 0.1, 0.05};
  EXPECT_EQ(refused(good), "taken");
  for (const double wrong : {0.0, -0.05, kNone, std::numeric_limits<double>::infinity()}) {
    LatticeInput in = good;
    in.radius = wrong;
    EXPECT_NE(refused(in).find("/radius"), std::string::npos) << wrong << ": " << refused(in);
    in = good;
    in.pitch = wrong;
    EXPECT_NE(refused(in).find("/pitch"), std::string::npos) << wrong << ": " << refused(in);
    in = good;
    in.neighbourhood = wrong;
    EXPECT_NE(refused(in).find("/neighbourhood"), std::string::npos) << wrong << refused(in);
    in = good;
    in.counts[1] = 0;
    EXPECT_NE(refused(in).find("/counts"), std::string::npos) << refused(in);
  }
}

}  // namespace
}  // namespace repose::shape
