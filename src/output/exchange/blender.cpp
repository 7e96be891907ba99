#include "repose/exchange/blender.h"

#include <map>

#include <fmt/format.h>

#include "repose/base/json_write.h"
#include "repose/base/version.h"
#include "repose/base/whole_file.h"

#include "blender_script.h"
#include "surface.h"
#include "tracks.h"

namespace repose::exchange {
namespace {

constexpr int kFramesPerSecond = 24;
/// Objects that bodies drawn by balls may take.
constexpr std::size_t kMostBalls = std::size_t{1} << 16;
constexpr int kPointBall = -1;  // the shape of a soft body's point

Json vector_json(const Vec3& v) {
  return Json::Array{known(v.x()), known(v.y()), known(v.z())};
}
Json turn_json(const Quat& q) {
  return Json::Array{known(q.w()), known(q.x()), known(q.y()), known(q.z())};
}

class Writer {
 public:
  Writer(const Recording& recording, const Tracks& tracks)
      : recording_(recording), tracks_(tracks), ground_(ground_half_width(recording_, tracks_)) {}

  Result<Json> build() {
    for (std::size_t b = 0; b < recording_.bodies().size(); ++b) add_body(b);
    if (balls_ > kMostBalls) return too_many();
    Json::Array frames;
    for (const double t : tracks_.times) frames.push_back(known(kFramesPerSecond * t));
    return Json(Json::Object{{"name", name()},
                             {"frames_per_second", kFramesPerSecond},
                             {"frames", std::move(frames)},
                             {"shapes", std::move(shapes_)},
                             {"materials", std::move(materials_)},
                             {"bodies", std::move(bodies_)}});
  }

 private:
  std::string name() const {
    return recording_.head().scene.empty() ? "repose" : recording_.head().scene;
  }
  InputError too_many() const {
    InputError error;
    error.file = recording_.head().scene;
    error.wrong = fmt::format("{} balls, each an object of Blender", balls_);
    error.right = fmt::format("at most {}; USDA and VTK take points as points", kMostBalls);
    return error;
  }
  int add_shape(int number) {
    const auto [known_shape, is_new] =
        shape_of_.try_emplace(number, static_cast<int>(shapes_.size()));
    if (!is_new) return known_shape->second;
    const auto* drawing =
        number < 0 ? nullptr : &recording_.shapes()[static_cast<std::size_t>(number)];
    const Surface surface =
        drawing == nullptr ? ball_surface(1.0, kPointRings) : surface_of(*drawing, ground_);
    Json::Array points, triangles;
    for (const Vec3& p : surface.points) points.push_back(vector_json(p));
    for (const auto& t : surface.triangles) triangles.push_back(Json::Array{t[0], t[1], t[2]});
    const bool smooth =
        drawing == nullptr || drawing->form == DrawingForm::ball || !drawing->normals.empty();
    shapes_.push_back(Json::Object{
        {"points", std::move(points)}, {"triangles", std::move(triangles)}, {"smooth", smooth}});
    return known_shape->second;
  }
  int add_material(const Material& m) {
    Json out = Json::Object{{"name", m.name},
                            {"color", Json::Array{m.color[0], m.color[1], m.color[2], m.opacity}},
                            {"roughness", m.roughness}};
    const auto [known_look, is_new] =
        material_of_.try_emplace(out.line(), static_cast<int>(materials_.size()));
    if (is_new) materials_.push_back(std::move(out));
    return known_look->second;
  }

  static Json absent(const Track& track) {
    Json::Array out;
    for (std::size_t f = 0; f < track.present.size(); ++f)
      if (!track.present[f]) out.push_back(static_cast<int>(f));
    return out;
  }
  Json::Object object(const RecordedBody& body, int shape, double scale, const Track& track) {
    return {{"name", body.name},
            {"shape", shape},
            {"scale", scale},
            {"material", add_material(body.material)},
            {"absent", absent(track)}};
  }
  void add_body(std::size_t b) {
    const RecordedBody& body = recording_.bodies()[b];
    const Track track = tracks_.of(b);
    if (track.poses.empty()) return;
    const DrawingShape& shape = recording_.shapes()[static_cast<std::size_t>(body.shape)];
    if (shape.form == DrawingForm::spheres || shape.form == DrawingForm::surfels) {
      add_balls(body, shape, track);
      return;
    }
    const std::size_t count = track.moves() ? track.poses.size() : 1;
    Json::Array locations, rotations;
    for (std::size_t f = 0; f < count; ++f) {
      locations.push_back(vector_json(track.poses[f].position));
      rotations.push_back(turn_json(track.poses[f].rotation));
    }
    Json::Object out = object(body, add_shape(body.shape), 1.0, track);
    out.emplace_back("locations", std::move(locations));
    out.emplace_back("rotations", std::move(rotations));
    bodies_.push_back(std::move(out));
  }
  /// A ball for each point: where soft points stand, or fixed to the pose of the body.
  void add_balls(const RecordedBody& body, const DrawingShape& shape, const Track& track) {
    balls_ += shape.points.size();
    if (balls_ > kMostBalls) return;
    const bool soft = track.soft();
    const std::size_t count = soft ? track.points.size() : track.moves() ? track.poses.size() : 1;
    const auto first = static_cast<std::size_t>(shape.soft_offset);
    for (std::size_t k = 0; k < shape.points.size(); ++k) {
      Json::Array locations;
      for (std::size_t f = 0; f < count; ++f)
        locations.push_back(
            vector_json(soft ? track.points[f][first + k] : track.poses[f] * shape.points[k]));
      Json::Object out = object(body, add_shape(kPointBall), shape.radii[k], track);
      out.emplace_back("locations", std::move(locations));
      out.emplace_back("rotations", Json::Array{turn_json(Quat::Identity())});
      bodies_.push_back(std::move(out));
    }
  }

  const Recording& recording_;
  const Tracks& tracks_;
  double ground_;
  Json::Array shapes_, materials_, bodies_;
  std::map<int, int> shape_of_;
  std::map<std::string, int> material_of_;
  std::size_t balls_ = 0;
};

/// A JSON text as Python writes a string: it holds no line breaks and no bytes below a blank.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\\' || c == '\'') out += '\\';
    out += c;
  }
  return out + "'";
}

}  // namespace

Result<Done> write_blender(const Recording& recording, const std::filesystem::path& path) {
  const auto tracks = read_tracks(recording);
  if (!tracks) return tracks.error();
  const auto data = Writer(recording, *tracks).build();
  if (!data) return data.error();
  const std::string head = fmt::format(
      "# A run of repose {}, for Blender: blender --python {}\n# or open it in Blender's text "
      "editor and run it. Metres, z up, {} frames a second.\n"
      "import json\n\nimport bpy\n\n",
      kVersion, path.filename().string(), kFramesPerSecond);
  return write_whole(path, head + "DATA = " + quoted(data->line()) + "\n" + kBlenderScript);
}

}  // namespace repose::exchange
