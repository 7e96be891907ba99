#include <chrono>

#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "repose/base/random.h"
#include "repose/math/pose.h"

#include "shape/gltf_files.h"

namespace repose::shape {
namespace {

TriangleMesh read(const std::string& name, const std::string& bytes) {
  const auto mesh = read_mesh_file(TempFile(name, bytes).path());
  EXPECT_TRUE(mesh) << name << ": " << mesh.error().text();
  return mesh ? *mesh : TriangleMesh();
}

Result<ShapePtr> solid(const std::string& bytes, const std::string& name = "a.gltf") {
  return make_mesh_file({.path = TempFile(name, bytes).path()});
}

void expect_volume(const std::string& bytes, double volume, const std::string& name = "a.gltf") {
  const auto made = solid(bytes, name);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_NEAR((*made)->volume.volume, volume, 1e-12 * volume);
}

TEST(Gltf, buffers_lie_in_the_file_beside_it_or_in_the_glb) {
  GltfText text;
  expect_volume(text.json(), 1.0 / 6.0);
  expect_volume(text.glb(), 1.0 / 6.0, "a.glb");
  const TempFile beside("with space.bin", text.buffer);
  std::string name = std::filesystem::path(beside.path()).filename().string();
  name.replace(name.find(' '), 1, "%20");
  text.uri = name;
  expect_volume(text.json(), 1.0 / 6.0);
}

TEST(Gltf, lengths_of_base64_fit_with_and_without_padding) {
  for (const std::size_t more : {0, 1, 2, 3}) {
    GltfText text;
    text.buffer += std::string(more, 'x');
    text.uri = "data:application/gltf-buffer;base64," + base64(text.buffer);
    expect_volume(text.json(), 1.0 / 6.0);
    while (text.uri.back() == '=') text.uri.pop_back();
    expect_volume(text.json(), 1.0 / 6.0);
  }
}

TEST(Gltf, strips_fans_and_plain_points_make_triangles) {
  GltfText text;
  text.buffer.resize(48);
  for (const int c : {0, 2, 1, 3, 0, 2, 0, 0, 0, 0, 0, 0})
    put(&text.buffer, static_cast<std::uint8_t>(c));
  text.uri = "data:;base64," + base64(text.buffer);
  text.accessors = R"([{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},)"
                   R"({"bufferView":1,"componentType":5121,"count":6,"type":"SCALAR"}])";
  text.primitives = R"([{"attributes":{"POSITION":0},"indices":1,"mode":5}])";
  expect_volume(text.json(), 1.0 / 6.0);
  text.primitives = R"([{"attributes":{"POSITION":0},"mode":6}])";
  const std::vector<std::array<int, 3>> fan{{0, 1, 2}, {0, 2, 3}};
  EXPECT_EQ(read("a.gltf", text.json()).triangles, fan);
  text.primitives = R"([{"attributes":{"POSITION":0},"mode":5}])";
  const std::vector<std::array<int, 3>> strip{{0, 1, 2}, {2, 1, 3}};
  EXPECT_EQ(read("a.gltf", text.json()).triangles, strip);
  // points and lines are passed over
  text.primitives = R"([{"attributes":{"POSITION":0},"mode":1},{"attributes":{"NORMAL":0}}])";
  EXPECT_EQ(refused("a.gltf", text.json()).wrong, "the file holds no triangles");
}

TEST(Gltf, nodes_place_their_meshes_and_mirrors_turn_them) {
  GltfText text;
  text.nodes = R"([{"scale":[2,2,2],"children":[1]},{"mesh":0,"translation":[1,2,3]}])";
  auto made = solid(text.json());
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_NEAR((*made)->volume.volume, 8.0 / 6.0, 1e-12);
  EXPECT_LT(((*made)->volume.center - Vec3(2.5, 4.5, 6.5)).norm(), 1e-12);
  // half a turn about y: y stays y, as the file says it
  text.nodes = R"([{"mesh":0,"rotation":[0,1,0,0]}])";
  made = solid(text.json());
  ASSERT_TRUE(made);
  EXPECT_LT(((*made)->volume.center - Vec3(-0.25, 0.25, -0.25)).norm(), 1e-12);
  // column by column
  text.nodes = R"([{"mesh":0,"matrix":[0,1,0,0, -1,0,0,0, 0,0,1,0, 5,6,7,1]}])";
  made = solid(text.json());
  ASSERT_TRUE(made);
  EXPECT_LT(((*made)->volume.center - Vec3(4.75, 6.25, 7.25)).norm(), 1e-12);
  text.nodes = R"([{"mesh":0,"scale":[-1,1,1]}])";
  const TriangleMesh mirrored = read("a.gltf", text.json());
  const std::vector<std::array<int, 3>> turned{{0, 1, 2}, {2, 0, 3}, {1, 2, 3}, {0, 1, 3}};
  EXPECT_EQ(mirrored.triangles.size(), turned.size());
  double volume = 0.0;
  for (const auto& t : mirrored.triangles)
    volume += mirrored.points[t[0]].dot(mirrored.points[t[1]].cross(mirrored.points[t[2]])) / 6.0;
  EXPECT_NEAR(volume, 1.0 / 6.0, 1e-15);
}

TEST(Gltf, strides_offsets_and_sparse_values_are_read_where_they_lie) {
  GltfText text;
  text.buffer = "????";  // four bytes that count for nothing
  const std::string points = tetrahedron_buffer();
  for (int i = 0; i < 4; ++i) text.buffer += points.substr(12 * i, 12) + "....";
  text.buffer += points.substr(48);  // byte 68
  // elements 1 and 3 replaced: two indices, then their values
  put(&text.buffer, std::uint16_t{1});  // byte 80
  put(&text.buffer, std::uint16_t{3});
  for (const float x : {3.F, 0.F, 0.F, 0.F, 0.F, 5.F}) put(&text.buffer, x);  // byte 84
  text.uri = "data:;base64," + base64(text.buffer);
  text.views =
      R"([{"buffer":0,"byteOffset":2,"byteLength":64,"byteStride":16},)"
      R"({"buffer":0,"byteOffset":60,"byteLength":20},{"buffer":0,"byteOffset":80,"byteLength":4},)"
      R"({"buffer":0,"byteOffset":80,"byteLength":28}])";
  const std::string indices =
      R"(,{"bufferView":1,"byteOffset":8,"componentType":5121,"count":12,"type":"SCALAR"}])";
  const std::string position =
      R"([{"bufferView":0,"byteOffset":2,"componentType":5126,"count":4,"type":"VEC3")";
  text.accessors = position + "}" + indices;
  expect_volume(text.json(), 1.0 / 6.0);
  const std::string sparse =
      R"("sparse":{"count":2,"indices":{"bufferView":2,"componentType":5123},)"
      R"("values":{"bufferView":3,"byteOffset":4}}})";
  text.accessors = position + "," + sparse + indices;
  expect_volume(text.json(), 15.0 / 6.0);
  // without a view all is zero but what is sparse: flat
  text.accessors = R"([{"componentType":5126,"count":4,"type":"VEC3",)" + sparse + indices;
  EXPECT_FALSE(solid(text.json()));
}

TEST(Gltf, whole_numbers_are_positions_where_the_extension_says_so) {
  GltfText text;
  text.buffer.clear();
  for (const int x : {0, 0, 0, 0, 127, 0, 0, 0, 0, 127, 0, 0, 0, 0, 127, 0})
    put(&text.buffer, static_cast<std::int8_t>(x));
  for (const int c : {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3})
    put(&text.buffer, static_cast<std::uint32_t>(c));
  text.uri = "data:;base64," + base64(text.buffer);
  text.views = R"([{"buffer":0,"byteLength":16,"byteStride":4},)"
               R"({"buffer":0,"byteOffset":16,"byteLength":48}])";
  const std::string indices =
      R"(,{"bufferView":1,"componentType":5125,"count":12,"type":"SCALAR"}])";
  const std::string position =
      R"([{"bufferView":0,"componentType":5120,"count":4,"type":"VEC3","normalized":)";
  text.accessors = position + "true}" + indices;
  EXPECT_NE(refused("a.gltf", text.json()).wrong.find("not allowed"), std::string::npos);
  text.more = R"(,"extensionsRequired":["KHR_mesh_quantization"])";
  expect_volume(text.json(), 1.0 / 6.0);
  text.accessors = position + "false}" + indices;
  expect_volume(text.json(), 127.0 * 127.0 * 127.0 / 6.0);
}

/// What is wrong is told with the pointer of its place in the JSON.
void expect_told(const GltfText& text, const std::string& pointer, const std::string& wrong) {
  const InputError error = refused("a.gltf", text.json());
  EXPECT_EQ(error.pointer, pointer) << error.text();
  EXPECT_NE(error.wrong.find(wrong), std::string::npos) << error.text();
  EXPECT_FALSE(error.right.empty()) << error.text();
  EXPECT_EQ(error.line, 1) << error.text();
}

TEST(Gltf, every_offset_count_and_size_is_checked_against_the_bytes_there_are) {
  const auto views = [](const std::string& first) {
    GltfText text;
    text.views = "[" + first + R"(,{"buffer":0,"byteOffset":48,"byteLength":12}])";
    return text;
  };
  expect_told(views(R"({"buffer":0,"byteLength":61})"), "/bufferViews/0/byteLength", "range");
  expect_told(views(R"({"buffer":0,"byteOffset":61,"byteLength":1})"), "/bufferViews/0/byteOffset",
              "range");
  expect_told(views(R"({"buffer":0,"byteOffset":-8,"byteLength":48})"), "/bufferViews/0/byteOffset",
              "range");
  expect_told(views(R"({"buffer":1,"byteLength":48})"), "/bufferViews/0/buffer", "names nothing");
  expect_told(views(R"({"byteLength":48})"), "/bufferViews/0", "missing");
  expect_told(views(R"({"buffer":0,"byteLength":48,"byteStride":8})"), "/bufferViews/0/byteStride",
              "range");
  expect_told(views(R"({"buffer":0,"byteLength":48,"byteStride":16})"), "/accessors/0",
              "do not fit");
  expect_told(views(R"({"buffer":0,"byteLength":47})"), "/accessors/0", "do not fit");
  const auto accessor = [](const std::string& first) {
    GltfText text;
    text.accessors =
        "[" + first + R"(,{"bufferView":1,"componentType":5121,"count":12,"type":"SCALAR"}])";
    return text;
  };
  expect_told(accessor(R"({"bufferView":0,"componentType":5126,"count":5,"type":"VEC3"})"),
              "/accessors/0", "do not fit");
  expect_told(accessor(R"({"bufferView":0,"componentType":5126,"count":1e3,"type":"VEC3"})"),
              "/accessors/0/count", "whole");
  expect_told(accessor(R"({"bufferView":0,"componentType":5126,"count":0,"type":"VEC3"})"),
              "/accessors/0/count", "range");
  expect_told(
      accessor(
          R"({"bufferView":0,"componentType":5126,"count":18446744073709551617,"type":"VEC3"})"),
      "/accessors/0/count", "range");
  expect_told(accessor(R"({"bufferView":0,"componentType":5124,"count":4,"type":"VEC3"})"),
              "/accessors/0/componentType", "unknown");
  expect_told(accessor(R"({"bufferView":0,"componentType":5126,"count":4,"type":"VEC4"})"),
              "/accessors/0", "VEC4");
  expect_told(accessor(R"({"bufferView":7,"componentType":5126,"count":4,"type":"VEC3"})"),
              "/accessors/0/bufferView", "names nothing");
  expect_told(
      accessor(R"({"bufferView":0,"byteOffset":4,"componentType":5126,"count":4,"type":"VEC3"})"),
      "/accessors/0", "do not fit");
  expect_told(accessor(R"({"componentType":5126,"count":4000000,"type":"VEC3"})"),
              "/accessors/0/count", "more elements than");
  GltfText lying;
  lying.buffer += "more";
  expect_told(lying, "/buffers/0/byteLength", "60 bytes");
  GltfText index;
  index.buffer[50] = 4;
  index.uri = "data:;base64," + base64(index.buffer);
  expect_told(index, "/accessors/1", "element 2 names a point");
}

TEST(Gltf, sparse_accessors_stay_within_their_elements) {
  const auto sparse = [](const std::string& count, std::uint16_t a, std::uint16_t b,
                         std::size_t values) {
    GltfText text;
    put(&text.buffer, a);
    put(&text.buffer, b);
    text.buffer += std::string(values, '\0');
    text.uri = "data:;base64," + base64(text.buffer);
    text.views =
        R"([{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12},)"
        R"({"buffer":0,"byteOffset":60,"byteLength":4},{"buffer":0,"byteOffset":64,"byteLength":)" +
        std::to_string(values) + "}]";
    text.accessors =
        R"([{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","sparse":{"count":)" +
        count +
        R"(,"indices":{"bufferView":2,"componentType":5123},"values":{"bufferView":3}}},)"
        R"({"bufferView":1,"componentType":5121,"count":12,"type":"SCALAR"}])";
    return text;
  };
  expect_told(sparse("2", 1, 60000, 24), "/accessors/0/sparse", "sparse index");
  expect_told(sparse("2", 3, 1, 24), "/accessors/0/sparse", "sparse index");
  expect_told(sparse("2", 1, 1, 24), "/accessors/0/sparse", "sparse index");
  expect_told(sparse("2", 1, 2, 20), "/accessors/0/sparse/values", "do not fit");
  expect_told(sparse("3", 1, 2, 24), "/accessors/0/sparse/indices", "do not fit");
  expect_told(sparse("5", 1, 2, 24), "/accessors/0/sparse/count", "range");
}

TEST(Gltf, files_beside_it_are_plain_and_in_its_folder) {
  for (const char* uri :
       {"../secret.bin", "/etc/passwd", "a/../../b.bin", "%2e%2e/b.bin", "file:///etc/passwd",
        "https://example.org/a.bin", "a%00.bin", "%zz.bin", "..\\\\b.bin", ""}) {
    GltfText text;
    text.uri = uri;
    expect_told(text, "/buffers/0/uri", "folder");
  }
  GltfText text;
  text.uri = "repose_no_such_file.bin";
  expect_told(text, "/buffers/0/uri", "no such file");
  const auto pipe = std::filesystem::temp_directory_path() /
                    ("repose_pipe_" + std::to_string(::getpid()) + ".bin");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  text.uri = pipe.filename().string();
  expect_told(text, "/buffers/0/uri", "not a plain file");
  std::filesystem::remove(pipe);
  text.uri = "data:;base64,AAA*";
  expect_told(text, "/buffers/0/uri", "no base64 at its character 4");
  text.uri = "data:text/plain,hello";
  expect_told(text, "/buffers/0/uri", "not in base64");
}

TEST(Gltf, extensions_that_hide_the_triangles_are_refused_by_name) {
  for (const char* name : {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "X"}) {
    GltfText text;
    text.more = fmt::format(R"(,"extensionsRequired":["KHR_materials_unlit","{}"])", name);
    const InputError error = refused("a.gltf", text.json());
    EXPECT_EQ(error.pointer, "/extensionsRequired/1");
    EXPECT_EQ(error.value, fmt::format("\"{}\"", name));
  }
  GltfText old;
  old.asset = R"({"version":"1.0"})";
  expect_told(old, "/asset", "glTF 1.0");
}

TEST(Gltf, nodes_form_a_tree) {
  const auto nodes = [](const std::string& list, const std::string& roots = "[0]") {
    GltfText text;
    text.nodes = list;
    text.scenes = R"([{"nodes":)" + roots + "}]";
    return text;
  };
  expect_told(nodes(R"([{"mesh":0,"children":[0]}])"), "/scenes/0/nodes/0", "child");
  expect_told(nodes(R"([{"children":[1]},{"mesh":0,"children":[0]}])"), "/scenes/0/nodes/0",
              "child");
  expect_told(nodes(R"([{"children":[1,1]},{"mesh":0}])"), "/nodes/0/children/1", "parent");
  expect_told(nodes(R"([{"mesh":0}])", "[0,0]"), "/scenes/0/nodes/1", "twice");
  expect_told(nodes(R"([{"mesh":0,"children":[1]}])"), "/nodes/0/children/0", "names nothing");
  expect_told(nodes(R"([{"mesh":1}])"), "/nodes/0/mesh", "names nothing");
  expect_told(nodes(R"([{"mesh":0,"rotation":[0,0,0,0]}])"), "/nodes/0/rotation", "unit");
  expect_told(nodes(R"([{"mesh":0,"scale":[1,1]}])"), "/nodes/0/scale", "count");
  expect_told(nodes(R"([{"mesh":0,"scale":[1e30,1,1]}])"), "/accessors/0", "too large");
  expect_told(nodes(R"([{"mesh":0,"matrix":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]}])"),
              "/nodes/0/matrix", "last row");
  expect_told(nodes(R"([{"mesh":0,"scale":[1,1,1],"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}])"),
              "/nodes/0", "as well");
}

