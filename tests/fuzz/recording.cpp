// Recordings: bytes changed, and tables changed by SQL. What opens is shown in every way there is.
#include <array>
#include <fstream>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "repose/exchange/csv.h"
#include "repose/exchange/gltf.h"
#include "repose/exchange/vtk.h"
#include "repose/measure/measures.h"
#include "repose/render/depict.h"
#include "repose/report/page.h"
#include "repose/report/report.h"

#include "fuzz/driver.h"
#include "record/samples.h"

namespace {

namespace fs = std::filesystem;
using repose::Random;
using repose::fuzz::Bytes;

Bytes read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void show_all(const repose::Recording& recording) {
  const repose::render::Depictor depictor(recording.shapes(), recording.bodies());
  repose::render::DepictSettings settings;
  settings.contacts = settings.forces = true;
  for (int f = 0; f < recording.frame_count(); ++f) {
    const auto frame = recording.frame(f);
    if (!frame) return;
    repose::measure::measure(repose::measure::grains_of(recording, *frame));
    depictor.depict(*frame, settings);
  }
  if (const auto replay = repose::report::replay_of(recording))
    static_cast<void>(repose::report::replay_page(*replay));
  const fs::path& folder = repose::fuzz::scratch_folder();
  static_cast<void>(repose::exchange::write_gltf(recording, folder / "out.glb"));
  static_cast<void>(repose::exchange::write_vtk(recording, folder / "out.pvd"));
  static_cast<void>(repose::exchange::write_csv(recording, folder / "out.csv"));
}

constexpr std::array kColumns = {"meta.key",
                                 "meta.value",
                                 "settings.name",
                                 "settings.value",
                                 "shapes.id",
                                 "shapes.kind",
                                 "shapes.form",
                                 "shapes.radius",
                                 "shapes.points",
                                 "shapes.normals",
                                 "shapes.radii",
                                 "shapes.triangles",
                                 "shapes.soft_offset",
                                 "shapes.bounding_radius",
                                 "shapes.bounding_center",
                                 "bodies.id",
                                 "bodies.name",
                                 "bodies.shape",
                                 "bodies.mass",
                                 "bodies.center_body",
                                 "bodies.size",
                                 "bodies.fixed",
                                 "bodies.collides",
                                 "bodies.layer",
                                 "bodies.role",
                                 "bodies.groups",
                                 "bodies.material",
                                 "bodies.density",
                                 "bodies.friction",
                                 "bodies.restitution",
                                 "bodies.color",
                                 "bodies.opacity",
                                 "bodies.roughness",
                                 "casts.id",
                                 "casts.bodies",
                                 "series.id",
                                 "series.name",
                                 "frames.id",
                                 "frames.step",
                                 "frames.time",
                                 "frames.energy",
                                 "frames.cast_id",
                                 "frames.series",
                                 "frames.contacts",
                                 "frames.poses",
                                 "frames.points",
                                 "events.id",
                                 "events.step",
                                 "events.time",
                                 "events.kind",
                                 "events.target",
                                 "events.text",
                                 "sqlite_master.sql",
                                 "sqlite_master.rootpage",
                                 "sqlite_master.type",
                                 "sqlite_master.name"};

/// {0} is the column's own value.
constexpr std::array kValues = {"0",
                                "1",
                                "-1",
                                "2",
                                "2147483648",
                                "9223372036854775807",
                                "1e300",
                                "-1e300",
                                "9e999",
                                "-9e999",
                                "1e-300",
                                "1e18",
                                "''",
                                "x''",
                                "'word'",
                                "x'ff'",
                                "CAST(x'c328ff' AS TEXT)",
                                "{0} + 1",
                                "-{0}",
                                "{0} || {0}",
                                "substr({0}, 9)",
                                "substr({0}, 1, length({0}) - 8)",
                                "zeroblob(length({0}))",
                                "substr({0}, 2) || x'41'",
                                "zeroblob(56)",
                                "zeroblob(88)",
                                "zeroblob(100000)",
                                "x'000000000000f07f' || substr({0}, 9)",
                                "x'000000000000f87f' || substr({0}, 9)",
                                "substr({0}, 1, 8) || x'9c7500883ce4377e' || substr({0}, 17)",
                                "x'ffffffff' || substr({0}, 5)",
                                "x'ffffff7f' || substr({0}, 5)",
                                "x'03000000' || substr({0}, 5)",
                                "replace(hex(zeroblob(5000)), '00', '[')",
                                "'[[[]]]'",
                                "'{{}}'",
                                "char(27) || '[2J'",
                                "NULL",
                                "'ball'",
                                "'half_space'",
                                "'mesh'",
                                "'spheres'",
                                "'surfels'"};

constexpr std::array kStatements = {"DELETE FROM frames",
                                    "DELETE FROM bodies",
                                    "DELETE FROM shapes",
                                    "DELETE FROM casts",
                                    "DELETE FROM meta WHERE key = 'result'",
                                    "VACUUM",
                                    "REINDEX",
                                    "DROP TABLE frames; CREATE VIEW frames AS SELECT 0 AS id",
                                    "DROP TABLE settings; CREATE VIEW settings AS WITH RECURSIVE "
                                    "n(i) AS (SELECT 0 UNION ALL SELECT "
                                    "i + 1 FROM n) SELECT i AS name, i AS value FROM n",
                                    "CREATE TABLE more (x)",
                                    "PRAGMA user_version = 2",
                                    "PRAGMA encoding = 'UTF-16'",
                                    "INSERT INTO frames SELECT id + 4, step, time, energy, "
                                    "cast_id, series, contacts, poses, points "
                                    "FROM frames",
                                    "UPDATE frames SET cast_id = 1 - cast_id"};

void change_by_sql(Bytes& input, Random& random) {
  const auto path = repose::fuzz::scratch_file(
      "edit.repose", reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  std::string sql;
  constexpr std::uint64_t kOneIn = 10;
  if (random.below(kOneIn) == 0) {
    sql = kStatements[random.below(kStatements.size())];
  } else {
    const std::string name = kColumns[random.below(kColumns.size())];
    const std::string table = name.substr(0, name.find('.'));
    const std::string column = name.substr(name.find('.') + 1);
    const std::string value =
        fmt::format(fmt::runtime(kValues[random.below(kValues.size())]), column);
    sql = fmt::format("UPDATE OR IGNORE {} SET {} = {}", table, column, value);
    const char* row = table == "meta"       ? "length(key)"
                      : table == "settings" ? "length(name)"
                                            : "rowid";
    if (random.below(2) == 0) sql += fmt::format(" WHERE {} % 2 = {}", row, random.below(2));
  }
  static_cast<void>(repose::testing::damage(path, sql));
  input = read(path);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto recording =
      repose::Recording::open(repose::fuzz::scratch_file("recording.repose", data, size));
  if (recording) show_all(*recording);
  return 0;
}

repose::fuzz::Target repose::fuzz::target() {
  const fs::path path = scratch_folder() / "seed.repose";
  REPOSE_CHECK(static_cast<bool>(testing::write_sample(path)));
  Target out;
  out.seeds = {read(path)};
  out.words = {"CREATE VIEW", "frames", "bodies", Bytes("\0\0\0\0\0\0\xf0\x7f", 8)};
  out.mutate = change_by_sql;
  return out;
}
