#include "packet.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <tuple>

#include "repose/world/palette.h"

namespace repose::serve {

namespace {

static_assert(std::endian::native == std::endian::little, "packets are little-endian");

constexpr std::uint32_t kFrameMark = 0x31465052;  // "RPF1"
constexpr std::uint32_t kSceneMark = 0x31535052;  // "RPS1"
constexpr std::size_t kAlign = 8;                 // bytes; every array of doubles starts at such

/// Bytes one after the other.
class Writer {
 public:
  template <class Number>
  void put(Number number) {
    const auto at = bytes_.size();
    bytes_.resize(at + sizeof number);
    std::memcpy(bytes_.data() + at, &number, sizeof number);
  }
  void put(const Vec3& v) {
    for (int c = 0; c < 3; ++c) put(v[c]);
  }
  void put_floats(const Vec3& v) {
    for (int c = 0; c < 3; ++c) put(static_cast<float>(v[c]));
  }
  void align() { bytes_.resize((bytes_.size() + kAlign - 1) / kAlign * kAlign, ' '); }
  void append(const std::string& text) { bytes_ += text; }
  std::size_t size() const { return bytes_.size(); }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// The arrays behind a scene's JSON; each is named there by type, offset and count.
class Arrays {
 public:
  Json floats(const std::vector<Vec3>& points) {
    const std::size_t at = begin();
    for (const Vec3& p : points) data_.put_floats(p);
    return place("f32", at, 3 * points.size());
  }
  Json floats(const std::vector<double>& numbers) {
    const std::size_t at = begin();
    for (const double x : numbers) data_.put(static_cast<float>(x));
    return place("f32", at, numbers.size());
  }
  template <std::size_t Size>
  Json indices(const std::vector<std::array<int, Size>>& rows) {
    const std::size_t at = begin();
    for (const auto& row : rows)
      for (const int index : row) data_.put(static_cast<std::uint32_t>(index));
    return place("u32", at, Size * rows.size());
  }
  std::string take() { return data_.take(); }

