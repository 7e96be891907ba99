#include "scratch_copy.h"

#include <cstdlib>

#include <sqlite3.h>

namespace repose {

namespace fs = std::filesystem;

bool needs_copy(int sqlite_code) {
  const int kind = sqlite_code & 0xff;
  return kind == SQLITE_CANTOPEN || kind == SQLITE_READONLY || kind == SQLITE_FULL ||
         kind == SQLITE_IOERR;
}

Result<ScratchCopy> ScratchCopy::make(const fs::path& recording) {
  std::error_code failed;
  std::string folder = (fs::temp_directory_path(failed) / "repose-XXXXXX").string();
  InputError error;
  error.file = recording.string();
  error.wrong = "cannot copy the unfinished recording to read it";
  error.right = "room in the folder for temporary files (TMPDIR)";
  if (failed || mkdtemp(folder.data()) == nullptr) return error;
  ScratchCopy out{fs::path(folder)};
  fs::copy_file(recording, out.path(), failed);
  if (failed) return error;
  const fs::path log = recording.string() + "-wal";
  if (fs::exists(log, failed)) fs::copy_file(log, out.path().string() + "-wal", failed);
  if (failed) return error;
  return out;
}

ScratchCopy::~ScratchCopy() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

}  // namespace repose
