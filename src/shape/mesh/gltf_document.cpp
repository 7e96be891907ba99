#include "shape/mesh/gltf_document.h"

#include <array>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "shape/define/validate.h"
#include "shape/mesh/gltf_fields.h"
#include "shape/mesh/mesh.h"

namespace repose::shape {
namespace {

constexpr std::uint64_t kMaxJsonBytes = std::uint64_t{1} << 26;
constexpr std::size_t kMaxJsonValues = std::size_t{1} << 20;

// GLB: a header of magic, version and length, then chunks of length, type and data
constexpr std::uint32_t kGlbMagic = 0x46546C67;     // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;    // "JSON"
constexpr std::uint32_t kBinaryChunk = 0x004E4942;  // "BIN"
constexpr std::uint64_t kGlbHeader = 12, kChunkHeader = 8;

std::uint32_t word_at(const Bytes& bytes, std::uint64_t at) {
  std::uint32_t word = 0;
  char raw[sizeof word];
  if (bytes.read(at, raw, sizeof raw) == sizeof raw) std::memcpy(&word, raw, sizeof word);
  return word;
}

InputError bad_glb(std::uint64_t byte, std::string value, const std::string& wrong,
                   std::string right) {
  return fault("", std::move(value), fmt::format("at byte {}: {}", byte, wrong), std::move(right));
}

/// Extensions that change no positions and no triangles, and the one that we read.
bool is_known_extension(std::string_view name) {
  constexpr const char* kQuantization = "KHR_mesh_quantization";
  if (name == kQuantization) return true;
  for (const std::string_view harmless :
       {"KHR_materials_", "KHR_texture_", "KHR_lights_", "KHR_xmp", "EXT_texture_", "EXT_lights_",
        "KHR_physics_rigid_bodies", "KHR_implicit_shapes"})
    if (name.substr(0, harmless.size()) == harmless) return true;
  return false;
}

/// "%20" and the like; nothing where a % is followed by no two hexadecimal digits.
std::optional<std::string> without_percent(const std::string& uri) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  };
  std::string out;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      out += uri[i];
      continue;
    }
    const int high = i + 1 < uri.size() ? digit(uri[i + 1]) : -1;
    const int low = i + 2 < uri.size() ? digit(uri[i + 2]) : -1;
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(16 * high + low);
    i += 2;
  }
  return out;
}

/// A relative path that does not climb out of its folder.
bool stays_in_folder(const std::string& name) {
  const std::filesystem::path path(name);
  if (name.empty() || path.is_absolute() || name.find('\0') != std::string::npos ||
      name.find('\\') != std::string::npos || name.find(':') != std::string::npos)
    return false;
  for (const auto& part : path)
    if (part == "..") return false;
  return true;
}

Result<BytesPtr> bytes_of_data_uri(JsonView at) {
  // the decoded view must outlive us: base64 needs no escapes
  const std::string_view raw = at.raw();
  const std::string_view text = raw.substr(1, raw.size() - 2);
  constexpr std::string_view kBase64 = ";base64,";
  const std::size_t comma = text.find(kBase64);
  if (comma == std::string_view::npos || text.find('\\') != std::string_view::npos)
    return at.error("the data are not in base64", "data:application/octet-stream;base64,...");
  const std::string_view digits = text.substr(comma + kBase64.size());
  if (const auto wrong = Base64Bytes::first_wrong(digits)) {
    InputError error = at.error(fmt::format("no base64 at its character {}", *wrong + 1),
                                "letters, digits, + and /, and = at the end");
    error.value = std::string(digits.substr(*wrong, 1));
    return error;
  }
  return BytesPtr(std::make_shared<Base64Bytes>(digits));
}

Result<BytesPtr> bytes_of_file(JsonView at, const std::string& folder) {
  const auto name = without_percent(at.text());
  if (!name || !stays_in_folder(*name))
    return at.error("this leads out of the file's folder",
                    "the name of a file beside it, or data:...;base64,...");
  auto file = PlainFile::open((std::filesystem::path(folder) / *name).string(),
                              "the name of a file beside the glTF file");
  if (!file) return at.error(file.error().wrong, file.error().right);
  if (file->size() > kMaxMeshBytes)
    return at.error(fmt::format("the buffer has {} bytes", file->size()),
                    fmt::format("at most {} bytes", kMaxMeshBytes));
  return BytesPtr(std::make_shared<FileBytes>(std::move(*file)));
}

}  // namespace

Result<GltfDocument> GltfDocument::open(const std::string& path, const BytesPtr& bytes) {
  GltfDocument out;
  out.folder_ = std::filesystem::path(path).parent_path().string();
  out.bytes_held_ = bytes->size();
  const bool binary = word_at(*bytes, 0) == kGlbMagic;
  const auto read = binary ? out.read_glb(path, bytes) : out.read_json(path, bytes);
  if (!read) return read.error();
  if (out.root().kind() != JsonKind::object)
    return out.root().error("the file is no glTF", "an object with \"asset\", \"meshes\", ...");
  if (const auto good = out.check_asset(); !good) return good.error();
  if (const auto good = out.check_extensions(); !good) return good.error();
  if (const auto good = out.find_lists(); !good) return good.error();
  return out;
}

Result<Done> GltfDocument::read_json(const std::string& path, const BytesPtr& bytes) {
  if (bytes->size() > kMaxJsonBytes)
    return fault(
        "", fmt::format("{} bytes", bytes->size()), "the JSON is too large",
        fmt::format("at most {} bytes; keep large buffers in files of their own", kMaxJsonBytes));
  std::string text(bytes->size(), '\0');
  text.resize(bytes->read(0, text.data(), text.size()));
  auto json = JsonDocument::parse(std::move(text), path, kMaxJsonValues);
  if (!json) return json.error();
  json_ = std::move(*json);
  return Done{};
}

