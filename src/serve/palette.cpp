#include "palette.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "repose/scene/gallery.h"

namespace repose::serve {

namespace {

/// Of a scene in which nothing moves yet, m.
constexpr double kSize = 0.1;

struct Offer {
  shape::ShapeKind kind;
  const char* label;
  Json shape;
};

Json list(std::initializer_list<double> numbers) {
  return Json::Array(numbers.begin(), numbers.end());
}

/// Solids about as large as `s` across.
std::vector<Offer> solids(double s) {
  using Kind = shape::ShapeKind;
  const auto of = [](const char* kind, Json::Object more) {
    more.insert(more.begin(), {"kind", Json(kind)});
    return Json(std::move(more));
  };
  return {
      {Kind::ball, "ball", of("ball", {{"radius", 0.5 * s}})},
      {Kind::box, "box", of("box", {{"size", list({0.8 * s, 0.6 * s, 0.4 * s})}})},
      {Kind::cylinder, "cylinder", of("cylinder", {{"radius", 0.3 * s}, {"height", 0.7 * s}})},
      {Kind::capsule, "capsule", of("capsule", {{"radius", 0.2 * s}, {"height", 0.6 * s}})},
      {Kind::cone, "cone", of("cone", {{"radius", 0.4 * s}, {"height", 0.8 * s}})},
      {Kind::ellipsoid, "ellipsoid",
       of("ellipsoid", {{"radii", list({0.5 * s, 0.4 * s, 0.3 * s})}})},
      {Kind::torus, "torus", of("torus", {{"ring_radius", 0.35 * s}, {"tube_radius", 0.15 * s}})},
  };
}

std::vector<Offer> plane_regions(double s) {
  const double x = 0.4 * s, y = 0.25 * s;
  const Json corners = Json::Array{list({-x, -y}), list({x, -y}), list({x, y}), list({-x, y})};
  const Json block = Json::Object{{"kind", "plane_region"},
                                  {"thickness", 0.2 * s},
                                  {"polygons", Json::Array{Json::Object{{"outer", corners}}}}};
  const Json disc = Json::Object{
      {"kind", "plane_region"},
      {"thickness", 0.2 * s},
      {"discs", Json::Array{Json::Object{{"center", list({0.0, 0.0})}, {"radius", 0.4 * s}}}}};
  return {{shape::ShapeKind::plane_region, "block", block},
          {shape::ShapeKind::plane_region, "disc", disc}};
}

std::vector<std::string> model_names() {
  std::vector<std::string> out;
  std::error_code none;
  const std::filesystem::path folder = std::filesystem::path(data_directory()) / "models";
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().extension() == ".json") out.push_back(entry.path().stem().string());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

Stand stand_above(const Problem& problem, const State& state, const MethodInfo& method) {
  Stand out;
  out.up = method.support.plane() ? Vec3::UnitY() : Vec3::UnitZ();
  if (problem.gravity.norm() > 0.0) out.up = -problem.gravity.normalized();
  Vec3 sum = Vec3::Zero();
  double top = 0.0;
  std::vector<double> sizes;
  bool any = false;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const Body& body = problem.bodies[i];
    if (!std::isfinite(body.size())) continue;
    const SoftState& soft = state.bodies[i].soft;
    Vec3 center = state.bodies[i].world_from_body * body.shape->bounding_center;
    double reach = 0.5 * body.size();
    if (!soft.empty()) {
      center = Vec3::Zero();
      for (std::size_t k = 0; k < soft.size(); ++k)
        center += soft.positions[k] / static_cast<double>(soft.size());
      for (std::size_t k = 0; k < soft.size(); ++k)
        reach = std::max(reach, (soft.positions[k] - center).norm() + soft.radii[k]);
    }
    const double high = out.up.dot(center) + reach;
    top = any ? std::max(top, high) : high;
    any = true;
    if (body.held()) continue;
    sizes.push_back(body.size());
    sum += center;
  }
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  out.size = sizes.empty() ? kSize : *middle;
  const Vec3 center =
      sizes.empty() ? Vec3(Vec3::Zero()) : Vec3(sum / static_cast<double>(sizes.size()));
  out.top = center + out.up * (top - out.up.dot(center));
  return out;
}

Json palette(const MethodInfo& method, double size) {
  Json::Array out;
  const auto add = [&out](const std::string& label, Json shape) {
    out.push_back(Json::Object{
        {"label", label}, {"body", Json::Object{{"name", label}, {"shape", std::move(shape)}}}});
  };
  if (!method.support.moves) return out;
  for (Offer& offer : method.support.plane() ? plane_regions(size) : solids(size))
    if (includes(method.support.moving_shapes, offer.kind))
      add(offer.label, std::move(offer.shape));
  // models are smooth solids of every kind
  if (includes(method.support.moving_shapes, shape::ShapeKind::revolution) &&
      !method.support.plane())
    for (const std::string& name : model_names()) add(name, Json::Object{{"model", name}});
  return out;
}

}  // namespace repose::serve
