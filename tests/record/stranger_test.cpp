// Recordings that a stranger has made: read, or refused with their name; never more than that.
#include <fstream>
#include <limits>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "repose/base/random.h"
#include "repose/record/pace.h"
#include "repose/record/recording.h"

#include "record/folder.h"
#include "record/samples.h"

namespace repose {
namespace {

namespace fs = std::filesystem;

/// Everything that a recording holds, read once.
Result<Done> read_all(const fs::path& path) {
  const auto recording = Recording::open(path);
  if (!recording) return recording.error();
  for (const std::string& name : recording->series_names()) {
    const auto values = recording->series(name);
    EXPECT_EQ(values.size(), static_cast<std::size_t>(recording->frame_count()));
  }
  for (int f = 0; f < recording->frame_count(); ++f) {
    const auto frame = recording->frame(f);
    if (!frame) return frame.error();
    EXPECT_EQ(frame->poses.size(), frame->bodies.size());
    EXPECT_EQ(frame->soft.size(), frame->bodies.size());
  }
  const auto pace = EvenPace::of(*recording);
  if (!pace) return pace.error();
  return Done{};
}

class StrangerTest : public testing::FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    const auto done = testing::write_sample(path_);
    ASSERT_TRUE(done) << done.error().text();
    std::ifstream file(path_, std::ios::binary);
    whole_.assign(std::istreambuf_iterator<char>(file), {});
  }
  /// The sample as it was written, with this done to it.
  void put(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }
  void expect_refused(const std::string& sql) const {
    put(whole_);
    ASSERT_EQ(testing::damage(path_, sql), SQLITE_OK) << sql;
    const auto done = read_all(path_);
    ASSERT_FALSE(done) << "was read: " << sql;
    EXPECT_EQ(done.error().file, path_.string()) << sql;
    EXPECT_FALSE(done.error().wrong.empty()) << sql;
  }

  std::string whole_;
};

TEST_F(StrangerTest, the_sample_itself_is_read) {
  const auto done = read_all(path_);
  EXPECT_TRUE(done) << done.error().text();
}

TEST_F(StrangerTest, numbers_that_are_no_numbers_of_the_world_are_refused) {
  for (const char* column : {"radius", "bounding_radius"})
    for (const char* value : {"-1.0", "1e300", "-9e999", "'big'", "x'00'"})
      expect_refused(std::string("UPDATE shapes SET ") + column + " = " + value +
                     " WHERE form = 'ball'");
  expect_refused("UPDATE shapes SET radius = 9e999");
  expect_refused("UPDATE shapes SET radius = 0.0 WHERE form = 'ball'");
  expect_refused("UPDATE shapes SET bounding_radius = 9e999 WHERE form = 'ball'");
  expect_refused("UPDATE shapes SET bounding_radius = 1.0 WHERE form = 'half_space'");
  for (const char* column : {"mass", "density", "friction", "restitution", "opacity", "roughness"})
    for (const char* value : {"-1.0", "1e300", "9e999", "'heavy'"})
      expect_refused(std::string("UPDATE bodies SET ") + column + " = " + value);
  for (const char* value : {"-1.0", "1e300 * 1e300", "'wide'"})
    expect_refused(std::string("UPDATE bodies SET size = ") + value + " WHERE id = 0");
  for (const char* value : {"1e300", "-9e999", "'late'"})
    expect_refused(std::string("UPDATE frames SET time = ") + value);
  expect_refused("UPDATE frames SET energy = 9e999");
  expect_refused("UPDATE frames SET step = -1");
  expect_refused("UPDATE events SET step = 9223372036854775807");
  expect_refused("UPDATE bodies SET fixed = 2");
  expect_refused("UPDATE bodies SET layer = 99999999999");
}

TEST_F(StrangerTest, indices_out_of_range_are_refused) {
  for (const char* value : {"-1", "3", "2147483648", "-9223372036854775808", "0.5", "'0'"}) {
    const bool is_text = std::string(value) == "'0'";  // SQLite makes a number of it
    if (!is_text) expect_refused(std::string("UPDATE bodies SET shape = ") + value);
    if (!is_text) expect_refused(std::string("UPDATE frames SET cast_id = ") + value);
  }
  expect_refused("UPDATE casts SET bodies = x'05000000' WHERE id = 0");
  expect_refused("UPDATE casts SET bodies = x'ffffffff' WHERE id = 0");
  expect_refused("UPDATE casts SET bodies = x'0000000000000000' WHERE id = 0");
  expect_refused("UPDATE shapes SET soft_offset = -1");
  expect_refused("UPDATE shapes SET soft_offset = 1 WHERE form = 'spheres'");
  // triangles of points that are not there
  expect_refused(
      "UPDATE shapes SET form = 'mesh', radii = x'', triangles = x'000000000100000003000000' "
      "WHERE form = 'spheres'");
  expect_refused(
      "UPDATE shapes SET form = 'mesh', radii = x'', triangles = x'0000000001000000ffffffff' "
      "WHERE form = 'spheres'");
  // a contact with a body of another frame, with none, and with itself
  const std::string set = "UPDATE frames SET contacts = ";
  expect_refused(set + "x'02000000' || substr(contacts, 5) WHERE id = 3");
  expect_refused(set + "x'ffffffff' || substr(contacts, 5)");
  expect_refused(set + "x'ffffff7f' || substr(contacts, 5)");
  expect_refused(set + "x'01000000' || substr(contacts, 5)");
}

