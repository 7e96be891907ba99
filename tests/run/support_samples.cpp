#include "run/support_samples.h"

#include <array>
#include <cmath>
#include <numbers>

#include "repose/run/catalogue.h"
#include "repose/run/support.h"

#include "places.h"

namespace repose::tests {

using nlohmann::json;

namespace {

bool is_plane(const std::string& method) {
  return method == "mechanism";
}

json polygon(double half_width, double low, double high) {
  const json outer = {
      {-half_width, low}, {half_width, low}, {half_width, high}, {-half_width, high}};
  return {{"kind", "plane_region"}, {"polygons", {{{"outer", outer}}}}};
}

json disc(double radius) {
  return {{"kind", "plane_region"}, {"discs", {{{"radius", radius}}}}};
}

/// A vector of the method's own space: up is y in the plane.
json vector(const std::string& method, double x, double up) {
  return is_plane(method) ? json{x, up, 0} : json{x, 0, up};
}

/// So many steps of a method that all have time to show; a thousand of molecule's are one second.
long steps_of(const std::string& method, long steps) {
  constexpr long kFiner = 10, kSurfelFiner = 3;
  if (method == "surfel") return kSurfelFiner * steps;
  return method == "molecule" ? kFiner * steps : steps;
}

json& body(json& scene, const std::string& name) {
  for (json& one : scene["bodies"])
    if (one["name"] == name) return one;
  return scene["bodies"].emplace_back(json{{"name", name}});
}

using Change = std::function<void(json& scene, const std::string& method)>;

/// The two bodies, changed.
SampleOf changed(const std::string& pointer, const Change& change, bool shows = true,
                 long steps = 40) {
  return [=](const std::string& method) {
    Sample out;
    out.without = out.with = two_bodies(method);
    change(out.with, method);
    out.pointer = pointer;
    out.shows = shows;
    out.steps = steps_of(method, steps);
    return out;
  };
}

/// A field of the body "two", the third of the scene.
SampleOf of_body(const std::string& field, const std::function<json(const std::string&)>& value,
                 bool shows = true, long steps = 40) {
  return changed(
      "/bodies/2/" + field,
      [=](json& scene, const std::string& method) { body(scene, "two")[field] = value(method); },
      shows, steps);
}

SampleOf of_material(const std::string& field, double value, bool shows, long steps = 40) {
  return changed(
      "/bodies/2/material",
      [=](json& scene, const std::string& method) {
        if (method == "surfel") scene["materials"]["stuff"] = scene["materials"]["rubber"];
        scene["materials"]["stuff"][field] = value;
        body(scene, "two")["material"] = "stuff";
      },
      shows, steps);
}

/// An edit at the first step; what it needs comes before it.
SampleOf of_edit(const json& edit, const Change& before = {}, bool shows = true, long steps = 40) {
  return [=](const std::string& method) {
    Sample out;
    out.without = two_bodies(method);
    if (before) before(out.without, method);
    out.with = out.without;
    out.with["events"].push_back({{"at_step", 2}, {"edits", {edit}}});
    out.pointer = "/events/" + std::to_string(out.with["events"].size() - 1) + "/edits/0/";
    out.shows = shows;
    out.steps = steps_of(method, steps);
    return out;
  };
}

json with_kind(const std::string& kind, json fields) {
  fields["kind"] = kind;
  return fields;
}

SampleOf of_force(const std::string& kind, const json& fields) {
  return changed("/forces/0", [=](json& scene, const std::string& method) {
    json force = with_kind(kind, fields);
    if (kind == "push") force["vector"] = vector(method, 300.0, 0.0);
    if (kind == "attract") scene["groups"] = json::object();
    scene["forces"] = {force};
  });
}

SampleOf of_joint(const std::string& kind, const json& fields, bool shows = true) {
  const auto with_joint = [=](json& scene, const std::string& method) {
    json joint = with_kind(kind, fields);
    joint["body_a"] = "two";
    // a weld to the ground holds; the others hold to the world
    if (kind == "gear") joint["body_b"] = "one";
    if (kind == "slider" || kind == "point_on_line") joint["axis"] = vector(method, 1.0, 0.0);
    scene["joints"] = {joint};
  };
  return changed("/joints/0", with_joint, shows);
}

/// The six sides of a cube of half width `h`, each a grid of n x n points over u and v.
json cube_sides(double h, int n) {
  json sides = json::array();
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-h, h}) {
      json rows = json::array();
      for (int i = 0; i < n; ++i) {
        json row = json::array();
        for (int j = 0; j < n; ++j) {
          std::array<double, 3> p{};
          p[static_cast<std::size_t>(axis)] = side;
          const double u = -h + 2 * h * i / (n - 1), v = -h + 2 * h * j / (n - 1);
          p[static_cast<std::size_t>((axis + 1) % 3)] = side > 0 ? u : v;
          p[static_cast<std::size_t>((axis + 2) % 3)] = side > 0 ? v : u;
          row.push_back(p);
        }
        rows.push_back(row);
      }
      sides.push_back(rows);
    }
  return sides;
}

