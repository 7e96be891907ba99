#include <cmath>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "repose/base/json.h"
#include "repose/base/random.h"
#include "repose/base/stage_clock.h"
#include "repose/scene/gallery.h"

#include "places.h"
#include "sample.h"

namespace repose {
namespace {

void expect_round_trip(const Scene& scene) {
  const std::string once = write_scene(scene);
  const auto again = scene_from_text(once, scene.file, sample::catalogue());
  ASSERT_TRUE(again) << again.error().text() << "\n" << once.substr(0, 2000);
  EXPECT_TRUE(same_scene(scene, *again)) << once.substr(0, 2000);
  EXPECT_EQ(write_scene(*again), once);
}

constexpr const char* kEverything = R"json({
  "repose": 1,
  "about": "One of \"everything\", é.",
  "method": { "kind": "place", "epsilon_max": 0.1, "tries": 4, "loud": true, "engine": "paper",
              "wind": [1, 2.5, -3e-7] },
  "gravity": [0, 0, -1.62], "seed": 12345678901234,
  "shapes": {
    "ball": { "kind": "ball", "radius": 0.1 },
    "ground": { "kind": "half_space" },
    "box": { "kind": "box", "size": [1, 2, 0.30000000000000004] },
    "egg": { "kind": "ellipsoid", "radii": [1, 2, 3] },
    "soap": { "kind": "superellipsoid", "radii": [1, 2, 3], "north_south": 0.4, "east_west": 0.3 },
    "can": { "kind": "cylinder", "radius": 1, "height": 2 },
    "hat": { "kind": "cone", "radius": 1, "height": 2, "top_radius": 0.25 },
    "pill": { "kind": "capsule", "radius": 1, "height": 2 },
    "ring": { "kind": "torus", "ring_radius": 1, "tube_radius": 0.2 },
    "vase": { "kind": "revolution", "profile": [[0, 0], [1, 0], [1, 2], [0, 2]], "corners": [1, 2] },
    "hoop": { "kind": "revolution", "profile": [[1, 0], [2, 0], [1.5, 1]], "closed": true },
    "worm": { "kind": "tube", "spine": [[0,0,0],[1,0,0],[1,1,0]], "radii": [0.1], "cap": "flat" },
    "bez": { "kind": "bezier", "patches": [[
      [[0,0,0],[0,1,0],[0,2,0],[0,3,0]], [[1,0,0],[1,1,0],[1,2,0],[1,3,0]],
      [[2,0,0],[2,1,0],[2,2,0],[2,3,0]], [[3,0,0],[3,1,0],[3,2,0],[3,3,0]]]],
      "sew": { "gap_fraction": 1e-5 } },
    "nurb": { "kind": "bspline", "patches": [{ "degree_u": 1, "degree_v": 1,
      "knots_u": [0,0,1,1], "knots_v": [0,0,1,1], "points": [[[0,0,0],[0,1,0]],[[1,0,0],[1,1,0]]],
      "weights": [[1,1],[1,0.5]] }] },
    "wave": { "kind": "formula", "patches": [{ "x": "u", "y": "v", "z": "a*sin(u)",
                     "u1" : 6.28
}],
              "parameters": {
  "a" : 0.1
}
}
, "pot" : {
  "kind" : "union",
  "parts" : [
    {"shape" : "can"}, {
      "shape" : {"kind" : "ball", "radius" : 1},
      "position" : [ 0, 0, 1 ],
      "axis_angle_deg" : [ 1, 1, 0, 30 ]
    }
  ]
},
          "tri" : {
            "kind" : "mesh",
            "points" : [ [ 0, 0, 0 ], [ 1, 0, 0 ], [ 0, 1, 0 ] ],
            "triangles" : [[ 0, 1, 2 ]],
            "open" : true
          },
                  "file" : {"kind" : "mesh_file", "path" : "a.obj", "scale" : 0.001},
                           "rock"
    : {"kind" : "convex", "points" : [ [ 0, 0, 0 ], [ 1, 0, 0 ], [ 0, 1, 0 ], [ 0, 0, 1 ] ]},
      "gear" : {
        "kind" : "plane_region",
        "polygons" : [ {
          "outer" : [ [ 0, 0 ], [ 1, 0 ], [ 0, 1 ] ],
          "holes" : [[ [ 0.1, 0.1 ], [ 0.2, 0.1 ], [ 0.1, 0.2 ] ]]
        } ],
        "discs" : [ {"center" : [ 3, 0 ], "radius" : 0.5} ],
        "thickness" : 0.2
      },
               "mol" : {
                 "kind" : "sphere_set",
                 "centers" : [ [ 0, 0, 0 ], [ 1, 0, 0 ] ],
                 "radii" : [ 0.6, 0.5 ],
                 "links" : [[ 0, 1 ]]
               },
               "net" : {
                 "kind" : "lattice",
                 "counts" : [ 3, 3, 1 ],
                 "pitch" : 0.1,
                 "radius" : 0.04,
                 "neighbourhood" : 2
               },
               "stuffed" : {
                 "kind" : "fill",
                 "shape" : {"kind" : "ball", "radius" : 0.5},
                 "pitch" : 0.1,
                 "radius" : 0.04,
                 "neighbourhood" : 1.8,
                 "inset" : 0.05,
                 "skin" : true
               },
               "cut" : {
                 "kind" : "trimmed",
                 "faces" : [
                   {
                     "surface" : {"kind" : "plane", "origin" : [ 0, 0, 1 ], "x" : [ 0, 1, 0 ], "y" : [ 0, 0, 1 ], "z" : [ 1, 0, 0 ]},
                     "loops" : [
                       [
                         {"kind" : "line", "from" : [ 0, 0 ], "to" : [ 1, 0 ]},
                         {"kind" : "arc", "center" : [ 0, 0 ], "a" : [ 1, 0 ], "b" : [ 0, 1 ], "t0" : 0, "t1" : 1.5},
                         {
                           "kind" : "spline",
                           "degree" : 1,
                           "knots" : [ 0, 0, 1, 1 ],
                           "points" : [ [ 0, 1 ], [ 0, 0 ] ],
                           "weights" : [ 1, 2 ],
                           "t0" : 0,
                           "t1" : 1
                         }
                       ]
                     ]
                   },
                   {
                     "surface" : {
                       "kind" : "turned",
                       "profile" : {"degree" : 1, "knots" : [ 0, 0, 1, 1 ], "points" : [ [ 1, 0 ], [ 2, 1 ] ], "t0" : 0, "t1" : 1}
                     },
                     "loops" : []
                   },
                   {"surface" : {"kind" : "cone", "radius" : 0.5, "half_angle" : 0.3}, "loops" : []}
                 ]
               },
               "sampled" : {
                 "kind" : "sample",
                 "shape" : {"kind" : "ball", "radius" : 0.5},
                 "spacing" : 0.1,
                 "halvings" : 1,
                 "phyxel_spacing" : 0.25
               },
                       "soft" : {
  "kind" : "point_set",
           "surfels" : [[ 0, 0, 1 ]],
                       "normals" : [[ 0, 0, 1 ]],
                                   "surfel_radii" : [0.1],
                                                    "phyxels" : [[ 0, 0, 0 ]],
                                                                "phyxel_volumes" : [0.5]
}
}
,
  "materials": { "wood": { "density": 700, "friction": 0.3, "restitution": 0.1,
                 "color": [0.1, 0.2, 0.3], "opacity": 0.5, "roughness": 0.9, "young_modulus": 15000,
                 "poisson_ratio": 0.3, "damping": 0.01, "drag": 0.2, "medium_density": 1.2,
                 "yield_strain": 0.05, "creep": 3, "most_plastic": 2, "break_strain": 1.5 },
                 "plain": {} },
  "groups": { "toys": "What children play with.", "none": "" },
  "bodies": [
    { "name": "a", "shape": "ball", "material": "wood", "position": [0.1, 0.2, 0.3],
      "orientation_wxyz": [0.7071067811865476, 0.7071067811865475, 0, 0], "groups": ["toys"],
      "velocity": [1, 0, 0], "angular_velocity": [0, 0, 2], "frozen": ["x", "turn_z"],
      "layer": 2, "role": "hero", "mass": 3.5 },
    { "name": "b", "shape": { "kind": "ball", "radius": 0.25 }, "fixed": true, "collides": false,
      "roll_pitch_yaw_deg": [10, 20, 30] },
    { "name": "n", "shape": "net", "material": "wood", "position": [0, 0, 50],
      "soft": { "fixed": "border", "fixed_points": [4], "materials": ["wood", "plain"],
                "fixed_boxes": [ { "low": [0, 0, 0], "high": [1, 1, 1] } ],
                "material_of": [0, 1, 0, 1, 0, 1, 0, 1, 0], "mass": "balls" } },
    { "name": "led", "shape": "ball",
      "path": { "times": [0, 1.5], "places": [ {}, { "position": [0, 0, 60] } ] } }
  ],
  "instances": [
    { "name": "g", "body": { "shape": "ball" }, "arrange": { "kind": "grid", "counts": [2, 3, 4],
      "spacing": [1, 1, 1], "origin": [5, 5, 5], "stagger": [0.5, 0, 0] } },
    { "name": "l", "body": { "shape": "ball" }, "arrange": { "kind": "line", "count": 3,
      "from": [0,0,9], "to": [1,0,9] } },
    { "name": "r", "body": { "shape": "ball" }, "arrange": { "kind": "ring", "count": 5,
      "radius": 3, "start_deg": 10, "turn": false } },
    { "name": "s", "body": { "shape": "ball" }, "arrange": { "kind": "scatter", "count": 5,
      "low": [0,0,20], "high": [5,5,25], "seed": 7, "clearance": 0.01, "turn": false,
      "sizes": {"kind": "uniform", "low": 0.1, "high": 0.2}, "tries": 50 } },
    { "name": "e", "body": { "shape": "ball" }, "arrange": { "kind": "list",
      "places": [ { "position": [0, 0, 30] }, {} ] } }
  ],
  "forces": [
    { "kind": "pull", "body": "n", "points": [0, 1], "times": [0, 1], "vectors": [[0, 0, 0],
      [0, 0, 1]], "boxes": [ { "low": [0, 0, 0], "high": [1, 1, 1] } ] },
    { "kind": "push", "name": "p", "body": "a", "point": [0, 0, 1], "vector": [1, 0, 0] },
    { "kind": "connect", "body_a": "a", "body_b": "g-3", "point_b": [0, 1, 0] },
    { "kind": "spring", "body_a": "a", "stiffness": 100, "length": 2 },
    { "kind": "attract", "group": "toys", "to": "world", "law": "inverse_square", "strength": 2 }
  ],
  "joints": [
    { "kind": "pin", "name": "j", "body_a": "a", "body_b": "b", "angle_max": 1.5 },
    { "kind": "point_on_line", "body_a": "a", "axis": [1, 0, 0] },
    { "kind": "slider", "body_a": "a", "axis": [0, 1, 0], "travel_min": -1 },
    { "kind": "weld", "body_a": "g-1", "body_b": "g-2", "point_b": [0, 0, 0] },
    { "kind": "rod", "body_a": "a", "length": 2 }, { "kind": "rope", "body_a": "a" },
    { "kind": "gear", "body_a": "a", "body_b": "b", "ratio": 2 },
    { "kind": "motor", "body_a": "a", "speed": 3, "max_torque": 5 },
    { "kind": "spring", "body_a": "a", "stiffness": 3, "damping": 0.5 }
  ],
  "events": [
    { "at_time": 0.5, "edits": [ { "kind": "set", "target": "epsilon_max", "value": 1 },
      { "kind": "pose", "target": "a", "position": [1, 2, 3], "axis_angle_deg": [0, 0, 1, 90] } ] },
    { "at_step": 7, "edits": [ { "kind": "add", "body": { "name": "new", "shape": "ball" } },
      { "kind": "fix", "target": "new" }, { "kind": "material", "target": "a", "friction": 0.25 },
      { "kind": "nudge", "target": "a", "move": [0, 0, 0.001] },
      { "kind": "freeze", "target": "a", "turn_x": true },
      { "kind": "collide", "target": "a", "on": false },
      { "kind": "attach", "target": "a", "to": "b" }, { "kind": "stick", "target": "a" },
      { "kind": "replicate", "target": "a", "name": "a2", "move": [1, 0, 0] },
      { "kind": "free", "target": "a2" }, { "kind": "remove", "target": "j" } ] },
    { "at_rest": true, "edits": [ { "kind": "stop" } ] }
  ],
  "limits": { "duration": 2.5, "steps": 100 },
  "patient": { "name": "Ann", "gender": "F", "weight": 61.5, "height": 1.7, "age": 33 },
  "record": { "every_steps": 3, "every_time": 0.1, "contacts": false },
  "view": {
  "eye" : [ 3, 3, 3 ],
          "target" : [ 0, 0, 0 ],
                     "view_angle_deg" : 40,
                     "azimuth_deg" : 10,
                     "elevation_deg" : 30,
                     "background" : [ 1, 1, 1 ]
}
})json";

