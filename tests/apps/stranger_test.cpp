// Damaged recordings through every command that reads one.
#include <sqlite3.h>

#include "tool.h"

namespace repose {
namespace {

class StrangerToolTest : public ToolTest {
 protected:
  void damage(const std::string& sql) const {
    sqlite3* raw = nullptr;
    ASSERT_EQ(sqlite3_open((out_ / "recording.repose").c_str(), &raw), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(raw, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sql;
    sqlite3_close(raw);
  }
};

TEST_F(StrangerToolTest, every_reader_refuses_a_damaged_recording_with_its_name) {
  ASSERT_EQ(run("run " + scene_of(R"({ "repose": 1, "about": "Two balls.",
    "bodies": [ { "name": "one", "shape": { "kind": "ball", "radius": 0.5 } },
                { "name": "two", "shape": { "kind": "ball", "radius": 0.5 }, "position": [2, 0, 0] } ],
    "method": { "kind": "still", "steps": 2, "step_time": 0.01 } })") +
                " --out " + out_.string()),
            0)
      << told("stderr.txt");
  const std::string good = text(out_ / "recording.repose");
  const std::string other = (folder_ / "shown").string();
  fs::create_directory(other);
  const std::string readers[] = {
      "check " + out_.string() + " --prove", "measure " + out_.string() + " --out " + other,
      "report " + out_.string() + " --out " + other + "/report.html",
      "render " + out_.string() + " --size 40x30 --samples 1 --out " + other + "/still.png",
      "export " + out_.string() + " --csv " + other + "/a.csv --gltf " + other + "/a.glb --vtk " +
          other + "/a.pvd"};
  for (const std::string& reader : readers) EXPECT_LE(run(reader), 1) << told("stderr.txt");
  for (const char* sql :
       {"UPDATE shapes SET radius = 9e999", "UPDATE shapes SET radius = -1.0",
        "UPDATE bodies SET shape = 7", "UPDATE bodies SET name = CAST(x'ff' AS TEXT)",
        "UPDATE bodies SET mass = 1e300", "UPDATE frames SET poses = x'00'",
        "UPDATE frames SET contacts = zeroblob(88)",
        "UPDATE meta SET value = '[' WHERE key = 'result'",
        "DROP TABLE settings; CREATE VIEW settings AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL "
        "SELECT i + 1 FROM n) SELECT 's' || i AS name, 'v' AS value FROM n"}) {
    std::ofstream(out_ / "recording.repose", std::ios::binary | std::ios::trunc) << good;
    damage(sql);
    for (const std::string& reader : readers) {
      EXPECT_EQ(run(reader), 2) << reader << " after " << sql << ": " << told("stderr.txt");
      EXPECT_NE(told("stderr.txt").find("recording.repose"), std::string::npos)
          << told("stderr.txt");
    }
  }
}

}  // namespace
}  // namespace repose
