#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "repose/base/names.h"
#include "repose/record/recording.h"
#include "repose/render/picture.h"
#include "repose/shape/surfel_surface.h"
#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose::render {

/// What is shown of surfel bodies: their surface, in their own colour or by strain; the
/// balls that are kept apart; or the phyxels.
enum class SurfelLook { surface, strain, balls, phyxels };

/// A thread, a rod or a spring between two bodies; without a name its end is a point of the world.
struct Span {
  std::string body_a, body_b;
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  // in the frames of their bodies, m
  bool coiled = false;                                  // a spring
};

/// Those of a problem's joints and forces.
std::vector<Span> spans_of(const Problem& problem);

/// What a sign stands for: joints of a machine, and forces that push at a point.
enum class SignKind { pin, point_on_line, slider, weld, gear, motor, push };

/// The sign of a joint or a push, at a point of a body; without a name at a point of the world.
struct Sign {
  SignKind kind = SignKind::pin;
  std::string body;
  Vec3 point = Vec3::Zero();  // in the body's frame, m
  Vec3 axis = Vec3::UnitX();  // slider, point_on_line: body frame; push: world
};

/// Those of a problem's joints and forces.
std::vector<Sign> signs_of(const Problem& problem);

/// What to show beside the bodies, and from where.
struct DepictSettings {
  View view;                        // where the camera is not given outright
  std::optional<Camera> camera;     // instead of `view`
  std::optional<Color> background;  // of the backdrop, instead of the studio's
  bool free_heading = false;        // nobody asked for `view.azimuth`: low rows are seen along
  bool free_elevation = false;  // nor for `view.elevation`: what lies in a bowl is seen from above
  double aspect = 1.6;          // width over height of the picture to be
  bool contacts = false;        // dots where bodies touch
  bool forces = false;          // arrows along the forces that contacts carry
  bool skin = false;            // soft bodies of balls as the skin over them
  SurfelLook surfels = SurfelLook::surface;
  std::vector<Span> spans = {};  // drawn between their bodies
  /// Bodies that move in the plane z = 0: drawn as on a drawing board, y up, from straight in front
  /// whatever `view` says, with outlines and `signs`, before a grid.
  bool board = false;
  std::vector<Sign> signs = {};          // drawn on a board alone
  std::vector<std::string> highlight;    // names of bodies to lift out
  Vec3 gravity = Vec3(0.0, 0.0, -9.81);  // m/s^2; its opposite is up
  /// Where the bodies were at first: the few that have gone far from there are not framed.
  std::optional<Eigen::AlignedBox3d> stage;
};

/// Turns bodies and poses into pictures; meshes are prepared once and shared by all frames.
class Depictor {
 public:
  Depictor(const std::vector<DrawingShape>& shapes, std::vector<RecordedBody> bodies);

  Picture depict(const RecordedFrame& frame, const DepictSettings& settings) const;
  /// A box about all bodies of a frame, but for endless ground.
  Eigen::AlignedBox3d bounds(const RecordedFrame& frame, const DepictSettings& settings) const;
  /// A camera that sees the bodies of all given frames.
  Camera camera_for(const std::vector<RecordedFrame>& frames, const DepictSettings& settings) const;

 private:
  struct Prepared {
    DrawingForm form;
    MeshPtr mesh;
    double radius;
    std::vector<Vec3> centers;  // spheres and surfels, body frame
    std::vector<double> radii;
    int soft_offset;
    std::shared_ptr<const shape::SurfelSurfaceMotion> surface;  // surfels
    std::vector<Vec3> phyxels;                                  // at rest, body frame
  };
  /// The surface of a surfel body, in the world.
  struct Surface {
    Look look;
    const shape::SurfelSurfaceMotion* motion;
    shape::SurfelSurfaceMotion::Places places;
    std::vector<double> strains;  // of each point; empty: own colour
    double stiffness = 1.0;       // Pa, or 1 of all
  };

  void add_items(const RecordedFrame& frame, const DepictSettings& settings,
                 Picture& picture) const;
  void draw_contact_surfaces(const RecordedFrame& frame, std::vector<Surface>& surfaces) const;
  static void add_phyxels(const Prepared& shape, const std::vector<Vec3>& places, Item like,
                          Picture& picture);
  static void add_surfaces(const std::vector<Surface>& surfaces, Picture& picture);
  void add_ground(const RecordedFrame& frame, const Vec3& up, Picture& picture) const;
  void add_spans(const std::vector<RecordedFrame>& frames, const std::vector<Span>& spans,
                 double scene, Picture& picture) const;
  void add_spans_of(const RecordedFrame& frame, const std::vector<Span>& spans, double scene,
                    Picture& picture) const;
  /// Outlines, signs, paper and grid. `first_span`: of the picture's items. Requires: a camera.
  void lay_on_board(const RecordedFrame& frame, const DepictSettings& settings,
                    std::size_t first_span, Picture& picture) const;
  void add_markers(const RecordedFrame& frame, const DepictSettings& settings,
                   Picture& picture) const;
  Look look_of(int body) const;

  std::vector<Prepared> shapes_;
  std::vector<RecordedBody> bodies_;
};

/// One state of a problem.
Picture depict(const Problem& problem, const State& state, const DepictSettings& settings);

}  // namespace repose::render

template <>
inline constexpr auto repose::kNames<repose::render::SurfelLook> =
    std::to_array<std::string_view>({"surface", "strain", "balls", "phyxels"});
