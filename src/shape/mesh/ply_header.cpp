#include "shape/mesh/ply_header.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include <fmt/format.h>

namespace repose::shape {
namespace {

static_assert(std::endian::native == std::endian::little, "binary meshes are read in place");

constexpr std::size_t kMaxElements = 64, kMaxProperties = 1024;

struct TypeName {
  const char* name;
  const char* other_name;
  PlyNumber type;
};
constexpr std::array<TypeName, 8> kTypes{{{"char", "int8", PlyNumber::i8},
                                          {"uchar", "uint8", PlyNumber::u8},
                                          {"short", "int16", PlyNumber::i16},
                                          {"ushort", "uint16", PlyNumber::u16},
                                          {"int", "int32", PlyNumber::i32},
                                          {"uint", "uint32", PlyNumber::u32},
                                          {"float", "float32", PlyNumber::f32},
                                          {"double", "float64", PlyNumber::f64}}};

PlyNumber number_type(std::string_view word) {
  for (const TypeName& type : kTypes)
    if (word == type.name || word == type.other_name) return type.type;
  return PlyNumber::none;
}

bool counts(PlyNumber type) {
  return type != PlyNumber::none && type != PlyNumber::f32 && type != PlyNumber::f64;
}

template <class T>
double decoded(const char* at, bool swap) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, at, sizeof(T));
  if (swap) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return static_cast<double>(value);
}

class HeaderReader {
 public:
  explicit HeaderReader(TextScan* scan) : scan_(*scan) {}

  Result<PlyHeader> run() {
    if (scan_.word() != "ply")
      return scan_.fault_here("", "the file is no PLY", "a first line \"ply\"");
    const std::string_view line_end = scan_.next_line();
    while (!scan_.done()) {
      const std::string key(scan_.word());
      if (auto bad = read_line(key)) return *bad;
      if (key != "end_header") {
        scan_.next_line();
        continue;
      }
      // the body may begin with what looks like one more line end
      scan_.next_line_ending(line_end);
      if (!format_)
        return scan_.fault_here("", "the header names no format",
                                "a line \"format ascii 1.0\" or the like");
      header_.format = *format_;
      return std::move(header_);
    }
    return scan_.fault_here("", "the header does not end", "a line \"end_header\"");
  }

 private:
  Fault read_line(const std::string& key) {
    if (key == "format") return read_format();
    if (key == "element") return read_element();
    if (key == "property") return read_property();
    return {};
  }

  Fault read_format() {
    const std::string_view word = scan_.word();
    if (format_) return scan_.fault_here(word, "the format stands there twice", "one format");
    if (word == "ascii")
      format_ = PlyFormat::text;
    else if (word == "binary_little_endian")
      format_ = PlyFormat::little;
    else if (word == "binary_big_endian")
      format_ = PlyFormat::big;
    else
      return scan_.fault_here(word, "the format is unknown",
                              "ascii, binary_little_endian or binary_big_endian");
    return {};
  }

  Fault read_element() {
    PlyElement element;
    element.name = scan_.word();
    for (const PlyElement& other : header_.elements)
      if (other.name == element.name)
        return scan_.fault_here(element.name, "this element stands there twice",
                                "each element once, with the count of all");
    const std::string_view word = scan_.word();
    long long count = -1;
    if (!read_integer(word, &count) || count < 0)
      return scan_.fault_here(word, "the element's count is no number", "a count of 0 or more");
    if (header_.elements.size() >= kMaxElements)
      return scan_.fault_here(element.name, "the header is too long",
                              fmt::format("at most {} elements", kMaxElements));
    element.count = static_cast<std::uint64_t>(count);
    header_.elements.push_back(std::move(element));
    return {};
  }

  Fault read_property() {
    if (header_.elements.empty())
      return scan_.fault_here("property", "a property stands before any element",
                              "element NAME COUNT first");
    auto& properties = header_.elements.back().properties;
    PlyProperty property;
    std::string_view word = scan_.word();
    if (word == "list") {
      property.count_type = number_type(word = scan_.word());
      if (!counts(property.count_type))
        return scan_.fault_here(word, "the list's count is no whole number", "uchar, int, ...");
      word = scan_.word();
    }
    property.type = number_type(word);
    if (property.type == PlyNumber::none)
      return scan_.fault_here(word, "the property's type is unknown", "float, double, int, ...");
    property.name = scan_.word();
    for (const PlyProperty& other : properties)
      if (other.name == property.name)
        return scan_.fault_here(property.name, "this property stands there twice",
                                "each property once");
    if (properties.size() >= kMaxProperties)
      return scan_.fault_here(property.name, "the header is too long",
                              fmt::format("at most {} properties", kMaxProperties));
    properties.push_back(std::move(property));
    return {};
  }

  TextScan& scan_;
  std::optional<PlyFormat> format_;
  PlyHeader header_;
};

}  // namespace

std::size_t byte_size(PlyNumber type) {
  switch (type) {
    case PlyNumber::i8:
    case PlyNumber::u8:
      return 1;
    case PlyNumber::i16:
    case PlyNumber::u16:
      return 2;
    case PlyNumber::i32:
    case PlyNumber::u32:
    case PlyNumber::f32:
      return 4;
    case PlyNumber::f64:
      return 8;
    case PlyNumber::none:
      break;
  }
  return 0;
}

double decode(const char* at, PlyNumber type, bool swap) {
  switch (type) {
    case PlyNumber::i8:
      return decoded<std::int8_t>(at, swap);
    case PlyNumber::u8:
      return decoded<std::uint8_t>(at, swap);
    case PlyNumber::i16:
      return decoded<std::int16_t>(at, swap);
    case PlyNumber::u16:
      return decoded<std::uint16_t>(at, swap);
    case PlyNumber::i32:
      return decoded<std::int32_t>(at, swap);
    case PlyNumber::u32:
      return decoded<std::uint32_t>(at, swap);
    case PlyNumber::f32:
      return decoded<float>(at, swap);
    case PlyNumber::f64:
      return decoded<double>(at, swap);
    case PlyNumber::none:
      break;
  }
  return 0.0;
}

Result<PlyHeader> read_ply_header(TextScan* scan) {
  return HeaderReader(scan).run();
}

}  // namespace repose::shape