/// CPU time and errors of files that are made to exhaust a reader.
void expect_soon(const std::string& name, const std::string& bytes, const std::string& wrong) {
  const TempFile file(name, bytes);
  const auto begin = std::chrono::steady_clock::now();
  const auto mesh = read_mesh_file(file.path());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(took.count(), 5.0) << wrong;
  if (wrong.empty()) {
    EXPECT_TRUE(mesh) << mesh.error().text();
  } else {
    ASSERT_FALSE(mesh) << wrong;
    EXPECT_NE(mesh.error().wrong.find(wrong), std::string::npos) << mesh.error().text();
  }
}

TEST(Gltf, files_made_to_exhaust_a_reader_are_answered_soon) {
  expect_soon("a.gltf", std::string(2 << 20, '['), "nested too deeply");
  GltfText chain;
  constexpr int kNodes = 100000;
  chain.nodes = "[";
  for (int i = 1; i < kNodes; ++i) chain.nodes += fmt::format(R"({{"children":[{}]}},)", i);
  chain.nodes += R"({"mesh":0}])";
  expect_soon("b.gltf", chain.json(), "");
  // each node's children are the two halves of the next: 2^n meshes, were it not for the parents
  GltfText doubling;
  doubling.nodes = "[";
  for (int i = 1; i < 40; ++i) doubling.nodes += fmt::format(R"({{"children":[{},{}]}},)", i, i);
  doubling.nodes += R"({"mesh":0}])";
  expect_soon("c.gltf", doubling.json(), "parent");
  // as many triangles as a mesh may have, many times over
  GltfText many;
  many.buffer = std::string(3 << 20, '\0');
  many.uri = "data:;base64," + base64(many.buffer);
  many.views = fmt::format(R"([{{"buffer":0,"byteLength":{0}}},{{"buffer":0,"byteLength":{0}}}])",
                           many.buffer.size());
  many.accessors =
      fmt::format(R"([{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},)"
                  R"({{"bufferView":1,"componentType":5121,"count":{},"type":"SCALAR"}}])",
                  many.buffer.size() / 3 * 3);
  many.nodes = many.scenes = "";
  for (int i = 0; i < 20; ++i) {
    many.nodes += i == 0 ? R"([{"mesh":0})" : R"(,{"mesh":0})";
    many.scenes += i == 0 ? R"([{"nodes":[0)" : fmt::format(",{}", i);
  }
  many.nodes += "]", many.scenes += "]}]";
  expect_soon("d.gltf", many.json(), "too large");
  // one accessor of very many members, asked for again and again
  GltfText wide;
  std::string members;
  for (int i = 0; i < 100000; ++i) members += fmt::format(R"("m{}":0,)", i);
  wide.accessors.insert(2, members);
  expect_soon("e.gltf", wide.json(), "100004 members");
}