TEST(RoundTrip, a_scene_with_every_field_comes_back_bit_for_bit) {
  const auto scene = sample::scene(kEverything);
  ASSERT_TRUE(scene) << scene.error().text();
  EXPECT_EQ(scene->shapes.size(), std::variant_size_v<ShapeKinds>) << "a kind is missing here";
  expect_round_trip(*scene);
}

TEST(RoundTrip, no_written_field_is_lost) {
  // every key of the source stands in the written text: nothing was dropped as a default
  const auto document = *JsonDocument::parse(kEverything, "t");
  const std::string written = write_scene(*sample::scene(kEverything));
  for (std::uint32_t i = 0; i < document->nodes().size(); ++i) {
    const JsonView object(*document, i);
    if (object.kind() != JsonKind::object) continue;
    object.each_member([&](JsonView key, JsonView) {
      EXPECT_NE(written.find(std::string(key.raw()) + ":"), std::string::npos) << key.raw();
      return true;
    });
  }
}

TEST(RoundTrip, a_changed_number_is_noticed) {
  auto scene = *sample::scene(kEverything);
  auto other = scene;
  EXPECT_TRUE(same_scene(scene, other));
  other.bodies[0].position.x() = std::nextafter(0.1, 1.0);
  EXPECT_FALSE(same_scene(scene, other));
  EXPECT_NE(write_scene(scene), write_scene(other));
}

