#include <algorithm>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "shape/mesh/mesh_readers.h"
#include "shape/mesh/text_scan.h"

namespace repose::shape {
namespace {

enum class Number { i8, u8, i16, u16, i32, u32, f32, f64, none };

struct Property {
  std::string name;
  Number type = Number::none;
  Number count_type = Number::none;  // of a list; none for a single number
};

struct Element {
  std::string name;
  std::size_t count = 0;
  std::vector<Property> properties;
};

enum class Format { text, little, big };

struct Header {
  Format format = Format::text;
  std::vector<Element> elements;
};

Number number_type(std::string_view word) {
  if (word == "char" || word == "int8") return Number::i8;
  if (word == "uchar" || word == "uint8") return Number::u8;
  if (word == "short" || word == "int16") return Number::i16;
  if (word == "ushort" || word == "uint16") return Number::u16;
  if (word == "int" || word == "int32") return Number::i32;
  if (word == "uint" || word == "uint32") return Number::u32;
  if (word == "float" || word == "float32") return Number::f32;
  if (word == "double" || word == "float64") return Number::f64;
  return Number::none;
}

std::size_t byte_size(Number type) {
  switch (type) {
    case Number::i8:
    case Number::u8:
      return 1;
    case Number::i16:
    case Number::u16:
      return 2;
    case Number::i32:
    case Number::u32:
    case Number::f32:
      return 4;
    case Number::f64:
      return 8;
    case Number::none:
      break;
  }
  return 0;
}

template <class T>
double decode(const char* at, bool swap) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, at, sizeof(T));
  if (swap) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return static_cast<double>(value);
}

double decode(const char* at, Number type, bool swap) {
  switch (type) {
    case Number::i8:
      return decode<std::int8_t>(at, swap);
    case Number::u8:
      return decode<std::uint8_t>(at, swap);
    case Number::i16:
      return decode<std::int16_t>(at, swap);
    case Number::u16:
      return decode<std::uint16_t>(at, swap);
    case Number::i32:
      return decode<std::int32_t>(at, swap);
    case Number::u32:
      return decode<std::uint32_t>(at, swap);
    case Number::f32:
      return decode<float>(at, swap);
    case Number::f64:
      return decode<double>(at, swap);
    case Number::none:
      break;
  }
  return 0.0;
}

/// The numbers of the body one after the other, text or binary.
class Body {
 public:
  Body(std::string_view bytes, Format format, int line)
      : bytes_(bytes), scan_(bytes), format_(format), first_line_(line) {}

  bool next(Number type, double* out) {
    if (format_ == Format::text) return read_number(scan_.word_anywhere(), out);
    const std::size_t size = byte_size(type);
    if (bytes_.size() - at_ < size) return false;
    *out = decode(bytes_.data() + at_, type, format_ == Format::big);
    at_ += size;
    return true;
  }
  std::size_t bytes_left() const {
    if (format_ != Format::text) return bytes_.size() - at_;
    return bytes_.size() - static_cast<std::size_t>(scan_.position() - bytes_.data());
  }
  bool text() const { return format_ == Format::text; }
  int line() const { return text() ? first_line_ + scan_.line() - 1 : 0; }

 private:
  std::string_view bytes_;
  TextScan scan_;
  Format format_;
  int first_line_;
  std::size_t at_ = 0;
};

Fault read_property(TextScan* scan, Header* header) {
  if (header->elements.empty())
    return scan->fault_here("property", "a property stands before any element",
                            "element NAME COUNT first");
  Property property;
  std::string_view word = scan->word();
  const bool list = word == "list";
  if (list) {
    property.count_type = number_type(word = scan->word());
    if (property.count_type == Number::none)
      return scan->fault_here(word, "the list's count type is unknown", "uchar, int, ...");
    word = scan->word();
  }
  property.type = number_type(word);
  if (property.type == Number::none)
    return scan->fault_here(word, "the property's type is unknown", "float, double, int, ...");
  property.name = scan->word();
  header->elements.back().properties.push_back(property);
  return {};
}

Fault read_element(TextScan* scan, Header* header) {
  Element element;
  element.name = scan->word();
  const std::string_view word = scan->word();
  long long count = -1;
  if (!read_integer(word, &count) || count < 0)
    return scan->fault_here(word, "the element's count is no number", "a count of 0 or more");
  element.count = static_cast<std::size_t>(count);
  header->elements.push_back(element);
  return {};
}

Fault read_format(TextScan* scan, Header* header) {
  const std::string_view word = scan->word();
  if (word == "ascii")
    header->format = Format::text;
  else if (word == "binary_little_endian")
    header->format = Format::little;
  else if (word == "binary_big_endian")
    header->format = Format::big;
  else
    return scan->fault_here(word, "the format is unknown",
                            "ascii, binary_little_endian or binary_big_endian");
  return {};
}

