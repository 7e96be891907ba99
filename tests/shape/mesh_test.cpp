#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>
#include <unistd.h>

#include "repose/shape/inside.h"
#include "repose/shape/make.h"
#include "repose/shape/mesh_file.h"

namespace repose::shape {
namespace {

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

const char* const kCubeObj =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

TriangleMesh cube() {
  const TempFile file("cube.obj", kCubeObj);
  return *read_mesh_file(file.path());
}

template <class T>
void put(std::string* out, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out->append(bytes, sizeof(T));
}

std::string binary_stl(const TriangleMesh& mesh) {
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

std::string text_stl(const TriangleMesh& mesh) {
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

std::string ply(const TriangleMesh& mesh, const std::string& format) {
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

void expect_unit_cube(const std::string& path) {
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

TEST(MeshFile, every_format_gives_the_same_cube) {
  const TriangleMesh mesh = cube();
  expect_unit_cube(TempFile("a.obj", kCubeObj).path());
  expect_unit_cube(TempFile("b.stl", binary_stl(mesh)).path());
  expect_unit_cube(TempFile("c.STL", text_stl(mesh)).path());
  expect_unit_cube(TempFile("d.ply", ply(mesh, "ascii")).path());
  expect_unit_cube(TempFile("e.ply", ply(mesh, "binary_little_endian")).path());
  expect_unit_cube(TempFile("f.ply", ply(mesh, "binary_big_endian")).path());
}

TEST(MeshFile, gltf_with_a_buffer_beside_it_gives_its_triangles) {
  const TriangleMesh mesh = cube();
  std::string bin;
  for (const Vec3& p : mesh.points)
    for (int k = 0; k < 3; ++k) put(&bin, static_cast<float>(p[k]));
  for (const auto& t : mesh.triangles)
    for (const int c : t) put(&bin, static_cast<std::uint16_t>(c));
  const TempFile buffer("cube.bin", bin);
  const std::string name = std::filesystem::path(buffer.path()).filename().string();
  const TempFile file(
      "cube.gltf",
      R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],)"
      R"("meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],)"
      R"("buffers":[{"uri":")" +
          name + R"(","byteLength":168}],"bufferViews":[{"buffer":0,"byteOffset":0,)" +
          R"("byteLength":96},{"buffer":0,"byteOffset":96,"byteLength":72}],)"
          R"("accessors":[{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3",)"
          R"("min":[0,0,0],"max":[1,1,1]},)"
          R"({"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}]})");
  expect_unit_cube(file.path());
}

TEST(MeshFile, lying_sizes_are_refused_at_once) {
  const auto refused = [](const std::string& name, const std::string& bytes) {
    const TempFile file(name, bytes);
    const auto begin = std::chrono::steady_clock::now();
    const auto mesh = read_mesh_file(file.path());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    EXPECT_FALSE(mesh) << name;
    EXPECT_LT(took.count(), 1.0) << name;
  };
  const std::string header =
      "element vertex 4000000000\nproperty float x\nproperty float y\n"
      "property float z\nend_header\n";
  refused("a.ply", "ply\nformat binary_little_endian 1.0\n" + header + std::string(40, 'x'));
  refused("b.ply", "ply\nformat ascii 1.0\n" + header + "0 0 0\n");
  refused("c.ply", "ply\nformat ascii 1.0\nelement vertex 4000000000\nend_header\n");
  std::string stl(80, ' ');
  put(&stl, std::uint32_t{4000000000U});
  refused("d.stl", stl + std::string(50, ' '));
  refused("e.gltf",
          R"({"asset":{"version":"2.0"},"accessors":[{"count":4000000000,"componentType":5126,)"
          R"("type":"VEC3"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)"
          R"("nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0})");
  refused("f.obj", "v 0 0 0\nf 1 2 4000000000\n");
  refused("g.ply",
          "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nelement face 1\n"
          "property list int int vertex_indices\nend_header\n0\n2000000000 0\n");
}

