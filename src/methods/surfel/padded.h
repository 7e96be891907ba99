#pragma once

#include <vector>

#include <Eigen/Core>

#include "repose/math/vec.h"

namespace repose::surfel {

/// Vectors with a fourth number, always 0: inner loops add and multiply four at a time. The first
/// three come out to the same bits as those of Vec3.
using Vec4 = Eigen::Vector4d;

inline void pad(const std::vector<Vec3>& from, std::vector<Vec4>& to) {
  to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] << from[i], 0.0;
}

inline void unpad(const std::vector<Vec4>& from, std::vector<Vec3>& to) {
  to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i].head<3>();
}

}  // namespace repose::surfel
