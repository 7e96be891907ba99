#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shape/mesh/text_scan.h"

namespace repose::shape {

enum class PlyNumber { i8, u8, i16, u16, i32, u32, f32, f64, none };
std::size_t byte_size(PlyNumber type);
/// The number at those bytes; `swap`: they are in the other order than ours.
double decode(const char* at, PlyNumber type, bool swap);

struct PlyProperty {
  std::string name;
  PlyNumber type = PlyNumber::none;
  PlyNumber count_type = PlyNumber::none;  // of a list; none for a single number

  bool list() const { return count_type != PlyNumber::none; }
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;
};

enum class PlyFormat { text, little, big };

struct PlyHeader {
  PlyFormat format = PlyFormat::text;
  std::vector<PlyElement> elements;  // of different names
};

/// Reads up to the first byte of the body.
Result<PlyHeader> read_ply_header(TextScan* scan);

}  // namespace repose::shape