TEST_F(StrangerTest, rows_that_are_missing_doubled_or_out_of_order_are_refused) {
  for (const char* table : {"shapes", "bodies", "casts", "frames"}) {
    expect_refused(std::string("DELETE FROM ") + table + " WHERE id = 0");
    expect_refused(std::string("UPDATE ") + table + " SET id = id + 1000 WHERE id > 0");
  }
  expect_refused("DELETE FROM series WHERE id = 0");
  expect_refused("UPDATE events SET id = 7");
  for (const char* key : {"scene", "scene_text", "method", "version", "seed", "gravity"})
    expect_refused(std::string("DELETE FROM meta WHERE key = '") + key + "'");
}

TEST_F(StrangerTest, blobs_of_another_length_or_with_other_numbers_are_refused) {
  for (const char* what : {"shapes.bounding_center", "shapes.points", "shapes.normals",
                           "shapes.radii", "shapes.triangles", "bodies.center_body", "bodies.color",
                           "casts.bodies", "frames.contacts", "frames.poses", "frames.points"}) {
    const std::string name = what;
    const std::string table = name.substr(0, name.find('.'));
    const std::string column = name.substr(name.find('.') + 1);
    const std::string set = "UPDATE " + table + " SET " + column + " = ";
    expect_refused(set + column + " || x'00'");
    expect_refused(set + "'no bytes'");
    expect_refused(set + "zeroblob(8000001)");
  }
  const std::string infinite = "x'000000000000f07f'", not_a_number = "x'000000000000f87f'",
                    large = "x'9c7500883ce4377e'";  // 1e300
  for (const std::string& bad : {infinite, not_a_number, large}) {
    for (const char* column : {"poses", "points", "contacts"}) {
      const std::string name = column;
      // after the indices or the count of a contact or point
      const int at = name == "poses" ? 0 : name == "points" ? 20 : 8;
      expect_refused("UPDATE frames SET " + name + " = substr(" + name + ", 1, " +
                     std::to_string(at) + ") || " + bad + " || substr(" + name + ", " +
                     std::to_string(at + 9) + ")");
    }
    expect_refused("UPDATE shapes SET points = " + bad +
                   " || substr(points, 9) WHERE form = 'spheres'");
    expect_refused("UPDATE shapes SET radii = " + bad +
                   " || substr(radii, 9) WHERE form = 'spheres'");
    expect_refused("UPDATE bodies SET center_body = " + bad + " || substr(center_body, 9)");
    expect_refused("UPDATE bodies SET color = " + bad + " || substr(color, 9)");
  }
  // an orientation without length
  expect_refused(
      "UPDATE frames SET poses = substr(poses, 1, 24) || zeroblob(32) || substr(poses, 57)");
}

TEST_F(StrangerTest, texts_that_are_no_texts_are_refused) {
  const std::string bad = "CAST(x'62ff61' AS TEXT)";
  for (const char* what :
       {"shapes.kind", "shapes.form", "bodies.name", "bodies.role", "bodies.material",
        "events.kind", "events.target", "events.text", "meta.value", "settings.value"}) {
    const std::string name = what;
    const std::string table = name.substr(0, name.find('.'));
    expect_refused("UPDATE " + table + " SET " + name.substr(name.find('.') + 1) + " = " + bad);
  }
  expect_refused("UPDATE series SET name = " + bad + " WHERE id = 0");
  expect_refused("UPDATE shapes SET form = 'cloud'");
  for (const char* key : {"gravity", "seed"})
    for (const char* value : {"''", "'nonsense'", "'[1, 2]'", "'[1, 2, 1e300]'", "'-1'"})
      expect_refused(std::string("UPDATE meta SET value = ") + value + " WHERE key = '" + key +
                     "'");
}

TEST_F(StrangerTest, json_that_is_broken_or_nested_without_end_is_refused) {
  const std::string deep = "replace(hex(zeroblob(500000)), '00', '[')";
  const std::string closed = deep + " || replace(hex(zeroblob(500000)), '00', ']')";
  for (const std::string& bad : {std::string("'{'"), std::string("'['"), deep, closed}) {
    expect_refused("UPDATE meta SET value = " + bad + " WHERE key = 'result'");
    expect_refused("UPDATE meta SET value = " + bad + " WHERE key = 'gravity'");
    expect_refused("UPDATE bodies SET groups = " + bad);
  }
  expect_refused("UPDATE bodies SET groups = '{}'");
  expect_refused("UPDATE bodies SET groups = '[1]'");
}