Result<Done> GltfDocument::read_glb(const std::string& path, const BytesPtr& bytes) {
  if (bytes->size() < kGlbHeader + kChunkHeader)
    return bad_glb(0, fmt::format("{} bytes", bytes->size()), "the file ends too early",
                   "a header and a chunk of JSON");
  if (const std::uint32_t version = word_at(*bytes, 4); version != 2)
    return bad_glb(4, std::to_string(version), "this version of GLB is unknown", "2");
  if (const std::uint32_t length = word_at(*bytes, 8); length != bytes->size())
    return bad_glb(8, std::to_string(length), "the length is not that of the file",
                   fmt::format("{} bytes", bytes->size()));
  std::uint64_t at = kGlbHeader;
  for (int chunk = 0; at < bytes->size(); ++chunk) {
    const std::uint64_t room = bytes->size() - at;
    const std::uint64_t length = word_at(*bytes, at);
    if (room < kChunkHeader || length > room - kChunkHeader)
      return bad_glb(
          at, fmt::format("{} bytes", length), "the chunk is longer than the file",
          fmt::format("at most {} bytes", room < kChunkHeader ? 0 : room - kChunkHeader));
    const std::uint32_t type = word_at(*bytes, at + 4);
    if ((chunk == 0) != (type == kJsonChunk))
      return bad_glb(at + 4, fmt::format("{:#x}", type), "JSON is the first chunk, and only that",
                     "one chunk of JSON, then the buffer");
    auto part = std::make_shared<PartOfBytes>(bytes, at + kChunkHeader, length);
    if (chunk == 0)
      if (const auto read = read_json(path, part); !read) return read.error();
    if (chunk == 1 && type == kBinaryChunk) glb_buffer_ = std::move(part);
    at += kChunkHeader + length;
  }
  return Done{};
}

Result<Done> GltfDocument::check_asset() const {
  const auto asset = root().find("asset");
  if (!asset || asset->kind() != JsonKind::object)
    return root().error("\"asset\" is missing", "\"asset\": {\"version\": \"2.0\"}");
  for (const char* key : {"minVersion", "version"}) {
    const auto version = text_in(*asset, key);
    if (!version) return version.error();
    if (version->empty() && std::strcmp(key, "minVersion") == 0) continue;
    const bool fits =
        std::strcmp(key, "version") == 0 ? version->substr(0, 2) == "2." : *version == "2.0";
    if (fits) return Done{};
    return asset->error(fmt::format("this is glTF {}", version->empty() ? "?" : *version),
                        "\"version\": \"2.0\"");
  }
  return Done{};
}

Result<Done> GltfDocument::check_extensions() {
  const auto required = list_in(root(), "extensionsRequired");
  if (!required) return required.error();
  for (const JsonView& name : *required) {
    if (name.kind() != JsonKind::text || !is_known_extension(name.text()))
      return name.error("the file needs an extension that is not read",
                        "a file without compression, exported anew");
  }
  const auto used = list_in(root(), "extensionsUsed");
  if (!used) return used.error();
  for (const auto* list : {&*required, &*used})
    for (const JsonView& name : *list)
      quantized_ =
          quantized_ || (name.kind() == JsonKind::text && name.text() == "KHR_mesh_quantization");
  return Done{};
}

Result<Done> GltfDocument::find_lists() {
  const std::array<std::pair<const char*, std::vector<JsonView>*>, 6> lists{
      {{"accessors", &accessors_},
       {"bufferViews", &buffer_views_},
       {"meshes", &meshes_},
       {"nodes", &nodes_},
       {"scenes", &scenes_},
       {"buffers", &buffers_}}};
  for (const auto& [key, out] : lists) {
    auto list = list_in(root(), key);
    if (!list) return list.error();
    for (const JsonView& element : *list)
      if (element.kind() != JsonKind::object) return element.error("not an object", "an object");
    *out = std::move(*list);
  }
  opened_.resize(buffers_.size());
  return Done{};
}

Result<BytesPtr> GltfDocument::buffer(std::size_t index) {
  if (opened_[index]) return opened_[index];
  auto bytes = open_buffer(index);
  if (!bytes) return bytes;
  bytes_held_ += (*bytes)->size();
  opened_[index] = *bytes;
  return bytes;
}

Result<BytesPtr> GltfDocument::open_buffer(std::size_t index) const {
  const JsonView at = buffers_[index];
  const auto length = required_whole_in(at, "byteLength", 1, kMaxMeshBytes);
  if (!length) return length.error();
  const auto uri = at.find("uri");
  Result<BytesPtr> held = at.error("the buffer has no bytes", "\"uri\", or a GLB's own chunk");
  if (!uri && index == 0 && glb_buffer_) {
    held = glb_buffer_;
  } else if (uri) {
    if (uri->kind() != JsonKind::text) return uri->error("not a text", "a text");
    held =
        uri->raw().substr(1, 5) == "data:" ? bytes_of_data_uri(*uri) : bytes_of_file(*uri, folder_);
  }
  if (!held) return held;
  if ((*held)->size() < *length)
    return at.find("byteLength")
        ->error(fmt::format("the buffer holds {} bytes", (*held)->size()),
                "as many bytes as there are");
  return BytesPtr(std::make_shared<PartOfBytes>(std::move(*held), 0, *length));
}

}  // namespace repose::shape
