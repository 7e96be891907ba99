#include "repose/run/edits.h"

namespace repose {
namespace {

Edit edit(EditKind kind, const std::string& target, SettingValues values = {}) {
  Edit out;
  out.kind = kind;
  out.target = target;
  out.values = std::move(values);
  return out;
}

SettingValue vector(const Vec3& v) {
  return std::array<double, 3>{v.x(), v.y(), v.z()};
}

}  // namespace

std::vector<Vec3> rest_points(const Body& body) {
  if (const auto* spheres = std::get_if<shape::SphereSet>(&body.shape->geometry))
    return spheres->centers;
  const auto* points = std::get_if<shape::PointSet>(&body.shape->geometry);
  if (points == nullptr) return {};
  std::vector<Vec3> out = points->phyxels;
  out.insert(out.end(), points->surfels.begin(), points->surfels.end());
  return out;
}

Vec3 point_held(const Body& body, const BodyState& state, const Vec3& at_world) {
  const std::vector<Vec3> rest = rest_points(body);
  if (rest.empty() || state.soft.size() != rest.size())
    return state.world_from_body.inverse() * at_world;
  std::size_t nearest = 0;
  for (std::size_t i = 1; i < rest.size(); ++i)
    if ((state.soft.positions[i] - at_world).squaredNorm() <
        (state.soft.positions[nearest] - at_world).squaredNorm())
      nearest = i;
  return rest[nearest];
}

Edit set_parameter(const std::string& name, const SettingValue& value) {
  return edit(EditKind::set, name, {{"value", value}});
}

Edit reposition(const std::string& body, const Pose& world_from_body) {
  Edit out = edit(EditKind::pose, body);
  out.body_state.world_from_body = world_from_body;
  return out;
}

Edit nudge(const std::string& body, const Vec3& move, const Vec3& turn) {
  return edit(EditKind::nudge, body, {{"move", vector(move)}, {"turn", vector(turn)}});
}

Edit attach(const std::string& body, const std::string& other) {
  return edit(EditKind::attach, body, {{"to", other}});
}

Edit detach(const std::string& body, const std::string& other) {
  return remove(body + "-" + other);
}

Edit stick(const std::string& body) {
  return edit(EditKind::stick, body);
}

Edit replicate(const std::string& body, const std::string& copy, const Vec3& move) {
  return edit(EditKind::replicate, body, {{"name", copy}, {"move", vector(move)}});
}

Edit freeze(const std::string& body, const std::array<bool, 6>& held) {
  return edit(EditKind::freeze, body,
              {{"x", held[0]},
               {"y", held[1]},
               {"z", held[2]},
               {"turn_x", held[3]},
               {"turn_y", held[4]},
               {"turn_z", held[5]}});
}

Edit let_collide(const std::string& body, bool on) {
  return edit(EditKind::collide, body, {{"on", on}});
}

Edit fix(const std::string& body) {
  return edit(EditKind::fix, body);
}

Edit set_free(const std::string& body) {
  return edit(EditKind::free, body);
}

Edit remove(const std::string& name) {
  return edit(EditKind::remove, name);
}

}  // namespace repose
