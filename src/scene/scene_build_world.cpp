#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include "repose/scene/scene.h"
#include "repose/world/joined.h"

#include "build_shapes.h"
#include "build_soft.h"
#include "checks.h"
#include "instances.h"
#include "tables.h"

namespace repose {

namespace {

/// Fineness of fixed bodies that new ones must keep clear of. Chord error over bounding radius.
constexpr double kObstacleChord = 2e-3;

/// Builds the world of one scene piece by piece; the first error ends it.
class WorldBuilder {
 public:
  explicit WorldBuilder(const Scene& scene) : scene_(scene), shapes_(scene) {
    for (const auto& [name, material] : scene.materials) {
      materials_[name] = material;
      materials_[name].name = name;
    }
  }

  bool run() {
    world_.problem.name = scene_.name;
    world_.problem.gravity = scene_.gravity;
    for (const SceneBody& body : scene_.bodies)
      if (!add_body(body)) return false;
    for (const Instances& set : scene_.instances)
      if (!add_instances(set)) return false;
    for (std::size_t i = 0; i < world_.problem.bodies.size(); ++i)
      index_[world_.problem.bodies[i].name] = i;
    return add_forces() && add_joints() && add_events();
  }
  World take() { return std::move(world_); }
  std::optional<InputError> error;

 private:
  bool fail(InputError found) {
    error = std::move(found);
    return false;
  }
  bool fail(SourcePlace place, std::string pointer, std::string wrong, std::string right) {
    return fail(located(scene_, place, std::move(pointer), "", std::move(wrong), std::move(right)));
  }

  /// The body without name and place; false after an error.
  bool make_body(const SceneBody& in, Body& out) {
    auto built = shapes_.build(in.shape);
    if (!built) return fail(built.error());
    return make_body(in, std::move(*built), out);
  }
  bool make_body(const SceneBody& in, shape::ShapePtr shape, Body& out) {
    out.shape = std::move(shape);
    if (!in.material.empty()) out.material = materials_.at(in.material);
    out.fixed = in.fixed;
    out.collides = in.collides;
    out.layer = in.layer;
    out.role = in.role;
    out.groups = in.groups;
    constexpr std::array<const char*, 6> kFreedoms{"x", "y", "z", "turn_x", "turn_y", "turn_z"};
    for (const std::string& held : in.frozen)
      for (std::size_t i = 0; i < kFreedoms.size(); ++i)
        if (held == kFreedoms[i]) out.frozen[i] = true;
    return is_soft(*out.shape) ? set_soft(in, out) : set_rigid(in, out);
  }
  bool set_soft(const SceneBody& in, Body& out) {
    if (in.path)
      return fail(in.source, "/path", "a soft body cannot be led", "fixed points, or a rigid body");
    if (const auto made = make_soft(in, materials_, out); !made)
      return fail(located(scene_, in.source, made.error()));
    return true;
  }
  bool set_rigid(const SceneBody& in, Body& out) {
    if (in.soft)
      return fail(in.source, "/soft", "this shape has no soft points",
                  "a sphere_set, lattice, fill or point_set");
    return set_mass(in, out);
  }
  bool set_mass(const SceneBody& in, Body& out) {
    const shape::VolumeProperties& volume = out.shape->volume;
    const bool endless = !std::isfinite(out.shape->bounding_radius);
    if (endless && !in.fixed)
      return fail(in.source, "/fixed", "endless ground cannot move", "\"fixed\": true");
    if (endless || !(volume.volume > 0.0)) {
      if (!in.fixed && !in.path)
        return fail(in.source, "/shape", "this shape has no volume and so cannot move",
                    "a closed shape, or \"fixed\": true");
      out.mass = in.mass.value_or(0.0);
      out.center_body = volume.center.allFinite() ? volume.center : Vec3::Zero();
      return true;
    }
    const double density = in.mass ? *in.mass / volume.volume : out.material.density;
    out.mass = in.mass ? *in.mass : density * volume.volume;
    out.center_body = volume.center;
    out.inertia_body = density * volume.inertia;
    if (!(out.mass > 0.0) || !std::isfinite(out.mass) || !out.inertia_body.allFinite())
      return fail(in.source, "/shape", fmt::format("a body of {} kg", out.mass),
                  "a shape and density whose mass a double can hold");
    return true;
  }

  static BodyState state_of(const SceneBody& in, const Body& body, const Pose& pose) {
    BodyState state;
    state.world_from_body = body.path ? pose_at(*body.path, 0.0) : pose;
    state.velocity = in.velocity;
    state.angular_velocity = in.angular_velocity;
    if (body.soft) state.soft = soft_start(body, pose, in.velocity, in.angular_velocity);
    return state;
  }
  /// The way that a body is led; null where it is not. `around`: world from the path's frame.
  static std::shared_ptr<const Path> path_of(const SceneBody& in, const Pose& around) {
    if (!in.path) return nullptr;
    Path out;
    out.times = in.path->times;
    for (const Placement& place : in.path->places) out.poses.push_back(around * place.pose());
    return std::make_shared<const Path>(std::move(out));
  }

