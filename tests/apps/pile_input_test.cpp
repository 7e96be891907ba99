// Bad piles as a user meets them: exit 2 with the place, the value and what would be right.
#include "tool.h"

namespace repose {
namespace {

/// A cup without lid: five faces of a cube of side 2, open.
constexpr const char* kCup = R"("kind": "mesh", "open": true,
  "points": [[-1,-1,0],[1,-1,0],[1,1,0],[-1,1,0],[-1,-1,2],[1,-1,2],[1,1,2],[-1,1,2]],
  "triangles": [[0,2,1],[0,3,2],[0,1,5],[0,5,4],[1,2,6],[1,6,5],[2,3,7],[2,7,6],[3,0,4],[3,4,7]])";

class PileInputTest : public ToolTest {
 protected:
  /// Runs a pile of these bodies; the error as the tool tells it, empty if it exits 0.
  json fault(const std::string& bodies, int wanted = 2) const {
    const std::string path = scene_of(R"({"repose": 1, "about": "Bad.",
 "method": {"kind": "pile"},
 "bodies": [)" + bodies + "]}");
    EXPECT_EQ(run("run " + path + " --json --steps 50 --out " + out_.string()), wanted)
        << told("stderr.txt");
    const json answer = json::parse(told("stdout.txt"));
    return answer.contains("error") ? answer["error"] : json();
  }
  static std::string ball(const std::string& name, const std::string& position) {
    return "\n{\"name\": \"" + name +
           R"(", "shape": {"kind": "ball", "radius": 0.1}, "position": )" + position + "}";
  }
  static std::string cup(const std::string& shape) {
    return "\n{\"name\": \"cup\", \"fixed\": true, \"role\": \"container\", \"shape\": {" + shape +
           "}}";
  }
  static std::string wall(const std::string& name, const std::string& turn) {
    return "\n{\"name\": \"" + name +
           R"(", "fixed": true, "role": "container", "shape": {"kind": "half_space"}, )" + turn +
           "}";
  }
  static bool has(const json& error, const char* field, const std::string& text) {
    return error[field].get<std::string>().find(text) != std::string::npos;
  }
};

TEST_F(PileInputTest, overlapping_bodies_are_named_with_depth_and_place) {
  const json error = fault(ball("low", "[0, 0, 0.1]") + "," + ball("high", "[0, 0, 0.25]"));
  EXPECT_TRUE(has(error, "file", "scene.json"));
  EXPECT_EQ(error["line"], 5);
  EXPECT_EQ(error["pointer"], "/bodies/1/position");
  EXPECT_TRUE(has(error, "value", "0.25"));
  EXPECT_TRUE(has(error, "wrong", "low and high by 0.05 m")) << error;
  EXPECT_TRUE(has(error, "right", "repair_start"));
}

TEST_F(PileInputTest, a_body_outside_its_container_is_named) {
  const std::string inside = cup(kCup) + "," + ball("in", "[0, 0, 0.3]");
  const json error = fault(inside + "," + ball("out", "[3, 0, 0.3]"));
  EXPECT_EQ(error["pointer"], "/bodies/2/position");
  EXPECT_TRUE(has(error, "value", "[3, 0, 0.3]"));
  EXPECT_TRUE(has(error, "wrong", "out at (3, 0, 0.3) is outside of its container")) << error;
  EXPECT_TRUE(has(error, "right", "cup"));
  // under its bottom; but what is above falls in
  EXPECT_TRUE(has(fault(inside + "," + ball("out", "[0, 0, -0.3]")), "wrong", "outside"));
  EXPECT_TRUE(fault(inside + "," + ball("above", "[0.5, 0, 4]"), 0).is_null());
}

TEST_F(PileInputTest, a_closed_mesh_is_no_container_whichever_way_its_triangles_turn) {
  constexpr int kTriangles[][3] = {{0, 2, 1}, {0, 3, 2}, {0, 1, 5}, {0, 5, 4},
                                   {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6},
                                   {3, 0, 4}, {3, 4, 7}, {4, 5, 6}, {4, 6, 7}};
  for (const bool inside_out : {false, true}) {
    json triangles = json::array();
    for (const auto& t : kTriangles)
      triangles.push_back(inside_out ? json{t[0], t[2], t[1]} : json{t[0], t[1], t[2]});
    const std::string cube = R"("kind": "mesh", "points": [[-1,-1,0],[1,-1,0],[1,1,0],[-1,1,0],
      [-1,-1,2],[1,-1,2],[1,1,2],[-1,1,2]], "triangles": )" +
                             triangles.dump();
    const json error = fault(cup(cube) + "," + ball("in", "[0, 0, 0.3]"));
    EXPECT_TRUE(has(error, "pointer", "/bodies/1/position"));
    EXPECT_TRUE(has(error, "wrong", "in lies in the material of cup")) << error;
    EXPECT_TRUE(has(error, "right", "\"open\": true"));
  }
}