TEST(RoundTrip, every_gallery_scene_comes_back_bit_for_bit) {
  const auto gallery = list_gallery();
  ASSERT_TRUE(gallery) << gallery.error().text();
  int tried = 0;
  for (const GalleryScene& entry : *gallery) {
    if (entry.method != "still") continue;
    const auto scene = load_scene(entry.path, sample::catalogue());
    ASSERT_TRUE(scene) << scene.error().text();
    expect_round_trip(*scene);
    ++tried;
  }
  EXPECT_GE(tried, 4);
}

TEST(RoundTrip, a_hundred_thousand_bodies_load_in_time) {
  Random random(5);
  std::ostringstream text;
  text.precision(17);
  text << "{\"repose\": 1, \"shapes\": {\"ball\": {\"kind\": \"ball\", \"radius\": 0.01}}, "
          "\"bodies\": [\n";
  for (int i = 0; i < 100'000; ++i)
    text << (i > 0 ? ",\n" : "") << "{\"name\": \"ball " << i << "\", \"shape\": \"ball\", "
         << "\"position\": [" << random.unit() << ", " << random.unit() << ", " << random.unit()
         << "]}";
  text << "]}";
  const double start = cpu_seconds();
  const auto scene = sample::scene(text.str());
  const double took = cpu_seconds() - start;
  ASSERT_TRUE(scene) << scene.error().text();
  EXPECT_EQ(scene->bodies.size(), 100'000U);
  EXPECT_LT(took, 2.0);
  RecordProperty("seconds", std::to_string(took));
}

TEST(Format, the_committed_page_is_up_to_date) {
  std::ifstream in(std::string(tests::source_dir()) + "/docs/scene-format.md");
  std::stringstream page;
  page << in.rdbuf();
  EXPECT_EQ(page.str(), scene_format_markdown())
      << "write scene_format_markdown() to docs/scene-format.md";
}

TEST(Format, the_schema_is_json_and_names_every_object_it_refers_to) {
  const std::string text = scene_schema(sample::catalogue());
  const auto schema = JsonDocument::parse(text, "schema");
  ASSERT_TRUE(schema) << schema.error().text();
  const auto definitions = (*schema)->root().find("$defs");
  ASSERT_TRUE(definitions);
  int references = 0;
  for (std::uint32_t i = 0; i < (*schema)->nodes().size(); ++i) {
    const JsonView value(**schema, i);
    if (value.kind() != JsonKind::text) continue;
    const std::string reference = value.text();
    if (reference.rfind("#/$defs/", 0) != 0) continue;
    EXPECT_TRUE(definitions->find(reference.substr(8))) << reference;
    ++references;
  }
  EXPECT_GT(references, 20);
  EXPECT_NE(text.find("epsilon_max"), std::string::npos);
}

TEST(Gallery, scenes_are_found_by_name_and_by_path) {
  const auto path = find_scene("still/torus-on-cone");
  ASSERT_TRUE(path) << path.error().text();
  EXPECT_TRUE(find_scene(*path));
  const auto scene = open_scene("still/torus-on-cone", sample::catalogue());
  ASSERT_TRUE(scene);
  EXPECT_EQ(scene->name, "still/torus-on-cone");
  const auto wrong = find_scene("still/torus-on-con");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().text().find("still/torus-on-cone"), std::string::npos);
}

}  // namespace
}  // namespace repose
