#include "gltf_buffer.h"

#include <algorithm>
#include <cstdint>

namespace repose::exchange {
namespace {

// numbers of the glTF 2.0 specification
constexpr int kFloat = 5126, kUnsignedInt = 5125;
constexpr int kArrayBuffer = 34962, kElementArrayBuffer = 34963, kNoTarget = 0;

Json numbers_json(const std::vector<float>& numbers) {
  Json::Array out;
  for (const float number : numbers) out.push_back(known(number));
  return out;
}

}  // namespace

int GltfBuffer::add_view(const void* data, std::size_t size, int target) {
  bytes_.resize((bytes_.size() + 3) / 4 * 4, '\0');
  Json::Object view{{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", size}};
  if (target != kNoTarget) view.emplace_back("target", target);
  bytes_.append(static_cast<const char*>(data), size);
  views_.push_back(std::move(view));
  return static_cast<int>(views_.size()) - 1;
}

int GltfBuffer::add_floats(const std::vector<float>& numbers, int width, bool bounds,
                           bool vertices) {
  static const char* const kTypes[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
  const auto columns = static_cast<std::size_t>(width);
  const int view =
      add_view(numbers.data(), numbers.size() * sizeof(float), vertices ? kArrayBuffer : kNoTarget);
  Json::Object accessor{{"bufferView", view},
                        {"componentType", kFloat},
                        {"count", numbers.size() / columns},
                        {"type", kTypes[columns]}};
  if (bounds && !numbers.empty()) {
    std::vector<float> low(numbers.begin(), numbers.begin() + width), high = low;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      low[i % columns] = std::min(low[i % columns], numbers[i]);
      high[i % columns] = std::max(high[i % columns], numbers[i]);
    }
    accessor.emplace_back("min", numbers_json(low));
    accessor.emplace_back("max", numbers_json(high));
  }
  accessors_.push_back(std::move(accessor));
  return static_cast<int>(accessors_.size()) - 1;
}

int GltfBuffer::add_points(const std::vector<Vec3>& points, bool bounds) {
  std::vector<float> numbers;
  numbers.reserve(3 * points.size());
  for (const Vec3& p : points)
    for (int k = 0; k < 3; ++k) numbers.push_back(static_cast<float>(p[k]));
  return add_floats(numbers, 3, bounds, true);
}

int GltfBuffer::add_triangles(const std::vector<std::array<int, 3>>& triangles) {
  std::vector<std::uint32_t> corners;
  corners.reserve(3 * triangles.size());
  for (const auto& t : triangles)
    for (const int corner : t) corners.push_back(static_cast<std::uint32_t>(corner));
  const int view =
      add_view(corners.data(), corners.size() * sizeof(std::uint32_t), kElementArrayBuffer);
  accessors_.push_back(Json::Object{{"bufferView", view},
                                    {"componentType", kUnsignedInt},
                                    {"count", corners.size()},
                                    {"type", "SCALAR"}});
  return static_cast<int>(accessors_.size()) - 1;
}

}  // namespace repose::exchange
