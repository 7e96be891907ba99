#include "urdf_world.h"

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include <pugixml.hpp>

namespace bench_handover {

namespace {

using Eigen::AngleAxisd;
using Eigen::Isometry3d;
using Eigen::Vector3d;

std::vector<double> numbers(const char* text) {
  std::istringstream in(text);
  std::vector<double> out;
  for (double v = 0.0; in >> v;) out.push_back(v);
  return out;
}
Isometry3d origin(pugi::xml_node at) {
  auto xyz = numbers(at.child("origin").attribute("xyz").value());
  auto rpy = numbers(at.child("origin").attribute("rpy").value());
  xyz.resize(3), rpy.resize(3);
  Isometry3d out = Isometry3d::Identity();
  out.translate(Vector3d(xyz[0], xyz[1], xyz[2]));
  out.rotate(AngleAxisd(rpy[2], Vector3d::UnitZ()));
  out.rotate(AngleAxisd(rpy[1], Vector3d::UnitY()));
  out.rotate(AngleAxisd(rpy[0], Vector3d::UnitX()));
  return out;
}
std::vector<Vector3d> obj_points(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<Vector3d> out;
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("v ")) {
      const auto v = numbers(line.c_str() + 2);
      out.emplace_back(v.at(0), v.at(1), v.at(2));
    }
  return out;
}

UrdfLink link_of(pugi::xml_node at, const std::filesystem::path& folder) {
  UrdfLink out;
  out.name = at.attribute("name").value();
  out.mass = at.child("inertial").child("mass").attribute("value").as_double();
  out.friction =
      at.child("contact").child("lateral_friction").attribute("value").as_double(out.friction);
  const pugi::xml_node collision = at.child("collision");
  const pugi::xml_node shape = collision.child("geometry").first_child();
  out.kind = shape.name();
  out.shape = origin(collision);
  if (out.kind == "box") out.sizes = numbers(shape.attribute("size").value());
  if (const auto radius = shape.attribute("radius")) out.sizes.push_back(radius.as_double());
  if (const auto length = shape.attribute("length")) out.sizes.push_back(length.as_double());
  if (out.kind == "mesh") out.points = obj_points(folder / shape.attribute("filename").value());
  return out;
}

}  // namespace

double UrdfLink::size() const {
  if (kind == "box") return Vector3d(sizes[0], sizes[1], sizes[2]).norm();
  if (kind == "sphere") return 2.0 * sizes[0];
  if (kind == "cylinder") return std::hypot(2.0 * sizes[0], sizes[1]);
  if (kind == "capsule") return 2.0 * sizes[0] + sizes[1];
  double reach = 0.0;
  for (const Vector3d& p : points) reach = std::max(reach, p.norm());
  return 2.0 * reach;
}

std::vector<UrdfLink> read_urdf_world(const std::filesystem::path& file) {
  pugi::xml_document document;
  std::vector<UrdfLink> out;
  if (!document.load_file(file.c_str())) return out;
  const pugi::xml_node robot = document.child("robot");
  std::map<std::string, std::size_t> index;
  for (const pugi::xml_node at : robot.children("link")) {
    out.push_back(link_of(at, file.parent_path()));
    index[out.back().name] = out.size() - 1;
  }
  for (const pugi::xml_node at : robot.children("joint")) {
    UrdfLink& child = out[index.at(at.child("child").attribute("link").value())];
    child.world = out[index.at(at.child("parent").attribute("link").value())].world * origin(at);
    child.floats = std::string(at.attribute("type").value()) == "floating";
  }
  return out;
}

}  // namespace bench_handover
