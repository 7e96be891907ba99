#include "shape/mesh/gltf_accessor.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "shape/mesh/gltf_fields.h"
#include "shape/mesh/mesh.h"

namespace repose::shape {
namespace {

constexpr std::uint64_t kLeastStride = 4, kMostStride = 252;

template <class T>
double number_at(const char* raw, bool normalized) {
  T value;
  std::memcpy(&value, raw, sizeof value);
  const auto number = static_cast<double>(value);
  if (!normalized) return number;
  return std::max(-1.0, number / static_cast<double>(std::numeric_limits<T>::max()));
}

double component_at(const char* raw, GltfComponent type, bool normalized) {
  switch (type) {
    case GltfComponent::i8:
      return number_at<std::int8_t>(raw, normalized);
    case GltfComponent::u8:
      return number_at<std::uint8_t>(raw, normalized);
    case GltfComponent::i16:
      return number_at<std::int16_t>(raw, normalized);
    case GltfComponent::u16:
      return number_at<std::uint16_t>(raw, normalized);
    case GltfComponent::u32:
      return number_at<std::uint32_t>(raw, false);
    case GltfComponent::f32:
      break;
  }
  return number_at<float>(raw, false);
}

bool indexes(GltfComponent type) {
  return type == GltfComponent::u8 || type == GltfComponent::u16 || type == GltfComponent::u32;
}

Result<GltfComponent> component_in(JsonView object) {
  const auto type = required_whole_in(object, "componentType", 5120, 5126);
  if (!type) return type.error();
  if (*type == 5124)  // signed 32-bit numbers were left out of the standard
    return object.find("componentType")
        ->error("this type of number is unknown", "5120 to 5126, not 5124");
  return static_cast<GltfComponent>(*type);
}

/// The stretch of `count` elements of `size` bytes that an object's "bufferView" and "byteOffset"
/// name. `strided`: the view may say how far apart they are.
Result<GltfRange> range_in(GltfDocument* document, JsonView object, std::uint64_t count,
                           std::uint64_t size, bool strided) {
  const auto index = index_in(object, "bufferView", document->buffer_views().size());
  if (!index) return index.error();
  if (!*index) return object.error("\"bufferView\" is missing", "\"bufferView\": its index");
  const JsonView view = document->buffer_views()[**index];
  const auto buffer = index_in(view, "buffer", document->buffers());
  if (!buffer) return buffer.error();
  if (!*buffer) return view.error("\"buffer\" is missing", "\"buffer\": its index");
  auto bytes = document->buffer(**buffer);
  if (!bytes) return bytes.error();
  // the view lies within its buffer
  const std::uint64_t held = (*bytes)->size();
  const auto view_offset = whole_in(view, "byteOffset", 0, held);
  if (!view_offset) return view_offset.error();
  const std::uint64_t begin = view_offset->value_or(0);
  const auto length = required_whole_in(view, "byteLength", 1, held - begin);
  if (!length) return length.error();
  const auto given_stride =
      whole_in(view, "byteStride", strided ? std::max(size, kLeastStride) : size,
               strided ? kMostStride : size);
  if (!given_stride) return given_stride.error();
  // the elements lie within the view; products of counts and strides fit 64 bits by far
  const auto offset = whole_in(object, "byteOffset", 0, *length);
  if (!offset) return offset.error();
  const std::uint64_t stride = given_stride->value_or(size), first = offset->value_or(0);
  if (count > 0 && stride * (count - 1) + size > *length - first)
    return object.error(
        fmt::format("{} elements of {} bytes, one every {} bytes, do not fit", count, size, stride),
        fmt::format("at most the {} bytes of the view", *length - first));
  return GltfRange{std::move(*bytes), begin + first, stride};
}

Result<Done> read_sparse(GltfDocument* document, JsonView sparse, GltfAccessor* out) {
  if (sparse.kind() != JsonKind::object) return sparse.error("not an object", "an object");
  const auto count = required_whole_in(sparse, "count", 1, out->count);
  if (!count) return count.error();
  const auto indices = sparse.find("indices"), values = sparse.find("values");
  for (const auto& part : {indices, values})
    if (!part || part->kind() != JsonKind::object)
      return sparse.error("\"indices\" or \"values\" are missing", "both, as objects");
  const auto type = component_in(*indices);
  if (!type) return type.error();
  if (!indexes(*type))
    return indices->error("such numbers are no indices", "componentType 5121, 5123 or 5125");
  auto index_range = range_in(document, *indices, *count, byte_size(*type), false);
  if (!index_range) return index_range.error();
  const std::uint64_t size = byte_size(out->type) * static_cast<std::uint64_t>(out->components);
  auto value_range = range_in(document, *values, *count, size, false);
  if (!value_range) return value_range.error();
  out->sparse_count = *count;
  out->sparse_type = *type;
  out->sparse_indices = std::move(*index_range);
  out->sparse_values = std::move(*value_range);
  return Done{};
}

Result<GltfAccessor> accessor(GltfDocument* document, std::size_t index, const char* type,
                              int components) {
  GltfAccessor out(document->accessors()[index]);
  const auto given_type = text_in(out.at, "type");
  if (!given_type) return given_type.error();
  if (*given_type != type)
    return out.at.error(fmt::format("an accessor of type \"{}\"", *given_type),
                        fmt::format("\"type\": \"{}\"", type));
  const auto component = component_in(out.at);
  if (!component) return component.error();
  const auto normalized = flag_in(out.at, "normalized");
  if (!normalized) return normalized.error();
  const auto count = required_whole_in(out.at, "count", 1, kMaxMeshBytes);
  if (!count) return count.error();
  out.type = *component;
  out.components = components;
  out.normalized = *normalized;
  out.count = *count;
  if (out.at.find("bufferView")) {
    auto range =
        range_in(document, out.at, out.count,
                 byte_size(out.type) * static_cast<std::uint64_t>(components), components > 1);
    if (!range) return range.error();
    out.dense = std::move(*range);
  }
  if (const auto sparse = out.at.find("sparse"))
    if (const auto read = read_sparse(document, *sparse, &out); !read) return read.error();
  // zeros lie in no file: no more of them than there are bytes
  if (!out.dense && out.count > document->bytes_held())
    return out.at.find("count")->error(
        fmt::format("more elements than the {} bytes there are", document->bytes_held()),
        "a \"bufferView\" that holds them");
  return out;
}

}  // namespace

std::size_t byte_size(GltfComponent type) {
  switch (type) {
    case GltfComponent::i8:
    case GltfComponent::u8:
      return 1;
    case GltfComponent::i16:
    case GltfComponent::u16:
      return 2;
    case GltfComponent::u32:
    case GltfComponent::f32:
      break;
  }
  return 4;
}

Result<GltfAccessor> position_accessor(GltfDocument* document, std::size_t index) {
  auto out = accessor(document, index, "VEC3", 3);
  if (!out) return out;
  if (out->type == GltfComponent::u32 ||
      (out->type != GltfComponent::f32 && !document->quantized()))
    return out->at.error("positions of this type are not allowed",
                         "componentType 5126, or the extension KHR_mesh_quantization");
  return out;
}

Result<GltfAccessor> index_accessor(GltfDocument* document, std::size_t index) {
  auto out = accessor(document, index, "SCALAR", 1);
  if (!out) return out;
  if (!indexes(out->type) || out->normalized)
    return out->at.error("such numbers are no indices", "componentType 5121, 5123 or 5125");
  return out;
}

const char* GltfElements::Elements::next() {
  // the gap to the last element is gone past piece by piece
  for (std::uint64_t gap = begun_ ? range_.stride - size_ : 0; gap > 0;) {
    const std::uint64_t step = std::min<std::uint64_t>(gap, ByteScan::kLargestTake);
    if (scan_.take(step) == nullptr) return nullptr;
    gap -= step;
  }
  begun_ = true;
  return scan_.take(size_);
}

GltfElements::GltfElements(const GltfAccessor& accessor)
    : accessor_(accessor), sparse_left_(accessor.sparse_count) {
  const std::size_t size = byte_size(accessor.type) * static_cast<std::size_t>(accessor.components);
  if (accessor.dense) dense_.emplace(*accessor.dense, size);
  if (accessor.sparse_count == 0) return;
  sparse_indices_.emplace(accessor.sparse_indices, byte_size(accessor.sparse_type));
  sparse_values_.emplace(accessor.sparse_values, size);
}

std::optional<InputError> GltfElements::find_next_sparse() {
  if (sparse_left_ == 0) return std::nullopt;
  const char* raw = sparse_indices_->next();
  if (raw == nullptr) return accessor_.at.error("the buffer cannot be read", "a readable file");
  const auto place = static_cast<std::uint64_t>(component_at(raw, accessor_.sparse_type, false));
  const std::uint64_t least = next_sparse_ ? *next_sparse_ + 1 : 0;
  if (place < least || place >= accessor_.count) {
    InputError error = accessor_.at.find("sparse")->error(
        "a sparse index is out of order or names no element",
        fmt::format("indices that grow, below {}", accessor_.count));
    error.value = std::to_string(place);
    return error;
  }
  next_sparse_ = place;
  --sparse_left_;
  return std::nullopt;
}

std::array<double, 3> GltfElements::decoded(const char* raw) const {
  std::array<double, 3> out{};
  const std::size_t size = byte_size(accessor_.type);
  for (int k = 0; k < accessor_.components; ++k)
    out[k] = component_at(raw + size * static_cast<std::size_t>(k), accessor_.type,
                          accessor_.normalized);
  return out;
}

Result<std::array<double, 3>> GltfElements::next() {
  std::array<double, 3> out{};
  if (next_ == 0)
    if (auto bad = find_next_sparse()) return *bad;
  const auto unreadable = [&] {
    return accessor_.at.error("the buffer cannot be read", "a readable file");
  };
  if (dense_) {
    const char* raw = dense_->next();
    if (raw == nullptr) return unreadable();
    out = decoded(raw);
  }
  if (next_sparse_ && *next_sparse_ == next_) {
    const char* raw = sparse_values_->next();
    if (raw == nullptr) return unreadable();
    out = decoded(raw);
    if (auto bad = find_next_sparse()) return *bad;
  }
  ++next_;
  return out;
}

}  // namespace repose::shape
