#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <Eigen/Geometry>

namespace bench_handover {

/// A link of a URDF file, read without Repose's own reader: plain pugixml and Eigen.
struct UrdfLink {
  std::string name;
  Eigen::Isometry3d world = Eigen::Isometry3d::Identity();
  bool floats = false;
  double mass = 0.0;      // kg
  double friction = 0.5;  // lateral
  std::string kind;       // of its one shape: box, sphere, cylinder, capsule, mesh; empty: none
  std::vector<double> sizes;
  std::vector<Eigen::Vector3d> points;  // of a mesh
  Eigen::Isometry3d shape = Eigen::Isometry3d::Identity();

  /// Diameter of a ball about its shape's middle, m.
  double size() const;
};
/// Links that hang on the first by fixed or floating joints, and their meshes (OBJ).
std::vector<UrdfLink> read_urdf_world(const std::filesystem::path& file);

}  // namespace bench_handover
