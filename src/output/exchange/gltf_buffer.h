#pragma once

#include <array>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

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
  const nlohmann::json& views() const { return views_; }
  const nlohmann::json& accessors() const { return accessors_; }

 private:
  int add_view(const void* data, std::size_t size, int target);

  std::string bytes_;
  nlohmann::json views_ = nlohmann::json::array();
  nlohmann::json accessors_ = nlohmann::json::array();
};

}  // namespace repose::exchange
