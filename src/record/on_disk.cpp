#include "on_disk.h"

#include <cerrno>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>

namespace repose {

namespace fs = std::filesystem;

namespace {

/// A file may read as this many times what it takes on a disk that packs its blocks, and as this
/// many bytes more.
constexpr std::uint64_t kMostPacked = 64;
constexpr std::uint64_t kSmallHole = std::uint64_t{1} << 24;
constexpr std::uint64_t kBlock = 512;  // of st_blocks, whatever the disk's own

Result<Done> check_holes(const fs::path& path, const struct stat& facts) {
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  const auto stored = static_cast<std::uint64_t>(facts.st_blocks) * kBlock;
  if (size <= kMostPacked * stored + kSmallHole) return Done{};
  return not_a_recording(
      path, fmt::format("nearly all of it is a hole: {} of its {} bytes are stored", stored, size));
}

}  // namespace

InputError not_a_recording(const fs::path& path, std::string wrong) {
  InputError error;
  error.file = path.string();
  error.wrong = std::move(wrong);
  error.right = "a recording.repose written by repose run";
  return error;
}

Result<std::uint64_t> bytes_on_disk(const fs::path& recording) {
  struct stat facts {};
  if (::stat(recording.c_str(), &facts) != 0)
    return not_a_recording(recording, errno == ENOENT || errno == ENOTDIR
                                          ? "no such recording"
                                          : std::generic_category().message(errno));
  if (!S_ISREG(facts.st_mode)) return not_a_recording(recording, "not a plain file");
  if (auto done = check_holes(recording, facts); !done) return done.error();
  auto bytes = static_cast<std::uint64_t>(facts.st_size);
  for (const char* ending : {"-wal", "-shm", "-journal"}) {
    const fs::path beside = recording.string() + ending;
    if (::lstat(beside.c_str(), &facts) != 0) continue;
    if (!S_ISREG(facts.st_mode)) return not_a_recording(beside, "not a plain file");
    if (auto done = check_holes(beside, facts); !done) return done.error();
    bytes += static_cast<std::uint64_t>(facts.st_size);
  }
  return bytes;
}

}  // namespace repose
