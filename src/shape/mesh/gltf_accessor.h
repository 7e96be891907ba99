#pragma once

#include <array>
#include <optional>

#include "shape/mesh/gltf_document.h"

namespace repose::shape {

/// glTF's numbers for them.
enum class GltfComponent : std::uint16_t {
  i8 = 5120,
  u8 = 5121,
  i16 = 5122,
  u16 = 5123,
  u32 = 5125,
  f32 = 5126
};
std::size_t byte_size(GltfComponent type);

/// Elements in bytes, one every `stride` bytes.
struct GltfRange {
  BytesPtr bytes;
  std::uint64_t offset = 0, stride = 0;
};

/// Where an accessor's elements lie; all of it within the bytes that there are.
struct GltfAccessor {
  GltfAccessor(JsonView view) : at(view) {}  // NOLINT: implicit by design

  JsonView at;
  GltfComponent type = GltfComponent::f32;
  int components = 1;  // 1 or 3
  bool normalized = false;
  std::uint64_t count = 0;
  std::optional<GltfRange> dense;  // nothing: all zero
  // elements that replace the dense ones
  std::uint64_t sparse_count = 0;
  GltfComponent sparse_type = GltfComponent::u32;
  GltfRange sparse_indices, sparse_values;
};

/// Positions (three components) or indices (one) as the standard allows them.
Result<GltfAccessor> position_accessor(GltfDocument* document, std::size_t index);
Result<GltfAccessor> index_accessor(GltfDocument* document, std::size_t index);

/// Reads an accessor's elements in order.
class GltfElements {
 public:
  explicit GltfElements(const GltfAccessor& accessor);
  /// The next element; requires that there is one.
  Result<std::array<double, 3>> next();

 private:
  /// Raw bytes of an element, in order of growing places.
  class Elements {
   public:
    Elements(const GltfRange& range, std::size_t size)
        : range_(range), size_(size), scan_(*range.bytes, range.offset) {}
    const char* next();

   private:
    GltfRange range_;
    std::size_t size_;
    ByteScan scan_;
    bool begun_ = false;
  };
  std::optional<InputError> find_next_sparse();
  std::array<double, 3> decoded(const char* raw) const;

  const GltfAccessor& accessor_;
  std::uint64_t next_ = 0;
  std::optional<Elements> dense_, sparse_indices_, sparse_values_;
  std::uint64_t sparse_left_ = 0;
  std::optional<std::uint64_t> next_sparse_;  // place of the next element replaced
};

}  // namespace repose::shape
