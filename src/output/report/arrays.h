#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace repose::report {

/// The binary arrays of a page: bytes sorted into planes, packed by zlib, written as base64.
class Arrays {
 public:
  struct Entry {
    const char* type;  // "f64", "f32", "u32", "i32"
    std::size_t count;
    std::string base64;
  };

  /// Each answers the array's index.
  int add(const std::vector<double>& numbers);
  int add(const std::vector<float>& numbers);
  int add(const std::vector<std::uint32_t>& numbers);
  int add(const std::vector<std::int32_t>& numbers);

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  int add_bytes(const char* type, const void* data, std::size_t width, std::size_t count);

  std::vector<Entry> entries_;
};

std::string base64(const std::vector<unsigned char>& bytes);

}  // namespace repose::report
