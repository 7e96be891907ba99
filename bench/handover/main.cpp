// bench_handover [TABLES] [SECONDS] [--hold]: tables of twenty bodies settled by Repose, then
// stepped by MuJoCo (MJCF), Bullet and Rapier (URDF) beside the same tables overlapping by 1 %.
// With --hold it fails where one of them moves a settled body farther than kStays of its size,
// where MuJoCo finds a deeper contact than kDeepest at the start, and where an overlapping table
// does not jump.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>

#include "repose/run/catalogue.h"

#include "bench/sheet/sheet.h"
#include "tables.h"

namespace bench_handover {
namespace {

namespace fs = std::filesystem;
using repose::handover::Settled;

constexpr int kBodies = 20;
constexpr double kStays = 2e-4;    // of its size
constexpr double kDeepest = 1e-6;  // m
constexpr double kJumps = 5e-3;    // of its size
constexpr int kSkipped = 77;       // what ctest counts as skipped

/// What node prints, a line for each file; empty where the peer is not there.
std::vector<std::string> lines_of(const char* script, double seconds,
                                  const std::vector<fs::path>& files) {
  const fs::path here = fs::path(REPOSE_SOURCE_DIR) / "bench" / "handover";
  if (files.empty() || !fs::exists(here / "node_modules")) return {};
  std::string command = fmt::format("node '{}' {}", (here / script).string(), seconds);
  for (const fs::path& file : files) command += fmt::format(" '{}'", file.string());
  std::string answer;
  if (FILE* pipe = popen(command.c_str(), "r"); pipe != nullptr) {
    std::array<char, 512> buffer{};
    while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe) != nullptr)
      answer += buffer.data();
    pclose(pipe);
  }
  std::vector<std::string> out;
  std::istringstream in(answer);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  if (out.size() != files.size()) out.clear();
  return out;
}

repose::bench::Cell shown(double way) {
  return way < 0.0 ? repose::bench::Cell() : repose::bench::Cell(way);
}

/// Settled, then overlapping, of each table.
std::vector<fs::path> write_tables(const std::vector<Table>& tables, const fs::path& folder,
                                   const char* ending) {
  std::vector<fs::path> out;
  for (const Table& table : tables)
    for (const auto& [kind, text] :
         {std::pair<std::string, const std::string&>{"settled", *table.rest.text},
          {"overlapping", table.overlapping}}) {
      out.push_back(folder / fmt::format("{}-{}.{}", kind, table.seed, ending));
      std::ofstream(out.back()) << text;
    }
  return out;
}
/// The same as scenes of Repose's own, which are plain JSON.
std::vector<fs::path> as_json(const std::vector<fs::path>& files) {
  std::vector<fs::path> out;
  for (const fs::path& file : files) {
    const auto again = repose::handover::open_any(file.string(), repose::method_catalogue());
    out.push_back(fs::path(file).replace_extension(".json"));
    std::ofstream(out.back()) << (again ? repose::write_scene(again->scene) : "");
  }
  return out;
}

/// Fields of a line by their number; negative where there are none.
double field(const std::vector<std::string>& lines, std::size_t line, int number) {
  if (line >= lines.size()) return -1.0;
  std::istringstream in(lines[line]);
  std::string word;
  for (int i = 0; i <= number; ++i) in >> word;
  return std::strtod(word.c_str(), nullptr);
}

repose::Result<std::vector<Table>> make_tables(Form form, int count, const fs::path& folder) {
  std::vector<Table> out;
  for (int seed = 1; seed <= count; ++seed) {
    auto table = make_table(form, static_cast<std::uint64_t>(seed), kBodies, folder);
    if (!table) return table.error();
    out.push_back(std::move(*table));
  }
  return out;
}