TEST(MeshFile, bad_files_are_refused_naming_the_line) {
  const TempFile nan("nan.obj", "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n");
  const auto not_finite = read_mesh_file(nan.path());
  ASSERT_FALSE(not_finite);
  EXPECT_NE(not_finite.error().text().find("not a finite number"), std::string::npos);
  const TempFile word("word.obj", "v 0 0 0\nv 1 zero 0\n");
  const auto no_number = read_mesh_file(word.path());
  ASSERT_FALSE(no_number);
  EXPECT_EQ(no_number.error().line, 2);
  EXPECT_EQ(no_number.error().value, "zero");
  EXPECT_FALSE(read_mesh_file("/nowhere/at/all.obj"));
  EXPECT_FALSE(read_mesh_file(TempFile("x.xyz", "0 0 0").path()));
  EXPECT_FALSE(read_mesh_file(TempFile("empty.obj", "").path()));
  EXPECT_FALSE(read_mesh_file(TempFile("empty.stl", "").path()));
  EXPECT_FALSE(
      read_mesh_file(TempFile("half.stl", "solid a\nfacet\nouter loop\nvertex 0 0 0\n").path()));
}

TEST(Mesh, an_open_mesh_is_refused_as_a_solid_naming_its_edges) {
  TriangleMesh open = cube();
  open.triangles.pop_back();
  const auto made = make_mesh({.mesh = open});
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().wrong.find("3 edges with one triangle"), std::string::npos)
      << made.error().text();
  const auto surroundings = make_mesh({.mesh = open, .open = true});
  ASSERT_TRUE(surroundings);
  EXPECT_EQ((*surroundings)->volume.volume, 0.0);
}

TEST(Mesh, an_edge_with_three_triangles_is_refused) {
  TriangleMesh crowded = cube();
  crowded.points.push_back({0.5, -1.0, 0.5});
  const auto t = crowded.triangles[0];
  crowded.triangles.push_back({t[0], t[1], 8});
  const auto made = make_mesh({.mesh = crowded});
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().wrong.find("1 with more than two"), std::string::npos)
      << made.error().text();
}

TEST(Mesh, triangles_that_disagree_are_turned_outward) {
  TriangleMesh mixed = cube();
  for (std::size_t t = 0; t < mixed.triangles.size(); t += 3)
    std::swap(mixed.triangles[t][0], mixed.triangles[t][1]);
  const auto made = make_mesh({.mesh = mixed});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_NEAR((*made)->volume.volume, 1.0, 1e-14);
  EXPECT_TRUE(inside(**made, {0.4, 0.3, 0.2}));
  EXPECT_NEAR(signed_gap(**made, {0.5, 0.5, 3.0}), 2.0, 1e-14);
}

TEST(Mesh, a_moebius_band_doubled_shut_is_not_taken_for_a_solid) {
  TriangleMesh band;
  const int n = 12;
  for (int i = 0; i < n; ++i) {
    const double a = 2.0 * std::numbers::pi * i / n, half = 0.5 * a;
    for (const double s : {-0.3, 0.3})
      band.points.emplace_back((1.0 + s * std::cos(half)) * std::cos(a),
                               (1.0 + s * std::cos(half)) * std::sin(a), s * std::sin(half));
  }
  for (int i = 0; i < n; ++i) {
    const bool last = i == n - 1;
    const int a = 2 * i, b = 2 * i + 1, c = last ? 1 : 2 * i + 2, d = last ? 0 : 2 * i + 3;
    band.triangles.push_back({a, b, c});
    band.triangles.push_back({b, d, c});
  }
  EXPECT_FALSE(make_mesh({.mesh = band}));
}

TEST(Mesh, absurd_numbers_are_refused) {
  TriangleMesh bad = cube();
  bad.points[3].x() = 1e308;
  EXPECT_FALSE(make_mesh({.mesh = bad}));
  bad = cube();
  bad.triangles[2][1] = 77;
  EXPECT_FALSE(make_mesh({.mesh = bad}));
  EXPECT_FALSE(make_mesh({}));
}