Fault read_header(TextScan* scan, Header* header) {
  constexpr std::size_t kMaxElements = 64, kMaxProperties = 1024;
  if (scan->word() != "ply")
    return scan->fault_here("", "the file is no PLY", "a first line \"ply\"");
  scan->next_line();
  while (!scan->done()) {
    const std::string_view key = scan->word();
    Fault bad;
    if (key == "format")
      bad = read_format(scan, header);
    else if (key == "element")
      bad = read_element(scan, header);
    else if (key == "property")
      bad = read_property(scan, header);
    if (bad) return bad;
    if (header->elements.size() > kMaxElements ||
        (!header->elements.empty() && header->elements.back().properties.size() > kMaxProperties))
      return scan->fault_here(key, "the header is too long", "at most 64 elements");
    scan->next_line();
    if (key == "end_header") return {};
  }
  return scan->fault_here("", "the header does not end", "a line \"end_header\"");
}

/// What the element needs at least, so that a lying count is refused before memory is taken.
Fault check_room(const Element& element, const Body& body) {
  std::size_t least = 0;
  for (const Property& p : element.properties)
    least += body.text() ? 2 : byte_size(p.count_type == Number::none ? p.type : p.count_type);
  const std::size_t room = body.bytes_left() + 1;  // the last line may lack its end
  if (element.count <= kMaxMeshEntries && element.count * std::max<std::size_t>(least, 1) <= room)
    return {};
  InputError error =
      fault("", fmt::format("{} bytes", body.bytes_left()),
            fmt::format("the file claims {} of element \"{}\"", element.count, element.name),
            fmt::format("at least {} bytes for each", std::max<std::size_t>(least, 1)));
  error.line = body.line();
  return error;
}

InputError ended(const Body& body, const Element& element, std::size_t index) {
  InputError error = fault(
      "", "",
      fmt::format("no number where {} {} of {} should stand", element.name, index, element.count),
      "as many numbers as the header claims");
  error.line = body.line();
  return error;
}

Fault read_vertices(const Element& element, Body* body, TriangleMesh* mesh) {
  mesh->points.reserve(mesh->points.size() + element.count);
  for (std::size_t i = 0; i < element.count; ++i) {
    Vec3 point = Vec3::Zero();
    for (const Property& p : element.properties) {
      double value = 0.0, count = 1.0;
      if (p.count_type != Number::none && !body->next(p.count_type, &count))
        return ended(*body, element, i);
      for (double k = 0.0; k < count; ++k)
        if (!body->next(p.type, &value)) return ended(*body, element, i);
      if (p.name == "x") point.x() = value;
      if (p.name == "y") point.y() = value;
      if (p.name == "z") point.z() = value;
    }
    mesh->points.push_back(point);
  }
  return {};
}

/// Any element but the vertices: skipped, except that faces yield triangles.
Fault read_others(const Element& element, Body* body, std::size_t points, TriangleMesh* mesh) {
  const bool faces = element.name == "face";
  std::vector<int> polygon;
  for (std::size_t i = 0; i < element.count; ++i)
    for (const Property& p : element.properties) {
      double value = 0.0, count = 1.0;
      const bool list = p.count_type != Number::none;
      if (list && !body->next(p.count_type, &count)) return ended(*body, element, i);
      const bool corners =
          faces && list && (p.name == "vertex_indices" || p.name == "vertex_index");
      polygon.clear();
      for (double k = 0.0; k < count; ++k) {
        if (!body->next(p.type, &value)) return ended(*body, element, i);
        if (!corners) continue;
        if (!(value >= 0.0 && value < static_cast<double>(points))) {
          InputError error = fault("", number_text(value),
                                   fmt::format("face {} names a vertex that is not there", i),
                                   fmt::format("0 to {}", points - 1));
          error.line = body->line();
          return error;
        }
        polygon.push_back(static_cast<int>(value));
      }
      if (corners && polygon.size() >= 3) append_fan(polygon, mesh);
    }
  return {};
}

}  // namespace

Result<TriangleMesh> read_ply(std::string_view bytes) {
  TextScan scan(bytes);
  Header header;
  if (auto bad = read_header(&scan, &header)) return *bad;
  const auto header_size = static_cast<std::size_t>(scan.position() - bytes.data());
  Body body(bytes.substr(header_size), header.format, scan.line());
  std::size_t points = 0;
  for (const Element& element : header.elements)
    if (element.name == "vertex") points = element.count;
  TriangleMesh mesh;
  for (const Element& element : header.elements) {
    if (auto bad = check_room(element, body)) return *bad;
    const Fault bad = element.name == "vertex" ? read_vertices(element, &body, &mesh)
                                               : read_others(element, &body, points, &mesh);
    if (bad) return *bad;
  }
  if (mesh.points.size() < points)
    return fault("", "", "the file has no vertices", "an element \"vertex\" with x, y, z");
  return mesh;
}

}  // namespace repose::shape
