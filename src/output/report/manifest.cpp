#include "manifest.h"

#include <cmath>
#include <map>
#include <tuple>

#include "repose/base/json_write.h"
#include "repose/base/version.h"

#include "motion.h"

namespace repose::report {
namespace {

constexpr const char* kFormat = "repose-report";
constexpr int kFormatVersion = 1;

void append(std::vector<float>& out, const Vec3& v) {
  for (int c = 0; c < 3; ++c) out.push_back(static_cast<float>(v[c]));
}

std::vector<float> floats(const std::vector<Vec3>& points) {
  std::vector<float> out;
  out.reserve(3 * points.size());
  for (const Vec3& point : points) append(out, point);
  return out;
}

Json vector_json(const Vec3& v) {
  return Json::Array{known(v.x()), known(v.y()), known(v.z())};
}

Json camera_json(const std::optional<PageCamera>& camera) {
  if (!camera) return {};
  return Json::Object{{"eye", vector_json(camera->eye)},
                      {"target", vector_json(camera->target)},
                      {"fov", camera->view_angle_deg}};
}

Json numbers_json(const std::vector<double>& numbers) {
  Json::Array out;
  out.reserve(numbers.size());
  for (const double number : numbers) out.push_back(known(number));
  return out;
}

std::vector<std::uint32_t> corners_of(const std::vector<std::array<int, 3>>& triangles) {
  std::vector<std::uint32_t> out;
  for (const auto& triangle : triangles)
    for (const int corner : triangle) out.push_back(static_cast<std::uint32_t>(corner));
  return out;
}

Json shape_json(const DrawingShape& shape, Arrays& arrays) {
  switch (shape.form) {
    case DrawingForm::ball:
      return Json::Object{{"kind", "ball"}, {"radius", known(shape.radius)}};
    case DrawingForm::half_space:
      return Json::Object{{"kind", "half_space"}};
    case DrawingForm::surfels: {
      const shape::SurfelSurface surface = shape::surfel_surface_of(surfel_rest(shape));
      return Json::Object{
          {"kind", "surfels"},
          {"points", arrays.add(floats(shape.points))},
          {"radii", arrays.add(std::vector<float>(shape.radii.begin(), shape.radii.end()))},
          {"phyxels", arrays.add(floats(shape.phyxels))},
          {"surfacePoints", arrays.add(floats(surface.points))},
          {"surfaceNormals", arrays.add(floats(surface.normals))},
          {"triangles", arrays.add(corners_of(surface.triangles))}};
    }
    case DrawingForm::spheres: {
      const std::vector<float> radii(shape.radii.begin(), shape.radii.end());
      Json::Object out{{"kind", "spheres"},
                       {"points", arrays.add(floats(shape.points))},
                       {"radii", arrays.add(radii)}};
      std::vector<std::uint32_t> links;
      for (const auto& link : shape.links)
        for (const int point : link) links.push_back(static_cast<std::uint32_t>(point));
      if (!links.empty()) out.emplace_back("links", arrays.add(links));
      return out;
    }
    case DrawingForm::mesh:
      break;
  }
  return Json::Object{{"kind", "mesh"},
                      {"points", arrays.add(floats(shape.points))},
                      {"normals", shape.normals.empty() ? -1 : arrays.add(floats(shape.normals))},
                      {"triangles", arrays.add(corners_of(shape.triangles))}};
}

/// Materials that look alike are stored once.
class Materials {
 public:
  int index_of(const Material& m) {
    const Key key(m.color[0], m.color[1], m.color[2], m.opacity, m.roughness);
    const auto [at, is_new] = index_.try_emplace(key, static_cast<int>(index_.size()));
    if (is_new)
      json_.push_back(Json::Object{{"color", Json::Array{m.color[0], m.color[1], m.color[2]}},
                                   {"opacity", m.opacity},
                                   {"roughness", m.roughness}});
    return at->second;
  }
  Json json() const { return json_; }