/// The same sides as parts of planes.
json cube_faces(double h) {
  json faces = json::array();
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      std::array<double, 3> origin{}, x{}, y{}, z{};
      origin[axis] = side * h;
      x[(axis + 1) % 3] = 1.0;
      y[(axis + 2) % 3] = side;
      z[axis] = side;
      json loop = json::array();
      const std::array<std::array<double, 2>, 4> corners{{{-h, -h}, {h, -h}, {h, h}, {-h, h}}};
      for (std::size_t k = 0; k < 4; ++k)
        loop.push_back({{"kind", "line"}, {"from", corners[k]}, {"to", corners[(k + 1) % 4]}});
      faces.push_back(
          {{"surface", {{"kind", "plane"}, {"origin", origin}, {"x", x}, {"y", y}, {"z", z}}},
           {"loops", json::array({loop})}});
    }
  return faces;
}

json cube_corners(double h) {
  json out = json::array();
  for (int i = 0; i < 8; ++i)
    out.push_back({(i & 1) != 0 ? h : -h, (i & 2) != 0 ? h : -h, (i & 4) != 0 ? h : -h});
  return out;
}

json cube_triangles() {
  return {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
          {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
}

/// One shape of each kind, about 0.2 m wide.
std::map<std::string, json> shapes() {
  json bezier = json::array(), bspline = json::array();
  for (const json& rows : cube_sides(0.1, 4)) bezier.push_back(rows);
  for (const json& rows : cube_sides(0.1, 2))
    bspline.push_back({{"degree_u", 1},
                       {"degree_v", 1},
                       {"knots_u", {0, 0, 1, 1}},
                       {"knots_v", {0, 0, 1, 1}},
                       {"points", rows}});
  const double pi = std::numbers::pi;
  return {
      {"ball", {{"radius", 0.1}}},
      {"half_space", json::object()},
      {"box", {{"size", {0.2, 0.2, 0.25}}}},
      {"ellipsoid", {{"radii", {0.1, 0.12, 0.08}}}},
      {"superellipsoid", {{"radii", {0.1, 0.1, 0.1}}, {"north_south", 0.8}}},
      {"cylinder", {{"radius", 0.1}, {"height", 0.2}}},
      {"cone", {{"radius", 0.1}, {"height", 0.2}}},
      {"capsule", {{"radius", 0.05}, {"height", 0.1}}},
      {"torus", {{"ring_radius", 0.1}, {"tube_radius", 0.03}}},
      {"revolution", {{"profile", {{0.0, -0.1}, {0.1, 0.0}, {0.0, 0.1}}}, {"corners", {0, 1, 2}}}},
      {"tube", {{"spine", {{-0.1, 0, 0}, {0, 0.02, 0}, {0.1, 0, 0}}}, {"radii", {0.03}}}},
      {"bezier", {{"patches", bezier}}},
      {"bspline", {{"patches", bspline}}},
      {"trimmed", {{"faces", cube_faces(0.1)}}},
      {"formula",
       {{"patches",
         {{{"x", "0.1*cos(u)*cos(v)"},
           {"y", "0.1*sin(u)*cos(v)"},
           {"z", "0.1*sin(v)"},
           {"u0", 0},
           {"u1", 2 * pi},
           {"v0", -pi / 2},
           {"v1", pi / 2}}}}}},
      {"union", {{"parts", {{{"shape", {{"kind", "ball"}, {"radius", 0.1}}}}}}}},
      {"mesh", {{"points", cube_corners(0.1)}, {"triangles", cube_triangles()}}},
      {"mesh_file", {{"path", source_dir() + std::string("/tests/run/cube.obj")}}},
      {"convex", {{"points", cube_corners(0.1)}}},
      {"plane_region", {{"discs", {{{"radius", 0.1}}}}}},
      {"sphere_set",
       {{"centers", {{0, 0, 0}, {0.1, 0, 0}}}, {"radii", {0.1, 0.1}}, {"links", {{0, 1}}}}},
      {"point_set",
       {{"surfels", {{0, 0, 0.1}, {0, 0, -0.1}, {0.1, 0, 0}}},
        {"normals", {{0, 0, 1}, {0, 0, -1}, {1, 0, 0}}},
        {"surfel_radii", {0.05, 0.05, 0.05}},
        {"phyxels", cube_corners(0.05)},
        {"phyxel_volumes", json::array({1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3})}}},
  };
}

void add_shapes(std::map<std::string, SampleOf>& out) {
  for (const auto& [kind, fields] : shapes()) {
    const json shape = with_kind(kind, fields);
    for (const bool fixed : {false, true})
      out[(fixed ? "fixed shape `" : "moving shape `") + kind + "`"] = changed(
          "/bodies/2/",
          [=](json& scene, const std::string& method) {
            json& two = body(scene, "two");
            two["shape"] = shape;
            two["fixed"] = fixed;
            // endless ground far below, so that nothing starts in it
            if (kind == "half_space") two["position"] = vector(method, 0.0, -50.0);
          },
          kind != "half_space");
  }
}

void add_scene_parts(std::map<std::string, SampleOf>& out) {
  out["scene `gravity`"] = changed("/gravity", [](json& scene, const std::string& method) {
    scene["gravity"] = vector(method, 3.0, -9.0);
  });
  out["limits `steps`"] = changed("/limits/steps", [](json& scene, const std::string&) {
    scene["limits"] = {{"steps", 3}};
  });
  out["limits `duration`"] = changed("/limits/duration", [](json& scene, const std::string&) {
    scene["limits"] = {{"duration", 0.02}};
  });
  const auto record = [](const char* field, const json& value) {
    return changed(
        std::string("/record/") + field,
        [=](json& scene, const std::string&) {
          scene["record"] = {{field, value}};
        },
        false);
  };
  out["record `every_steps`"] = record("every_steps", 7);
  out["record `every_time`"] = record("every_time", 0.03);
  out["record `contacts`"] = record("contacts", false);
  const auto when = [](const char* field, const json& value, long steps) {
    return changed(
        std::string("/events/0/") + field,
        [=](json& scene, const std::string& method) {
          scene["events"] = {
              {{field, value},
               {"edits",
                {{{"kind", "nudge"}, {"target", "two"}, {"move", vector(method, 0.3, 0.1)}}}}}};
        },
        true, steps);
  };
  constexpr long kUntilRest = 1500;
  out["event `at_time`"] = when("at_time", 0.02, 40);
  out["event `at_step`"] = when("at_step", 2, 40);
  out["event `at_rest`"] = when("at_rest", true, kUntilRest);
}

void add_body_parts(std::map<std::string, SampleOf>& out) {
  out["body `velocity`"] =
      of_body("velocity", [](const std::string& m) { return vector(m, 0.5, 0.0); });
  out["body `angular_velocity`"] = of_body("angular_velocity", [](const std::string&) {
    return json{0, 0, 2};
  });
  out["body `fixed`"] = of_body("fixed", [](const std::string&) { return json(true); });
  out["body `frozen`"] = of_body(
      "frozen", [](const std::string& m) { return json::array({is_plane(m) ? "y" : "z"}); });
  constexpr long kUntilGround = 200;
  out["body `collides`: false"] = of_body(
      "collides", [](const std::string&) { return json(false); }, true, kUntilGround);
  out["body `path`"] = changed("/bodies/2/path", [](json& scene, const std::string& method) {
    json& two = body(scene, "two");
    // what is led is rigid
    if (!is_plane(method)) two["shape"] = {{"kind", "ball"}, {"radius", 0.1}};
    const json start = {{"position", two["position"]}};
    const json end = {{"position", vector(method, 1.0, 0.9)}};
    two["path"] = {{"times", {0.0, 0.5}}, {"places", {start, end}}};
  });
  out["body `layer`"] = of_body(
      "layer", [](const std::string&) { return json(2); }, true, kUntilGround);
  // alone on the ground a body goes the same way whatever it weighs
  out["body `mass`"] = of_body(
      "mass", [](const std::string&) { return json(3.0); }, false);
  out["material `density`"] = of_material("density", 300.0, false);
  out["material `friction`"] = of_material("friction", 0.1, false);
  out["material `restitution`"] = of_material("restitution", 0.6, true, 150);
}

void add_forces_and_joints(std::map<std::string, SampleOf>& out) {
  out["force `push`"] = of_force("push", {{"body", "two"}});
  out["force `connect`"] = of_force("connect", {{"body_a", "two"}, {"body_b", "one"}});
  out["force `spring`"] =
      of_force("spring", {{"body_a", "two"}, {"body_b", "one"}, {"stiffness", 400}});
  out["force `attract`"] = of_force("attract", {{"to", "one"}, {"strength", 50}});
  out["force `pull`"] =
      of_force("pull", {{"body", "two"}, {"times", {0, 1}}, {"vectors", {{1, 0, 0}, {2, 0, 0}}}});
  out["force `point` beside the centre"] =
      changed("/forces/0/point", [](json& scene, const std::string& method) {
        scene["forces"] = {{{"kind", "push"},
                            {"body", "two"},
                            {"point", {0.05, 0.0, 0.0}},
                            {"vector", vector(method, 0.0, 30.0)}}};
      });
  out["force `damping`"] = changed("/forces/0", [](json& scene, const std::string&) {
    scene["forces"] = {{{"kind", "spring"},
                        {"body_a", "two"},
                        {"body_b", "one"},
                        {"stiffness", 400},
                        {"damping", 5}}};
  });
  out["joint `pin`"] = of_joint("pin", {{"point_a", {0.05, 0.05, 0.0}}});
  out["joint `point_on_line`"] = of_joint("point_on_line", json::object());
  out["joint `slider`"] = of_joint("slider", json::object());
  out["joint `weld`"] = of_joint("weld", json::object());
  out["joint `rod`"] = of_joint("rod", {{"point_b", {0.9, 0.9, 0.9}}});
  out["joint `rope`"] = of_joint("rope", {{"point_b", {0.9, 0.9, 0.9}}});
  out["joint `gear`"] = of_joint("gear", {{"ratio", 2}}, false);  // nothing turns here
  out["joint `motor`"] = of_joint("motor", {{"speed", 3}});
  out["joint `spring`"] = of_joint("spring", {{"stiffness", 300}});
}

json setting_of(const std::string& method) {
  if (method == "place") return {{"target", "epsilon_max"}, {"value", 0.003}};
  if (method == "pile") return {{"target", "box_half_width"}, {"value", 0.01}};
  if (method == "molecule") return {{"target", "iterations_per_second"}, {"value", 500}};
  if (method == "surfel") return {{"target", "longest_step"}, {"value", 0.0007}};
  return {{"target", "damping"}, {"value", 5.0}};
}

void add_edits(std::map<std::string, SampleOf>& out) {
  const auto on_two = [](const char* kind, json fields = json::object()) {
    fields["kind"] = kind;
    fields["target"] = "two";
    return fields;
  };
  out["edit `set`"] = [](const std::string& method) {
    return of_edit(with_kind("set", setting_of(method)))(method);
  };
  const auto vectored = [&](const char* kind, const char* field, double x, double up) {
    return [=](const std::string& method) {
      return of_edit(on_two(kind, {{field, vector(method, x, up)}}))(method);
    };
  };
  out["edit `pose`"] = vectored("pose", "position", 2.0, 0.7);
  out["edit `nudge`"] = vectored("nudge", "move", 0.2, 0.1);
  out["edit `add`"] = [](const std::string& method) {
    json third = two_bodies(method)["bodies"][2];
    third["name"] = "three";
    third["position"] = vector(method, 3.0, 0.5);
    return of_edit({{"kind", "add"}, {"body", third}})(method);
  };
  out["edit `replicate`"] = [=](const std::string& method) {
    return of_edit(on_two("replicate", {{"name", "copy"}, {"move", vector(method, 2.0, 0.5)}}))(
        method);
  };
  out["edit `remove`"] = of_edit(on_two("remove"));
  out["edit `fix`"] = of_edit(on_two("fix"));
  out["edit `free`"] = of_edit(
      on_two("free"), [](json& scene, const std::string&) { body(scene, "two")["fixed"] = true; });
  // what it weighs and how rough it is does not change its way here
  out["edit `material`"] = of_edit(on_two("material", {{"density", 300}}), {}, false);
  out["edit `freeze`"] = of_edit(on_two("freeze", {{"y", true}, {"z", true}}));
  out["edit `collide`"] = of_edit(on_two("collide", {{"on", false}}), {}, true, 200);
  out["edit `attach`"] = of_edit(on_two("attach", {{"to", "one"}}));
  // to what it touches at rest; it stays where it is
  out["edit `stick`"] = changed(
      "/events/0/edits/0/",
      [=](json& scene, const std::string&) {
        scene["events"] = {{{"at_rest", true}, {"edits", {on_two("stick")}}}};
      },
      false, 1500);
  out["edit `drag`"] = vectored("drag", "to", 3.0, 2.0);
  out["edit `release`"] = of_edit(on_two("release"), [=](json& scene, const std::string& method) {
    if (!carries_out(**find_method(method), EditKind::drag)) return;
    scene["events"] = {{{"at_step", 1}, {"edits", {on_two("drag", {{"to", {3.0, 2.0, 0.0}}})}}}};
  });
  out["edit `join`"] = of_edit({{"kind", "join"},
                                {"target", "new"},
                                {"joint", "pin"},
                                {"body_a", "two"},
                                {"point_a", {0.05, 0.05, 0.0}}});
  out["edit `stop`"] = of_edit({{"kind", "stop"}});
}

}  // namespace

json two_bodies(const std::string& method) {
  const bool plane = is_plane(method);
  const bool soft = method == "molecule";  // where solids meet molecules, not each other
  const bool surfels = method == "surfel";
  json ground = {{"name", "ground"},
                 {"fixed", true},
                 {"shape", plane ? polygon(9.0, -1.0, 0.0) : json{{"kind", "half_space"}}}};
  json one = {{"name", "one"},
              {"position", vector(method, 0.0, 0.4)},
              {"shape", plane ? disc(0.1) : json{{"kind", "ball"}, {"radius", 0.1}}}};
  if (soft) {
    ground["shape"] = {{"kind", "lattice"}, {"counts", {8, 4, 1}}, {"pitch", 0.3}, {"radius", 0.2}};
    ground["position"] = {0.5, 0.0, -0.3};
    ground["material"] = one["material"] = "rubber";
    one["shape"] = {{"kind", "lattice"}, {"counts", {2, 2, 2}}, {"pitch", 0.1}, {"radius", 0.06}};
  }
  json two = {{"name", "two"},
              {"position", vector(method, 1.0, 0.4)},
              {"shape",
               plane ? polygon(0.1, -0.1, 0.1) : json{{"kind", "box"}, {"size", {0.2, 0.2, 0.2}}}}};
  json out = {{"repose", 1},
              {"about", "Two bodies."},
              {"gravity", vector(method, 0.0, -9.81)},
              {"method", {{"kind", method}}},
              {"bodies", {ground, one, two}}};
  if (soft) out["bodies"][2]["shape"] = {{"kind", "ball"}, {"radius", 0.11}};
  if (surfels) {
    const json cube = {{"kind", "box"}, {"size", {0.2, 0.2, 0.2}}};
    out["bodies"][2]["shape"] = {{"kind", "sample"}, {"shape", cube}, {"spacing", 0.04}};
  }
  if (soft || surfels) {
    out["bodies"][2]["material"] = "rubber";
    out["materials"]["rubber"] = {{"young_modulus", 1e5}, {"damping", 0.02}};
  }
  return out;
}

std::map<std::string, SampleOf> support_samples() {
  std::map<std::string, SampleOf> out;
  add_scene_parts(out);
  add_body_parts(out);
  add_shapes(out);
  add_forces_and_joints(out);
  add_edits(out);
  return out;
}

}  // namespace repose::tests