  void put(Body body, BodyState state, SourcePlace source) {
    body.id = {static_cast<std::uint32_t>(world_.problem.bodies.size()), 1};
    if (!body.fixed)
      taken_.push_back(
          {state.world_from_body * body.shape->bounding_center, body.shape->bounding_radius});
    world_.problem.bodies.push_back(std::move(body));
    world_.state.bodies.push_back(std::move(state));
    world_.written.push_back(source);
  }
  bool add_body(const SceneBody& in) {
    Body body;
    if (!make_body(in, body)) return false;
    body.name = in.name;
    body.path = path_of(in, Pose{});
    BodyState state = state_of(in, body, in.pose());
    put(std::move(body), std::move(state), in.source);
    return true;
  }

  static const DrawnBodies* drawn_of(const Arrangement& arrange) {
    if (const auto* scatter = std::get_if<ScatterArrangement>(&arrange)) return scatter;
    return std::get_if<PourArrangement>(&arrange);
  }
  /// What a set of instances finds around it.
  Site site_of(const Instances& set, const std::vector<Body>& patterns) const {
    Site out;
    const auto written = patterns_of(set);
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const shape::Shape& shape = *patterns[i].shape;
      out.patterns.push_back({{written[i]->pose() * shape.bounding_center, shape.bounding_radius},
                              shape.volume.volume});
    }
    out.turns = pattern_turns(set);
    out.seed = scene_.seed;
    const std::vector<std::string>& containers = containers_of(set.arrange);
    if (drawn_of(set.arrange) == nullptr && containers.empty()) return out;
    if (!containers.empty()) out.hollow.emplace(up());
    out.taken = taken_;
    for (std::size_t i = 0; i < world_.problem.bodies.size(); ++i) {
      const Body& body = world_.problem.bodies[i];
      if (!body.fixed || !body.collides) continue;
      const Pose& pose = world_.state.bodies[i].world_from_body;
      out.fixed.push_back(
          {pose.inverse(), std::make_shared<const shape::MeshGap>(*body.shape, kObstacleChord)});
      if (std::find(containers.begin(), containers.end(), body.name) != containers.end())
        out.hollow->add(*body.shape, pose);
    }
    if (out.hollow) out.hollow->finish();
    return out;
  }
  Vec3 up() const {
    const double strength = scene_.gravity.norm();
    return strength > 0.0 ? Vec3(-scene_.gravity / strength) : Vec3(Vec3::UnitZ());
  }

  Result<std::vector<InstancePlace>> places_of(const Instances& set,
                                               const std::vector<Body>& patterns) const {
    const WorkStage stage("finding room for the bodies");
    try {
      return instance_places(set.arrange, site_of(set, patterns));
    } catch (const WorkSpent& spent) {
      return too_much_work(spent, "fewer bodies, or more room for them");
    }
  }

  bool add_instances(const Instances& set) {
    const auto written = patterns_of(set);
    std::vector<Body> patterns(written.size());
    const DrawnBodies* drawn = drawn_of(set.arrange);
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      if (!make_body(*written[i], patterns[i])) return false;
      const shape::Shape& shape = *patterns[i].shape;
      if (drawn != nullptr && drawn->sizes && !std::holds_alternative<shape::Ball>(shape.geometry))
        return fail(set.source, "/arrange/sizes", "only balls have radii to draw",
                    "a body whose shape is a ball");
      if (drawn != nullptr && !std::isfinite(shape.bounding_radius))
        return fail(set.source, "/body/shape", "endless ground cannot be scattered",
                    "a finite shape");
    }
    auto places = places_of(set, patterns);
    if (!places)
      return fail(set.source, "/arrange" + places.error().pointer, places.error().wrong,
                  places.error().right);
    if (world_.problem.bodies.size() + places->size() > static_cast<std::size_t>(kMostBodies))
      return fail(set.source, "/arrange", fmt::format("{} bodies", places->size()),
                  fmt::format("at most {} bodies in a scene", kMostBodies));
    const auto turns = pattern_turns(set);
    std::int64_t number = 0;
    for (const InstancePlace& place : *places) {
      const std::size_t turn = turns[static_cast<std::size_t>(number) % turns.size()];
      const SceneBody& pattern = *written[turn];
      Body body = patterns[turn];
      if (place.radius > 0.0) {
        auto ball = shape::make_ball({place.radius});
        if (!ball) return fail(located(scene_, set.source, ball.error()));
        if (!make_body(pattern, std::move(*ball), body)) return false;
      }
      body.name = instance_name(set.name, ++number);
      body.path = path_of(pattern, place.world_from_instance);
      BodyState state = state_of(pattern, body, place.world_from_instance * pattern.pose());
      put(std::move(body), std::move(state), set.source);
    }
    return true;
  }

