// Edits that events make.
#include "tables.h"

namespace repose {

namespace {

using EditTable = ObjectTable<SceneEdit>;

constexpr auto edit_values = [](auto& s) -> auto& {
  return s.values;
};

EditTable edit(std::string kind, std::string about, std::string target) {
  EditTable t(std::move(kind), std::move(about));
  if (!target.empty())
    t.field(&SceneEdit::target, {.name = "target", .required = true, .meaning = std::move(target)});
  return t;
}
ValueRow optional_value(std::string name, SettingType type, SettingValue value, Range range,
                        std::string unit, std::string meaning) {
  return {{std::move(name), type, std::move(value), range, {}, std::move(unit), std::move(meaning)},
          false};
}
ValueRow boolean(std::string name, bool value, std::string meaning) {
  return {{std::move(name), SettingType::boolean, value, {}, {}, "", std::move(meaning)}};
}
ValueRow vector(std::string name, std::string unit, std::string meaning) {
  return {{std::move(name),
           SettingType::vector,
           std::array<double, 3>{},
           {},
           {},
           std::move(unit),
           std::move(meaning)}};
}
ValueRow text(std::string name, std::string meaning) {
  return {{std::move(name), SettingType::text, std::string(), {}, {}, "", std::move(meaning)},
          false,
          true};
}

EditTable set_table() {
  auto t = edit("set", "Changes a setting of the method.", "The setting's name.");
  t.bind([](auto& s) -> auto& { return s.value; },
         {.name = "value",
          .required = true,
          .meaning = "The new value, as the setting's table says."});
  return t;
}
EditTable pose_table() {
  EditTable t = edit("pose", "Puts a body somewhere else.", "The body.");
  // the place's rows, bound one level deeper
  t.bind([](auto& s) -> auto& { return s.place.position; },
         {.name = "position", .unit = "m", .range = kCoordinate, .meaning = "Its new place."});
  t.bind([](auto& s) -> auto& { return s.place.orientation_wxyz; },
         {.name = "orientation_wxyz",
          .unit = "1",
          .range = {-2.0, 2.0},
          .default_text = "no rotation",
          .meaning = "As of a body."});
  t.bind([](auto& s) -> auto& { return s.place.axis_angle_deg; },
         {.name = "axis_angle_deg",
          .unit = "1, degree",
          .range = kCoordinate,
          .default_text = "no rotation",
          .meaning = "As of a body."});
  t.bind([](auto& s) -> auto& { return s.place.roll_pitch_yaw_deg; },
         {.name = "roll_pitch_yaw_deg",
          .unit = "degree",
          .range = kCoordinate,
          .default_text = "no rotation",
          .meaning = "As of a body."});
  t.check([](Reading& reading, JsonView at, const SceneEdit& in) {
    return check_placement(reading, at, in.place);
  });
  return t;
}
EditTable add_table() {
  EditTable t = edit("add", "A new body appears, or a new force.", "");
  t.field(&SceneEdit::body, {.name = "body", .meaning = "The body."});
  t.field(&SceneEdit::force,
          {.name = "force",
           .meaning = "Instead of a body: a push, a connection or a spring, with a "
                      "name of its own."});
  t.check([](Reading& reading, JsonView at, const SceneEdit& in) {
    if (in.body.has_value() == in.force.has_value())
      return reading.fail(at, "adds nothing, or two things", "either `body` or `force`");
    const bool named = !in.force || !in.force->force.name.empty();
    return named || reading.fail(at, "a force without a name", "`name` of the force");
  });
  return t;
}
EditTable material_edit_table() {
  EditTable t = edit("material", "Changes what a body is made of.", "The body.");
  t.value(edit_values, optional_value("density", SettingType::number, 0.0, {0.0, 1e9, true, false},
                                      "kg/m^3", "Its mass follows."));
  t.value(edit_values, optional_value("friction", SettingType::number, 0.0, {0.0, 100.0}, "1",
                                      "Coulomb coefficient."));
  t.value(edit_values, optional_value("restitution", SettingType::number, 0.0, kShare, "1",
                                      "Share of speed that returns."));
  t.value(edit_values, optional_value("young_modulus", SettingType::number, 0.0, {0.0, 1e15}, "Pa",
                                      "Soft bodies: stress over stretch."));
  t.value(edit_values, optional_value("damping", SettingType::number, 0.0, {0.0, 1e9}, "s",
                                      "Soft bodies: of motion within the body."));
  t.value(edit_values, optional_value("drag", SettingType::number, 0.0, {0.0, 1e9}, "1/s",
                                      "Soft bodies: of the medium."));
  return t;
}
EditTable nudge_table() {
  EditTable t = edit("nudge", "Moves a body a little.", "The body.");
  t.value(edit_values, vector("move", "m", "By how much; world axes."));
  t.value(edit_values, vector("turn", "rad", "Rotation vector about the centre of mass."));
  return t;
}
EditTable freeze_table() {
  EditTable t = edit("freeze", "Holds freedoms of a body and lets go of the others.", "The body.");
  for (const char* freedom : {"x", "y", "z", "turn_x", "turn_y", "turn_z"})
    t.value(edit_values, boolean(freedom, false, "Held."));
  return t;
}
EditTable collide_table() {
  EditTable t = edit("collide", "Lets a body touch others, or nothing.", "The body.");
  t.value(edit_values, boolean("on", true, "Whether it touches."));
  return t;
}
EditTable attach_table() {
  EditTable t = edit("attach", "From now on a body moves with another.", "The body.");
  t.value(edit_values, text("to", "The other body."));
  return t;
}
EditTable replicate_table() {
  EditTable t = edit("replicate", "A copy of a body appears.", "The body.");
  t.value(edit_values, text("name", "Name of the copy."));
  t.value(edit_values, vector("move", "m", "From the original to the copy; world axes."));
  return t;
}

ValueRow optional_vector(std::string name, std::string unit, std::string meaning) {
  ValueRow row = vector(std::move(name), std::move(unit), std::move(meaning));
  row.has_default = false;
  return row;
}
ValueRow optional_number(std::string name, Range range, std::string unit, std::string meaning) {
  return optional_value(std::move(name), SettingType::number, 0.0, range, std::move(unit),
                        std::move(meaning));
}
constexpr Range kAbove{0.0, 1e30, true, false};
constexpr Range kNotBelow{0.0, 1e30};

EditTable drag_table() {
  EditTable t =
      edit("drag",
           "A spring pulls a body's point to a handle that moves (mechanism, molecule, surfel); "
           "again for the same body: the handle goes on from where it is.",
           "The body.");
  t.value(edit_values, optional_vector("point", "m",
                                       "Its point; body frame. Its centre of mass, or "
                                       "the point held before, unless given."));
  ValueRow to = vector("to", "m", "Where the handle goes; world frame.");
  to.has_default = false;
  to.required = true;
  t.value(edit_values, to);
  t.value(edit_values, optional_number("speed", kNotBelow, "m/s",
                                       "Of the handle; it is there at once unless given."));
  t.value(edit_values, optional_number("stiffness", kAbove, "N/m",
                                       "Of the spring; two swings of the body in a second unless "
                                       "given."));
  t.value(edit_values, optional_number("damping", kNotBelow, "N s/m",
                                       "Against the point's velocity; critical unless given."));
  t.value(edit_values, optional_number("max_force", kAbove, "N",
                                       "It never pulls harder; 20 weights unless given."));
  return t;
}
EditTable join_table() {
  EditTable t = edit("join", "A new joint (mechanism).", "Its name.");
  t.value(edit_values, text("joint", "Its kind, as of `joint`."));
  t.value(edit_values, text("body_a", "The first body."));
  ValueRow second = text("body_b", "The second body; the world unless given.");
  second.required = false;
  t.value(edit_values, second);
  t.value(edit_values, optional_vector("point_a", "m", "Body frame of the first."));
  t.value(edit_values, optional_vector("point_b", "m",
                                       "Body frame of the second, or the world's; "
                                       "where point_a stands unless given."));
  t.value(edit_values, optional_vector("axis", "1", "Body frame of the first."));
  for (const char* name :
       {"length", "ratio", "speed", "max_torque", "stiffness", "damping", "angle_min", "angle_max",
        "travel_min", "travel_max", "length_min", "length_max"})
    t.value(edit_values, optional_number(name, {-1e30, 1e30}, "", "As of `joint`."));
  t.value(edit_values,
          optional_value("collides", SettingType::boolean, false, {}, "", "As of `joint`."));
  return t;
}

}  // namespace

const SharedKinds<SceneEdit, EditKind>& edit_kinds() {
  static const auto table = [] {
    SharedKinds<SceneEdit, EditKind> kinds(
        "edit", "One change.", [](const SceneEdit& e) { return e.kind; },
        [](SceneEdit& e, EditKind kind) { e.kind = kind; });
    kinds.kind(set_table()).kind(pose_table()).kind(add_table());
    kinds.kind(edit("remove", "A body, joint or force goes.", "Its name."));
    kinds.kind(edit("fix", "A body stops moving for good.", "The body."));
    kinds.kind(edit("free", "A fixed body may move; of a soft one all its points.", "The body."));
    kinds.kind(material_edit_table()).kind(nudge_table()).kind(freeze_table());
    kinds.kind(collide_table()).kind(attach_table());
    kinds.kind(edit("stick", "A body stays where it touches.", "The body."));
    kinds.kind(replicate_table()).kind(drag_table());
    kinds.kind(
        edit("release", "A dragged body is let go (mechanism, molecule, surfel).", "The body."));
    kinds.kind(join_table());
    kinds.kind(edit("stop", "The run ends.", ""));
    return kinds;
  }();
  return table;
}

}  // namespace repose
