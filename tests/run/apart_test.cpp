// Bodies in one place, or one within the other, are refused with both names whatever their shape
// and whatever the method.
#include <gtest/gtest.h>

#include "repose/run/catalogue.h"
#include "repose/run/judge.h"
#include "repose/run/session.h"
#include "repose/scene/scene.h"

#include "run/support_samples.h"

namespace repose {
namespace {

using nlohmann::json;

/// A shape and a smaller one that lies within it about the same point.
std::map<std::string, std::pair<json, json>> solids() {
  const auto cube = [](const char* kind, double h) {
    json points = json::array();
    for (int i = 0; i < 8; ++i)
      points.push_back({(i & 1) != 0 ? h : -h, (i & 2) != 0 ? h : -h, (i & 4) != 0 ? h : -h});
    json out = {{"kind", kind}, {"points", points}};
    if (std::string(kind) == "mesh")
      out["triangles"] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                          {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return out;
  };
  const auto round = [](const char* kind, double r) {
    return json{{"kind", kind}, {"radius", r}, {"height", 2 * r}};
  };
  const auto torus = [](double r) {
    return json{{"kind", "torus"}, {"ring_radius", 0.2}, {"tube_radius", r}};
  };
  return {
      {"ball", {{{"kind", "ball"}, {"radius", 0.2}}, {{"kind", "ball"}, {"radius", 0.1}}}},
      {"box",
       {{{"kind", "box"}, {"size", {0.4, 0.4, 0.4}}},
        {{"kind", "box"}, {"size", {0.2, 0.2, 0.2}}}}},
      {"ellipsoid",
       {{{"kind", "ellipsoid"}, {"radii", {0.2, 0.3, 0.4}}},
        {{"kind", "ellipsoid"}, {"radii", {0.1, 0.1, 0.1}}}}},
      {"cylinder", {round("cylinder", 0.2), round("cylinder", 0.1)}},
      {"cone", {round("cone", 0.2), round("cone", 0.1)}},
      {"capsule", {round("capsule", 0.2), round("capsule", 0.1)}},
      {"torus", {torus(0.05), torus(0.02)}},
      {"mesh", {cube("mesh", 0.2), cube("mesh", 0.1)}},
      {"convex", {cube("convex", 0.2), cube("convex", 0.1)}},
  };
}

std::optional<InputError> refused(const json& first, const json& second, const json& offset,
                                  bool first_fixed, const std::string& method) {
  json scene = tests::two_bodies(method);
  json &a = scene["bodies"][1], &b = scene["bodies"][2];
  const double up = 5.0;
  a["shape"] = first;
  b["shape"] = second;
  a["fixed"] = first_fixed;
  a["position"] = {0.3, 0.0, up};
  b["position"] = {0.3 + offset[0].get<double>(), offset[1], up + offset[2].get<double>()};
  const auto read = scene_from_text(scene.dump(1), "sample.json", method_catalogue());
  EXPECT_TRUE(read) << read.error().text();
  auto world = build_world(*read);
  EXPECT_TRUE(world) << world.error().text();
  const auto session = Session::start(world->problem, world->state, **find_method(method), {});
  if (session) {
    // taken as it is, or moved apart by the method
    EXPECT_EQ(judge(session->problem(), session->state(), {.judge_balance = false}).overlap,
              check::Answer::proven)
        << method << ": " << scene;
    return std::nullopt;
  }
  return locate_error(*read, world->written, session.error());
}

void expect_refused(const std::string& what, const std::optional<InputError>& error) {
  if (!error) return;  // moved apart, see above
  EXPECT_NE(error->text().find("one"), std::string::npos) << what << "\n" << error->text();
  EXPECT_NE(error->text().find("two"), std::string::npos) << what << "\n" << error->text();
  EXPECT_EQ(error->pointer.rfind("/bodies/", 0), 0U) << what << "\n" << error->text();
  EXPECT_GT(error->line, 0) << what << "\n" << error->text();
}

TEST(apart, bodies_in_one_place_are_refused_with_both_names_or_moved_apart) {
  const json same = {0, 0, 0}, near = {0, 1e-12, 0}, far = {1e-9, 0, 1e-9};
  for (const char* method : {"place", "pile"})
    for (const auto& [kind, shapes] : solids())
      for (const json& offset : {same, near, far})
        for (const bool fixed : {false, true}) {
          const std::string what = std::string(method) + ", " + kind + " off by " + offset.dump() +
                                   (fixed ? ", fixed" : "");
          expect_refused(what, refused(shapes.first, shapes.first, offset, fixed, method));
        }
}

TEST(apart, a_body_within_another_is_refused_with_both_names_or_moved_apart) {
  const json middle = {0, 0, 0.0}, aside = {0.01, 0.02, 0.03};
  for (const char* method : {"place", "pile"})
    for (const auto& [kind, shapes] : solids())
      for (const json& offset : {middle, aside}) {
        // a ring within a ring is not within it once it is shifted
        if (kind == "torus" && offset == aside) continue;
        const std::string what = std::string(method) + ", " + kind + " within, " + offset.dump();
        expect_refused(what, refused(shapes.first, shapes.second, offset, false, method));
      }
}

TEST(apart, bodies_of_the_plane_in_one_place_are_refused) {
  json scene = tests::two_bodies("mechanism");
  scene["bodies"][2]["shape"] = scene["bodies"][1]["shape"];
  scene["bodies"][2]["position"] = scene["bodies"][1]["position"];
  const auto read = scene_from_text(scene.dump(1), "sample.json", method_catalogue());
  ASSERT_TRUE(read);
  auto world = build_world(*read);
  ASSERT_TRUE(world);
  const auto session = Session::start(world->problem, world->state, **find_method("mechanism"), {});
  ASSERT_FALSE(session);
  expect_refused("discs", locate_error(*read, world->written, session.error()));
}

TEST(apart, bodies_that_touch_or_hold_one_another_are_taken) {
  const json ball = {{"kind", "ball"}, {"radius", 0.1}};
  const json ring = {{"kind", "torus"}, {"ring_radius", 0.3}, {"tube_radius", 0.05}};
  for (const char* method : {"place", "pile"}) {
    const auto touching = refused(ball, ball, {0.2, 0, 0}, false, method);
    EXPECT_FALSE(touching) << method << ": " << touching->text();
    const auto in_the_hole = refused(ring, ball, {0, 0, 0}, false, method);
    EXPECT_FALSE(in_the_hole) << method << ": " << in_the_hole->text();
  }
}

}  // namespace
}  // namespace repose
