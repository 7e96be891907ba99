#include "repose/report/assets.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

#include "bundle.h"

namespace repose::report {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// Where pictures are, and the front end of a program that was built without it.
std::vector<fs::path> folders() {
  std::vector<fs::path> out;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) out.push_back(program.parent_path().parent_path() / "share/repose/studio");
  out.emplace_back(REPOSE_STUDIO_DIST);
  out.emplace_back(REPOSE_STUDIO_SHARE);
  return out;
}

}  // namespace

Result<std::string> load_asset(const std::string& name) {
  if (const char* data = std::getenv("REPOSE_DATA"))
    if (auto bytes = read(fs::path(data) / "studio" / name)) return std::move(*bytes);
  if (const auto bytes = bundled(name)) return std::string(*bytes);
  for (const fs::path& folder : folders())
    if (auto bytes = read(folder / name)) return std::move(*bytes);
  InputError error;
  error.file = name;
  error.wrong = "the page's front end was not found";
  error.right = "build it (ninja -C build/release studio), or set REPOSE_DATA to its folder";
  return error;
}

}  // namespace repose::report