 private:
  std::size_t begin() {
    data_.align();
    return data_.size();
  }
  static Json place(const char* type, std::size_t at, std::size_t count) {
    return Json::Object{{"type", type}, {"at", at}, {"count", count}};
  }
  Writer data_;
};

Json shape_json(const DrawingShape& shape, Arrays& arrays) {
  switch (shape.form) {
    case DrawingForm::ball:
      return Json::Object{{"kind", "ball"}, {"radius", known(shape.radius)}};
    case DrawingForm::half_space:
      return Json::Object{{"kind", "half_space"}};
    case DrawingForm::surfels: {
      const shape::SurfelSurface surface = shape::surfel_surface_of(surfel_rest(shape));
      return Json::Object{{"kind", "surfels"},
                          {"points", arrays.floats(shape.points)},
                          {"radii", arrays.floats(shape.radii)},
                          {"phyxels", arrays.floats(shape.phyxels)},
                          {"surfacePoints", arrays.floats(surface.points)},
                          {"surfaceNormals", arrays.floats(surface.normals)},
                          {"triangles", arrays.indices(surface.triangles)}};
    }
    case DrawingForm::spheres: {
      Json::Object out{{"kind", "spheres"},
                       {"points", arrays.floats(shape.points)},
                       {"radii", arrays.floats(shape.radii)}};
      if (!shape.links.empty()) out.emplace_back("links", arrays.indices(shape.links));
      return out;
    }
    case DrawingForm::mesh:
      break;
  }
  return Json::Object{{"kind", "mesh"},
                      {"points", arrays.floats(shape.points)},
                      {"normals", shape.normals.empty() ? Json() : arrays.floats(shape.normals)},
                      {"triangles", arrays.indices(shape.triangles)}};
}

Json material_json(const Material& m) {
  return Json::Object{{"color", Json::Array{m.color[0], m.color[1], m.color[2]}},
                      {"opacity", m.opacity},
                      {"roughness", m.roughness}};
}

/// What hands may change of it.
Json matter_json(const Body& body) {
  const Material& m =
      body.soft && !body.soft->materials.empty() ? body.soft->materials.front() : body.material;
  Json::Object out = {{"density", known(m.density)},
                      {"friction", known(m.friction)},
                      {"restitution", known(m.restitution)}};
  if (!body.soft) return out;
  out.emplace_back("young_modulus", known(m.young_modulus));
  out.emplace_back("damping", known(m.damping));
  out.emplace_back("drag", known(m.drag));
  return out;
}

Json frozen_json(const Body& body) {
  Json::Array out;
  for (const bool held : body.frozen) out.push_back(held);
  return out;
}

Json vector_json(const Vec3& v) {
  return Json::Array{known(v.x()), known(v.y()), known(v.z())};
}

/// How many soft points a frame carries for a body: those that are drawn.
std::size_t shown_points(const Body& body, const BodyState& state, Drawings& drawings) {
  if (state.soft.empty()) return 0;
  const SoftSpan span = shown_span(drawings.of(body.shape));
  return state.soft.size() >= span.first + span.count ? span.count : 0;
}

}  // namespace

std::vector<Sample> samples_of(const Audit& audit, const StepReport& last) {
  std::vector<Sample> out = {{"energy", audit.energy}};
  bool told = false;
  for (const auto& [name, value] : audit.series) {
    out.push_back({name, value});
    told = told || name == "residual";
  }
  if (!told) out.push_back({"from rest", last.residual});
  return out;
}

const DrawingShape& Drawings::of(const shape::ShapePtr& shape) {
  const auto found = made_.find(shape);
  if (found != made_.end()) return found->second;
  return made_.emplace(shape, drawing_of(*shape)).first->second;
}

void Drawings::keep_only(const Problem& problem) {
  std::erase_if(made_, [&](const auto& entry) {
    return std::none_of(problem.bodies.begin(), problem.bodies.end(),
                        [&](const Body& body) { return body.shape == entry.first; });
  });
}

Json ties_json(const Problem& problem) {
  Json::Array out;
  const auto add = [&](const std::string& kind, const auto& part, const Vec3& axis) {
    const int a = problem.find_body(part.body_a), b = problem.find_body(part.body_b);
    if ((a < 0 && !part.body_a.empty()) || (b < 0 && !part.body_b.empty())) return;
    out.push_back(Json::Object{{"kind", kind},
                               {"name", part.name},
                               {"a", a},
                               {"b", b},
                               {"pointA", vector_json(part.point_a)},
                               {"pointB", vector_json(part.point_b)},
                               {"axis", vector_json(axis)}});
  };
  for (const Joint& joint : problem.joints) add(name_of(joint.kind), joint, joint.axis);
  for (const Force& force : problem.forces) {
    if (force.kind == ForceKind::push) add("push", force, force.vector);
    if (force.kind == ForceKind::spring || force.kind == ForceKind::connect)
      add(name_of(force.kind), force, Vec3::UnitZ());
  }
  return out;
}

std::string scene_packet(const Problem& problem, const State& state, Drawings& drawings,
                         Json::Object head) {
  Arrays arrays;
  Json::Array shapes, materials, bodies;
  std::map<shape::ShapePtr, std::size_t> shape_of;
  std::vector<Material> looks;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const Body& body = problem.bodies[i];
    const auto [shape, is_new] = shape_of.try_emplace(body.shape, shapes.size());
    if (is_new) shapes.push_back(shape_json(drawings.of(body.shape), arrays));
    Material drawn = body.material;
    drawn.color = drawn_color(body.material, body.fixed, static_cast<int>(i));
    const auto look = [&](const Material& m) {
      return m.color == drawn.color && m.opacity == drawn.opacity && m.roughness == drawn.roughness;
    };
    const auto at = std::find_if(looks.begin(), looks.end(), look);
    const auto material = at - looks.begin();
    if (at == looks.end()) {
      looks.push_back(drawn);
      materials.push_back(material_json(drawn));
    }
    bodies.push_back(Json::Object{
        {"name", body.name},
        {"shape", shape->second},
        {"material", material},
        {"fixed", body.fixed},
        {"held", body.held()},
        {"role", body.role},
        {"mass", known(body.mass)},
        {"matter", matter_json(body)},
        {"frozen", frozen_json(body)},
        {"collides", body.collides},
        {"center", Json::Array{known(body.center_body.x()), known(body.center_body.y()),
                               known(body.center_body.z())}},
        {"points", shown_points(body, state.bodies[i], drawings)}});
  }
  head.emplace_back("shapes", std::move(shapes));
  head.emplace_back("materials", std::move(materials));
  head.emplace_back("bodies", std::move(bodies));
  const std::string json = Json(std::move(head)).line();
  Writer out;
  out.put(kSceneMark);
  out.put(static_cast<std::uint32_t>(json.size()));
  out.append(json);
  out.align();
  out.append(arrays.take());
  return out.take();
}

std::string frame_packet(const Problem& problem, const State& state, Drawings& drawings,
                         std::int64_t serial, const std::vector<Sample>& samples) {
  std::size_t points = 0;
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    shown.push_back(shown_points(problem.bodies[i], state.bodies[i], drawings));
    points += shown.back();
  }
  const std::size_t contacts = std::min(state.contacts.size(), kMostShownContacts);
  Writer out;
  out.put(kFrameMark);
  out.put(static_cast<std::uint32_t>(serial));
  out.put(static_cast<double>(state.step));
  out.put(state.time);
  for (const std::size_t count : {problem.bodies.size(), points, contacts, samples.size()})
    out.put(static_cast<std::uint32_t>(count));
  for (const BodyState& body : state.bodies) out.put(body.world_from_body.position);
  for (const BodyState& body : state.bodies) {
    const Quat q = body.world_from_body.rotation.normalized();
    for (const double x : {q.x(), q.y(), q.z(), q.w()}) out.put(x);
  }
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (shown[i] == 0) continue;
    const std::size_t first = shown_span(drawings.of(problem.bodies[i].shape)).first;
    for (std::size_t k = 0; k < shown[i]; ++k) out.put(state.bodies[i].soft.positions[first + k]);
  }
  for (const Sample& sample : samples) out.put(sample.value);
  for (std::size_t k = 0; k < contacts; ++k)
    out.put(static_cast<std::uint32_t>(state.contacts[k].body_a));
  for (std::size_t k = 0; k < contacts; ++k)
    out.put(static_cast<std::uint32_t>(state.contacts[k].body_b));
  for (std::size_t k = 0; k < contacts; ++k) out.put_floats(state.contacts[k].point_world);
  for (std::size_t k = 0; k < contacts; ++k) out.put_floats(state.contacts[k].normal_a_to_b);
  for (std::size_t k = 0; k < contacts; ++k) out.put(static_cast<float>(state.contacts[k].gap));
  for (std::size_t k = 0; k < contacts; ++k) out.put_floats(state.contacts[k].force_on_b);
  return out.take();
}

}  // namespace repose::serve
