#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "scene.h"

namespace bench_pile {
namespace {

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
      "\"rest_window\":{},\"most_seconds\":{},\"iterations\":{},\"slop\":{},\"damping\":{},"
      "\"sleeps\":{}}}",
      balls, planes, kGravity, setting.step, kRestSpeed, kRestWindow, kMostSeconds,
      setting.iterations, setting.slop, setting.damping, setting.sleeps);
}

}  // namespace

/// Rapier from npm in a node process of its own.
Row run_rapier(int k, std::uint64_t seed, const PeerSetting& setting) {
  Row row{fmt::format("Rapier, {}", setting.name), 0, 0.0, 0.0, 0.0,
          "not installed: npm ci in bench/pile"};
  const std::filesystem::path here = std::filesystem::path(REPOSE_SOURCE_DIR) / "bench" / "pile";
  if (!std::filesystem::exists(here / "node_modules")) return row;
  const auto file =
      std::filesystem::temp_directory_path() / fmt::format("bench_pile_{}.json", getpid());
  std::ofstream(file) << scene_text(k, seed, setting);
  const std::string command =
      fmt::format("node '{}' '{}'", (here / "rapier.mjs").string(), file.string());
  std::string answer;
  if (FILE* pipe = popen(command.c_str(), "r"); pipe != nullptr) {
    std::array<char, 256> buffer{};
    while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe) != nullptr)
      answer += buffer.data();
    pclose(pipe);
  }
  std::filesystem::remove(file);
  row.end = "failed";
  std::istringstream(answer) >> row.steps >> row.seconds >> row.overlap >> row.unbalanced >>
      row.end;
  return row;
}

}  // namespace bench_pile
