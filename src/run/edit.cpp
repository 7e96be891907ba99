#include "edit.h"

#include <algorithm>

#include "repose/base/setting_values.h"
#include "repose/world/refuse.h"

#include "edit_forces.h"

namespace repose {

namespace {

Result<int> target_body(const Edit& edit, const Problem& problem) {
  const int body = problem.find_body(edit.target);
  if (body < 0) return refuse(edit, "no such body", "the name of a body of the scene");
  return body;
}

bool finite(const BodyState& state) {
  return state.world_from_body.position.allFinite() &&
         state.world_from_body.rotation.coeffs().allFinite() && state.velocity.allFinite() &&
         state.angular_velocity.allFinite() && state.world_from_body.rotation.norm() > 0.0;
}

Result<EditEffect> move_body(const Edit& edit, const Problem& problem, State& state) {
  auto body = target_body(edit, problem);
  if (!body) return body.error();
  if (!finite(edit.body_state)) return refuse(edit, "not a finite pose", "finite numbers");
  BodyState& moved = state.bodies[static_cast<std::size_t>(*body)];
  const Pose before = moved.world_from_body;
  SoftState soft = std::move(moved.soft);
  moved = edit.body_state;
  moved.world_from_body.rotation.normalize();
  // soft points follow unless the edit brings its own
  if (moved.soft.empty() && !soft.empty()) {
    const Pose motion = moved.world_from_body * before.inverse();
    for (Vec3& point : soft.positions.edit()) point = motion * point;
    for (Vec3& velocity : soft.velocities.edit()) velocity = motion.turn(velocity);
    moved.soft = std::move(soft);
  }
  return EditEffect{.problem_changed = true};
}

Result<EditEffect> add_body(const Edit& edit, Problem& problem, State& state) {
  if (edit.body == nullptr || edit.body->shape == nullptr)
    return refuse(edit, "nothing to add", "a body with a shape");
  if (edit.body->name.empty() || problem.find_body(edit.body->name) >= 0)
    return refuse(edit, "the name is taken or empty", "a name of its own");
  if (!finite(edit.body_state)) return refuse(edit, "not a finite pose", "finite numbers");
  Body body = *edit.body;
  std::uint32_t generation = 1;
  for (const Body& other : problem.bodies) generation = std::max(generation, other.id.generation);
  body.id = {static_cast<std::uint32_t>(problem.bodies.size()), generation + 1};
  problem.bodies.push_back(std::move(body));
  state.bodies.push_back(edit.body_state);
  state.bodies.back().world_from_body.rotation.normalize();
  return EditEffect{.problem_changed = true};
}

Vec3 vector_or_zero(const Edit& edit, const std::string& name) {
  const auto vector = vector_in(edit.values, name);
  return vector ? Vec3((*vector)[0], (*vector)[1], (*vector)[2]) : Vec3(Vec3::Zero());
}

Result<EditEffect> nudge_body(const Edit& edit, const Problem& problem, State& state) {
  auto body = target_body(edit, problem);
  if (!body) return body.error();
  const auto place = static_cast<std::size_t>(*body);
  Edit moved = edit;
  moved.body_state = state.bodies[place];
  moved.body_state.soft = {};
  Pose& pose = moved.body_state.world_from_body;
  // about the centre of mass, then by the move
  const Vec3 center = pose * problem.bodies[place].center_body;
  const Quat turn = rotation_from_vector(vector_or_zero(edit, "turn"));
  pose.rotation = turn * pose.rotation;
  pose.position = center + turn * (pose.position - center) + vector_or_zero(edit, "move");
  return move_body(moved, problem, state);
}

Result<EditEffect> replicate_body(const Edit& edit, Problem& problem, State& state) {
  auto body = target_body(edit, problem);
  if (!body) return body.error();
  const auto place = static_cast<std::size_t>(*body);
  Edit added = edit;
  Body copy = problem.bodies[place];
  copy.name = text_or(edit.values, "name", "");
  added.body = std::make_shared<const Body>(std::move(copy));
  added.body_state = state.bodies[place];
  const Vec3 move = vector_or_zero(edit, "move");
  added.body_state.world_from_body.position += move;
  if (!added.body_state.soft.empty())
    for (Vec3& point : added.body_state.soft.positions.edit()) point += move;
  return add_body(added, problem, state);
}

Result<EditEffect> freeze_body(const Edit& edit, Problem& problem) {
  auto body = target_body(edit, problem);
  if (!body) return body.error();
  constexpr std::array<const char*, 6> kFreedoms = {"x", "y", "z", "turn_x", "turn_y", "turn_z"};
  for (std::size_t i = 0; i < kFreedoms.size(); ++i)
    problem.bodies[static_cast<std::size_t>(*body)].frozen[i] =
        flag_or(edit.values, kFreedoms[i], false);
  return EditEffect{.problem_changed = true};
}

Result<EditEffect> let_collide(const Edit& edit, Problem& problem) {
  auto body = target_body(edit, problem);
  if (!body) return body.error();
  problem.bodies[static_cast<std::size_t>(*body)].collides = flag_or(edit.values, "on", true);
  return EditEffect{.problem_changed = true};
}

/// A body, or else a joint or force of that name.
Result<EditEffect> remove_part(const Edit& edit, Problem& problem, State& state) {
  const std::string name = edit.target;
  const int gone = problem.find_body(name);
  if (gone < 0) {
    const auto named = [&name](const auto& part) { return part.name == name; };
    const auto parts = std::erase_if(problem.joints, named) + std::erase_if(problem.forces, named);
    if (parts == 0 || name.empty())
      return refuse(edit, "no such body, joint or force", "the name of one in the scene");
    return EditEffect{.problem_changed = true};
  }
  problem.bodies.erase(problem.bodies.begin() + gone);
  state.bodies.erase(state.bodies.begin() + gone);
  for (std::size_t i = 0; i < problem.bodies.size(); ++i)
    problem.bodies[i].id.index = static_cast<std::uint32_t>(i);
  const auto uses = [&name](const auto& part) {
    return part.body_a == name || part.body_b == name;
  };
  std::erase_if(problem.forces, uses);
  std::erase_if(problem.joints, uses);
  std::erase_if(state.contacts,
                [gone](const Contact& c) { return c.body_a == gone || c.body_b == gone; });
  for (Contact& contact : state.contacts) {
    if (contact.body_a > gone) contact.body_a -= 1;
    if (contact.body_b > gone) contact.body_b -= 1;
  }
  return EditEffect{.problem_changed = true};
}

Result<EditEffect> fix_body(const Edit& edit, Problem& problem, State& state, bool fixed) {
  auto body = target_body(edit, problem);
  if (!body) return body.error();
  const auto place = static_cast<std::size_t>(*body);
  if (!fixed && !(problem.bodies[place].mass > 0.0))
    return refuse(edit, "a body without mass cannot be free", "a body with a volume or a mass");
  Body& target = problem.bodies[place];
  target.fixed = fixed;
  if (!fixed && target.soft != nullptr && !target.soft->fixed.empty()) {
    auto loose = std::make_shared<SoftBody>(*target.soft);
    loose->fixed.assign(loose->size(), 0);
    target.soft = std::move(loose);
  }
  BodyState& held = state.bodies[place];
  if (fixed) held.velocity = held.angular_velocity = Vec3::Zero();
  if (fixed && !held.soft.empty())
    held.soft.velocities = std::vector<Vec3>(held.soft.size(), Vec3::Zero());
  return EditEffect{.problem_changed = true};
}

struct MaterialField {
  const char* name;
  double Material::*member;
  Range range;
};
const MaterialField kMaterialFields[] = {
    {"density", &Material::density, {.min = 0.0, .open_min = true}},
    {"friction", &Material::friction, {.min = 0.0}},
    {"restitution", &Material::restitution, {.min = 0.0, .max = 1.0}},
    {"opacity", &Material::opacity, {.min = 0.0, .max = 1.0}},
    {"roughness", &Material::roughness, {.min = 0.0, .max = 1.0}},
    {"young_modulus", &Material::young_modulus, {.min = 0.0}},
    {"poisson_ratio",
     &Material::poisson_ratio,
     {.min = -1.0, .max = 0.5, .open_min = true, .open_max = true}},
    {"damping", &Material::damping, {.min = 0.0}},
    {"drag", &Material::drag, {.min = 0.0}},
    {"medium_density", &Material::medium_density, {.min = 0.0}},
    {"yield_strain", &Material::yield_strain, {.min = 0.0}},
    {"creep", &Material::creep, {.min = 0.0}},
    {"most_plastic", &Material::most_plastic, {.min = 0.0}},
    {"break_strain", &Material::break_strain, {.min = 0.0}},
};

Result<Done> set_material_value(const Edit& edit, const std::string& name,
                                const SettingValue& value, Material& material) {
  if (name == "color") {
    const auto* color = std::get_if<std::array<double, 3>>(&value);
    if (color == nullptr) return refuse(edit, "not a color", "three numbers in [0, 1]");
    material.color = *color;
    return Done{};
  }
  for (const MaterialField& field : kMaterialFields) {
    if (name != field.name) continue;
    SettingInfo info{field.name, SettingType::number, 0.0, field.range, {}, "", ""};
    auto checked = checked_setting(info, value);
    if (!checked) return checked.error();
    material.*field.member = std::get<double>(*checked);
    return Done{};
  }
  return refuse(edit, "a material has no '" + name + "'",
                "density, friction, restitution, color, opacity, roughness, young_modulus, "
                "poisson_ratio, damping, drag, medium_density, yield_strain, creep, most_plastic "
                "or break_strain");
}

/// The same change of every material of a soft body's points; their masses follow the density.
Result<Done> change_points(const Edit& edit, Body& body) {
  auto soft = std::make_shared<SoftBody>(*body.soft);
  std::vector<double> ratios;
  for (Material& material : soft->materials) {
    const double before = material.density;
    for (const auto& [name, value] : edit.values)
      if (auto done = set_material_value(edit, name, value, material); !done) return done;
    ratios.push_back(before > 0.0 ? material.density / before : 1.0);
  }
  body.mass = 0.0;
  for (std::size_t i = 0; i < soft->masses.size(); ++i) {
    const auto of = soft->material_of.empty() ? 0 : static_cast<std::size_t>(soft->material_of[i]);
    soft->masses[i] *= ratios[of];
    body.mass += soft->masses[i];
  }
  body.soft = std::move(soft);
  return Done{};
}

Result<EditEffect> change_material(const Edit& edit, Problem& problem) {
  auto found = target_body(edit, problem);
  if (!found) return found.error();
  Body& body = problem.bodies[static_cast<std::size_t>(*found)];
  const double density_before = body.material.density;
  for (const auto& [name, value] : edit.values)
    if (auto done = set_material_value(edit, name, value, body.material); !done)
      return done.error();
  if (body.soft)
    if (auto done = change_points(edit, body); !done) return done.error();
  // mass and inertia follow the density
  if (!body.soft && density_before > 0.0 && body.material.density != density_before) {
    const double ratio = body.material.density / density_before;
    body.mass *= ratio;
    body.inertia_body *= ratio;
  }
  return EditEffect{.problem_changed = true};
}

}  // namespace

Result<EditEffect> carry_out(const Edit& edit, Problem& problem, State& state) {
  switch (edit.kind) {
    case EditKind::pose:
      return move_body(edit, problem, state);
    case EditKind::add:
      return edit.values.contains("force") ? add_force(edit, problem)
                                           : add_body(edit, problem, state);
    case EditKind::nudge:
      return nudge_body(edit, problem, state);
    case EditKind::replicate:
      return replicate_body(edit, problem, state);
    case EditKind::freeze:
      return freeze_body(edit, problem);
    case EditKind::collide:
      return let_collide(edit, problem);
    case EditKind::remove:
      return remove_part(edit, problem, state);
    case EditKind::fix:
      return fix_body(edit, problem, state, true);
    case EditKind::free:
      return fix_body(edit, problem, state, false);
    case EditKind::material:
      return change_material(edit, problem);
    case EditKind::stop:
      return EditEffect{.stop = true};
    case EditKind::set:
    case EditKind::attach:
    case EditKind::stick:
    case EditKind::drag:
    case EditKind::release:
    case EditKind::join:
      break;
  }
  return EditEffect{.known = false};
}

}  // namespace repose
