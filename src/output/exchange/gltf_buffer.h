#pragma once

#include <array>
#include <string>
#include <vector>

#include "repose/base/json_write.h"
#include "repose/math/vec.h"

namespace repose::exchange {

/// The binary part of a glTF file with the views and accessors that tell what lies where. Every
/// block starts at a multiple of four bytes.
class GltfBuffer {
 public:
  /// Rows of `width` floats; answers the accessor's number. Bounds are given where the format
  /// asks for them (positions, times).
  int add_floats(const std::vector<float>& numbers, int width, bool bounds, bool vertices);
  int add_triangles(const std::vector<std::array<int, 3>>& triangles);
  int add_points(const std::vector<Vec3>& points, bool bounds);

  const std::string& bytes() const { return bytes_; }
  const Json::Array& views() const { return views_; }
  const Json::Array& accessors() const { return accessors_; }

 private:
  int add_view(const void* data, std::size_t size, int target);

  std::string bytes_;
  Json::Array views_, accessors_;
};

}  // namespace repose::exchange
