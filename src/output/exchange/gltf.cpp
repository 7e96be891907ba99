#include "repose/exchange/gltf.h"

#include <cstring>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "repose/base/version.h"
#include "repose/base/whole_file.h"

#include "gltf_buffer.h"
#include "surface.h"
#include "tracks.h"

namespace repose::exchange {
namespace {

constexpr int kTriangles = 4;
/// Nodes that bodies drawn by balls may take; viewers give up long before.
constexpr std::size_t kMostBalls = std::size_t{1} << 18;

Json vector_json(const Vec3& v) {
  return Json::Array{known(v.x()), known(v.y()), known(v.z())};
}

/// Builds the document piece by piece.
class Writer {
 public:
  Writer(const Recording& recording, const Tracks& tracks)
      : recording_(recording), tracks_(tracks), ground_(ground_half_width(recording_, tracks_)) {}

  void build() {
    const double half = std::numbers::sqrt2 / 2.0;
    // turns z up into y up
    nodes_.push_back(
        Json::Object{{"name", recording_.head().scene.empty() ? "repose" : recording_.head().scene},
                     {"rotation", Json::Array{-half, 0.0, 0.0, half}},
                     {"children", Json::Array{}}});
    std::vector<float> times;
    for (const double t : tracks_.times) times.push_back(static_cast<float>(t));
    if (times.size() > 1) time_accessor_ = buffer_.add_floats(times, 1, true, false);
    for (std::size_t b = 0; b < recording_.bodies().size(); ++b) add_body(b);
  }

  Json document(const std::string& buffer_uri) const {
    Json::Object out{{"asset", Json::Object{{"version", "2.0"},
                                            {"generator", std::string("repose ") + kVersion}}},
                     {"scene", 0},
                     {"scenes", Json::Array{Json::Object{{"nodes", Json::Array{0}}}}},
                     {"nodes", nodes_}};
    const auto add = [&](const char* name, Json value) {
      out.emplace_back(name, std::move(value));
    };
    if (!meshes_.empty()) {
      add("meshes", meshes_);
      add("materials", materials_);
    }
    if (!channels_.empty())
      add("animations", Json::Array{Json::Object{
                            {"name", "run"}, {"channels", channels_}, {"samplers", samplers_}}});
    if (!buffer_.bytes().empty()) {
      Json::Object buffer{{"byteLength", buffer_.bytes().size()}};
      if (!buffer_uri.empty()) buffer.emplace_back("uri", buffer_uri);
      add("buffers", Json::Array{std::move(buffer)});
      add("bufferViews", buffer_.views());
      add("accessors", buffer_.accessors());
    }
    return out;
  }
  const std::string& bytes() const { return buffer_.bytes(); }

 private:
  struct Geometry {
    int position, normal, triangles;
  };

  Geometry add_geometry(const Surface& s) {
    return {buffer_.add_points(s.points, true), buffer_.add_points(s.normals, false),
            buffer_.add_triangles(s.triangles)};
  }

  int add_material(const Material& m) {
    Json out = Json::Object{{"name", m.name},
                            {"pbrMetallicRoughness",
                             Json::Object{{"baseColorFactor", Json::Array{m.color[0], m.color[1],
                                                                          m.color[2], m.opacity}},
                                          {"metallicFactor", 0.0},
                                          {"roughnessFactor", m.roughness}}}};
    if (m.opacity < 1.0) out["alphaMode"] = "BLEND";
    const auto [entry, is_new] =
        material_of_.try_emplace(out.line(), static_cast<int>(materials_.size()));
    if (is_new) materials_.push_back(std::move(out));
    return entry->second;
  }

  // the shape's geometry is stored once; a mesh ties it to a material. Shape -1 is the unit ball.
  int add_mesh(int shape, const Material& material) {
    const int m = add_material(material);
    const auto [mesh, is_new] = mesh_of_.try_emplace({shape, m}, static_cast<int>(meshes_.size()));
    if (!is_new) return mesh->second;
    auto geometry = geometry_of_.find(shape);
    if (geometry == geometry_of_.end()) {
      const Surface s =
          shape < 0 ? ball_surface(1.0, kPointRings)
                    : surface_of(recording_.shapes()[static_cast<std::size_t>(shape)], ground_);
      geometry = geometry_of_.emplace(shape, add_geometry(s)).first;
    }
    const Geometry& g = geometry->second;
    Json::Object part{{"attributes", Json::Object{{"POSITION", g.position}, {"NORMAL", g.normal}}},
                      {"indices", g.triangles},
                      {"material", m},
                      {"mode", kTriangles}};
    meshes_.push_back(Json::Object{{"primitives", Json::Array{std::move(part)}}});
    return mesh->second;
  }

  int add_node(Json node, int parent) {
    nodes_.push_back(std::move(node));
    const int number = static_cast<int>(nodes_.size()) - 1;
    nodes_[static_cast<std::size_t>(parent)]["children"].push_back(number);
    return number;
  }

  void add_channel(int node, const char* what, const std::vector<float>& values, int width,
                   const char* interpolation) {
    const int output = buffer_.add_floats(values, width, false, false);
    channels_.push_back(Json::Object{{"sampler", samplers_.size()},
                                     {"target", Json::Object{{"node", node}, {"path", what}}}});
    samplers_.push_back(Json::Object{
        {"input", time_accessor_}, {"output", output}, {"interpolation", interpolation}});
  }

