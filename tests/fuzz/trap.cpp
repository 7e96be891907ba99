// A target that fails in every way there is, each for its own first byte: the driver must notice.
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "fuzz/driver.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  switch (size == 0 ? '\0' : static_cast<char>(data[0])) {
    case 'c':
      std::abort();
    case 'x':
      throw std::runtime_error("thrown by an input");
    case 'h':
      for (volatile bool forever = true; forever;) {
      }
      break;
    case 'm': {
      // written to, so that no optimiser leaves it out
      std::vector<char> much(std::size_t{1} << 31, 'm');
      return much[size] == 'm' ? 0 : 1;
    }
    case 'e':
      std::exit(0);
    default:
      break;
  }
  return 0;
}

repose::fuzz::Target repose::fuzz::target() {
  return {{"good"}, {}, {}};
}