TEST(Gltf, a_glb_holds_what_its_header_says) {
  const std::string good = GltfText().glb();
  const auto told = [&](std::size_t byte, std::uint32_t word, const std::string& wrong) {
    std::string bad = good;
    std::memcpy(bad.data() + byte, &word, sizeof word);
    const InputError error = refused("a.glb", bad);
    EXPECT_NE(error.wrong.find(wrong), std::string::npos) << error.text();
  };
  told(4, 1, "at byte 4: this version");
  told(8, 20, "at byte 8: the length");
  told(12, 1u << 30U, "at byte 12: the chunk is longer");
  told(16, 7, "at byte 16: JSON is the first");
  EXPECT_NE(refused("b.glb", good.substr(0, 15)).wrong.find("too early"), std::string::npos);
  // without its second chunk the buffer has no bytes
  std::uint32_t json = 0;
  std::memcpy(&json, good.data() + 12, sizeof json);
  std::string alone = good.substr(0, 20 + json);
  const auto length = static_cast<std::uint32_t>(alone.size());
  std::memcpy(alone.data() + 8, &length, sizeof length);
  EXPECT_EQ(refused("c.glb", alone).pointer, "/buffers/0");
}

/// Corners of all triangles in order, by Assimp.
std::vector<Vec3> corners_by_assimp(const std::string& path) {
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFile(path, aiProcess_Triangulate | aiProcess_SortByPType);
  std::vector<Vec3> out;
  if (scene == nullptr) return out;
  const auto visit = [&](const auto& self, const aiNode& node, const aiMatrix4x4& above) -> void {
    const aiMatrix4x4 world = above * node.mTransformation;
    for (unsigned m = 0; m < node.mNumMeshes; ++m) {
      const aiMesh& mesh = *scene->mMeshes[node.mMeshes[m]];
      for (unsigned f = 0; f < mesh.mNumFaces; ++f)
        for (unsigned k = 0; k < 3; ++k) {
          const aiVector3D p = world * mesh.mVertices[mesh.mFaces[f].mIndices[k]];
          out.emplace_back(p.x, p.y, p.z);
        }
    }
    for (unsigned c = 0; c < node.mNumChildren; ++c) self(self, *node.mChildren[c], world);
  };
  visit(visit, *scene->mRootNode, aiMatrix4x4());
  return out;
}

