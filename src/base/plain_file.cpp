#include "repose/base/plain_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace repose {

namespace {

InputError unusable(const std::string& path, std::string wrong, std::string right) {
  InputError error;
  error.file = path;
  error.wrong = std::move(wrong);
  error.right = std::move(right);
  return error;
}

/// Without O_NONBLOCK a pipe would wait for its writer; with O_NOCTTY no terminal becomes ours.
int open_without_waiting(const std::string& path) {
  int descriptor = -1;
  do {
    descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

InputError cannot_open(const std::string& path, int why, const std::string& right) {
  if (why == ENOENT || why == ENOTDIR) return unusable(path, "no such file", right);
  if (why == ENXIO) return unusable(path, "not a plain file", right);
  return unusable(path, fmt::format("the file cannot be opened: {}", std::strerror(why)),
                  "a file you may read");
}

}  // namespace

Result<PlainFile> PlainFile::open(const std::string& path, const std::string& right) {
  if (path.find('\0') != std::string::npos)
    return unusable(path.substr(0, path.find('\0')), "the name holds a zero byte", right);
  const int descriptor = open_without_waiting(path);
  if (descriptor < 0) return cannot_open(path, errno, right);
  struct stat status {};
  const bool known = ::fstat(descriptor, &status) == 0;
  PlainFile file(descriptor,
                 known && status.st_size > 0 ? static_cast<std::uint64_t>(status.st_size) : 0);
  if (!known || !S_ISREG(status.st_mode)) return unusable(path, "not a plain file", right);
  return file;
}

PlainFile::PlainFile(PlainFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

PlainFile& PlainFile::operator=(PlainFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  return *this;
}

PlainFile::~PlainFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t PlainFile::read(std::uint64_t at, char* out, std::size_t count) const {
  std::size_t held = 0;
  while (held < count) {
    const ssize_t got =
        ::pread(descriptor_, out + held, count - held, static_cast<off_t>(at + held));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    held += static_cast<std::size_t>(got);
  }
  return held;
}

Result<std::string> read_plain_file(const std::string& path, std::uint64_t most,
                                    const std::string& right) {
  const auto file = PlainFile::open(path, right);
  if (!file) return file.error();
  if (file->size() > most) {
    InputError error =
        unusable(path, "the file is too large", fmt::format("at most {} bytes", most));
    error.value = fmt::format("{} bytes", file->size());
    return error;
  }
  std::string bytes(file->size(), '\0');
  bytes.resize(file->read(0, bytes.data(), bytes.size()));
  return bytes;
}

}  // namespace repose
