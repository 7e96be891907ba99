#include "repose/world/check_problem.h"

#include <gtest/gtest.h>

namespace repose {
namespace {

/// Two balls of one kilogram, "a" and "b", and fixed ground.
Problem two_balls() {
  Problem out;
  for (const char* name : {"a", "b", "ground"}) {
    Body body;
    body.name = name;
    body.mass = 1.0;
    out.bodies.push_back(body);
  }
  out.bodies[2].fixed = true;
  out.bodies[2].mass = 0.0;
  return out;
}

std::string refusal(const Problem& problem) {
  const auto checked = check_problem(problem);
  return checked ? "accepted" : checked.error().text();
}

Force force(ForceKind kind, const std::string& a, const std::string& b = {}) {
  Force out;
  out.kind = kind;
  out.body_a = a;
  out.body_b = b;
  return out;
}

Joint joint(const std::string& a, const std::string& b) {
  Joint out;
  out.body_a = a;
  out.body_b = b;
  return out;
}

TEST(CheckProblem, a_body_without_mass_may_only_be_fixed) {
  Problem problem = two_balls();
  EXPECT_EQ(refusal(problem), "accepted");
  problem.bodies[1].mass = 0.0;
  EXPECT_NE(refusal(problem).find("/bodies/1"), std::string::npos) << refusal(problem);
  EXPECT_NE(refusal(problem).find("mass"), std::string::npos);
}

TEST(CheckProblem, every_force_acts_on_bodies_that_are_there) {
  for (const ForceKind kind : {ForceKind::push, ForceKind::connect, ForceKind::spring}) {
    Problem problem = two_balls();
    problem.forces = {force(kind, "a"), force(kind, "b", "ground")};
    EXPECT_EQ(refusal(problem), "accepted");
    problem.forces.push_back(force(kind, "a", "c"));
    EXPECT_NE(refusal(problem).find("/forces/2"), std::string::npos) << refusal(problem);
    problem.forces[2] = force(kind, "");
    EXPECT_NE(refusal(problem).find("/forces/2"), std::string::npos) << refusal(problem);
  }
}

TEST(CheckProblem, an_attraction_names_a_group_and_a_body_or_the_world) {
  Problem problem = two_balls();
  for (const char* to : {"", "world", "b"}) {
    problem.forces = {force(ForceKind::attract, "some group", to)};
    EXPECT_EQ(refusal(problem), "accepted") << to;
  }
  problem.forces = {force(ForceKind::attract, "", "nobody")};
  EXPECT_NE(refusal(problem).find("nobody"), std::string::npos);
}

TEST(CheckProblem, a_joint_holds_two_different_bodies_or_one_to_the_world) {
  Problem problem = two_balls();
  problem.joints = {joint("a", "b"), joint("b", "")};
  EXPECT_EQ(refusal(problem), "accepted");
  for (const Joint& bad : {joint("a", "a"), joint("a", "c"), joint("", ""), joint("c", "a")}) {
    problem.joints[1] = bad;
    EXPECT_NE(refusal(problem).find("/joints/1"), std::string::npos) << bad.body_a << bad.body_b;
  }
  problem.joints[1] = joint("a", "a");
  EXPECT_NE(refusal(problem).find("itself"), std::string::npos);
}

}  // namespace
}  // namespace repose
