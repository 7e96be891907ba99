#include "repose/report/assets.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace repose::report {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders() {
  std::vector<fs::path> out;
  if (const char* data = std::getenv("REPOSE_DATA")) out.push_back(fs::path(data) / "studio");
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) out.push_back(program.parent_path().parent_path() / "share/repose/studio");
  out.emplace_back(REPOSE_STUDIO_DIST);
  out.emplace_back(REPOSE_STUDIO_SHARE);
  return out;
}

}  // namespace

Result<std::string> load_asset(const std::string& name) {
  for (const fs::path& folder : folders()) {
    std::ifstream file(folder / name, std::ios::binary);
    if (file) return std::string(std::istreambuf_iterator<char>(file), {});
  }
  InputError error;
  error.file = name;
  error.wrong = "the page's front end was not found";
  error.right = "build it (npm ci && npm run build in studio/), or set REPOSE_DATA to its folder";
  return error;
}

}  // namespace repose::report
