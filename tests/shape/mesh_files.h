#pragma once

// Mesh files as tests write them: a cube in every format.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "repose/shape/make.h"
#include "repose/shape/mesh_file.h"

namespace repose::shape {

/// Writes bytes to a file that vanishes with the test.
class TempFile {
 public:
  TempFile(const std::string& name, const std::string& bytes)
      : path_((std::filesystem::temp_directory_path() /
               ("repose_" + std::to_string(::getpid()) + "_" + name))
                  .string()) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TempFile() { std::filesystem::remove(path_); }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline const char* const kCubeObj =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

inline TriangleMesh cube() {
  const TempFile file("cube.obj", kCubeObj);
  return *read_mesh_file(file.path());
}

template <class T>
void put(std::string* out, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out->append(bytes, sizeof(T));
}

inline std::string binary_stl(const TriangleMesh& mesh) {
  std::string out(80, ' ');
  put(&out, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const auto& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) put(&out, 0.0F);
    for (const int c : t)
      for (int k = 0; k < 3; ++k) put(&out, static_cast<float>(mesh.points[c][k]));
    put(&out, std::uint16_t{0});
  }
  return out;
}

inline std::string text_stl(const TriangleMesh& mesh) {
  std::string out = "solid cube\n";
  for (const auto& t : mesh.triangles) {
    out += "facet normal 0 0 0\nouter loop\n";
    for (const int c : t)
      out += "vertex " + std::to_string(mesh.points[c].x()) + " " +
             std::to_string(mesh.points[c].y()) + " " + std::to_string(mesh.points[c].z()) + "\n";
    out += "endloop\nendfacet\n";
  }
  return out + "endsolid cube\n";
}

inline std::string ply(const TriangleMesh& mesh, const std::string& format) {
  std::string out = "ply\nformat " + format + " 1.0\nelement vertex " +
                    std::to_string(mesh.points.size()) +
                    "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
                    std::to_string(mesh.triangles.size()) +
                    "\nproperty list uchar int vertex_indices\nend_header\n";
  const bool big = format == "binary_big_endian";
  const auto number = [&](auto value) {
    std::string bytes;
    put(&bytes, value);
    if (big) std::reverse(bytes.begin(), bytes.end());
    out += bytes;
  };
  for (const Vec3& p : mesh.points)
    for (int k = 0; k < 3; ++k) {
      if (format == "ascii")
        out += std::to_string(p[k]) + (k == 2 ? "\n" : " ");
      else
        number(static_cast<float>(p[k]));
    }
  for (const auto& t : mesh.triangles) {
    if (format == "ascii") {
      out += "3 " + std::to_string(t[0]) + " " + std::to_string(t[1]) + " " + std::to_string(t[2]) +
             "\n";
      continue;
    }
    number(std::uint8_t{3});
    for (const int c : t) number(std::int32_t{c});
  }
  return out;
}

inline void expect_unit_cube(const std::string& path) {
  const auto made = make_mesh_file({.path = path});
  ASSERT_TRUE(made) << made.error().text();
  const Shape& shape = **made;
  EXPECT_NEAR(shape.volume.volume, 1.0, 1e-14);
  EXPECT_NEAR(shape.volume.area, 6.0, 1e-14);
  EXPECT_LT((shape.volume.center - Vec3::Constant(0.5)).norm(), 1e-14);
  EXPECT_LT((shape.volume.inertia - Mat3::Identity() / 6.0).norm(), 1e-14);
  EXPECT_NEAR(shape.bounding_radius, std::sqrt(0.75), 1e-14);
  EXPECT_EQ(std::get<TriangleMesh>(shape.geometry).points.size(), 8u);
}

/// The error of a file that must be refused.
inline InputError refused(const std::string& name, const std::string& bytes) {
  const TempFile file(name, bytes);
  const auto mesh = read_mesh_file(file.path());
  if (!mesh) return mesh.error();
  ADD_FAILURE() << name << " was read";
  return {};
}

}  // namespace repose::shape
