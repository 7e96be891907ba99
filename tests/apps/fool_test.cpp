// Scenes made to fool the judge, with the truth by plain thought.
#include "tool.h"

namespace repose {
namespace {

struct Fooling {
  const char* name;
  const char* bodies;   // and what else the scene holds
  const char* verdict;  // the truth
};
void PrintTo(const Fooling& fooling, std::ostream* out) {
  *out << fooling.name;
}

class FoolTest : public ToolTest, public ::testing::WithParamInterface<Fooling> {};

TEST_P(FoolTest, the_judge_says_what_is_true) {
  const std::string scene = scene_of(R"({ "repose": 1, "method": { "kind": "still" }, )" +
                                     std::string(GetParam().bodies) + " }");
  const int code = run("check " + scene + " --json");
  const json said = json::parse(told("stdout.txt"));
  EXPECT_EQ(said["verdict"], GetParam().verdict) << said["why"];
  EXPECT_EQ(code, std::string(GetParam().verdict) == "proven" ? 0 : 1);
}

// clang-format off
constexpr Fooling kFooling[] = {
    {"one triangle of a closed mesh is turned, and a ball lies deep inside",
     R"("gravity": [0, 0, 0], "bodies": [ { "name": "m", "fixed": true, "shape": { "kind": "mesh",
       "points": [[-1,-1,-1],[1,-1,-1],[-1,1,-1],[1,1,-1],[-1,-1,1],[1,-1,1],[-1,1,1],[1,1,1]],
       "triangles": [[0,2,3],[0,3,1],[4,5,7],[4,7,6],[5,1,0],[0,5,4],[2,6,7],[2,7,3],[0,4,6],[0,6,2],[1,3,7],[1,7,5]] } },
       { "name": "b", "shape": { "kind": "ball", "radius": 0.1 } } ])", "missed"},
    {"a ball in the hollow of a thick shell is free",
     R"("gravity": [0, 0, 0], "bodies": [ { "name": "m", "fixed": true, "shape": { "kind": "mesh",
       "points": [[-1,-1,-1],[1,-1,-1],[-1,1,-1],[1,1,-1],[-1,-1,1],[1,-1,1],[-1,1,1],[1,1,1],
         [-0.5,-0.5,-0.5],[0.5,-0.5,-0.5],[-0.5,0.5,-0.5],[0.5,0.5,-0.5],[-0.5,-0.5,0.5],[0.5,-0.5,0.5],[-0.5,0.5,0.5],[0.5,0.5,0.5]],
       "triangles": [[0,2,3],[0,3,1],[4,5,7],[4,7,6],[0,1,5],[0,5,4],[2,6,7],[2,7,3],[0,4,6],[0,6,2],[1,3,7],[1,7,5],
         [8,11,10],[8,9,11],[12,15,13],[12,14,15],[8,13,9],[8,12,13],[10,15,14],[10,11,15],[8,14,12],[8,10,14],[9,15,11],[9,13,15]] } },
       { "name": "b", "shape": { "kind": "ball", "radius": 0.4 } } ])", "proven"},
    {"and one in its wall is not",
     R"("gravity": [0, 0, 0], "bodies": [ { "name": "m", "fixed": true, "shape": { "kind": "mesh",
       "points": [[-1,-1,-1],[1,-1,-1],[-1,1,-1],[1,1,-1],[-1,-1,1],[1,-1,1],[-1,1,1],[1,1,1],
         [-0.5,-0.5,-0.5],[0.5,-0.5,-0.5],[-0.5,0.5,-0.5],[0.5,0.5,-0.5],[-0.5,-0.5,0.5],[0.5,-0.5,0.5],[-0.5,0.5,0.5],[0.5,0.5,0.5]],
       "triangles": [[0,2,3],[0,3,1],[4,5,7],[4,7,6],[0,1,5],[0,5,4],[2,6,7],[2,7,3],[0,4,6],[0,6,2],[1,3,7],[1,7,5],
         [8,11,10],[8,9,11],[12,15,13],[12,14,15],[8,13,9],[8,12,13],[10,15,14],[10,11,15],[8,14,12],[8,10,14],[9,15,11],[9,13,15]] } },
       { "name": "b", "shape": { "kind": "ball", "radius": 0.2 }, "position": [0.75, 0, 0] } ])", "missed"},
    {"a ball half a thickness into a sheet of 0.1 micrometres",
     R"("gravity": [0, 0, 0], "bodies": [ { "name": "s", "fixed": true, "shape": { "kind": "box", "size": [2, 2, 1e-7] } },
       { "name": "b", "shape": { "kind": "ball", "radius": 0.5 }, "position": [0, 0, 0.4999999999] } ])", "missed"},
    {"ten thousand kilometres from the origin",
     R"("gravity": [0, 0, 0], "bodies": [ { "name": "a", "fixed": true, "shape": { "kind": "ball", "radius": 0.5 }, "position": [1e7, 1e7, 1e7] },
       { "name": "b", "shape": { "kind": "box", "size": [1, 1, 1] }, "position": [10000000.9, 1e7, 1e7] } ])", "missed"},
    {"a speck deep in a mountain",
     R"("gravity": [0, 0, 0], "bodies": [ { "name": "a", "fixed": true, "shape": { "kind": "ball", "radius": 1e3 } },
       { "name": "b", "shape": { "kind": "ball", "radius": 1e-6 }, "position": [500, 0, 0] } ])", "missed"},
    {"a speck sunk by a hundredth of its size into a mountain's top",
     R"("gravity": [0, 0, 0], "bodies": [ { "name": "a", "fixed": true, "shape": { "kind": "ellipsoid", "radii": [1e3, 900, 1e3] } },
       { "name": "b", "shape": { "kind": "box", "size": [1e-6, 1e-6, 1e-6] }, "position": [0, 0, 1000.00000049] } ])", "missed"},
    {"a ball that just fits a ring's hole",
     R"("gravity": [0, 0, 0], "bodies": [ { "name": "t", "fixed": true, "shape": { "kind": "torus", "ring_radius": 1, "tube_radius": 0.4 } },
       { "name": "b", "shape": { "kind": "ball", "radius": 0.6 } } ])", "proven"},
    {"and one that does not by 2e-8",
     R"("gravity": [0, 0, 0], "bodies": [ { "name": "t", "fixed": true, "shape": { "kind": "torus", "ring_radius": 1, "tube_radius": 0.4 } },
       { "name": "b", "shape": { "kind": "ball", "radius": 0.60000002 } } ])", "missed"},
    {"a ring wholly within a ball",
     R"("gravity": [0, 0, 0], "bodies": [ { "name": "t", "fixed": true, "shape": { "kind": "torus", "ring_radius": 0.5, "tube_radius": 0.1 } },
       { "name": "b", "shape": { "kind": "ball", "radius": 2 } } ])", "missed"},
    {"where two parts of a union cover each other",
     R"("gravity": [0, 0, 0], "bodies": [ { "name": "u", "fixed": true, "shape": { "kind": "union", "parts": [
         { "shape": { "kind": "ball", "radius": 1 } }, { "shape": { "kind": "ball", "radius": 1 }, "position": [1, 0, 0] } ] } },
       { "name": "b", "shape": { "kind": "ball", "radius": 0.1 }, "position": [0.5, 0, 0] } ])", "missed"},
    {"a mesh a million metres from its own origin",
     R"("gravity": [0, 0, 0], "bodies": [ { "name": "m", "fixed": true, "position": [0, 0, -1e6], "roll_pitch_yaw_deg": [0, 0, 30], "shape": { "kind": "mesh",
       "points": [[-1,-1,999999],[1,-1,999999],[-1,1,999999],[1,1,999999],[-1,-1,1000001],[1,-1,1000001],[-1,1,1000001],[1,1,1000001]],
       "triangles": [[0,2,3],[0,3,1],[4,5,7],[4,7,6],[0,1,5],[0,5,4],[2,6,7],[2,7,3],[0,4,6],[0,6,2],[1,3,7],[1,7,5]] } },
       { "name": "b", "shape": { "kind": "ball", "radius": 0.5 }, "position": [0, 0, 1.49999] } ])", "missed"},
    {"a box that hovers by two micrometres",
     R"("bodies": [ { "name": "g", "fixed": true, "shape": { "kind": "half_space" } },
       { "name": "b", "shape": { "kind": "box", "size": [1, 1, 1] }, "position": [0, 0, 0.500002] } ])", "missed"},
    {"a body wholly under the ground",
     R"("bodies": [ { "name": "g", "fixed": true, "shape": { "kind": "half_space" } },
       { "name": "b", "shape": { "kind": "ball", "radius": 0.5 }, "position": [0, 0, -5] } ])", "missed"},
    {"a box pushed over its edge",
     R"("bodies": [ { "name": "g", "fixed": true, "shape": { "kind": "half_space" } },
       { "name": "b", "shape": { "kind": "box", "size": [1, 1, 1] }, "position": [0, 0, 0.5] } ],
       "forces": [ { "kind": "push", "body": "b", "point": [0, 0, 0.5], "vector": [9000, 0, 0] } ])", "missed"},
    {"a ball within a body of surfels touches none of its balls",
     R"("gravity": [0, 0, 0], "bodies": [ { "name": "a", "fixed": true, "shape": { "kind": "ball", "radius": 0.05 } },
       { "name": "b", "shape": { "kind": "sample", "shape": { "kind": "ball", "radius": 0.5 }, "spacing": 0.1 } } ])", "missed"},
    {"a tilted peg through the wall of a cup",
     R"("gravity": [0, 0, 0], "bodies": [ { "name": "c", "fixed": true, "shape": { "kind": "revolution",
         "profile": [[0, 0], [1, 0], [1, 2], [0.9, 2], [0.9, 0.1], [0, 0.1]], "corners": [0, 1, 2, 3, 4, 5] } },
       { "name": "b", "shape": { "kind": "cylinder", "radius": 0.5, "height": 3 }, "position": [0, 0, 1.7], "axis_angle_deg": [1, 0, 0, 40] } ])", "missed"},
    {"an arm that its motor cannot hold",
     R"("bodies": [ { "name": "arm", "shape": { "kind": "box", "size": [1, 0.1, 0.1] } } ], "joints": [
         { "kind": "pin", "body_a": "arm", "point_a": [-0.5, 0, 0] },
         { "kind": "motor", "body_a": "arm", "point_a": [-0.5, 0, 0], "axis": [0, 1, 0], "speed": 0, "max_torque": 48 } ])", "missed"},
    {"and one that it can",
     R"("bodies": [ { "name": "arm", "shape": { "kind": "box", "size": [1, 0.1, 0.1] } } ], "joints": [
         { "kind": "pin", "body_a": "arm", "point_a": [-0.5, 0, 0] },
         { "kind": "motor", "body_a": "arm", "point_a": [-0.5, 0, 0], "axis": [0, 1, 0], "speed": 0, "max_torque": 50 } ])", "proven"},
    {"a slider half a metre through its stop",
     R"("bodies": [ { "name": "b", "shape": { "kind": "box", "size": [0.2, 0.2, 0.2] }, "position": [0, 0, 1] } ], "joints": [
         { "kind": "slider", "body_a": "b", "point_b": [0, 0, 2], "axis": [0, 0, 1], "travel_min": -0.5 } ])", "missed"},
    {"a bead of sand on a table as wide as the earth is not said to fall",
     R"("bodies": [ { "name": "t", "fixed": true, "shape": { "kind": "box", "size": [1e9, 1e9, 1e9] }, "position": [0, 0, -5e8] },
       { "name": "b", "shape": { "kind": "ball", "radius": 1e-3 }, "position": [1.2e7, 0, 1e-3] } ])", "undecided"},
    {"regions of the plane meet whatever their heights",
     R"("gravity": [0, 0, 0], "bodies": [
       { "name": "a", "fixed": true, "shape": { "kind": "plane_region", "polygons": [ { "outer": [[0, 0], [1, 0], [1, 1], [0, 1]] } ] } },
       { "name": "b", "shape": { "kind": "plane_region", "discs": [ { "radius": 0.3 } ] }, "position": [0.5, 0.5, 4] } ])", "missed"},
};
// clang-format on
INSTANTIATE_TEST_SUITE_P(Scenes, FoolTest, ::testing::ValuesIn(kFooling));

}  // namespace
}  // namespace repose
