#pragma once

#include <array>

/// The tables of a recording; docs/recording.md tells what each column holds. In `frames` the small
/// columns stand before the large ones, so that reading them skips the blobs.
namespace repose::record_schema {

inline constexpr int kApplicationId = 0x52505345;  // "RPSE"
inline constexpr int kFormat = 1;

/// SQLite keeps the text of a table as it was made. A reader compares it, so that nothing else can
/// stand under the table's name: no view, no generated column, no rule of a stranger.
struct Table {
  const char* name;
  const char* sql;
};
inline constexpr std::array<Table, 8> kTables = {{
    {"meta", "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"},
    {"settings",
     "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"},
    {"shapes", R"(CREATE TABLE shapes (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, form TEXT NOT NULL, radius REAL NOT NULL,
  bounding_radius REAL NOT NULL, bounding_center BLOB NOT NULL, soft_offset INTEGER NOT NULL,
  points BLOB NOT NULL, normals BLOB NOT NULL, radii BLOB NOT NULL, triangles BLOB NOT NULL))"},
    {"bodies", R"(CREATE TABLE bodies (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, shape INTEGER NOT NULL REFERENCES shapes(id),
  mass REAL NOT NULL, center_body BLOB NOT NULL, size REAL NOT NULL, fixed INTEGER NOT NULL,
  collides INTEGER NOT NULL, layer INTEGER NOT NULL, role TEXT NOT NULL, groups TEXT NOT NULL,
  material TEXT NOT NULL, density REAL NOT NULL, friction REAL NOT NULL,
  restitution REAL NOT NULL, color BLOB NOT NULL, opacity REAL NOT NULL, roughness REAL NOT NULL))"},
    {"casts", "CREATE TABLE casts (id INTEGER PRIMARY KEY, bodies BLOB NOT NULL)"},
    {"series", "CREATE TABLE series (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)"},
    {"frames", R"(CREATE TABLE frames (
  id INTEGER PRIMARY KEY, step INTEGER NOT NULL, time REAL NOT NULL, energy REAL NOT NULL,
  cast_id INTEGER NOT NULL REFERENCES casts(id), series BLOB NOT NULL, contacts BLOB NOT NULL,
  poses BLOB NOT NULL, points BLOB NOT NULL))"},
    {"events", R"(CREATE TABLE events (
  id INTEGER PRIMARY KEY, step INTEGER NOT NULL, time REAL NOT NULL, kind TEXT NOT NULL,
  target TEXT NOT NULL, text TEXT NOT NULL))"},
}};

inline constexpr const char* kMark = R"(
PRAGMA application_id = 0x52505345;
PRAGMA user_version = 1;
)";

inline constexpr const char* kAddMeta = "INSERT OR REPLACE INTO meta VALUES (?, ?)";
inline constexpr const char* kAddSetting = "INSERT OR REPLACE INTO settings VALUES (?, ?)";
inline constexpr const char* kAddShape =
    "INSERT INTO shapes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
inline constexpr const char* kAddBody =
    "INSERT INTO bodies VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
inline constexpr const char* kAddCast = "INSERT INTO casts VALUES (?, ?)";
inline constexpr const char* kAddSeries = "INSERT INTO series VALUES (?, ?)";
inline constexpr const char* kAddFrame = "INSERT INTO frames VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
inline constexpr const char* kAddEvent = "INSERT INTO events VALUES (NULL, ?, ?, ?, ?, ?)";

}  // namespace repose::record_schema
