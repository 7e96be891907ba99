#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "peer.h"

namespace bench_pile {
namespace {

constexpr int kDefaultIterations = 4;

std::string vector_text(const Vec3& v) {
  return fmt::format("[{:.17g},{:.17g},{:.17g}]", v.x(), v.y(), v.z());
}

/// What rapier.mjs reads.
std::string scene_text(int k, std::uint64_t seed, const PeerSetting& setting) {
  std::string balls, planes;
  for (const Vec3& c : grid(k, seed)) balls += (balls.empty() ? "" : ",") + vector_text(c);
  for (const auto& [point, normal] : walls(k))
    planes += fmt::format("{}{{\"point\":{},\"normal\":{}}}", planes.empty() ? "" : ",",
                          vector_text(point), vector_text(normal));
  return fmt::format(
      "{{\"balls\":[{}],\"walls\":[{}],\"gravity\":{},\"step\":{:.17g},\"rest_speed\":{},"
      "\"rest_window\":{},\"most_steps\":{},\"iterations\":{},\"slop\":{},\"damping\":{},"
      "\"sleeps\":{}}}",
      balls, planes, kGravity, setting.step, kRestSpeed, kRestWindow,
      most_steps(k, setting, kDefaultIterations), setting.iterations, setting.slop, setting.damping,
      setting.sleeps);
}

/// What the script prints, read and measured as every engine is.
void read_answer(std::istream& in, int k, Row& row) {
  std::vector<Vec3> last = grid(k, 1), now(last.size());
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    if (line.starts_with("end")) {
      words >> line >> row.unbalanced;
      return;
    }
    words >> row.steps >> row.seconds;
    for (Vec3& p : now) words >> p.x() >> p.y() >> p.z();
    double fastest = 0.0;
    for (std::size_t i = 0; i < now.size(); ++i)
      fastest = std::max(fastest, (now[i] - last[i]).norm() / kRestWindow);
    last = now;
    row.overlap = std::max(row.overlap, overlap_of(now, k));
    row.height = mean_height(now);
    row.end = fastest <= kRestSpeed ? "rest" : "moving";
  }
}

}  // namespace

/// Rapier from npm in a node process of its own.
Row run_rapier(int k, std::uint64_t seed, const PeerSetting& setting) {
  Row row{"Rapier", setting.name, 0, 0.0, 0.0, 0.0, 0.0, "not installed: npm ci in bench/pile"};
  const std::filesystem::path here = std::filesystem::path(REPOSE_SOURCE_DIR) / "bench" / "pile";
  if (!std::filesystem::exists(here / "node_modules")) return row;
  const auto file =
      std::filesystem::temp_directory_path() / fmt::format("bench_pile_{}.json", getpid());
  std::ofstream(file) << scene_text(k, seed, setting);
  const std::string command =
      fmt::format("node '{}' '{}'", (here / "rapier.mjs").string(), file.string());
  std::string answer;
  if (FILE* pipe = popen(command.c_str(), "r"); pipe != nullptr) {
    std::array<char, 4096> buffer{};
    while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe) != nullptr)
      answer += buffer.data();
    pclose(pipe);
  }
  std::filesystem::remove(file);
  row.end = "failed";
  std::istringstream in(answer);
  read_answer(in, k, row);
  return row;
}

}  // namespace bench_pile
