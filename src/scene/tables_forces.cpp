// Forces, joints and edits: kinds whose values methods look up by name.
#include "tables.h"

namespace repose {

namespace {

ValueRow number(std::string name, double value, Range range, std::string unit,
                std::string meaning) {
  return {{std::move(name),
           SettingType::number,
           value,
           range,
           {},
           std::move(unit),
           std::move(meaning)}};
}
ValueRow optional_number(std::string name, Range range, std::string unit, std::string meaning) {
  ValueRow row = number(std::move(name), 0.0, range, std::move(unit), std::move(meaning));
  row.has_default = false;
  return row;
}
ValueRow needed_number(std::string name, Range range, std::string unit, std::string meaning) {
  ValueRow row = optional_number(std::move(name), range, std::move(unit), std::move(meaning));
  row.required = true;
  return row;
}
ValueRow boolean(std::string name, bool value, std::string meaning) {
  return {{std::move(name), SettingType::boolean, value, {}, {}, "", std::move(meaning)}};
}
ValueRow choice(std::string name, std::vector<std::string> choices, std::string meaning) {
  std::string first = choices.front();
  return {{std::move(name),
           SettingType::choice,
           std::move(first),
           {},
           std::move(choices),
           "",
           std::move(meaning)}};
}

// ---- forces

using ForceTable = ObjectTable<SceneForce>;

constexpr auto force_values = [](auto& s) -> auto& {
  return s.force.values;
};

ForceTable force(std::string kind, std::string about) {
  ForceTable t(std::move(kind), std::move(about));
  t.bind([](auto& s) -> auto& { return s.force.name; },
         {.name = "name", .meaning = "For events and pages."});
  return t;
}
void one_body(ForceTable& t) {
  t.bind([](auto& s) -> auto& { return s.force.body_a; },
         {.name = "body", .required = true, .meaning = "The body it acts on."});
  t.bind([](auto& s) -> auto& { return s.force.point_a; },
         {.name = "point", .unit = "m", .range = kCoordinate, .meaning = "Where; body frame."});
}
void two_bodies(ForceTable& t) {
  t.bind([](auto& s) -> auto& { return s.force.body_a; },
         {.name = "body_a", .required = true, .meaning = "The first body."});
  t.bind(
      [](auto& s) -> auto& { return s.force.point_a; },
      {.name = "point_a", .unit = "m", .range = kCoordinate, .meaning = "Its point; body frame."});
  t.bind([](auto& s) -> auto& { return s.force.body_b; },
         {.name = "body_b", .default_text = "the world", .meaning = "The second body."});
  t.bind([](auto& s) -> auto& { return s.force.point_b; },
         {.name = "point_b",
          .unit = "m",
          .range = kCoordinate,
          .meaning = "Its point; body frame, or the world's where there is no second body."});
}

ForceTable push_table() {
  auto t = force("push", "A constant force at a point of a body.");
  one_body(t);
  t.bind([](auto& s) -> auto& { return s.force.vector; },
         {.name = "vector",
          .unit = "N",
          .range = {-1e15, 1e15},
          .required = true,
          .meaning = "The force; world axes."});
  return t;
}
ForceTable connect_table() {
  auto t = force("connect",
                 "Draws two points together with a force that does not depend on their distance.");
  two_bodies(t);
  t.value(force_values, number("strength", 1.0, kPositive, "1",
                               "In weights of the lighter movable body. Larger: stronger than "
                               "gravity sooner."));
  return t;
}
ForceTable spring_table() {
  auto t = force("spring", "A spring between two points.");
  two_bodies(t);
  t.value(force_values, needed_number("stiffness", kPositive, "N/m", "Force for each metre."));
  t.value(force_values, number("length", 0.0, {0.0, 1e9}, "m", "Length without force."));
  t.value(force_values,
          number("damping", 0.0, kNotNegative, "N s/m", "Force against each m/s of stretching."));
  return t;
}
ForceTable attract_table() {
  auto t =
      force("attract", "Bodies of a group attract one another, or all are drawn to a fixed point.");
  t.bind([](auto& s) -> auto& { return s.force.body_a; },
         {.name = "group", .default_text = "all movable bodies", .meaning = "The group."});
  t.bind([](auto& s) -> auto& { return s.force.body_b; },
         {.name = "to",
          .default_text = "one another",
          .meaning = "The body they are drawn to; \"world\" for the fixed `point`."});
  t.bind([](auto& s) -> auto& { return s.force.point_b; },
         {.name = "point",
          .unit = "m",
          .range = kCoordinate,
          .meaning = "In the frame of `to`, or the world's."});
  t.value(force_values,
          choice("law", {"constant", "inverse_square", "spring", "short_range"},
                 "How the force depends on the distance of the centres; towards what does "
                 "not move a constant one fades within a tenth of the body's radius."));
  t.value(force_values, number("strength", 1.0, {-1e15, 1e15}, "N, N m^2 or N/m",
                               "Factor of the law; negative repels."));
  t.value(force_values, number("range", 0.1, kLength, "m",
                               "Beyond this distance of the surfaces a short_range force is 0."));
  return t;
}

ForceTable pull_table() {
  auto t =
      force("pull", "A force over time, at points of a soft body or at a point of a rigid one.");
  one_body(t);
  t.bind([](auto& s) -> auto& { return s.force.points; },
         {.name = "points",
          .range = {0.0, 1e8},
          .meaning = "Soft bodies: points on each of which it acts, from 0."});
  t.field(&SceneForce::boxes,
          {.name = "boxes",
           .meaning = "Soft bodies: it acts on each point in these as well. Without points and "
                      "boxes it acts on every point."});
  t.bind([](auto& s) -> auto& { return s.force.times; },
         {.name = "times",
          .unit = "s",
          .range = {-1e12, 1e12},
          .required = true,
          .meaning = "Increasing."});
  t.bind([](auto& s) -> auto& { return s.force.vectors; },
         {.name = "vectors",
          .unit = "N",
          .range = {-1e15, 1e15},
          .required = true,
          .meaning = "The force at each time; world axes. Linear in between, before the first and "
                     "after the last as there."});
  t.check([](Reading& reading, JsonView at, const SceneForce& in) {
    return check_times(reading, at, in.force.times, "vectors", in.force.vectors.size());
  });
  return t;
}

// ---- joints

using JointTable = ObjectTable<SceneJoint>;

constexpr auto joint_values = [](auto& s) -> auto& {
  return s.joint.values;
};

enum class Axis { none, wanted };

JointTable joint(std::string kind, std::string about, Axis axis = Axis::none) {
  JointTable t(std::move(kind), std::move(about));
  t.bind([](auto& s) -> auto& { return s.joint.name; },
         {.name = "name", .meaning = "Unique among joints where given; for events and pages."});
  t.bind([](auto& s) -> auto& { return s.joint.body_a; },
         {.name = "body_a", .required = true, .meaning = "The first body."});
  t.bind([](auto& s) -> auto& { return s.joint.body_b; },
         {.name = "body_b", .default_text = "the world", .meaning = "The second body."});
  t.bind([](auto& s) -> auto& { return s.joint.point_a; },
         {.name = "point_a",
          .unit = "m",
          .range = kCoordinate,
          .meaning = "Body frame of the first."});
  t.field(&SceneJoint::point_b, {.name = "point_b",
                                 .unit = "m",
                                 .range = kCoordinate,
                                 .default_text = "where point_a stands at the start",
                                 .meaning = "Body frame of the second, or the world's."});
  if (axis == Axis::wanted)
    t.bind(
        [](auto& s) -> auto& { return s.joint.axis; },
        {.name = "axis", .unit = "1", .range = kCoordinate, .meaning = "Body frame of the first."});
  return t;
}

constexpr Range kAngle{-1e6, 1e6};

/// Of joints that hold two bodies at a point.
void add_collides(JointTable& t) {
  t.value(joint_values,
          boolean("collides", false,
                  "The two bodies touch each other; false: they pass, as links do at their pin."));
}

JointTable pin_table() {
  auto t = joint("pin", "The two points stay together; the bodies turn freely about them.");
  add_collides(t);
  t.value(joint_values, optional_number("angle_min", kAngle, "rad", "Least turn from the start."));
  t.value(joint_values, optional_number("angle_max", kAngle, "rad", "Greatest turn."));
  return t;
}
JointTable weld_table() {
  auto t = joint("weld", "The two bodies move as one.");
  add_collides(t);
  return t;
}
JointTable travel_table(std::string kind, std::string about) {
  auto t = joint(std::move(kind), std::move(about), Axis::wanted);
  add_collides(t);
  t.value(joint_values, optional_number("travel_min", kCoordinate, "m", "Least travel."));
  t.value(joint_values, optional_number("travel_max", kCoordinate, "m", "Greatest travel."));
  return t;
}
JointTable length_table(std::string kind, std::string about) {
  auto t = joint(std::move(kind), std::move(about));
  t.value(joint_values,
          optional_number("length", {0.0, 1e9, true, false}, "m", "As at the start unless given."));
  return t;
}
JointTable gear_table() {
  auto t = joint("gear", "The turns of the two bodies keep a ratio.", Axis::wanted);
  t.value(joint_values, number("ratio", -1.0, kCoordinate, "1",
                               "Turns of the second for one turn of the first."));
  return t;
}
JointTable motor_table() {
  auto t = joint("motor", "Turns the first body about the axis at a speed.", Axis::wanted);
  t.value(joint_values, number("speed", 1.0, kCoordinate, "rad/s", "The speed it tries to hold."));
  t.value(joint_values, optional_number("max_torque", kPositive, "N m", "No limit unless given."));
  return t;
}
JointTable joint_spring_table() {
  auto t = joint("spring", "A spring between the two points.");
  t.value(joint_values, needed_number("stiffness", kPositive, "N/m", "Force for each metre."));
  t.value(joint_values, number("length", 0.0, {0.0, 1e9}, "m", "Length without force."));
  t.value(joint_values,
          number("damping", 0.0, kNotNegative, "N s/m", "Force against each m/s of stretching."));
  constexpr Range kLength{0.0, 1e9};
  t.value(joint_values, optional_number("length_min", kLength, "m", "It comes no shorter."));
  t.value(joint_values, optional_number("length_max", kLength, "m", "It comes no longer."));
  return t;
}

}  // namespace

const SharedKinds<SceneForce, ForceKind>& force_kinds() {
  static const auto table = [] {
    SharedKinds<SceneForce, ForceKind> kinds(
        "force", "A force or potential beside gravity.",
        [](const SceneForce& f) { return f.force.kind; },
        [](SceneForce& f, ForceKind kind) { f.force.kind = kind; });
    kinds.kind(push_table()).kind(connect_table()).kind(spring_table()).kind(attract_table());
    kinds.kind(pull_table());
    return kinds;
  }();
  return table;
}

const SharedKinds<SceneJoint, JointKind>& joint_kinds() {
  static const auto table = [] {
    SharedKinds<SceneJoint, JointKind> kinds(
        "joint", "What holds a body to another, or to the world.",
        [](const SceneJoint& j) { return j.joint.kind; },
        [](SceneJoint& j, JointKind kind) { j.joint.kind = kind; });
    kinds.kind(pin_table());
    kinds.kind(
        travel_table("point_on_line", "point_a stays on the line through point_b along the axis."));
    kinds.kind(travel_table("slider", "The first body slides along the axis without turning."));
    kinds.kind(weld_table());
    kinds.kind(length_table("rod", "The two points keep their distance."));
    kinds.kind(length_table("rope", "The two points come no farther apart than the length."));
    kinds.kind(gear_table()).kind(motor_table()).kind(joint_spring_table());
    return kinds;
  }();
  return table;
}

}  // namespace repose