 private:
  using Key = std::tuple<double, double, double, double, double>;
  std::map<Key, int> index_;
  Json::Array json_;
};

Json bodies_json(const Replay& replay, const Motion& motion, Materials& materials) {
  std::vector<bool> moves(replay.bodies.size(), false);
  for (const int body : motion.movers) moves[static_cast<std::size_t>(body)] = true;
  const int last = static_cast<int>(replay.frames.size()) - 1;
  Json::Array out;
  for (std::size_t i = 0; i < replay.bodies.size(); ++i) {
    const ReplayBody& body = replay.bodies[i];
    Json::Object row = {{"name", body.name},
                        {"shape", body.shape},
                        {"material", materials.index_of(body.material)}};
    if (body.fixed) row.emplace_back("fixed", true);
    if (!body.role.empty()) row.emplace_back("role", body.role);
    if (std::isfinite(body.mass) && body.mass > 0.0) row.emplace_back("mass", body.mass);
    if (!body.center.isZero()) row.emplace_back("center", vector_json(body.center));
    if (body.soft)
      row.emplace_back("points",
                       shown_span(replay.shapes[static_cast<std::size_t>(body.shape)]).count);
    const int until = body.last_frame < 0 ? last : body.last_frame;
    if (body.first_frame > 0 || until < last)
      row.emplace_back("frames", Json::Array{body.first_frame, until});
    if (!moves[i]) {
      const Pose& pose = replay.frames[0].poses[i];
      const Vec3& p = pose.position;
      const Quat q = pose.rotation.normalized();
      row.emplace_back("pose", numbers_json({p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()}));
    }
    out.push_back(std::move(row));
  }
  return out;
}

Json motion_json(const Motion& motion, Arrays& arrays) {
  Json::Array blocks;
  for (const auto& block : motion.blocks) blocks.push_back(arrays.add(block));
  return Json::Object{{"origin", vector_json(motion.origin)},
                      {"positionStep", motion.position_step},
                      {"orientationStep", motion.orientation_step},
                      {"blockFrames", motion.block_frames},
                      {"movers", motion.movers.size()},
                      {"points", motion.point_count},
                      {"blocks", std::move(blocks)}};
}

Json contacts_json(const Replay& replay, Arrays& arrays) {
  std::vector<std::uint32_t> frames, starts{0}, body_a, body_b;
  std::vector<float> points, normals, gaps, forces;
  for (std::size_t f = 0; f < replay.frames.size(); ++f) {
    if (!replay.frames[f].has_contacts) continue;
    for (const Contact& contact : replay.frames[f].contacts) {
      body_a.push_back(static_cast<std::uint32_t>(contact.body_a));
      body_b.push_back(static_cast<std::uint32_t>(contact.body_b));
      append(points, contact.point_world);
      append(normals, contact.normal_a_to_b);
      append(forces, contact.force_on_b);
      gaps.push_back(static_cast<float>(contact.gap));
    }
    frames.push_back(static_cast<std::uint32_t>(f));
    starts.push_back(static_cast<std::uint32_t>(body_a.size()));
  }
  return Json::Object{{"frames", arrays.add(frames)}, {"starts", arrays.add(starts)},
                      {"bodyA", arrays.add(body_a)},  {"bodyB", arrays.add(body_b)},
                      {"points", arrays.add(points)}, {"normals", arrays.add(normals)},
                      {"gaps", arrays.add(gaps)},     {"forces", arrays.add(forces)}};
}

/// A tie whose body is not there is left out.
Json ties_json(const Replay& replay) {
  std::map<std::string, int> places;
  for (std::size_t i = 0; i < replay.bodies.size(); ++i)
    places.emplace(replay.bodies[i].name, static_cast<int>(i));
  const auto place = [&](const std::string& name) {
    const auto at = places.find(name);
    return at == places.end() ? -1 : at->second;
  };
  Json::Array out;
  for (const Tie& tie : replay.ties) {
    const int a = place(tie.body_a), b = place(tie.body_b);
    if ((a < 0 && !tie.body_a.empty()) || (b < 0 && !tie.body_b.empty())) continue;
    out.push_back(Json::Object{{"kind", tie.kind},
                               {"a", a},
                               {"b", b},
                               {"pointA", vector_json(tie.point_a)},
                               {"pointB", vector_json(tie.point_b)},
                               {"axis", vector_json(tie.axis)}});
  }
  return out;
}

Json about_json(const Replay& replay) {
  Json::Array promises;
  for (const KeptPromise& p : replay.verdict.promises)
    promises.push_back(Json::Object{{"name", p.name},
                                    {"promised", p.promised},
                                    {"measured", p.measured},
                                    {"kept", p.kept},
                                    {"advice", p.advice}});
  Json::Array facts;
  for (const auto& [name, text] : replay.facts) facts.push_back(Json::Array{name, text});
  Json::Array settings;
  for (const ShownSetting& s : replay.settings)
    settings.push_back(Json::Object{{"name", s.name},
                                    {"value", s.value},
                                    {"unit", s.unit},
                                    {"meaning", s.meaning},
                                    {"changed", s.changed}});
  Json::Array measured;
  for (const auto& [name, text] : replay.measured) measured.push_back(Json::Array{name, text});
  Json::Array charts;
  for (const Chart& c : replay.charts)
    charts.push_back(Json::Object{{"title", c.title},
                                  {"xLabel", c.x_label},
                                  {"bars", c.bars},
                                  {"x", numbers_json(c.x)},
                                  {"y", numbers_json(c.y)}});
  Json::Array events;
  for (const ShownEvent& e : replay.events)
    events.push_back(Json::Object{{"step", e.step}, {"text", e.text}});
  Json::Array marks;
  for (const Mark& m : replay.marks)
    marks.push_back(
        Json::Object{{"point", vector_json(m.point_world)}, {"label", m.label}, {"bad", true}});
  const ShownVerdict& v = replay.verdict;
  return Json::Object{{"title", replay.title},
                      {"subtitle", replay.subtitle},
                      {"about", replay.about},
                      {"method", replay.method},
                      {"up", vector_json(replay.up)},
                      {"version", kVersion},
                      {"verdict", Json::Object{{"headline", v.headline},
                                               {"status", v.status},
                                               {"detail", v.detail},
                                               {"judged", v.judged},
                                               {"place", v.place ? vector_json(*v.place) : Json()},
                                               {"exitCode", v.exit_code},
                                               {"promises", std::move(promises)}}},
                      {"facts", std::move(facts)},
                      {"settings", std::move(settings)},
                      {"events", std::move(events)},
                      {"measured", std::move(measured)},
                      {"charts", std::move(charts)},
                      {"marks", std::move(marks)},
                      {"camera", camera_json(replay.camera)},
                      {"plane", replay.plane},
                      {"stamp", replay.stamp},
                      {"note", replay.note}};
}

Json frames_json(const Replay& replay, Arrays& arrays) {
  std::vector<double> times, steps;
  bool has_time = false;
  for (const ReplayFrame& frame : replay.frames) {
    times.push_back(frame.time);
    steps.push_back(static_cast<double>(frame.step));
    has_time = has_time || frame.time != replay.frames[0].time;
  }
  return Json::Object{{"count", replay.frames.size()},
                      {"hasTime", has_time},
                      {"provenBetween", replay.proven_between},
                      {"jumps", Json::Array(replay.jumps.begin(), replay.jumps.end())},
                      {"times", arrays.add(times)},
                      {"steps", arrays.add(steps)}};
}

/// A script element ends at "</script" and a comment in it begins at "<!--": no '<' stays.
std::string safe_in_script(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string manifest_of(const Replay& replay, Arrays& arrays) {
  const Motion motion = motion_of(replay);
  Materials materials;
  Json::Object json = {
      {"format", kFormat}, {"version", kFormatVersion}, {"about", about_json(replay)}};
  const auto add = [&](const char* name, Json value) { json.emplace_back(name, std::move(value)); };
  Json::Array shapes, series, entries;
  for (const DrawingShape& shape : replay.shapes) shapes.push_back(shape_json(shape, arrays));
  add("shapes", std::move(shapes));
  add("bodies", bodies_json(replay, motion, materials));
  add("materials", materials.json());
  add("ties", ties_json(replay));
  add("frames", frames_json(replay, arrays));
  add("motion", motion_json(motion, arrays));
  add("contacts", contacts_json(replay, arrays));
  add("samples", Json::Object{{"steps", arrays.add(replay.sample_steps)},
                              {"times", arrays.add(replay.sample_times)}});
  for (const PlotSeries& s : replay.series)
    series.push_back(Json::Object{
        {"name", s.name}, {"unit", s.unit}, {"plot", s.plot}, {"values", arrays.add(s.values)}});
  add("series", std::move(series));
  for (const Arrays::Entry& entry : arrays.entries())
    entries.push_back(Json::Object{{"type", entry.type}, {"count", entry.count}});
  add("arrays", std::move(entries));
  return safe_in_script(Json(std::move(json)).line());
}

}  // namespace repose::report
