// What joints, springs and pushes carry, as the judge is told of it: each case is a body whose
// balance is known by hand.
#include "repose/run/judge_input.h"

#include <cmath>

#include <gtest/gtest.h>

#include "repose/math/pose.h"
#include "repose/run/judge.h"
#include "repose/shape/make.h"
#include "repose/world/joined.h"

namespace repose {
namespace {

using check::Answer;

constexpr double kGravity = 9.81;  // m/s^2
constexpr double kSmall = 1e-2;    // of size: a joint or stop so far off holds nothing

/// Boxes that touch nothing, in a world that is moved and scaled as a whole.
struct Machine {
  Problem problem;
  State state;
  Pose moved;
  double scale = 1.0;

  Machine(const Pose& world, double size) : moved(world), scale(size) {
    problem.gravity = moved.turn(Vec3(0.0, 0.0, -kGravity));
  }
  /// A brick of one kilogram with its middle at `middle` (of scale).
  Body& add(const std::string& name, const Vec3& middle, const Pose& turned = {}) {
    Body body;
    body.name = name;
    shape::BoxInput in;
    in.size = scale * Vec3(0.4, 0.3, 0.2);
    body.shape = shape::make_box(in).value();
    body.mass = 1.0;
    body.inertia_body = Mat3::Identity() * scale * scale;
    body.collides = false;
    problem.bodies.push_back(body);
    BodyState at;
    at.world_from_body = moved * Pose(scale * middle, turned.rotation);
    state.bodies.push_back(at);
    return problem.bodies.back();
  }
  /// A point of the unmoved world in a body's frame, or where it stands now.
  Vec3 seen_from(const std::string& body, const Vec3& point) const {
    const Vec3 world = moved * (scale * point);
    const int i = body.empty() ? -1 : problem.find_body(body);
    return i < 0 ? world
                 : state.bodies[static_cast<std::size_t>(i)].world_from_body.inverse() * world;
  }
  /// Between points of the unmoved world; the axis too is of the unmoved world.
  Joint& join(JointKind kind, const std::string& a, const Vec3& at_a, const std::string& b,
              const Vec3& at_b, const Vec3& axis = Vec3::UnitZ()) {
    Joint joint;
    joint.kind = kind;
    joint.name = "joint";
    joint.body_a = a;
    joint.body_b = b;
    joint.point_a = seen_from(a, at_a);
    joint.point_b = seen_from(b, at_b);
    const auto i = static_cast<std::size_t>(problem.find_body(a));
    joint.axis = state.bodies[i].world_from_body.inverse().turn(moved.turn(axis));
    problem.joints.push_back(joint);
    return problem.joints.back();
  }
  Answer balanced() const { return judge(problem, state).balanced; }
};

/// Every case in three sizes and a few places.
template <class Build>
void expect(Answer answer, const char* what, const Build& build) {
  Random random(31);
  for (const double scale : {1e-3, 1.0, 1e3})
    for (int turn = 0; turn < 3; ++turn) {
      const Pose world(scale * random_direction(random), random_rotation(random));
      Machine machine(world, scale);
      build(machine);
      EXPECT_EQ(machine.balanced(), answer) << what << " at scale " << scale;
    }
}

const Vec3 kMiddle(0.1, -0.2, 0.3);
const Vec3 kAbove = kMiddle + Vec3(0.0, 0.0, 0.15), kBeside = kMiddle + Vec3(0.15, 0.0, 0.0);
const Pose kTurned(Vec3::Zero(), Quat(0.8, 0.36, -0.48, 0.0));

TEST(JudgeInput, a_pin_carries_what_hangs_straight_below_it) {
  expect(Answer::proven, "pin above", [](Machine& m) {
    m.add("body", kMiddle, kTurned);
    m.join(JointKind::pin, "body", kAbove, "", kAbove);
  });
  expect(Answer::missed, "pin beside", [](Machine& m) {
    m.add("body", kMiddle, kTurned);
    m.join(JointKind::pin, "body", kBeside, "", kBeside);
  });
  expect(Answer::missed, "pin that has come apart", [](Machine& m) {
    m.add("body", kMiddle, kTurned);
    m.join(JointKind::pin, "body", kAbove, "", kAbove + Vec3(0.0, 0.0, kSmall));
  });
  expect(Answer::missed, "pin apart by a thousandth of a percent", [](Machine& m) {
    m.add("body", kMiddle);
    m.join(JointKind::pin, "body", kAbove, "", kAbove + Vec3(0.0, 0.0, 1e-5));
  });
  expect(Answer::proven, "pin within its tolerance", [](Machine& m) {
    m.add("body", kMiddle);
    m.join(JointKind::pin, "body", kAbove, "", kAbove + Vec3(0.0, 0.0, 1e-8));
  });
}

TEST(JudgeInput, a_weld_carries_a_weight_beside_it) {
  expect(Answer::proven, "weld", [](Machine& m) {
    m.add("body", kMiddle, kTurned);
    m.join(JointKind::weld, "body", kBeside, "", kBeside);
  });
}

TEST(JudgeInput, a_slider_carries_across_its_axis_and_at_its_stops) {
  const auto slider = [](const Vec3& axis, const char* stop, double at) {
    return [=](Machine& m) {
      m.add("body", kMiddle, kTurned);
      // the body's point stands 0.1 along the axis past the world's
      Joint& made = m.join(JointKind::slider, "body", kBeside + 0.1 * axis, "", kBeside, axis);
      if (stop != nullptr) made.values[stop] = m.scale * at;
    };
  };
  expect(Answer::proven, "level axis", slider(Vec3::UnitX(), nullptr, 0.0));
  expect(Answer::missed, "upright axis", slider(Vec3::UnitZ(), nullptr, 0.0));
  expect(Answer::missed, "sloping axis", slider(Vec3(0.6, 0.0, 0.8), nullptr, 0.0));
  expect(Answer::proven, "upright axis at its lower stop",
         slider(Vec3::UnitZ(), "travel_min", 0.1));
  expect(Answer::missed, "upright axis at its upper stop",
         slider(Vec3::UnitZ(), "travel_max", 0.1));
  expect(Answer::missed, "lower stop not met", slider(Vec3::UnitZ(), "travel_min", 0.09));
  expect(Answer::missed, "through its lower stop", slider(Vec3::UnitZ(), "travel_min", 0.11));
  expect(Answer::proven, "downward axis at its upper stop",
         slider(-Vec3::UnitZ(), "travel_max", 0.1));
  expect(Answer::missed, "downward axis at its lower stop",
         slider(-Vec3::UnitZ(), "travel_min", 0.1));
  expect(Answer::proven, "sloping axis at its lower stop",
         slider(Vec3(0.6, 0.0, 0.8), "travel_min", 0.1));
}

TEST(JudgeInput, a_point_on_a_line_carries_across_it_and_no_torque) {
  // the body's line goes through `at`, the world's point lies on it, `along` from there
  const auto on_line = [](const Vec3& at, const Vec3& axis, double along = 0.0) {
    return [=](Machine& m) {
      m.add("body", kMiddle, kTurned);
      m.join(JointKind::point_on_line, "body", at, "", at + along * axis, axis);
    };
  };
  expect(Answer::proven, "level line above", on_line(kAbove, Vec3::UnitY()));
  // it presses where the point is, not where the line was given
  expect(Answer::missed, "level line above, beside the middle",
         on_line(kAbove, Vec3::UnitY(), 0.05));
  expect(Answer::proven, "level line given beside the middle",
         on_line(kAbove + Vec3(0.0, 0.05, 0.0), Vec3::UnitY(), -0.05));
  expect(Answer::missed, "upright line", on_line(kAbove, Vec3::UnitZ()));
  expect(Answer::missed, "level line beside", on_line(kBeside, Vec3::UnitY()));
  expect(Answer::missed, "point off its line", [](Machine& m) {
    m.add("body", kMiddle, kTurned);
    m.join(JointKind::point_on_line, "body", kAbove, "", kAbove + Vec3(0.0, 0.0, kSmall),
           Vec3::UnitY());
  });
}

TEST(JudgeInput, a_rod_pulls_and_pushes_and_a_rope_only_pulls) {
  const auto link = [](JointKind kind, const Vec3& at, const Vec3& far, double longer) {
    return [=](Machine& m) {
      m.add("body", kMiddle, kTurned);
      Joint& made = m.join(kind, "body", at, "", far);
      if (longer != 0.0) made.values["length"] = m.scale * ((far - at).norm() + longer);
    };
  };
  const Vec3 up(0.0, 0.0, 0.5), below = kMiddle - Vec3(0.0, 0.0, 0.1);
  expect(Answer::proven, "rod above", link(JointKind::rod, kAbove, kAbove + up, 0.0));
  expect(Answer::proven, "rod below", link(JointKind::rod, below, below - up, 0.0));
  expect(Answer::missed, "rod aside", link(JointKind::rod, kAbove, kAbove + Vec3(0.3, 0, 0.4), 0));
  expect(Answer::missed, "rod too long", link(JointKind::rod, kAbove, kAbove + up, kSmall));
  expect(Answer::missed, "rod too short", link(JointKind::rod, kAbove, kAbove + up, -kSmall));
  expect(Answer::proven, "rope above", link(JointKind::rope, kAbove, kAbove + up, 0.0));
  expect(Answer::missed, "rope below", link(JointKind::rope, below, below - up, 0.0));
  expect(Answer::missed, "slack rope", link(JointKind::rope, kAbove, kAbove + up, kSmall));
  expect(Answer::missed, "torn rope", link(JointKind::rope, kAbove, kAbove + up, -kSmall));
}

TEST(JudgeInput, a_spring_carries_where_its_stretch_is_the_weight) {
  const auto spring = [](double stretch, const char* stop, double at) {
    return [=](Machine& m) {
      m.add("body", kMiddle, kTurned);
      Joint& made = m.join(JointKind::spring, "body", kAbove, "", kAbove + Vec3(0.0, 0.0, 0.5));
      made.values["stiffness"] = kGravity / (0.1 * m.scale);  // 0.1 of scale carries a kilogram
      made.values["length"] = m.scale * (0.5 - stretch);
      if (stop != nullptr) made.values[stop] = m.scale * at;
    };
  };
  expect(Answer::proven, "spring", spring(0.1, nullptr, 0.0));
  expect(Answer::missed, "spring too weak", spring(0.08, nullptr, 0.0));
  expect(Answer::missed, "spring too strong", spring(0.12, nullptr, 0.0));
  expect(Answer::proven, "weak spring at its longest", spring(0.08, "length_max", 0.5));
  expect(Answer::missed, "strong spring at its longest", spring(0.12, "length_max", 0.5));
  expect(Answer::proven, "strong spring at its shortest", spring(0.12, "length_min", 0.5));
  expect(Answer::missed, "weak spring at its shortest", spring(0.08, "length_min", 0.5));
  expect(Answer::missed, "weak spring short of its longest", spring(0.08, "length_max", 0.51));
}

TEST(JudgeInput, a_joint_of_two_bodies_acts_on_both) {
  // the lower hangs on the upper, the upper on the world
  const auto chain = [](JointKind kind, const Vec3& aside) {
    return [=](Machine& m) {
      m.add("upper", kMiddle, kTurned);
      m.add("lower", kMiddle - Vec3(0.0, 0.0, 0.6) + aside);
      m.join(JointKind::pin, "upper", kAbove, "", kAbove);
      const Vec3 between = kMiddle - Vec3(0.0, 0.0, 0.3) + aside;
      const Vec3 apart = kind == JointKind::rod ? Vec3(0.0, 0.0, 0.1) : Vec3::Zero();
      m.join(kind, "upper", between + apart, "lower", between);
    };
  };
  for (const JointKind kind : {JointKind::pin, JointKind::weld, JointKind::rod}) {
    expect(Answer::proven, "straight chain", chain(kind, Vec3::Zero()));
    expect(Answer::missed, "chain aside", chain(kind, Vec3(0.1, 0.0, 0.0)));
  }
  // a slider's axis turns with the first body, whichever way the second is turned
  expect(Answer::proven, "level slider", [](Machine& m) {
    m.add("held", kMiddle, kTurned).fixed = true;
    m.add("body", kBeside);
    m.join(JointKind::slider, "held", kBeside, "body", kBeside, Vec3::UnitY());
  });
  for (const bool first : {false, true})
    expect(Answer::proven, "stop between two", [first](Machine& m) {
      m.add("held", kMiddle, kTurned).fixed = true;
      m.add("body", kBeside);
      // travel is of the first body's point past the second's
      Joint& made = first ? m.join(JointKind::slider, "body", kBeside, "held", kBeside)
                          : m.join(JointKind::slider, "held", kBeside, "body", kBeside);
      made.values[first ? "travel_min" : "travel_max"] = 0.0;
    });
  for (const bool first : {false, true})
    expect(Answer::missed, "stop on the wrong side", [first](Machine& m) {
      m.add("held", kMiddle, kTurned).fixed = true;
      m.add("body", kBeside);
      Joint& made = first ? m.join(JointKind::slider, "body", kBeside, "held", kBeside)
                          : m.join(JointKind::slider, "held", kBeside, "body", kBeside);
      made.values[first ? "travel_max" : "travel_min"] = 0.0;
    });
}

TEST(JudgeInput, a_motor_holds_its_turn_and_nothing_else) {
  // `torque` of what the weight asks for; 0: no limit is given
  const auto arm = [](const Vec3& axis, double torque = 0.0) {
    return [=](Machine& m) {
      m.add("body", kMiddle, kTurned);
      m.join(JointKind::pin, "body", kBeside, "", kBeside);
      Joint& motor = m.join(JointKind::motor, "body", kBeside, "", kBeside, axis);
      motor.values["speed"] = 0.0;
      if (torque > 0.0) motor.values["max_torque"] = torque * kGravity * 0.15 * m.scale;
    };
  };
  expect(Answer::proven, "motor that is strong enough", arm(Vec3::UnitY(), 1.01));
  expect(Answer::missed, "motor that is too weak", arm(Vec3::UnitY(), 0.99));
  expect(Answer::proven, "motor across", arm(Vec3::UnitY()));
  expect(Answer::missed, "motor along", arm(Vec3::UnitX()));
}

TEST(JudgeInput, a_motor_that_shall_turn_drives_with_all_it_has) {
  // `share` of the torque that the weight asks for, about the y axis the weight turns down
  const auto arm = [](double speed, double share, const Vec3& pinned) {
    return [=](Machine& m) {
      m.add("body", kMiddle, kTurned);
      m.join(JointKind::pin, "body", pinned, "", pinned);
      Joint& motor = m.join(JointKind::motor, "body", pinned, "", pinned, Vec3::UnitY());
      motor.values["speed"] = speed;
      motor.values["max_torque"] = share * kGravity * 0.15 * m.scale;
    };
  };
  for (const double speed : {1e-3, 1.0, 1e3}) {
    // one way it holds the weight, no more and no less; the other way it helps it down
    const auto answers = [&](double share) {
      int proven = 0;
      for (const double way : {1.0, -1.0}) {
        Machine m({}, 1.0);
        arm(way * speed, share, kBeside)(m);
        const Answer said = m.balanced();
        EXPECT_NE(said, Answer::undecided);
        proven += said == Answer::proven ? 1 : 0;
      }
      return proven;
    };
    EXPECT_EQ(answers(1.0), 1);
    EXPECT_EQ(answers(1.01), 0);
    EXPECT_EQ(answers(0.99), 0);
    // on an axle through its middle nothing stands against it
    expect(Answer::missed, "free wheel", arm(speed, 1e-3, kMiddle));
  }
  Machine endless({}, 1.0);
  arm(1.0, 1.0, kMiddle)(endless);
  endless.problem.joints.back().values.erase("max_torque");
  EXPECT_EQ(endless.balanced(), Answer::not_judged);
  EXPECT_NE(hidden_loads(endless.problem).find("without a limit"), std::string::npos);
}

TEST(JudgeInput, a_joint_is_measured_by_the_smaller_of_its_bodies) {
  // a brick of 0.2 beside ground without end, or beside a slab a million times as wide
  for (const bool endless : {true, false})
    for (const JointKind kind : {JointKind::pin, JointKind::weld, JointKind::rod, JointKind::rope,
                                 JointKind::point_on_line, JointKind::slider})
      for (const double off : {0.0, 1e-4, 0.1}) {
        Machine m({}, 1.0);
        Body& held = m.add("held", Vec3(0.0, 0.0, -10.0));
        held.shape = endless ? shape::make_half_space().value()
                             : shape::make_box({Vec3(2e5, 2e5, 1.0)}).value();
        held.fixed = true;
        m.add("body", kMiddle);
        const bool line = kind == JointKind::rod || kind == JointKind::rope;
        Joint& made = m.join(kind, "held", line ? kAbove + Vec3(0.0, 0.0, 1.0) : kAbove, "body",
                             kAbove, Vec3::UnitX());
        note_start(made, m.state.bodies[0].world_from_body, m.state.bodies[1].world_from_body);
        made.values["length"] = 1.0;
        m.state.bodies[1].world_from_body.position.z() -= off;
        EXPECT_EQ(m.balanced(), off == 0.0 ? Answer::proven : Answer::missed)
            << name_of(kind) << ", " << off << (endless ? ", endless" : "");
      }
}

TEST(JudgeInput, what_has_left_its_place_at_the_start_is_held_no_more) {
  // the joint is made where the body stands; then the body goes `moved` and turns by `turned`
  const auto left = [](JointKind kind, const Vec3& far, const Vec3& moved, const Vec3& turned) {
    return [=](Machine& m) {
      m.add("body", kMiddle, kTurned);
      Joint& made = m.join(kind, "body", kAbove, "", kAbove + far, Vec3::UnitX());
      Pose& pose = m.state.bodies[0].world_from_body;
      note_start(made, pose, Pose());
      const Vec3 hinge = m.moved * (m.scale * kAbove);
      const Quat turn = rotation_from_vector(m.moved.turn(turned));
      pose.position = hinge + turn * (pose.position - hinge) + m.moved.turn(m.scale * moved);
      pose.rotation = turn * pose.rotation;
    };
  };
  const Vec3 none = Vec3::Zero(), up(0.0, 0.0, 0.5), about_z(0.0, 0.0, 0.3);
  for (const JointKind kind : {JointKind::weld, JointKind::slider}) {
    expect(Answer::proven, "as it was", left(kind, none, none, none));
    expect(Answer::missed, "turned", left(kind, none, none, about_z));
    expect(Answer::missed, "turned by a little", left(kind, none, none, 1e-4 * about_z));
  }
  expect(Answer::proven, "slid", left(JointKind::slider, none, Vec3(0.2, 0.0, 0.0), none));
  for (const JointKind kind : {JointKind::rod, JointKind::rope}) {
    expect(Answer::proven, "as long as it was", left(kind, up, none, none));
    expect(Answer::missed, "longer", left(kind, up, Vec3(0.0, 0.0, -0.1), none));
    expect(Answer::missed, "shorter", left(kind, up, Vec3(0.0, 0.0, 0.1), none));
  }
}

TEST(JudgeInput, a_push_is_not_lost_beside_a_weight_that_is_held) {
  // z of the world stays z: frozen freedoms are the world's
  for (const double newton : {1.0, 1e-6, 1e-9})
    for (const bool plane : {false, true})
      for (const bool level : {false, true}) {
        Machine m({}, 1.0);
        Body& body = m.add("body", Vec3::Zero());
        body.mass = 1e3;
        shape::PlaneRegion disc;
        disc.discs.push_back({Vec2::Zero(), 0.3});
        if (plane) body.shape = shape::make_plane_region(disc).value();
        if (!plane) body.frozen = {false, false, true, true, true, false};
        Force push;
        push.kind = ForceKind::push;
        push.body_a = "body";
        push.vector = Vec3(level ? 0.0 : newton, 0.0, level ? newton : 0.0);
        m.problem.forces.push_back(push);
        EXPECT_EQ(m.balanced(), level ? Answer::proven : Answer::missed) << newton;
      }
}

TEST(JudgeInput, a_push_is_not_lost_beside_a_larger_one_elsewhere) {
  const auto pushed = [](double small) {
    return [=](Machine& m) {
      m.problem.gravity.setZero();
      m.add("calm", kMiddle);
      m.add("pushed", kMiddle + Vec3(3.0, 0.0, 0.0));
      for (const auto& [body, newton] :
           {std::pair("calm", 1e3), std::pair("calm", -1e3), std::pair("pushed", small)}) {
        Force push;
        push.kind = ForceKind::push;
        push.body_a = body;
        push.vector = m.moved.turn(Vec3(newton, 0.0, 0.0));
        m.problem.forces.push_back(push);
      }
    };
  };
  expect(Answer::missed, "a small push", pushed(1e-4));
  expect(Answer::proven, "none", pushed(0.0));
}

TEST(JudgeInput, pushes_springs_and_connections_act_where_they_are) {
  const auto force = [](ForceKind kind, const Vec3& at, const Vec3& vector, double pull) {
    return [=](Machine& m) {
      m.add("body", kMiddle, kTurned);
      Force f;
      f.kind = kind;
      f.body_a = "body";
      f.point_a = m.seen_from("body", at);
      f.point_b = m.moved * (m.scale * (at + Vec3(0.0, 0.0, 0.5)));
      f.vector = m.moved.turn(vector);
      f.values["stiffness"] = pull / m.scale;
      f.values["length"] = 0.3 * m.scale;
      f.values["strength"] = pull;
      m.problem.forces.push_back(f);
    };
  };
  const Vec3 weight(0.0, 0.0, kGravity);
  expect(Answer::proven, "push", force(ForceKind::push, kAbove, weight, 0.0));
  expect(Answer::missed, "push down", force(ForceKind::push, kAbove, -weight, 0.0));
  expect(Answer::missed, "push beside", force(ForceKind::push, kBeside, weight, 0.0));
  // stretched by 0.2
  expect(Answer::proven, "spring", force(ForceKind::spring, kAbove, Vec3::Zero(), 5 * kGravity));
  expect(Answer::missed, "weak spring",
         force(ForceKind::spring, kAbove, Vec3::Zero(), 4 * kGravity));
  expect(Answer::missed, "spring beside",
         force(ForceKind::spring, kBeside, Vec3::Zero(), 5 * kGravity));
  // a share of the weight
  expect(Answer::proven, "connection", force(ForceKind::connect, kAbove, Vec3::Zero(), 1.0));
  expect(Answer::missed, "weak connection", force(ForceKind::connect, kAbove, Vec3::Zero(), 0.5));
}

TEST(JudgeInput, what_the_judge_cannot_be_told_is_not_judged) {
  Machine gears({}, 1.0);
  gears.add("body", kMiddle);
  gears.join(JointKind::pin, "body", kAbove, "", kAbove);
  EXPECT_TRUE(loads_are_described(gears.problem));
  EXPECT_EQ(gears.balanced(), Answer::proven);
  EXPECT_NE(judge(gears.problem, gears.state).details.object(), nullptr);
  // of a state that claims no rest balance is not asked
  JudgeSettings moving;
  moving.judge_balance = false;
  EXPECT_EQ(judge(gears.problem, gears.state, moving).balanced, Answer::not_judged);
  for (const char* stop : {"angle_min", "angle_max"}) {
    Machine stopped = gears;
    stopped.problem.joints[0].values[stop] = 0.0;
    EXPECT_FALSE(loads_are_described(stopped.problem));
    EXPECT_EQ(stopped.balanced(), Answer::not_judged);
  }
  gears.problem.joints[0].kind = JointKind::gear;
  EXPECT_EQ(gears.balanced(), Answer::not_judged);
  EXPECT_TRUE(loads_stay(gears.problem));
  for (const ForceKind kind : {ForceKind::attract, ForceKind::pull}) {
    Problem drawn;
    drawn.forces.resize(1);
    drawn.forces[0].kind = kind;
    EXPECT_FALSE(loads_stay(drawn));
  }
}

TEST(JudgeInput, an_axis_of_any_length_is_a_direction) {
  expect(Answer::proven, "stop on a long axis", [](Machine& m) {
    m.add("body", kMiddle, kTurned);
    Joint& made = m.join(JointKind::slider, "body", kBeside + Vec3(0.0, 0.0, 0.1), "", kBeside,
                         7.0 * Vec3::UnitZ());
    made.values["travel_min"] = m.scale * 0.1;
  });
}

TEST(JudgeInput, a_rod_of_no_length_has_no_direction) {
  for (const JointKind kind : {JointKind::rod, JointKind::rope}) {
    Machine m({}, 1.0);
    m.add("body", kMiddle);
    m.join(kind, "body", kAbove, "", kAbove).values["length"] = 0.0;
    EXPECT_TRUE(judge_input(m.problem, m.state).restraints.empty());
  }
}

TEST(JudgeInput, a_pull_acts_on_the_points_that_there_are) {
  Machine m({}, 1.0);
  Body& body = m.add("soft", kMiddle);
  body.soft = std::make_shared<const SoftBody>();
  m.state.bodies[0].soft.positions = {Vec3(1, 0, 0), Vec3(2, 0, 0)};
  m.state.bodies[0].soft.radii = {0.1, 0.1};
  Force pull;
  pull.kind = ForceKind::pull;
  pull.body_a = "soft";
  pull.points = {1, 0, 5};  // the last is of a part that has come off
  pull.times = {0.0, 2.0};
  pull.vectors = {Vec3::Zero(), Vec3(0, 0, 8)};
  m.problem.forces.push_back(pull);
  m.state.time = 0.5;
  const auto loads = judge_input(m.problem, m.state).loads;
  ASSERT_EQ(loads.size(), 2u);
  EXPECT_EQ(loads[0].point_world, Vec3(2, 0, 0));
  EXPECT_EQ(loads[1].point_world, Vec3(1, 0, 0));
  EXPECT_EQ(loads[0].force, Vec3(0, 0, 2));
  EXPECT_EQ(loads[0].body, 0);
}

TEST(Judge, an_overlap_is_told_in_metres_and_in_sizes) {
  for (const double scale : {1e-3, 1.0, 1e3}) {
    Machine m({}, scale);
    m.add("low", Vec3::Zero()).collides = true;
    m.add("high", Vec3(0.0, 0.0, 0.19)).collides = true;  // bricks 0.2 high
    const Judgement said = judge(m.problem, m.state);
    EXPECT_EQ(said.overlap, Answer::missed);
    ASSERT_TRUE(said.penetration && said.penetration_relative);
    EXPECT_NEAR(*said.penetration, 0.01 * scale, 1e-6 * scale);
    EXPECT_NEAR(*said.penetration_relative, 0.01 / std::sqrt(0.29), 1e-6);
    m.state.bodies[1].world_from_body.position.z() = 5.0 * scale;
    const Judgement free = judge(m.problem, m.state);
    EXPECT_EQ(free.overlap, Answer::proven);
    EXPECT_EQ(free.penetration_relative, 0.0);
  }
}

TEST(JudgeInput, a_body_is_handed_over_whole) {
  Machine m({}, 1.0);
  Body& body = m.add("body", kMiddle, kTurned);
  body.material.friction = 0.37;
  body.center_body = Vec3(0.01, 0.02, 0.03);
  body.frozen = {false, true, false, false, false, true};
  body.layer = 3;
  m.add("held", Vec3(5.0, 0.0, 0.0)).fixed = true;
  m.state.contacts.push_back({});
  m.state.contacts.back().body_a = 1;
  m.state.contacts.back().body_b = 0;
  m.state.contacts.back().point_world = Vec3(1.0, 2.0, 3.0);
  m.state.contacts.back().force_on_b = Vec3(4.0, 5.0, 6.0);
  const check::Input in = judge_input(m.problem, m.state);
  ASSERT_EQ(in.bodies.size(), 2u);
  const check::PlacedBody& first = in.bodies[0];
  EXPECT_EQ(first.name, "body");
  EXPECT_EQ(first.mass, 1.0);
  EXPECT_EQ(first.friction, 0.37);
  EXPECT_EQ(first.center_body, Vec3(0.01, 0.02, 0.03));
  EXPECT_EQ(first.inertia_body, m.problem.bodies[0].inertia_body);
  EXPECT_TRUE(first.frozen[1] && first.frozen[5] && !first.frozen[0]);
  EXPECT_EQ(first.layer, 3);
  EXPECT_FALSE(first.collides);
  EXPECT_FALSE(first.fixed);
  EXPECT_TRUE(in.bodies[1].fixed);
  EXPECT_EQ(in.gravity, m.problem.gravity);
  ASSERT_EQ(in.claims.size(), 1u);
  EXPECT_EQ(in.claims[0].body_a, 1);
  EXPECT_EQ(in.claims[0].body_b, 0);
  EXPECT_EQ(in.claims[0].point_world, Vec3(1.0, 2.0, 3.0));
  EXPECT_EQ(in.claims[0].force_on_b, Vec3(4.0, 5.0, 6.0));
}

}  // namespace
}  // namespace repose
