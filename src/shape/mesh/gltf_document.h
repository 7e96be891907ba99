#pragma once

#include <string>
#include <vector>

#include "repose/base/json.h"

#include "shape/mesh/bytes.h"

namespace repose::shape {

/// A glTF 2.0 file taken apart: its JSON, and where the bytes of its buffers lie. Buffers are not
/// read yet, but every one that is opened holds as many bytes as it says.
class GltfDocument {
 public:
  /// `path` is where the bytes come from; files that the JSON names are looked for beside it.
  static Result<GltfDocument> open(const std::string& path, const BytesPtr& bytes);

  JsonView root() const { return json_->root(); }
  const std::shared_ptr<const JsonDocument>& json() const { return json_; }
  const std::vector<JsonView>& accessors() const { return accessors_; }
  const std::vector<JsonView>& buffer_views() const { return buffer_views_; }
  const std::vector<JsonView>& meshes() const { return meshes_; }
  const std::vector<JsonView>& nodes() const { return nodes_; }
  const std::vector<JsonView>& scenes() const { return scenes_; }
  /// KHR_mesh_quantization: positions may be whole numbers.
  bool quantized() const { return quantized_; }

  /// The bytes of a buffer, opened when first asked for. Requires: index < buffers.
  Result<BytesPtr> buffer(std::size_t index);
  std::size_t buffers() const { return buffers_.size(); }
  /// Bytes of the file and of the buffers opened so far.
  std::uint64_t bytes_held() const { return bytes_held_; }

 private:
  GltfDocument() = default;
  Result<Done> read_glb(const std::string& path, const BytesPtr& bytes);
  Result<Done> read_json(const std::string& path, const BytesPtr& bytes);
  Result<Done> check_asset() const;
  Result<Done> check_extensions();
  Result<Done> find_lists();
  Result<BytesPtr> open_buffer(std::size_t index) const;

  std::string folder_;
  std::shared_ptr<const JsonDocument> json_;
  BytesPtr glb_buffer_;  // null: there is none
  std::vector<JsonView> accessors_, buffer_views_, meshes_, nodes_, scenes_, buffers_;
  std::vector<BytesPtr> opened_;  // by buffer; null: not yet
  std::uint64_t bytes_held_ = 0;
  bool quantized_ = false;
};

}  // namespace repose::shape