TEST_F(PileInputTest, containers_that_hold_nothing_are_refused) {
  const std::string flat = R"("kind": "mesh", "open": true,
    "points": [[-1,-1,0],[1,-1,0],[1,1,0],[-1,1,0]], "triangles": [[0,1,2],[0,2,3]])";
  json error = fault(cup(flat) + "," + ball("in", "[0, 0, 0.3]"));
  EXPECT_EQ(error["pointer"], "/bodies/0/shape");
  EXPECT_TRUE(has(error, "wrong", "empty")) << error;
  // a ceiling below the floor: inside out
  error = fault(wall("floor", R"("position": [0, 0, 0])") + "," +
                wall("lid", R"("position": [0, 0, -1], "axis_angle_deg": [1, 0, 0, 180])") + "," +
                ball("in", "[0, 0, 0.3]"));
  EXPECT_EQ(error["pointer"], "/bodies/1");
  EXPECT_TRUE(has(error, "wrong", "the container is empty: lid")) << error;
  EXPECT_FALSE(fs::exists(out_)) << "nothing is written for a scene that is refused";
}

TEST_F(PileInputTest, bodies_of_instances_are_told_at_their_arrangement) {
  const std::string path = scene_of(R"({"repose": 1, "about": "Bad.",
 "method": {"kind": "pile"},
 "bodies": [{"name": "ground", "shape": {"kind": "half_space"}, "fixed": true}],
 "instances": [{"name": "b", "body": {"shape": {"kind": "ball", "radius": 0.1}},
  "arrange": {"kind": "grid", "counts": [3, 1, 1], "spacing": [0.15, 1, 1], "origin": [0, 0, 1]}}]})");
  EXPECT_EQ(run("run " + path + " --json --out " + out_.string()), 2);
  const json error = json::parse(told("stdout.txt"))["error"];
  EXPECT_EQ(error["line"], 5);
  EXPECT_EQ(error["pointer"], "/instances/0/arrange");
  EXPECT_TRUE(has(error, "wrong", "b-1 and b-2 by 0.05 m, b-2 and b-3 by 0.05 m")) << error;
}

TEST_F(PileInputTest, a_run_out_of_steps_names_the_body_and_what_to_try) {
  const std::string path = scene_of(R"({"repose": 1, "about": "Two steps are too few.",
    "method": {"kind": "pile", "max_steps": 2}, "bodies": [
    {"name": "floor", "shape": {"kind": "half_space"}, "fixed": true},
    {"name": "die", "shape": {"kind": "box", "size": [0.1, 0.1, 0.1]}, "position": [0, 0, 3],
     "roll_pitch_yaw_deg": [20, 30, 0]}]})");
  EXPECT_EQ(run("run " + path + " --out " + out_.string()), 1);
  const std::string said = told("stderr.txt");
  EXPECT_NE(said.find("farthest from it is die"), std::string::npos) << said;
  EXPECT_NE(said.find("--set pile.max_steps"), std::string::npos) << said;
  EXPECT_NE(said.find("--set pile.friction=true"), std::string::npos) << said;
}

TEST_F(PileInputTest, bodies_that_gravity_takes_away_from_the_ground_are_told_so) {
  const std::string path = scene_of(R"({"repose": 1, "about": "Gravity points up.",
    "gravity": [0, 0, 9.81], "method": {"kind": "place", "max_steps": 50}, "bodies": [
    {"name": "floor", "shape": {"kind": "half_space"}, "fixed": true},
    {"name": "die", "shape": {"kind": "box", "size": [0.1, 0.1, 0.1]}, "position": [0, 0, 3]}]})");
  EXPECT_EQ(run("run " + path + " --out " + out_.string()), 1);
  const std::string said = told("stderr.txt");
  EXPECT_NE(said.find("nothing lies in the way of die"), std::string::npos) << said;
  EXPECT_NE(said.find("turn gravity round"), std::string::npos) << said;
}

TEST_F(PileInputTest, a_potential_without_bound_has_a_named_status_with_its_ray) {
  for (const char* shape :
       {R"({"kind": "ball", "radius": 0.1})", R"({"kind": "box", "size": [0.1, 0.2, 0.3]})"}) {
    const std::string path = scene_of(R"({"repose": 1, "about": "Falls.",
      "method": {"kind": "pile"}, "bodies": [
      {"name": "post", "shape": {"kind": "box", "size": [1, 1, 1]}, "fixed": true},
      {"name": "lost", "shape": )" + std::string(shape) +
                                      R"(, "position": [3, 0, 1]}]})");
    EXPECT_EQ(run("run " + path + " --json --out " + out_.string()), 1);
    const json answer = json::parse(told("stdout.txt"));
    EXPECT_EQ(answer["status"], "stopped");
    EXPECT_TRUE(has(answer, "why", "lost falls for ever along (0, 0, -1)")) << answer["why"];
  }
}

}  // namespace
}  // namespace repose
