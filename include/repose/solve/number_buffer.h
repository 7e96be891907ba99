#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace repose::solve {

/// Room for numbers that are written before they are read: it is not cleared, and kept when less
/// is wanted.
class NumberBuffer {
 public:
  /// Room for so many; what it held is lost.
  void resize(std::size_t size) {
    size_ = size;
    if (size <= capacity_) return;
    data_ = std::make_unique_for_overwrite<double[]>(size);
    capacity_ = size;
  }
  void release() { *this = {}; }
  double* data() { return data_.get(); }
  const double* data() const { return data_.get(); }
  std::span<const double> numbers() const { return {data_.get(), size_}; }

 private:
  std::unique_ptr<double[]> data_;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace repose::solve
