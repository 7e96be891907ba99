#include "repose/exchange/vtk.h"

#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "repose/base/whole_file.h"
#include "repose/shape/skin.h"

#include "surface.h"
#include "vtp.h"

namespace repose::exchange {
namespace {

/// Of one frame; about 200 bytes each.
constexpr std::size_t kMostTriangles = std::size_t{1} << 22;

/// Surfaces prepared once, placed in every frame.
struct Stock {
  std::vector<Surface> shapes;
  Surface point;  // unit ball
};

void add_surface(VtpMesh& mesh, const Surface& s, const Pose& pose, double scale, int body,
                 const Material& material) {
  const int first = static_cast<int>(mesh.points.size());
  for (std::size_t i = 0; i < s.points.size(); ++i) {
    mesh.points.push_back(pose * (scale * s.points[i]));
    mesh.normals.push_back(pose.turn(s.normals[i]));
  }
  for (const auto& t : s.triangles) {
    mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    mesh.body.push_back(body);
    mesh.color.push_back(material.color);
  }
}

/// The surface of the surfel body i of the frame.
Surface surface_over(const DrawingShape& shape, const RecordedFrame& frame, std::size_t i) {
  std::vector<Vec3> phyxels;
  for (std::size_t k = 0; k < shape.phyxels.size(); ++k)
    phyxels.push_back(frame.soft[i].empty() ? frame.poses[i] * shape.phyxels[k]
                                            : frame.soft[i].positions[k]);
  const shape::SurfelSurfaceMotion surface(surfel_rest(shape));
  shape::SurfelSurfaceMotion::Places places = surface.at(phyxels);
  Surface out;
  out.points = std::move(places.points);
  out.normals = std::move(places.normals);
  out.triangles = surface.at_rest().triangles;
  return out;
}

/// The skin over the balls of body i of the frame.
Surface skin_over(const DrawingShape& shape, const RecordedFrame& frame, std::size_t i) {
  if (shape.form == DrawingForm::surfels) return surface_over(shape, frame, i);
  std::vector<Vec3> centers = frame.soft[i].positions.view();
  if (centers.empty())
    for (const Vec3& center : shape.points) centers.push_back(frame.poses[i] * center);
  const auto& radii = frame.soft[i].radii;
  shape::Skin skin = shape::skin_of(centers, radii.empty() ? shape.radii : radii.view());
  Surface out;
  out.points = std::move(skin.mesh.points);
  out.normals = std::move(skin.normals);
  out.triangles = std::move(skin.mesh.triangles);
  return out;
}

VtpMesh bodies_of(const Recording& recording, const Stock& stock, const RecordedFrame& frame,
                  bool skin) {
  VtpMesh mesh;
  for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
    const int number = frame.bodies[i];
    const RecordedBody& body = recording.bodies()[static_cast<std::size_t>(number)];
    const DrawingShape& shape = recording.shapes()[static_cast<std::size_t>(body.shape)];
    add_surface(mesh, stock.shapes[static_cast<std::size_t>(body.shape)], frame.poses[i], 1.0,
                number, body.material);
    if (shape.form != DrawingForm::spheres && shape.form != DrawingForm::surfels) continue;
    if (skin) {
      add_surface(mesh, skin_over(shape, frame, i), Pose{}, 1.0, number, body.material);
      continue;
    }
    const SoftState& soft = frame.soft[i];
    for (std::size_t k = 0; k < shape.points.size(); ++k) {
      Pose at = frame.poses[i];
      const std::size_t point = static_cast<std::size_t>(shape.soft_offset) + k;
      at.position = soft.empty() ? frame.poses[i] * shape.points[k] : soft.positions[point];
      const double radius = soft.radii.empty() ? shape.radii[k] : soft.radii[point];
      add_surface(mesh, stock.point, at, radius, number, body.material);
    }
  }
  return mesh;
}

Result<Stock> stock_of(const Recording& recording) {
  std::vector<Vec3> places;
  double largest = 0.0;
  if (recording.frame_count() > 0) {
    const auto last = recording.frame(recording.frame_count() - 1);
    if (!last) return last.error();
    for (std::size_t i = 0; i < last->bodies.size(); ++i) {
      const double size = recording.bodies()[static_cast<std::size_t>(last->bodies[i])].size;
      if (!std::isfinite(size)) continue;
      largest = std::max(largest, size);
      places.push_back(last->poses[i].position);
    }
  }
  Stock stock;
  const double ground = ground_half_width(places, largest);
  for (const DrawingShape& shape : recording.shapes())
    stock.shapes.push_back(surface_of(shape, ground));
  stock.point = ball_surface(1.0, kPointRings);
  return stock;
}

/// A frame's file is held in memory: shapes may be shared, their triangles in it are not.
Result<Done> check_amount(const Recording& recording, const Stock& stock,
                          const RecordedFrame& frame, const std::filesystem::path& path) {
  std::size_t triangles = 0;
  for (const int number : frame.bodies) {
    const RecordedBody& body = recording.bodies()[static_cast<std::size_t>(number)];
    const auto shape = static_cast<std::size_t>(body.shape);
    triangles += stock.shapes[shape].triangles.size() +
                 recording.shapes()[shape].radii.size() * stock.point.triangles.size();
  }
  if (triangles <= kMostTriangles) return Done{};
  InputError error;
  error.file = path.string();
  error.wrong = fmt::format("{} triangles in one frame", triangles);
  error.right = fmt::format("at most {}; glTF keeps shared shapes shared", kMostTriangles);
  return error;
}

Result<Done> make_folder(const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (!code) return Done{};
  InputError error;
  error.file = folder.string();
  error.wrong = "cannot create the folder: " + code.message();
  return error;
}

}  // namespace

Result<Done> write_vtk(const Recording& recording, const std::filesystem::path& path, bool skin) {
  const auto stock = stock_of(recording);
  if (!stock) return stock.error();
  const std::string stem = path.stem().string();
  const std::filesystem::path folder = path.parent_path() / stem;
  if (auto made = make_folder(folder); !made) return made;
  std::string list =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n<Collection>\n";
  const auto& times = recording.times();
  // a series needs times that tell its frames apart
  const bool timed = times.size() < 2 || times.back() > times.front();
  for (int f = 0; f < recording.frame_count(); ++f) {
    const auto frame = recording.frame(f);
    if (!frame) return frame.error();
    if (auto done = check_amount(recording, *stock, *frame, path); !done) return done;
    const std::string bodies = fmt::format("bodies_{:05}.vtp", f);
    const std::string contacts = fmt::format("contacts_{:05}.vtp", f);
    auto written =
        write_whole(folder / bodies, vtp_text(bodies_of(recording, *stock, *frame, skin)));
    if (written) written = write_whole(folder / contacts, vtp_text(frame->contacts));
    if (!written) return written;
    const double time = timed ? frame->time : f;
    list +=
        fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}/{}\"/>\n", time, stem, bodies);
    list +=
        fmt::format("<DataSet timestep=\"{}\" part=\"1\" file=\"{}/{}\"/>\n", time, stem, contacts);
  }
  return write_whole(path, list + "</Collection>\n</VTKFile>\n");
}

}  // namespace repose::exchange
