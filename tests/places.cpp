#include "places.h"

namespace repose::tests {

const char* source_dir() {
  return REPOSE_SOURCE_DIR;
}

const char* tool() {
  return REPOSE_TOOL;
}

}  // namespace repose::tests