  bool add_forces() {
    for (const SceneForce& item : scene_.forces) {
      Force force = item.force;
      force.values = force_kinds().completed(item, force.values);
      const auto body = index_.find(force.body_a);
      // a body that an event adds has no points to choose yet
      if (force.kind == ForceKind::pull && body == index_.end())
        return fail(item.source, "/body", "this body comes later", "a body that is there at first");
      if (force.kind == ForceKind::pull) {
        auto points = pulled_points(item, world_.problem.bodies[body->second]);
        if (!points) return fail(located(scene_, item.source, points.error()));
        force.points = std::move(*points);
      }
      world_.problem.forces.push_back(std::move(force));
    }
    return true;
  }

  bool add_joints() {
    for (const SceneJoint& item : scene_.joints) {
      Joint joint = item.joint;
      for (const std::string& name : {joint.body_a, joint.body_b})
        if (!name.empty() && index_.count(name) == 0)
          return fail(item.source, "", "there is no body " + name, "fewer instances were made");
      joint.id = {static_cast<std::uint32_t>(world_.problem.joints.size()), 1};
      joint.values = joint_kinds().completed(item, joint.values);
      joint.axis.normalize();
      const Vec3 point_world = pose_of(joint.body_a) * joint.point_a;
      joint.point_b = item.point_b.value_or(
          joint.body_b.empty() ? point_world : pose_of(joint.body_b).inverse() * point_world);
      note_start(joint, pose_of(joint.body_a),
                 joint.body_b.empty() ? Pose() : pose_of(joint.body_b));
      world_.problem.joints.push_back(std::move(joint));
    }
    return true;
  }
  const Pose& pose_of(const std::string& name) const {
    return world_.state.bodies[index_.at(name)].world_from_body;
  }

  /// As the session reads it: its target is the force's name, its values are the force's.
  static void write_force(const SceneForce& in, Edit& out) {
    const Force& force = in.force;
    const auto vector = [](const Vec3& v) { return std::array<double, 3>{v.x(), v.y(), v.z()}; };
    out.target = force.name;
    out.values = force_kinds().completed(in, force.values);
    out.values["force"] = name_of(force.kind);
    out.values["body_a"] = force.body_a;
    if (!force.body_b.empty()) out.values["body_b"] = force.body_b;
    out.values["point_a"] = vector(force.point_a);
    out.values["point_b"] = vector(force.point_b);
    if (force.kind == ForceKind::push) out.values["vector"] = vector(force.vector);
  }

  bool add_events() {
    int rests = 0;
    for (std::size_t e = 0; e < scene_.events.size(); ++e) {
      const SceneEvent& event = scene_.events[e];
      rests += event.at_rest ? 1 : 0;
      for (std::size_t k = 0; k < event.edits.size(); ++k) {
        const SceneEdit& in = event.edits[k];
        TimedEvent out;
        out.pointer = fmt::format("/events/{}/edits/{}", e, k);
        if (event.at_time) out.when = AtTime{*event.at_time};
        if (event.at_step) out.when = AtStep{*event.at_step};
        if (event.at_rest) out.when = AtRest{rests};
        out.edit.kind = in.kind;
        out.edit.target = in.target;
        out.edit.values = edit_kinds().completed(in, in.values);
        if (in.kind == EditKind::set) out.edit.values["value"] = in.value;
        out.edit.body_state.world_from_body = in.place.pose();
        if (in.force) write_force(*in.force, out.edit);
        if (in.body) {
          Body body;
          if (!make_body(*in.body, body)) return false;
          body.name = in.body->name;
          body.path = path_of(*in.body, Pose{});
          out.edit.target = body.name;
          out.edit.body_state = state_of(*in.body, body, in.body->pose());
          out.edit.body = std::make_shared<const Body>(std::move(body));
        }
        world_.problem.events.push_back(std::move(out));
      }
    }
    return true;
  }

  const Scene& scene_;
  ShapeBuilder shapes_;
  std::unordered_map<std::string, Material> materials_;
  std::unordered_map<std::string, std::size_t> index_;  // body by name
  std::vector<TakenBall> taken_;
  World world_;
};

}  // namespace

Result<World> build_world(const Scene& scene) {
  if (const auto shapes = check_shapes(scene); !shapes) return shapes.error();
  if (const auto names = check_references(scene); !names) return names.error();
  const WorkLimit budget(kLoadWork);
  WorldBuilder builder(scene);
  if (!builder.run()) return *builder.error;
  return builder.take();
}

}  // namespace repose
