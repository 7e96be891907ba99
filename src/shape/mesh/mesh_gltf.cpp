#include <filesystem>

#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include "shape/mesh/mesh_readers.h"
#include "shape/mesh/text_scan.h"

namespace repose::shape {
namespace {

/// The text after each `"key" :` of the JSON, up to the next separator.
std::vector<std::string_view> values_of(std::string_view json, std::string_view key) {
  std::vector<std::string_view> found;
  const std::string quoted = fmt::format("\"{}\"", key);
  for (std::size_t at = json.find(quoted); at != std::string_view::npos;
       at = json.find(quoted, at + 1)) {
    const std::size_t begin = json.find_first_not_of(" \t\r\n:", at + quoted.size());
    if (begin == std::string_view::npos) break;
    const bool text = json[begin] == '"';
    const std::size_t end =
        text ? json.find('"', begin + 1) : json.find_first_of(" \t\r\n,}]", begin);
    if (end == std::string_view::npos) break;
    found.push_back(json.substr(begin + (text ? 1 : 0), end - begin - (text ? 1 : 0)));
  }
  return found;
}

/// Bytes that the file and the buffers it names really hold.
double bytes_behind(const std::string& path, std::string_view bytes) {
  auto total = static_cast<double>(bytes.size());
  const auto folder = std::filesystem::path(path).parent_path();
  for (const std::string_view uri : values_of(bytes, "uri")) {
    if (uri.substr(0, 5) == "data:") continue;
    std::error_code ignored;
    const auto size = std::filesystem::file_size(folder / std::string(uri), ignored);
    if (!ignored) total += static_cast<double>(size);
  }
  return total;
}

/// Assimp trusts the counts of a glTF file; this looks first.
Fault check_claims(const std::string& path, std::string_view bytes) {
  const double held = bytes_behind(path, bytes);
  for (const char* key : {"count", "byteLength", "byteOffset", "byteStride"})
    for (const std::string_view value : values_of(bytes, key)) {
      double claim = 0.0;
      if (read_number(value, &claim) && claim >= 0.0 && claim <= held) continue;
      return fault("", std::string(value.substr(0, 40)),
                   fmt::format("\"{}\" claims more than the {} bytes there are", key, held),
                   "counts and sizes that the buffers hold");
    }
  return {};
}

void append_node(const aiScene& scene, const aiNode& node, const aiMatrix4x4& above,
                 TriangleMesh* mesh) {
  const aiMatrix4x4 world = above * node.mTransformation;
  for (unsigned m = 0; m < node.mNumMeshes; ++m) {
    const aiMesh& part = *scene.mMeshes[node.mMeshes[m]];
    const int base = static_cast<int>(mesh->points.size());
    for (unsigned i = 0; i < part.mNumVertices; ++i) {
      const aiVector3D p = world * part.mVertices[i];
      mesh->points.emplace_back(static_cast<double>(p.x), static_cast<double>(p.y),
                                static_cast<double>(p.z));
    }
    for (unsigned f = 0; f < part.mNumFaces; ++f) {
      const aiFace& face = part.mFaces[f];
      if (face.mNumIndices != 3) continue;
      mesh->triangles.push_back({base + static_cast<int>(face.mIndices[0]),
                                 base + static_cast<int>(face.mIndices[1]),
                                 base + static_cast<int>(face.mIndices[2])});
    }
  }
  for (unsigned c = 0; c < node.mNumChildren; ++c)
    append_node(scene, *node.mChildren[c], world, mesh);
}

}  // namespace

Result<TriangleMesh> read_gltf(const std::string& path, std::string_view bytes) {
  if (auto bad = check_claims(path, bytes)) return *bad;
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFile(path, aiProcess_Triangulate | aiProcess_SortByPType);
  if (scene == nullptr || scene->mRootNode == nullptr)
    return fault("", "", fmt::format("the glTF file cannot be read: {}", importer.GetErrorString()),
                 "a glTF 2.0 file (.gltf or .glb) with its buffers");
  TriangleMesh mesh;
  append_node(*scene, *scene->mRootNode, aiMatrix4x4(), &mesh);
  return mesh;
}

}  // namespace repose::shape