TEST_F(StrangerTest, only_the_tables_of_a_recording_are_asked) {
  const std::string endless =
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT ";
  expect_refused("DROP TABLE settings; CREATE VIEW settings AS " + endless +
                 "'s' || i AS name, 'v' AS value FROM n");
  expect_refused(
      "DROP TABLE events; CREATE VIEW events AS " + endless +
      "i + 1 AS id, 0 AS step, 0.0 AS time, 'a' AS kind, 'b' AS target, 'c' AS text FROM n");
  expect_refused("CREATE VIEW more AS SELECT 1");
  expect_refused("CREATE TABLE more (x)");
  expect_refused("CREATE INDEX more ON frames (time)");
  expect_refused("CREATE TRIGGER more AFTER INSERT ON frames BEGIN DELETE FROM frames; END");
  expect_refused("ALTER TABLE settings ADD COLUMN more TEXT");
  expect_refused(
      "ALTER TABLE settings ADD COLUMN more TEXT GENERATED ALWAYS AS (hex(value)) VIRTUAL");
  expect_refused("DROP TABLE events");
  expect_refused(
      "DROP TABLE casts; CREATE TABLE casts (id INTEGER PRIMARY KEY, bodies BLOB NOT NULL "
      "CHECK (length(zeroblob(1000000000)) > 0))");
  expect_refused("UPDATE sqlite_master SET sql = replace(sql, 'energy', 'energie')");
  expect_refused(
      "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name "
      "= 'frames') WHERE name = 'casts'");
  expect_refused("PRAGMA user_version = 0");
  expect_refused("PRAGMA user_version = 2");
  expect_refused("PRAGMA application_id = 1");
}

TEST_F(StrangerTest, a_small_file_cannot_ask_for_endless_memory) {
  expect_refused(
      "INSERT INTO series WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < "
      "60000) SELECT i, 's' || i FROM n; INSERT INTO frames WITH RECURSIVE n(i) AS (SELECT 4 UNION "
      "ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i, i, step, energy, cast_id, x'', x'', "
      "poses, "
      "points FROM frames, n WHERE id = 3");
  // one body of many balls, shared by many
  expect_refused(
      "UPDATE shapes SET points = zeroblob(24 * 60000), radii = zeroblob(8 * 60000) WHERE form = "
      "'spheres'; INSERT INTO bodies WITH RECURSIVE n(i) AS (SELECT 5 UNION ALL SELECT i + 1 FROM "
      "n "
      "WHERE i < 100) SELECT i, name, shape, mass, center_body, size, fixed, collides, layer, "
      "role, "
      "groups, material, density, friction, restitution, color, opacity, roughness FROM bodies, n "
      "WHERE id = 4; INSERT INTO casts SELECT 2, CAST(x'' AS BLOB); UPDATE casts SET bodies = "
      "(SELECT "
      "CAST(group_concat(char(id) || x'000000', '') AS BLOB) FROM bodies) WHERE id = 2");
}

TEST_F(StrangerTest, what_is_no_plain_file_is_refused_at_once) {
  fs::remove(path_);
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_FALSE(read_all(path_));
  fs::remove(path_);
  fs::create_directory(path_);
  EXPECT_FALSE(read_all(path_));
  fs::remove(path_);
  put(whole_);
  const fs::path log = path_.string() + "-wal";
  ASSERT_EQ(mkfifo(log.c_str(), 0600), 0);
  EXPECT_FALSE(read_all(path_));
  fs::remove(log);
  // seven gigabytes of nothing
  fs::resize_file(path_, std::uintmax_t{7} << 30);
  const auto done = read_all(path_);
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().wrong.find("hole"), std::string::npos) << done.error().text();
}

TEST_F(StrangerTest, a_file_cut_short_anywhere_is_read_or_refused) {
  constexpr std::size_t kStep = 997;
  for (std::size_t size = 0; size < whole_.size(); size += kStep) {
    put(whole_.substr(0, size));
    const auto done = read_all(path_);
    if (!done) {
      EXPECT_EQ(done.error().file, path_.string());
    }
  }
}

TEST_F(StrangerTest, a_file_with_bytes_changed_at_random_is_read_or_refused) {
  Random random(11);
  for (int trial = 0; trial < 400; ++trial) {
    std::string bytes = whole_;
    const std::uint64_t changes = 1 + random.below(20);
    for (std::uint64_t k = 0; k < changes; ++k)
      bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    put(bytes);
    const auto done = read_all(path_);
    if (!done) {
      EXPECT_EQ(done.error().file, path_.string());
    }
  }
}

}  // namespace
}  // namespace repose
