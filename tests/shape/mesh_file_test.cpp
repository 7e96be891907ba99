#include <array>
#include <chrono>
#include <ctime>
#include <limits>
#include <numbers>

#include <sys/stat.h>

#include "repose/shape/repair.h"

#include "shape/mesh_files.h"

namespace repose::shape {
namespace {

TEST(MeshFile, every_format_gives_the_same_cube) {
  const TriangleMesh mesh = cube();
  expect_unit_cube(TempFile("a.obj", kCubeObj).path());
  expect_unit_cube(TempFile("b.stl", binary_stl(mesh)).path());
  expect_unit_cube(TempFile("c.STL", text_stl(mesh)).path());
  expect_unit_cube(TempFile("d.ply", ply(mesh, "ascii")).path());
  expect_unit_cube(TempFile("e.ply", ply(mesh, "binary_little_endian")).path());
  expect_unit_cube(TempFile("f.ply", ply(mesh, "binary_big_endian")).path());
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

/// A tetrahedron's four corners and faces, in OBJ.
const char* const kTetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

double volume_of(const std::string& name, const std::string& bytes) {
  const auto made = make_mesh_file({.path = TempFile(name, bytes).path()});
  EXPECT_TRUE(made) << name << ": " << made.error().text();
  return made ? (*made)->volume.volume : 0.0;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

TEST(MeshFile, texts_are_read_however_their_lines_end) {
  const std::string obj = kTetrahedron;
  EXPECT_DOUBLE_EQ(volume_of("a.obj", obj), 1.0 / 6.0);
  EXPECT_DOUBLE_EQ(volume_of("b.obj", replaced(obj, "\n", "\r\n")), 1.0 / 6.0);
  EXPECT_DOUBLE_EQ(volume_of("c.obj", replaced(obj, "\n", "\r")), 1.0 / 6.0);
  EXPECT_DOUBLE_EQ(volume_of("d.obj", obj.substr(0, obj.size() - 1)), 1.0 / 6.0);
  EXPECT_DOUBLE_EQ(volume_of("e.obj", "\xEF\xBB\xBF" + obj), 1.0 / 6.0);
  EXPECT_DOUBLE_EQ(volume_of("f.obj", replaced(obj, " 1 3", " \\\n1 3")), 1.0 / 6.0);
  EXPECT_DOUBLE_EQ(volume_of("g.obj", replaced(obj, " 1 3", " 1\\\r\n3")), 1.0 / 6.0);
  EXPECT_DOUBLE_EQ(volume_of("h.obj", "# f 9 9 9\n\n  \t\n" + replaced(obj, "\n", " # end\n")),
                   1.0 / 6.0);
  const std::string stl = text_stl(cube());
  for (const std::string end : {"\r\n", "\r"})
    EXPECT_DOUBLE_EQ(volume_of("i.stl", replaced(stl, "\n", end)), 1.0);
  EXPECT_DOUBLE_EQ(
      volume_of("j.stl", replaced(replaced(stl, "vertex", "VERTEX"), "solid", "Solid")), 1.0);
}

TEST(MeshFile, corners_may_be_written_in_every_way_that_obj_allows) {
  const std::string points = "v 0 0 0 1.0\nv 1e0 0 0\nv 0 +1 0\nv 0 0 .1e1\n";
  EXPECT_DOUBLE_EQ(volume_of("a.obj", points + "f 1/2/3 3/1 2//7\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"),
                   1.0 / 6.0);
  EXPECT_DOUBLE_EQ(volume_of("b.obj", points + "f -4 -2 -3\nf -4 -3 -1\nf -3 -2 -1\nf -2 -4 -1\n"),
                   1.0 / 6.0);
  // numbers below the least double are zero
  EXPECT_DOUBLE_EQ(volume_of("c.obj", replaced(kTetrahedron, "v 0 0 0", "v 1e-400 -1e-999 0")),
                   1.0 / 6.0);
}

TEST(MeshFile, what_is_wrong_in_a_text_is_told_with_its_line) {
  const auto told = [](const std::string& name, const std::string& bytes, int line,
                       const std::string& value, const std::string& wrong) {
    const InputError error = refused(name, bytes);
    EXPECT_EQ(error.line, line) << name;
    EXPECT_EQ(error.value, value) << name;
    EXPECT_NE(error.wrong.find(wrong), std::string::npos) << name << ": " << error.text();
    EXPECT_FALSE(error.right.empty()) << name;
  };
  told("a.obj", "v 0 0 0\nv 1e400 0 0\n", 2, "1e400", "not a finite number");
  told("b.obj", "v 0 0 0\n\nv 1 2 inf\n", 3, "inf", "not a finite number");
  told("c.obj", "v 1e10 0 0\n", 1, "1e10", "too large");
  told("d.obj", "v 0 0\n", 1, "", "no number");
  told("e.obj", "v 0 0 0x\n", 1, "0x", "no number");
  told("f.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n", 3, "3", "not there");
  told("g.obj", "v 0 0 0\nf 0 1 1\n", 2, "0", "not there");
  told("h.obj", "v 0 0 0\nf -2 1 1\n", 2, "-2", "not there");
  told("i.obj", "v 0 0 0\nf 1 1\n", 2, "2 corners", "fewer than three");
  told("j.obj", "v 0 0 0\nf 1 1.5 1\n", 2, "1.5", "no vertex number");
  told("k.obj", "v 0 0 0\nf 1 99999999999999999999 1\n", 2, "99999999999999999999",
       "no vertex number");
  told("l.obj", "cstype bezier\nsurf 0 1 0 1 1 2 3 4\n", 2, "surf", "free-form");
  told("r.obj", "v 0 0 0\n" + std::string(9, '\0'), 2, "", "zero byte");
  told("m.obj", "v 0 0 " + std::string(100000, '1') + "\n", 1, std::string(40, '1'), "no number");
  const std::string facet = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n";
  told("n.stl", facet + "endloop\n", 5, "1 vertices", "not three vertices");
  told("o.stl", facet + "vertex 1 nan 0\n", 5, "nan", "not a finite number");
  told("p.stl", facet + "vertex 1 0 0\nvertex 0 1 0\nvertex 1 1 0\nendloop\n", 8, "4 vertices",
       "not three vertices");
  told("q.stl", "solid a\nouter loop\nvertex 0 0\n", 3, "", "no number");
}

TEST(MeshFile, a_binary_stl_may_begin_with_solid) {
  std::string bytes = binary_stl(cube());
  bytes.replace(0, 10, "solid cube");
  expect_unit_cube(TempFile("a.stl", bytes).path());
  // one byte short: told by what it claims
  const InputError error = refused("b.stl", bytes.substr(0, bytes.size() - 1));
  EXPECT_NE(error.wrong.find("12 triangles"), std::string::npos) << error.text();
  EXPECT_EQ(error.right, "84 + 50 x triangles = 684 bytes");
}

TEST(MeshFile, a_wrong_number_in_a_binary_file_is_told_with_its_byte) {
  std::string bytes = binary_stl(cube());
  const float wrong = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(bytes.data() + 84 + 50 * 3 + 12 + 12, &wrong, sizeof wrong);
  const InputError error = refused("a.stl", bytes);
  EXPECT_NE(error.wrong.find("triangle 3, corner 1, at byte 258: "), std::string::npos)
      << error.text();
}

TEST(MeshFile, a_line_of_many_megabytes_costs_no_memory_of_its_own) {
  // a comment, a name and a polygon of a million corners
  std::string obj = "# " + std::string(1 << 24, 'x') + "\ng " + std::string(1 << 20, 'y') + "\n";
  obj += std::string(kTetrahedron) + "f";
  for (int i = 0; i < 1000000; ++i) obj += " 1";
  EXPECT_DOUBLE_EQ(volume_of("a.obj", obj), 1.0 / 6.0);
}

TEST(MeshFile, only_plain_files_are_opened_and_nothing_is_waited_for) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("repose_pipe_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const std::string pipe = (folder / "pipe.stl").string(), link = (folder / "zero.obj").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", link);
  std::filesystem::create_directories(folder / "folder.ply");
  for (const std::string& path : {pipe, link, (folder / "folder.ply").string()}) {
    const auto mesh = read_mesh_file(path);
    ASSERT_FALSE(mesh) << path;
    EXPECT_EQ(mesh.error().wrong, "not a plain file") << path;
  }
  std::filesystem::remove_all(folder);
}

TEST(MeshFile, a_file_beyond_the_limit_is_refused_unread) {
  const TempFile file("sparse.ply",
                      "ply\nformat binary_little_endian 1.0\nelement vertex 500000000\n"
                      "property float x\nproperty float y\nproperty float z\nend_header\n");
  std::filesystem::resize_file(file.path(), std::uintmax_t{7} << 30);
  const auto mesh = read_mesh_file(file.path());
  ASSERT_FALSE(mesh);
  EXPECT_EQ(mesh.error().wrong, "the file is too large");
  // within the size, but of too many points: refused by the header alone
  std::filesystem::resize_file(file.path(), std::uintmax_t{1} << 30);
  EXPECT_NE(refused("many.ply",
                    "ply\nformat ascii 1.0\nelement vertex 1000000000\nproperty float x\n"
                    "property float y\nproperty float z\nend_header\n")
                .wrong.find("claims 1000000000"),
            std::string::npos);
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

/// A prism over an L: a fan from its second corner would reach outside.
TEST(MeshFile, polygons_with_inward_corners_are_cut_within_themselves) {
  const std::vector<std::array<double, 2>> outline{{2, 0}, {2, 1}, {1, 1}, {1, 3}, {0, 3}, {0, 0}};
  std::string obj, ply =
                       "ply\nformat ascii 1.0\nelement vertex 12\nproperty float x\nproperty "
                       "float y\nproperty float z\nelement face 8\nproperty list uchar int "
                       "vertex_indices\nend_header\n";
  std::vector<std::vector<int>> faces{{5, 4, 3, 2, 1, 0}, {6, 7, 8, 9, 10, 11}};
  for (int k = 0; k < 6; ++k) faces.push_back({k, (k + 1) % 6, 6 + (k + 1) % 6, 6 + k});
  for (const int z : {0, 1})
    for (const auto& p : outline) {
      obj +=
          "v " + std::to_string(p[0]) + " " + std::to_string(p[1]) + " " + std::to_string(z) + "\n";
      ply += std::to_string(p[0]) + " " + std::to_string(p[1]) + " " + std::to_string(z) + "\n";
    }
  for (const auto& face : faces) {
    obj += "f";
    ply += std::to_string(face.size());
    for (const int corner : face) {
      obj += " " + std::to_string(corner + 1);
      ply += " " + std::to_string(corner);
    }
    obj += "\n";
    ply += "\n";
  }
  for (const auto& [name, text] : {std::pair("l.obj", obj), std::pair("l.ply", ply)}) {
    const TempFile file(name, text);
    const auto mesh = read_mesh_file(file.path());
    ASSERT_TRUE(mesh) << mesh.error().text();
    EXPECT_EQ(mesh->triangles.size(), 20U);
    EXPECT_TRUE(inspect_mesh(*mesh).empty()) << name;
    EXPECT_NEAR(make_mesh({*mesh, false}).value()->volume.volume, 4.0, 1e-12) << name;
  }
}

}  // namespace
}  // namespace repose::shape
