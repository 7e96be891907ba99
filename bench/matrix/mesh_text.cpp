#include "mesh_text.h"

#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace repose::matrix {

namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

MeshText icosahedron() {
  const double g = std::numbers::phi;
  MeshText out;
  out.points = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  out.triangles = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                   {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                   {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                   {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  for (Vec3& p : out.points) p.normalize();
  return out;
}

MeshText cut_in_four(const MeshText& mesh) {
  MeshText out;
  out.points = mesh.points;
  std::map<std::pair<int, int>, int> middles;
  const auto middle = [&](int a, int b) {
    const auto [at, is_new] =
        middles.try_emplace(std::minmax(a, b), static_cast<int>(out.points.size()));
    if (is_new)
      out.points.push_back(
          (out.points[static_cast<std::size_t>(a)] + out.points[static_cast<std::size_t>(b)])
              .normalized());
    return at->second;
  };
  for (const auto& [a, b, c] : mesh.triangles) {
    const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    for (const std::array<int, 3> t :
         {std::array{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}})
      out.triangles.push_back(t);
  }
  return out;
}

/// m over the ground: a basin 0.3 m wide with hills.
double terrain_height(double x, double y) {
  constexpr double kHalf = 0.15, kFloor = 0.02, kRim = 0.05, kHills = 0.006,
                   kWave = 45.0;  // m, 1/m
  const double out = std::min(1.0, (x * x + y * y) / (kHalf * kHalf));
  return kFloor + kRim * out + kHills * (std::sin(kWave * x + 1.0) * std::cos(kWave * y) + 1.0);
}

}  // namespace

std::string MeshText::shape() const {
  std::vector<std::string> corners, faces;
  for (const Vec3& p : points) corners.push_back(fmt::format("[{}, {}, {}]", p.x(), p.y(), p.z()));
  for (const auto& [a, b, c] : triangles) faces.push_back(fmt::format("[{}, {}, {}]", a, b, c));
  return fmt::format(R"({{"kind": "mesh", "points": [{}], "triangles": [{}]}})",
                     fmt::join(corners, ", "), fmt::join(faces, ", "));
}

MeshText ellipsoid_mesh(const Vec3& radii, int times) {
  MeshText out = icosahedron();
  for (int k = 0; k < times; ++k) out = cut_in_four(out);
  for (Vec3& p : out.points) p = p.cwiseProduct(radii);
  return out;
}

MeshText wavy_ring_mesh(double ring_radius, double tube_radius, double waves, int around,
                        int across) {
  constexpr double kDepth = 0.2;  // of a wave, over the tube's radius
  MeshText out;
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const double u = kTurn * i / around, v = kTurn * j / across;
      const double r = tube_radius * (1.0 + kDepth * std::sin(waves * u));
      const double rho = ring_radius + r * std::cos(v);
      out.points.emplace_back(rho * std::cos(u), rho * std::sin(u), r * std::sin(v));
    }
  const auto at = [&](int i, int j) { return (i % around) * across + j % across; };
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      out.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      out.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return out;
}

MeshText terrain_mesh(double scale, int cells) {
  constexpr double kSide = 0.3;  // m
  const int row = cells + 1;
  MeshText out;
  const auto place = [&](int i) { return kSide * (static_cast<double>(i) / cells - 0.5); };
  for (int i = 0; i < row; ++i)
    for (int j = 0; j < row; ++j)
      out.points.push_back(scale * Vec3(place(i), place(j), terrain_height(place(i), place(j))));
  for (int i = 0; i < cells; ++i)
    for (int j = 0; j < cells; ++j) {
      const int a = i * row + j, b = a + row;
      out.triangles.push_back({a, b, b + 1});
      out.triangles.push_back({a, b + 1, a + 1});
    }
  // the outline, counter-clockwise seen from above, and its foot on the ground
  std::vector<int> rim;
  for (int i = 0; i < cells; ++i) rim.push_back(i * row);
  for (int j = 0; j < cells; ++j) rim.push_back(cells * row + j);
  for (int i = cells; i > 0; --i) rim.push_back(i * row + cells);
  for (int j = cells; j > 0; --j) rim.push_back(j);
  const int foot = static_cast<int>(out.points.size()), count = static_cast<int>(rim.size());
  for (const int r : rim) {
    const Vec3& p = out.points[static_cast<std::size_t>(r)];
    out.points.push_back(Vec3(p.x(), p.y(), 0.0));
  }
  for (int k = 0; k < count; ++k) {
    const int next = (k + 1) % count;
    const int a = rim[static_cast<std::size_t>(k)], b = rim[static_cast<std::size_t>(next)];
    out.triangles.push_back({a, foot + k, foot + next});
    out.triangles.push_back({a, foot + next, b});
  }
  // the underside, a fan about its middle
  const int middle = static_cast<int>(out.points.size());
  out.points.push_back(Vec3::Zero());
  for (int k = 0; k < count; ++k)
    out.triangles.push_back({middle, foot + (k + 1) % count, foot + k});
  return out;
}

}  // namespace repose::matrix
