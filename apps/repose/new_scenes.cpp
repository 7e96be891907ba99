#include "new_scenes.h"

// every one of them runs as it stands to a verdict that is proven (tests/apps/new_test.cpp)
const std::array<NewScene, 6> kNewScenes = {{
    {"place", R"(// Bodies set down on and in one another: `place` finds where they come to rest.
// Lengths are metres, masses kilograms, angles degrees; z is up.
{
  "repose": 1,
  "about": "A cup, an egg and a die on a table.",
  "method": { "kind": "place" },  // all settings: repose list --settings
  "materials": {
    // density in kg/m^3; a color is a name, "#rrggbb" or a linear triple
    "wood": { "color": "tan" },
    "china": { "density": 2400, "color": "#f0eee8", "roughness": 0.2 },
    "shell": { "density": 1050, "color": "#e0b080" },
    "steel": { "density": 7800, "color": "steelblue", "roughness": 0.3 }
  },
  "bodies": [
    // what is fixed carries the rest
    { "name": "table", "shape": { "kind": "half_space" }, "material": "wood", "fixed": true, "role": "ground" },
    // bodies start in the air and askew, free of each other, and fall from there
    { "name": "cup", "shape": { "model": "cup" }, "material": "china", "position": [0, 0, 0.05], "roll_pitch_yaw_deg": [8, 0, 0] },
    { "name": "egg", "shape": { "kind": "ellipsoid", "radii": [0.021, 0.021, 0.028] }, "material": "shell",
      "position": [0.12, 0.02, 0.08], "roll_pitch_yaw_deg": [40, 20, 0] },
    { "name": "die", "shape": { "kind": "box", "size": [0.016, 0.016, 0.016] }, "material": "steel",
      "position": [0.07, -0.07, 0.06], "roll_pitch_yaw_deg": [30, 25, 10] }
  ]
}
)"},
    {"pile", R"(// Many bodies poured into something: `pile` finds the heap in which they rest.
// Lengths are metres, masses kilograms; z is up.
{
  "repose": 1,
  "about": "Balls in a glass box.",
  // contacts have the friction of their materials; without it balls roll on until nothing is left to gain
  "method": { "kind": "pile", "friction": true },
  "shapes": {
    "ball": { "kind": "ball", "radius": 0.03 },
    "side": { "kind": "box", "size": [0.02, 0.34, 0.2] },
    "end": { "kind": "box", "size": [0.3, 0.02, 0.2] }
  },
  "materials": {
    "clay": { "density": 1100, "friction": 0.3, "color": "tomato" },
    "wood": { "color": "tan" },
    "glass": { "color": "#e0f0f0", "opacity": 0.15, "roughness": 0.05 }
  },
  "bodies": [
    { "name": "floor", "shape": { "kind": "half_space" }, "material": "wood", "fixed": true, "role": "ground" },
    { "name": "left", "shape": "side", "material": "glass", "fixed": true, "role": "container", "position": [-0.16, 0, 0.1] },
    { "name": "right", "shape": "side", "material": "glass", "fixed": true, "role": "container", "position": [0.16, 0, 0.1] },
    { "name": "front", "shape": "end", "material": "glass", "fixed": true, "role": "container", "position": [0, -0.16, 0.1] },
    { "name": "back", "shape": "end", "material": "glass", "fixed": true, "role": "container", "position": [0, 0.16, 0.1] }
  ],
  // many bodies from one: here 4 by 4 by 3 balls in a grid, not quite above one another
  "instances": [
    { "name": "ball", "body": { "shape": "ball", "material": "clay" },
      "arrange": { "kind": "grid", "counts": [4, 4, 3], "origin": [-0.1, -0.1, 0.05], "spacing": [0.067, 0.066, 0.08] } }
  ]
}
)"},
    {"mechanism", R"(// A machine in the plane, in time: joints, motors, friction, impacts.
// Bodies are plane regions, y is up; lengths are metres, times seconds.
{
  "repose": 1,
  "about": "A motor turns a crank, and the crank drives a piston.",
  "method": { "kind": "mechanism" },
  "gravity": [0, -9.81, 0],
  "materials": {
    "iron": { "density": 7800, "color": "slategray" },
    "brass": { "density": 8500, "color": "goldenrod" }
  },
  "shapes": {
    "crank": { "kind": "plane_region", "polygons": [{ "outer": [[-0.02, -0.02], [0.22, -0.02], [0.22, 0.02], [-0.02, 0.02]] }], "thickness": 0.02 },
    "rod": { "kind": "plane_region", "polygons": [{ "outer": [[-0.02, -0.015], [0.62, -0.015], [0.62, 0.015], [-0.02, 0.015]] }], "thickness": 0.02 },
    "piston": { "kind": "plane_region", "polygons": [{ "outer": [[-0.06, -0.05], [0.06, -0.05], [0.06, 0.05], [-0.06, 0.05]] }], "thickness": 0.1 }
  },
  "bodies": [
    { "name": "crank", "shape": "crank", "material": "brass", "layer": 1 },
    { "name": "rod", "shape": "rod", "material": "iron", "position": [0.2, 0, 0], "layer": 2 },
    { "name": "piston", "shape": "piston", "material": "iron", "position": [0.8, 0, 0], "layer": 3 }
  ],
  // a joint without body_b holds its body to the ground
  "joints": [
    { "kind": "pin", "name": "axle", "body_a": "crank", "point_a": [0, 0, 0] },
    // where the points of two bodies lie together at the start, one of them says it all
    { "kind": "pin", "name": "crank pin", "body_a": "rod", "body_b": "crank", "point_a": [0, 0, 0] },
    { "kind": "pin", "name": "piston pin", "body_a": "rod", "body_b": "piston", "point_a": [0.6, 0, 0] },
    { "kind": "slider", "name": "cylinder", "body_a": "piston", "axis": [1, 0, 0] },
    { "kind": "motor", "name": "motor", "body_a": "crank", "speed": 6.283 }
  ],
  "limits": { "duration": 3 }
}
)"},
    {"molecule", R"(// Soft bodies of balls and springs, in time.
// Lengths are metres, masses kilograms, stiffness pascal; z is up.
{
  "repose": 1,
  "about": "A soft ball drops on the ground.",
  "method": { "kind": "molecule" },
  "materials": {
    "rubber": { "density": 1000, "young_modulus": 30000, "damping": 0.01, "color": "seagreen" },
    "wood": { "color": "tan" }
  },
  "bodies": [
    { "name": "ground", "shape": { "kind": "half_space" }, "material": "wood", "fixed": true, "role": "ground" },
    // `fill` makes balls and springs of any shape: pitch from ball to ball
    { "name": "ball", "shape": { "kind": "fill", "shape": { "kind": "ball", "radius": 0.1 }, "pitch": 0.04, "radius": 0.02, "skin": true },
      "material": "rubber", "position": [0, 0, 0.2] }
  ],
  "limits": { "duration": 1 }
}
)"},
    {"surfel",
     R"(// Soft bodies of mass points under a surface of small balls, in time: they squash and keep dents.
// Lengths are metres, stiffness pascal; z is up.
{
  "repose": 1,
  "about": "A block of jelly drops on the ground.",
  "method": { "kind": "surfel" },
  "materials": {
    "jelly": { "density": 1000, "young_modulus": 20000, "poisson_ratio": 0.4, "damping": 0.03, "friction": 0.6, "color": "crimson" },
    "wood": { "color": "tan" }
  },
  "bodies": [
    { "name": "ground", "shape": { "kind": "half_space" }, "material": "wood", "fixed": true, "role": "ground" },
    { "name": "jelly", "shape": { "kind": "sample", "shape": { "kind": "box", "size": [0.12, 0.12, 0.12] }, "spacing": 0.02 },
      "material": "jelly", "position": [0, 0, 0.1] }
  ],
  "limits": { "duration": 0.5 }
}
)"},
    {"still", R"(// Nothing moves: look at bodies where they stand, check them, draw them.
{
  "repose": 1,
  "about": "A ball beside a box.",
  "method": { "kind": "still" },
  "bodies": [
    { "name": "floor", "shape": { "kind": "half_space" }, "fixed": true, "role": "ground" },
    { "name": "box", "shape": { "kind": "box", "size": [0.1, 0.1, 0.1] }, "position": [0, 0, 0.05] },
    { "name": "ball", "shape": { "kind": "ball", "radius": 0.05 }, "position": [0.15, 0, 0.05] }
  ]
}
)"},
}};
