#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "repose/math/pose.h"

namespace repose::render {

using Color = std::array<float, 3>;  // linear RGB, [0, 1]

/// How a surface takes light.
struct Look {
  Color color{0.72F, 0.70F, 0.66F};
  float opacity = 1.0F;    // [0, 1]; below 1 light also passes, refracted as by glass
  float roughness = 0.5F;  // [0, 1]; 0 is a mirror-like polish
  float metallic = 0.0F;   // [0, 1]; 1 reflects in its own colour and scatters nothing
  float glow = 0.0F;       // [0, 1]; how far the body is lifted out to be noticed
};

/// Triangles ready to be drawn, in the frame of their item. Counter-clockwise from outside.
struct Mesh {
  std::vector<Eigen::Vector3f> points;
  std::vector<Eigen::Vector3f> normals;  // unit, one per point; empty: every triangle is flat
  std::vector<std::array<int, 3>> triangles;
};
using MeshPtr = std::shared_ptr<const Mesh>;

/// One thing in the picture: a mesh where there is one, else a ball of `radius` about the origin.
/// Items that share a mesh share its memory.
struct Item {
  MeshPtr mesh;
  double radius = 1.0;  // m; balls only
  Pose world_from_item;
  Look look;
  bool frames = true;   // the automatic camera keeps it in view
  bool wall = false;    // endless: left out where it turns its back on the camera
  bool astray = false;  // it has left the scene
};

/// A sign drawn over the bodies: solid where it is in front, faint where it is hidden.
struct Marker {
  Vec3 from = Vec3::Zero();
  Vec3 to = Vec3::Zero();  // equal to `from`: a dot, else an arrow
  double radius = 0.01;    // m; of the dot or the arrow's shaft
  Color color{0.90F, 0.10F, 0.05F};
};

/// The endless ground: never a horizon, only the shadows that fall on it.
struct Floor {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();  // unit
};

/// A pinhole. Requires: eye differs from target, and up is not along the line of sight.
struct Camera {
  Vec3 eye = Vec3(3.0, -4.0, 2.0);
  Vec3 target = Vec3::Zero();
  Vec3 up = Vec3::UnitZ();
  double view_angle = 0.46;  // rad, from bottom to top of the picture; (0, 3)
};

/// The room in which everything stands. Lights are given relative to the camera's heading, so that
/// every view is lit well; all are at infinity, so that a scene of any size looks the same.
struct Studio {
  Color center{1.12F, 1.125F, 1.14F};  // backdrop in the middle of the picture
  Color edge{0.52F, 0.56F, 0.62F};     // and in its corners
  Color key{1.16F, 1.08F, 0.98F};      // diffuse light of the main lamp on a surface facing it
  Color rim{0.24F, 0.28F, 0.34F};      // of the lamp behind
  Color sky{0.31F, 0.335F, 0.37F};     // of the dome
  double key_azimuth = -0.95;          // rad from the direction towards the camera; + to the right
  double key_elevation = 0.92;         // rad above the horizon
  double key_softness = 0.16;          // rad, half width of the lamp; wider: softer shadows
  double rim_azimuth = 2.5;            // rad
  double rim_elevation = 0.75;         // rad
  double rim_softness = 0.25;          // rad
  float exposure = 0.70F;              // scale before the film curve
};

/// All that is drawn.
struct Picture {
  std::vector<Item> items;
  std::vector<Marker> markers;
  std::optional<Floor> floor;
  Camera camera;
  Studio studio;
};

/// From where to look when the scene does not say.
struct View {
  double azimuth = -0.96;    // rad, heading of the eye from the bodies; 0 is +x, turning about up
  double elevation = 0.36;   // rad above the horizontal
  Vec3 up = Vec3::UnitZ();   // unit; azimuth turns about it
  double view_angle = 0.46;  // rad, from bottom to top of the picture; (0, 3)
  double margin = 0.10;      // share of the picture left free on each side; [0, 0.45]
};

/// The camera in direction `view` that stands as near as it can with every framed item inside the
/// picture. `aspect` is width over height.
Camera framed_camera(const Picture& picture, double aspect, const View& view);

}  // namespace repose::render
