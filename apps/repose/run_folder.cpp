#include "run_folder.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "repose/base/whole_file.h"
#include "repose/record/recording_writer.h"

namespace {

namespace fs = std::filesystem;
using repose::Done;
using repose::InputError;
using repose::Result;

constexpr const char* kLock = ".repose-lock";
/// Where the results of an older run wait for the fate of the new one.
constexpr const char* kBefore = ".repose-before";
/// What a run and its judge write for people; they tell of one recording only.
constexpr const char* kPages[] = {"result.json",
                                  "report.html",
                                  "report-stamp.js",
                                  "still.png",
                                  "check.json",
                                  "check.html",
                                  "measure/measures.csv",
                                  "measure/coordination.csv",
                                  "measure/force-histogram.csv",
                                  "measure/radial-distribution.csv"};
/// The folder of the last of them.
constexpr const char* kMeasure = "measure";
constexpr const char* kLogs[] = {"-wal", "-shm", "-journal"};

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

std::error_code move_if_there(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  if (is_there(from)) fs::rename(from, to, failed);
  return failed;
}

/// A second name for the file, or a copy where the disk knows no second names.
std::error_code link_if_there(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  if (!is_there(from)) return failed;
  fs::create_hard_link(from, to, failed);
  if (failed) fs::copy_file(from, to, fs::copy_options::overwrite_existing, failed);
  return failed;
}

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  return is_there(a) && is_there(b) && fs::equivalent(a, b, ignored);
}

InputError taken(const fs::path& folder) {
  InputError error;
  error.file = folder.string();
  error.wrong = "another run writes into this folder";
  error.right = "another folder (--out), or wait until that run has ended";
  return error;
}

/// The folders on the way that are not there yet, outermost first.
std::vector<fs::path> missing_on_the_way(fs::path folder) {
  std::vector<fs::path> out;
  for (; !folder.empty() && !is_there(folder); folder = folder.parent_path()) out.push_back(folder);
  std::reverse(out.begin(), out.end());
  return out;
}

/// Half-written files of a run that was killed. Requires the lock.
void remove_parts(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    const auto is_part_of = [&name](const std::string& whole) {
      return name.starts_with(whole + ".") && name.ends_with(repose::WholeFile::kEnding);
    };
    if (is_part_of("recording.repose") ||
        std::any_of(std::begin(kPages), std::end(kPages), is_part_of))
      fs::remove(entry.path(), ignored);
  }
}

}  // namespace

RunFolder::RunFolder(RunFolder&& other) noexcept
    : folder_(std::move(other.folder_)), made_(std::move(other.made_)), lock_(other.lock_) {
  other.lock_ = -1;
}

RunFolder::~RunFolder() {
  if (lock_ < 0) return;
  std::error_code ignored;
  fs::remove_all(folder_ / kBefore, ignored);
  // the name goes while the lock is held: who waits for it sees that the file is gone
  fs::remove(folder_ / kLock, ignored);
  ::close(lock_);
}

Result<RunFolder> RunFolder::take(const fs::path& folder) {
  RunFolder out;
  out.folder_ = folder;
  out.made_ = missing_on_the_way(fs::absolute(folder).lexically_normal());
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return repose::cannot_write(folder, failed.message());
  if (auto done = out.lock(); !done) {
    out.remove_made();
    return done.error();
  }
  out.settle_leftovers();
  return out;
}

Result<Done> RunFolder::lock() {
  const fs::path path = folder_ / kLock;
  while (true) {
    constexpr mode_t kMode = 0666;
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kMode);
    if (file < 0) return repose::cannot_write(folder_, errno);
    if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
      const int said = errno;
      ::close(file);
      return said == EWOULDBLOCK ? taken(folder_) : repose::cannot_write(folder_, said);
    }
    // the run that had it may have removed the name between the two calls
    struct stat held {
    }, named{};
    const bool same = ::fstat(file, &held) == 0 && ::stat(path.c_str(), &named) == 0 &&
                      held.st_ino == named.st_ino && held.st_dev == named.st_dev;
    if (same) {
      lock_ = file;
      return Done{};
    }
    ::close(file);
  }
}

/// A run that was killed may have left results aside. If its own recording had not yet taken the
/// place, they belong there; else they are of a run that nobody can see any more.
void RunFolder::settle_leftovers() {
  remove_parts(folder_);
  const fs::path before = folder_ / kBefore;
  if (!is_there(before)) return;
  const bool replaced = is_there(recording()) && !same_file(recording(), before / kRecording);
  if (!replaced) bring_back();
  std::error_code ignored;
  fs::remove_all(before, ignored);
}

Result<Done> RunFolder::set_aside() {
  const fs::path before = folder_ / kBefore;
  // an old recording without its log would lack what a killed run left there
  repose::fold_log(recording());
  std::error_code failed;
  fs::create_directory(before, failed);
  if (failed) return repose::cannot_write(folder_, failed.message());
  // the recording has its second name before a page moves: by it one sees which run the one in
  // place belongs to
  failed = link_if_there(recording(), before / kRecording);
  if (!failed && is_there(folder_ / kMeasure)) fs::create_directory(before / kMeasure, failed);
  for (const char* page : kPages)
    if (!failed) failed = move_if_there(folder_ / page, before / page);
  for (const char* log : kLogs)
    if (!failed)
      failed = move_if_there(recording().string() + log, (before / kRecording).string() + log);
  if (!failed) {
    std::error_code kept;  // by files of others
    fs::remove(folder_ / kMeasure, kept);
    return Done{};
  }
  bring_back();
  return repose::cannot_write(folder_, failed.message());
}

void RunFolder::drop_new_recording() const {
  const fs::path before = folder_ / kBefore / kRecording;
  if (same_file(recording(), before)) return;
  std::error_code ignored;
  // its log first: it must not meet the old recording
  for (const char* log : kLogs) fs::remove(recording().string() + log, ignored);
  if (!is_there(before)) fs::remove(recording(), ignored);
}

void RunFolder::bring_back() {
  const fs::path before = folder_ / kBefore;
  std::error_code ignored;
  if (is_there(before)) {
    drop_new_recording();
    if (is_there(before / kMeasure)) fs::create_directory(folder_ / kMeasure, ignored);
    static_cast<void>(move_if_there(before / kRecording, recording()));
    for (const char* log : kLogs)
      static_cast<void>(
          move_if_there((before / kRecording).string() + log, recording().string() + log));
    for (const char* page : kPages) static_cast<void>(move_if_there(before / page, folder_ / page));
  }
  fs::remove_all(before, ignored);
  if (made_.empty()) return;
  fs::remove(folder_ / kLock, ignored);
  remove_made();
}

/// Folders that this run made go again, as far as nobody else has put something there.
void RunFolder::remove_made() const {
  std::error_code ignored;
  for (auto made = made_.rbegin(); made != made_.rend(); ++made) fs::remove(*made, ignored);
}