/// A sphere-like grid of about `count` triangles.
TriangleMesh large_sphere(int count) {
  const int n = static_cast<int>(std::sqrt(count / 4.0));
  TriangleMesh mesh;
  const auto at = [&](int i, int j) { return 1 + (i - 1) * 2 * n + j % (2 * n); };
  mesh.points.emplace_back(0.0, 0.0, 1.0);
  for (int i = 1; i < n; ++i)
    for (int j = 0; j < 2 * n; ++j) {
      const double t = std::numbers::pi * i / n, p = std::numbers::pi * j / n;
      mesh.points.emplace_back(std::sin(t) * std::cos(p), std::sin(t) * std::sin(p), std::cos(t));
    }
  mesh.points.emplace_back(0.0, 0.0, -1.0);
  const int south = static_cast<int>(mesh.points.size()) - 1;
  for (int j = 0; j < 2 * n; ++j) {
    mesh.triangles.push_back({0, at(1, j), at(1, j + 1)});
    mesh.triangles.push_back({south, at(n - 1, j + 1), at(n - 1, j)});
    for (int i = 1; i + 1 < n; ++i) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return mesh;
}

TEST(MeshFile, a_million_triangles_load_in_two_seconds) {
  const TempFile file("million.stl", binary_stl(large_sphere(1000000)));
  const std::clock_t begin = std::clock();
  const auto made = make_mesh_file({.path = file.path()});
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_GT(std::get<TriangleMesh>((*made)->geometry).triangles.size(), 990000u);
  EXPECT_NEAR((*made)->volume.volume, 4.0 / 3.0 * std::numbers::pi, 1e-4);
#ifdef NDEBUG
  EXPECT_LT(seconds, 2.0);
#endif
  RecordProperty("cpu_seconds", std::to_string(seconds));
}

TEST(Convex, the_hull_of_a_rotated_cube_has_six_faces) {
  Random random(7);
  for (int trial = 0; trial < 20; ++trial) {
    const Quat turn = random_rotation(random);
    ConvexInput in;
    for (int i = 0; i < 8; ++i)
      in.points.push_back(turn * Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
    for (int i = 0; i < 50; ++i)
      in.points.push_back(turn * Vec3(random.between(-1, 1), random.between(-1, 1), 1.0));
    const auto made = make_convex(in);
    ASSERT_TRUE(made) << made.error().text();
    EXPECT_EQ(std::get<ConvexPolyhedron>((*made)->geometry).faces.size(), 6u);
    EXPECT_NEAR((*made)->volume.volume, 8.0, 1e-12);
  }
}

TEST(Convex, every_point_lies_within_the_hull) {
  Random random(11);
  ConvexInput in;
  for (int i = 0; i < 2000; ++i) in.points.push_back(random_direction(random) * random.unit());
  for (int i = 0; i < 200; ++i) in.points.push_back(in.points[i]);  // doubles
  const auto made = make_convex(in);
  ASSERT_TRUE(made) << made.error().text();
  const InsideTest test(**made);
  for (const Vec3& p : in.points) EXPECT_LT(test.signed_gap(p), 1e-9);
}

TEST(Convex, points_in_a_plane_and_dented_faces_are_refused) {
  ConvexInput flat;
  for (int i = 0; i < 9; ++i) flat.points.emplace_back(i % 3, i / 3, 0.25 * (i % 3));
  EXPECT_FALSE(make_convex(flat));
  const TriangleMesh mesh = cube();
  ConvexInput dented;
  dented.points = mesh.points;
  for (const auto& t : mesh.triangles) dented.faces.push_back({t[0], t[1], t[2]});
  ASSERT_TRUE(make_convex(dented));
  dented.points[6] = {0.6, 0.6, 0.2};
  EXPECT_FALSE(make_convex(dented));
}

}  // namespace
}  // namespace repose::shape
