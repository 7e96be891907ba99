#include "body_changes.h"

#include <algorithm>

#include <fmt/format.h>

namespace repose {

namespace {

std::string free_name(const Problem& problem, const std::string& whole) {
  for (int k = 2;; ++k)
    if (std::string name = fmt::format("{}-part-{}", whole, k); problem.find_body(name) < 0)
      return name;
}

/// Where each point of the body before the step is now: part and point; part -1 if it is gone.
std::vector<std::array<int, 2>> points_now(const BodyChange& change, std::size_t before) {
  std::vector<std::array<int, 2>> out(before, {-1, -1});
  for (std::size_t part = 0; part < change.points_before.size(); ++part)
    for (std::size_t i = 0; i < change.points_before[part].size(); ++i)
      if (const int old = change.points_before[part][i]; old >= 0)
        out[static_cast<std::size_t>(old)] = {static_cast<int>(part), static_cast<int>(i)};
  return out;
}

/// A force on points becomes one for every part that has some of them.
void follow_points(const BodyChange& change, const std::vector<std::string>& names,
                   std::size_t before, std::vector<Force>& forces) {
  const auto now = points_now(change, before);
  std::vector<Force> out;
  for (const Force& force : forces) {
    if (force.points.empty() || force.body_a != names[0]) {
      out.push_back(force);
      continue;
    }
    for (std::size_t part = 0; part < names.size(); ++part) {
      Force of_part = force;
      of_part.body_a = names[part];
      of_part.points.clear();
      for (const int point : force.points)
        if (const auto& at = now[static_cast<std::size_t>(point)]; at[0] == static_cast<int>(part))
          of_part.points.push_back(at[1]);
      if (!of_part.points.empty()) out.push_back(std::move(of_part));
    }
  }
  forces = std::move(out);
}

void check_change(const BodyChange& change, std::size_t bodies) {
  REPOSE_CHECK(change.body >= 0 && static_cast<std::size_t>(change.body) < bodies,
               "a change of a body that is not there");
  REPOSE_CHECK(!change.parts.empty() && change.points_before.size() == change.parts.size(),
               "a change without parts, or without their points");
  for (std::size_t k = 0; k < change.parts.size(); ++k)
    REPOSE_CHECK(change.parts[k].soft && change.parts[k].shape &&
                     change.parts[k].soft->size() == change.points_before[k].size(),
                 "a part that does not say where its points came from");
}

}  // namespace

void take_changes(const std::vector<BodyChange>& changes, std::size_t bodies, Problem& problem) {
  const std::size_t there = problem.bodies.size();
  std::uint32_t generation = 1;
  for (const Body& body : problem.bodies) generation = std::max(generation, body.id.generation);
  for (const BodyChange& change : changes) {
    check_change(change, there);
    const auto place = static_cast<std::size_t>(change.body);
    const Body whole = problem.bodies[place];
    REPOSE_CHECK(whole.soft != nullptr, "a rigid body that parted");
    std::vector<std::string> names;
    for (std::size_t k = 0; k < change.parts.size(); ++k) {
      Body part = change.parts[k];
      if (k == 0) part.name = whole.name;
      if (part.name.empty()) part.name = free_name(problem, whole.name);
      part.id = k == 0 ? whole.id
                       : BodyId{static_cast<std::uint32_t>(problem.bodies.size()), generation + 1};
      names.push_back(part.name);
      if (k == 0)
        problem.bodies[place] = std::move(part);
      else
        problem.bodies.push_back(std::move(part));
    }
    follow_points(change, names, whole.soft->size(), problem.forces);
  }
  REPOSE_CHECK(problem.bodies.size() == bodies, "states and parts of a step do not agree");
}

}  // namespace repose