std::string random_node(Random& random, int number, int count) {
  const Quat q = random_rotation(random);
  std::string out = fmt::format(
      R"({{"mesh":0,"translation":[{},{},{}],"rotation":[{},{},{},{}],"scale":[{},{},{}])",
      random.between(-2, 2), random.between(-2, 2), random.between(-2, 2), q.x(), q.y(), q.z(),
      q.w(), random.between(0.5, 2), random.between(0.5, 2), random.between(0.5, 2));
  // a binary tree
  std::string children;
  for (const int child : {2 * number + 1, 2 * number + 2})
    if (child < count) children += fmt::format("{}{}", children.empty() ? "" : ",", child);
  return out + (children.empty() ? "}" : R"(,"children":[)" + children + "]}");
}

TEST(Gltf, an_outside_reader_finds_the_same_triangles) {
  Random random(5);
  for (int trial = 0; trial < 20; ++trial) {
    GltfText text;
    const int count = 1 + trial % 7;
    text.nodes = "[";
    for (int i = 0; i < count; ++i)
      text.nodes += (i == 0 ? "" : ",") + random_node(random, i, count);
    text.nodes += "]";
    const TempFile file("a.gltf", text.json());
    const auto mesh = read_mesh_file(file.path());
    ASSERT_TRUE(mesh) << mesh.error().text();
    const std::vector<Vec3> theirs = corners_by_assimp(file.path());
    ASSERT_EQ(theirs.size(), 3 * mesh->triangles.size());
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      const Vec3 ours = mesh->points[mesh->triangles[i / 3][i % 3]];
      // theirs are floats
      EXPECT_LT((ours - theirs[i]).norm(), 1e-4 * (1.0 + ours.norm()));
    }
  }
}

}  // namespace
}  // namespace repose::shape
