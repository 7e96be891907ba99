#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "repose/math/pose.h"
#include "repose/scene/source.h"
#include "repose/shape/make.h"
#include "repose/shape/sample.h"
#include "repose/shape/trim.h"

namespace repose {

/// A place as an author writes it: a position and at most one of three ways to say a rotation. They
/// are kept as written, so that saving a scene changes no digit.
struct Placement {
  Vec3 position = Vec3::Zero();                             // m
  std::optional<std::array<double, 4>> orientation_wxyz;    // unit quaternion
  std::optional<std::array<double, 4>> axis_angle_deg;      // axis x, y, z, then degrees
  std::optional<std::array<double, 3>> roll_pitch_yaw_deg;  // about x, then y, then z (world)

  Pose pose() const;
};

struct ShapeSpec;

/// A shape used by name, or described on the spot.
struct ShapeUse {
  std::string name;                       // of Scene::shapes; empty if described here
  std::shared_ptr<const ShapeSpec> spec;  // null if named
};

/// A part of a union and its place in it.
struct UnionPartSpec : Placement {
  ShapeUse shape;
};
struct UnionSpec {
  std::vector<UnionPartSpec> parts;
};
/// The shape of a model file: models/NAME.json of the gallery, or a path beside the file at hand.
struct ModelUse {
  std::string model;
};
struct HalfSpaceSpec {};
/// Balls that move one by one: as written, and joined where they are near.
struct SphereSetSpec {
  std::vector<Vec3> centers;
  std::vector<double> radii;
  std::vector<std::array<int, 2>> links;
  std::optional<double> link_within;  // m; instead of links
};
/// A closed shape filled with balls; the numbers are those of shape::FillInput.
struct FillSpec {
  ShapeUse shape;
  shape::FillInput input;  // its shape is null
};
/// A closed shape sampled into phyxels and surfels; the numbers are those of shape::SampleInput.
struct SampleSpec {
  ShapeUse shape;
  shape::SampleInput input;  // its shape is null
};
/// Triangles written in the scene itself.
struct MeshSpec {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;
  bool open = false;
};

using ShapeKinds =
    std::variant<shape::BallInput, HalfSpaceSpec, shape::BoxInput, shape::EllipsoidInput,
                 shape::SuperellipsoidInput, shape::CylinderInput, shape::ConeInput,
                 shape::CapsuleInput, shape::TorusInput, shape::RevolutionInput, shape::TubeInput,
                 shape::BezierInput, shape::BsplineInput, shape::FormulaInput, shape::TrimmedInput,
                 UnionSpec, MeshSpec, shape::MeshFileInput, shape::ConvexInput, shape::PlaneRegion,
                 SphereSetSpec, shape::LatticeInput, FillSpec, SampleSpec, shape::PointSet,
                 ModelUse>;

struct ShapeSpec {
  ShapeKinds what;
  SourcePlace source;
};

/// Things by name, in the order of the file.
template <class T>
using Named = std::vector<std::pair<std::string, T>>;

/// What a model file holds.
struct Model {
  std::string about;
  std::string file;         // mesh files and models are looked for beside it
  Named<ShapeSpec> shapes;  // known inside the model only
  ShapeSpec shape;          // what the model is
};

}  // namespace repose