  void add_body(std::size_t b) {
    const RecordedBody& body = recording_.bodies()[b];
    const Track track = tracks_.of(b);
    const DrawingShape& shape = recording_.shapes()[static_cast<std::size_t>(body.shape)];
    const bool points = shape.form == DrawingForm::spheres || shape.form == DrawingForm::surfels;
    if (track.poses.empty()) return;
    const Quat& q = track.poses[0].rotation;
    Json node = Json::Object{{"name", body.name}};
    const bool soft = points && track.soft();
    if (!soft) {
      node["translation"] = vector_json(track.poses[0].position);
      node["rotation"] = Json::Array{q.x(), q.y(), q.z(), q.w()};
    }
    if (points) node["children"] = Json::Array{};
    if (!points) node["mesh"] = add_mesh(body.shape, body.material);
    const int number = add_node(std::move(node), 0);
    if (points) add_points(number, shape, body, track);
    if (time_accessor_ < 0) return;
    if (!soft && track.moves()) add_motion(number, track);
    if (track.always_present()) return;
    std::vector<float> scale;
    for (const bool there : track.present) scale.insert(scale.end(), 3, there ? 1.0F : 0.0F);
    add_channel(number, "scale", scale, 3, "STEP");
  }

  void add_motion(int node, const Track& track) {
    std::vector<float> places, turns;
    for (const Pose& pose : track.poses) {
      for (int k = 0; k < 3; ++k) places.push_back(static_cast<float>(pose.position[k]));
      for (int k = 0; k < 4; ++k) turns.push_back(static_cast<float>(pose.rotation.coeffs()[k]));
    }
    add_channel(node, "translation", places, 3, "LINEAR");
    add_channel(node, "rotation", turns, 4, "LINEAR");
  }

  void add_points(int parent, const DrawingShape& shape, const RecordedBody& body,
                  const Track& track) {
    const int mesh = add_mesh(-1, body.material);
    const bool soft = track.soft();
    const auto offset = static_cast<std::size_t>(shape.soft_offset);
    for (std::size_t k = 0; k < shape.points.size(); ++k) {
      const Vec3& p = soft ? track.points[0][offset + k] : shape.points[k];
      const double r = shape.radii[k];
      const int node = add_node(
          Json::Object{
              {"mesh", mesh}, {"translation", vector_json(p)}, {"scale", Json::Array{r, r, r}}},
          parent);
      if (!soft || time_accessor_ < 0) continue;
      std::vector<float> places;
      for (const auto& points : track.points)
        for (int c = 0; c < 3; ++c) places.push_back(static_cast<float>(points[offset + k][c]));
      add_channel(node, "translation", places, 3, "LINEAR");
    }
  }

  const Recording& recording_;
  const Tracks& tracks_;
  double ground_;
  GltfBuffer buffer_;
  Json::Array nodes_, meshes_, materials_, channels_, samplers_;
  int time_accessor_ = -1;
  std::map<std::string, int> material_of_;
  std::map<std::pair<int, int>, int> mesh_of_;
  std::map<int, Geometry> geometry_of_;
};

void append_word(std::string& out, std::uint32_t word) {
  char bytes[4];
  std::memcpy(bytes, &word, 4);
  out.append(bytes, 4);
}

void append_chunk(std::string& out, const char* type, std::string content, char padding) {
  content.resize((content.size() + 3) / 4 * 4, padding);
  append_word(out, static_cast<std::uint32_t>(content.size()));
  out.append(type, 4);
  out += content;
}

std::string binary_file(const Writer& writer) {
  constexpr std::uint32_t kFormatVersion = 2;
  std::string chunks;
  append_chunk(chunks, "JSON", writer.document("").line(), ' ');
  if (!writer.bytes().empty()) append_chunk(chunks, "BIN\0", writer.bytes(), '\0');
  std::string out = "glTF";
  append_word(out, kFormatVersion);
  append_word(out, static_cast<std::uint32_t>(chunks.size() + 12));
  return out + chunks;
}

/// A node for each ball of each body that is drawn by balls.
Result<Done> check_nodes(const Recording& recording) {
  std::size_t balls = 0;
  for (const RecordedBody& body : recording.bodies()) {
    const DrawingShape& shape = recording.shapes()[static_cast<std::size_t>(body.shape)];
    if (shape.form == DrawingForm::spheres || shape.form == DrawingForm::surfels)
      balls += shape.points.size();
  }
  if (balls <= kMostBalls) return Done{};
  InputError error;
  error.file = recording.head().scene;
  error.wrong = fmt::format("{} balls are too many nodes for one glTF file", balls);
  error.right = fmt::format("at most {}", kMostBalls);
  return error;
}

}  // namespace

Result<Done> write_gltf(const Recording& recording, const std::filesystem::path& path) {
  if (auto done = check_nodes(recording); !done) return done;
  const auto tracks = read_tracks(recording);
  if (!tracks) return tracks.error();
  Writer writer(recording, *tracks);
  writer.build();
  if (path.extension() == ".glb") return write_whole(path, binary_file(writer));
  std::filesystem::path binary = path;
  binary.replace_extension(".bin");
  if (!writer.bytes().empty()) {
    auto written = write_whole(binary, writer.bytes());
    if (!written) return written;
  }
  return write_whole(path, writer.document(binary.filename().string()).tall());
}

}  // namespace repose::exchange
