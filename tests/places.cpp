#include "places.h"

#include <cstdio>
#include <cstdlib>

#include <unistd.h>

namespace repose::tests {

namespace fs = std::filesystem;

namespace {

class OwnFolder {
 public:
  OwnFolder() {
    std::string pattern = (fs::temp_directory_path() / "repose-test-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      std::perror("repose-test");
      std::abort();
    }
    path_ = pattern;
  }
  ~OwnFolder() {
    std::error_code ignored;
    // a child that ends leaves it to its parent
    if (::getpid() == owner_) fs::remove_all(path_, ignored);
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
  pid_t owner_ = ::getpid();
};

}  // namespace

const char* source_dir() {
  return REPOSE_SOURCE_DIR;
}

const char* tool() {
  return REPOSE_TOOL;
}

fs::path own_path(const std::string& name) {
  static const OwnFolder folder;
  return folder.path() / name;
}

}  // namespace repose::tests
