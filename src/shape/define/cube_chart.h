#pragma once

#include <array>

#include "repose/shape/patches.h"

namespace repose::shape {

/// Where the chart's u, v and the fixed +-1 stand among x, y, z, so that Su x Sv points outward.
struct CubeAxes {
  std::size_t u, v, fixed;
  double sign;  // of the fixed coordinate
};

inline CubeAxes cube_axes(CubeFace face) {
  switch (face) {
    case CubeFace::x_high:
      return {1, 2, 0, 1.0};
    case CubeFace::x_low:
      return {2, 1, 0, -1.0};
    case CubeFace::y_high:
      return {2, 0, 1, 1.0};
    case CubeFace::y_low:
      return {0, 2, 1, -1.0};
    case CubeFace::z_high:
      return {0, 1, 2, 1.0};
    case CubeFace::z_low:
      break;
  }
  return {1, 0, 2, -1.0};
}

inline constexpr std::array<CubeFace, 6> kCubeFaces = {CubeFace::x_high, CubeFace::x_low,
                                                       CubeFace::y_high, CubeFace::y_low,
                                                       CubeFace::z_high, CubeFace::z_low};

}  // namespace repose::shape