int run(repose::bench::Sheet& sheet, int count, double seconds, bool hold) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("bench_handover_{}", getpid());
  fs::create_directories(folder);
  const auto mjcf = make_tables(Form::mjcf, count, folder);
  const auto urdf = make_tables(Form::urdf, count, folder);
  if (!mjcf || !urdf) {
    fmt::print(stderr, "{}\n", (mjcf ? urdf.error() : mjcf.error()).text());
    return 1;
  }
  const std::vector<Table>& tables = *mjcf;
  const auto urdf_files = write_tables(*urdf, folder, "urdf");
  const auto mujoco = lines_of("mujoco.mjs", seconds, write_tables(tables, folder, "xml"));
  const auto rapier = lines_of("rapier.mjs", seconds, as_json(urdf_files));
  const auto bullet = [&](std::size_t i) {
    return i < urdf_files.size() ? bullet_way(urdf_files[i], seconds) : -1.0;
  };
  using repose::bench::Holds;
  auto& table = sheet.table(
      "tables",
      fmt::format(
          "{} bodies on a table, {} s in each engine: farthest way of a body over its size, "
          "from Repose's rest and from 1 % overlap",
          kBodies, seconds),
      {{"table", Holds::count},
       {"settled in, CPU s", Holds::time},
       {"verdict", Holds::word},
       {"MuJoCo", Holds::measure},
       {"depth, m", Holds::measure},
       {"MuJoCo, overlapping", Holds::measure},
       {"URDF verdict", Holds::word},
       {"Bullet", Holds::measure},
       {"Bullet, overlapping", Holds::measure},
       {"Rapier", Holds::measure},
       {"Rapier, overlapping", Holds::measure}});
  bool holds = true;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const Settled& rest = tables[i].rest;
    const double depth = field(mujoco, 2 * i, 2);
    struct Ways {
      double settled, overlapping;
    };
    const Ways in_mujoco{field(mujoco, 2 * i, 3), field(mujoco, 2 * i + 1, 3)},
        in_bullet{bullet(2 * i), bullet(2 * i + 1)},
        in_rapier{field(rapier, 2 * i, 2), field(rapier, 2 * i + 1, 2)};
    holds = holds && depth <= kDeepest;
    // an engine that is not there answers with less than zero
    for (const Ways& ways : {in_mujoco, in_bullet, in_rapier})
      holds =
          holds && (ways.settled < 0.0 || (ways.settled <= kStays && ways.overlapping >= kJumps));
    table.row({static_cast<double>(tables[i].seed), rest.solve_seconds,
               std::string(rest.proven() ? "proven" : "missed"), shown(in_mujoco.settled),
               shown(depth), shown(in_mujoco.overlapping),
               std::string((*urdf)[i].rest.proven() ? "proven" : "missed"),
               shown(in_bullet.settled), shown(in_bullet.overlapping), shown(in_rapier.settled),
               shown(in_rapier.overlapping)});
  }
  table.note(
      "Settings, the same for all tables, settled and overlapping. MuJoCo: geom margin 1e-6 m, "
      "solref \"0.002 1\", steps of 1 ms. Bullet: split impulses at every depth, margins 1e-4 m, "
      "rolling friction 0.01, steps of 1 ms. Rapier: contacts of 1000 Hz, what stands is a locked "
      "dynamic "
      "body, the origin among what moves, angular damping 50 1/s, steps of 1 ms. No engine "
      "sleeps.");
  fs::remove_all(folder);
  if (mujoco.empty()) table.note("MuJoCo is not there: npm ci in bench/handover");
  if (!hold) return 0;
  return mujoco.empty() ? kSkipped : holds ? 0 : 1;
}

}  // namespace
}  // namespace bench_handover

int main(int argc, char** argv) {
  repose::bench::Sheet sheet("handover", argc, argv);
  int count = sheet.quick() ? 1 : 10;
  double seconds = sheet.quick() ? 2.0 : 5.0;
  bool hold = false;
  int place = 0;
  for (const std::string& word : sheet.words()) {
    if (word == "--hold")
      hold = true;
    else if (place++ == 0)
      count = std::max(1, std::atoi(word.c_str()));
    else
      seconds = std::atof(word.c_str());
  }
  return sheet.finish(bench_handover::run(sheet, count, seconds, hold));
}
