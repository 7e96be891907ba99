#include "repose/base/whole_file.h"

#include <atomic>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace repose {

namespace {

namespace fs = std::filesystem;

/// A file descriptor that is closed whatever happens.
class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags)
      : number_(::open(path.c_str(), flags | O_CLOEXEC, kMode)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool open() const { return number_ >= 0; }
  bool write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(number_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }
  /// Some folders are on nothing that could be flushed; they say EINVAL.
  bool flush() const { return ::fdatasync(number_) == 0 || errno == EINVAL; }
  bool close() {
    const int number = number_;
    number_ = -1;
    return ::close(number) == 0;
  }

 private:
  static constexpr mode_t kMode = 0666;  // as the user's mask leaves it
  int number_;
};

fs::path name_beside(const fs::path& place) {
  static std::atomic<unsigned> count = 0;
  return place.string() + fmt::format(".{}-{}{}", ::getpid(), count++, WholeFile::kEnding);
}

}  // namespace

InputError cannot_write(const fs::path& place, const std::string& why) {
  InputError error;
  error.file = place.string();
  error.wrong = "cannot write: " + why;
  error.right = "a folder that may be written, with room on its disk";
  return error;
}

InputError cannot_write(const fs::path& place, int system_error) {
  return cannot_write(place, std::generic_category().message(system_error));
}

WholeFile::WholeFile(fs::path place) : place_(std::move(place)), beside_(name_beside(place_)) {}

WholeFile::WholeFile(WholeFile&& other) noexcept
    : place_(std::move(other.place_)), beside_(std::move(other.beside_)) {
  other.beside_.clear();
}

WholeFile::~WholeFile() {
  std::error_code ignored;
  if (!beside_.empty()) fs::remove(beside_, ignored);
}

Result<Done> WholeFile::put() {
  {
    const Descriptor file(beside_, O_RDONLY);
    if (!file.open() || !file.flush()) return cannot_write(place_, errno);
  }
  std::error_code failed;
  fs::rename(beside_, place_, failed);
  if (failed) return cannot_write(place_, failed.message());
  beside_.clear();
  return Done{};
}

Result<Done> write_whole(const fs::path& place, std::string_view bytes) {
  WholeFile file(place);
  {
    Descriptor beside(file.beside(), O_WRONLY | O_CREAT | O_TRUNC);
    if (!beside.open() || !beside.write(bytes) || !beside.close())
      return cannot_write(place, errno);
  }
  return file.put();
}

}  // namespace repose
