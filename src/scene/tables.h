#pragma once

#include "repose/scene/scene.h"

#include "codec.h"

namespace repose {

// The tables of the scene format. What a table says of a field is all that reader, writer, schema
// and documentation know of it.

const ObjectTable<Scene>& scene_table();
const ObjectTable<Model>& model_table();
const ObjectTable<SceneBody>& body_table();
const ObjectTable<SceneBody>& pattern_table();
const KindsTable<ShapeKinds>& shape_kinds();
const KindsTable<Sizes>& sizes_kinds();
const KindsTable<Arrangement>& arrangement_kinds();
const SharedKinds<SceneForce, ForceKind>& force_kinds();
const SharedKinds<SceneJoint, JointKind>& joint_kinds();
const SharedKinds<SceneEdit, EditKind>& edit_kinds();

/// The largest number of bodies a scene may hold, instances included.
inline constexpr std::int64_t kMostBodies = 1'000'000;

inline constexpr Range kLength{1e-9, 1e9};      // m; sizes
inline constexpr Range kCoordinate{-1e9, 1e9};  // m
inline constexpr Range kNotNegative{0.0, 1e30};
inline constexpr Range kPositive{0.0, 1e30, true, false};
inline constexpr Range kShare{0.0, 1.0};

#define REPOSE_TABLE(TYPE, CALL)              \
  template <>                                 \
  struct TableOf<TYPE> {                      \
    static const auto& get() { return CALL; } \
  }

const ObjectTable<Material>& material_table();
const ObjectTable<Placement>& placement_table();
const ObjectTable<BoxSpec>& box_region_table();
const ObjectTable<SoftSpec>& soft_table();
const ObjectTable<PathSpec>& path_table();
const ObjectTable<MixedBody>& mixed_body_table();
const ObjectTable<Instances>& instances_table();
const ObjectTable<SceneEvent>& event_table();
const ObjectTable<RecordChoice>& record_table();
const ObjectTable<ViewChoice>& view_table();
const ObjectTable<Limits>& limits_table();
const ObjectTable<Patient>& patient_table();
const ObjectTable<UnionPartSpec>& union_part_table();
const ObjectTable<shape::SewInput>& sew_table();
const ObjectTable<shape::BsplinePatchInput>& bspline_patch_table();
const ObjectTable<shape::FormulaPatchInput>& formula_patch_table();
const KindsTable<shape::TrimSurface>& trim_surface_kinds();
const KindsTable<shape::TrimCurve>& trim_curve_kinds();
const ObjectTable<shape::TrimSpline>& trim_spline_table();
const ObjectTable<shape::TrimFace>& trim_face_table();
const ObjectTable<shape::TrimmedInput>& trimmed_table();
const ObjectTable<shape::Polygon>& polygon_table();
const ObjectTable<shape::Disc>& disc_table();

REPOSE_TABLE(Material, material_table());
REPOSE_TABLE(Placement, placement_table());
REPOSE_TABLE(BoxSpec, box_region_table());
REPOSE_TABLE(SoftSpec, soft_table());
REPOSE_TABLE(PathSpec, path_table());
REPOSE_TABLE(SceneBody, body_table());
REPOSE_TABLE(MixedBody, mixed_body_table());
REPOSE_TABLE(Instances, instances_table());
REPOSE_TABLE(Sizes, sizes_kinds());
REPOSE_TABLE(Arrangement, arrangement_kinds());
REPOSE_TABLE(SceneForce, force_kinds());
REPOSE_TABLE(SceneJoint, joint_kinds());
REPOSE_TABLE(SceneEdit, edit_kinds());
REPOSE_TABLE(SceneEvent, event_table());
REPOSE_TABLE(RecordChoice, record_table());
REPOSE_TABLE(ViewChoice, view_table());
REPOSE_TABLE(Limits, limits_table());
REPOSE_TABLE(Patient, patient_table());
REPOSE_TABLE(UnionPartSpec, union_part_table());
REPOSE_TABLE(shape::SewInput, sew_table());
REPOSE_TABLE(shape::BsplinePatchInput, bspline_patch_table());
REPOSE_TABLE(shape::FormulaPatchInput, formula_patch_table());
REPOSE_TABLE(shape::TrimSurface, trim_surface_kinds());
REPOSE_TABLE(shape::TrimCurve, trim_curve_kinds());
REPOSE_TABLE(shape::TrimSpline, trim_spline_table());
REPOSE_TABLE(shape::TrimFace, trim_face_table());
REPOSE_TABLE(shape::Polygon, polygon_table());
REPOSE_TABLE(shape::Disc, disc_table());

#undef REPOSE_TABLE

template <>
struct Codec<ShapeSpec> {
  static FieldType type(FieldType t) {
    t.base = FieldType::Base::object;
    t.object = "shape";
    return t;
  }
  static std::string default_text(const ShapeSpec&) { return "{}"; }
  static bool read(Reading& r, JsonView at, const FieldInfo& info, ShapeSpec& out);
  static Json write(const ShapeSpec& spec);
  static bool same(const ShapeSpec& a, const ShapeSpec& b);
};

template <>
struct Codec<ShapeUse> {
  static FieldType type(FieldType t) {
    t.or_name = true;
    return Codec<ShapeSpec>::type(std::move(t));
  }
  static std::string default_text(const ShapeUse&) { return "none"; }
  static bool read(Reading& r, JsonView at, const FieldInfo& info, ShapeUse& out);
  static Json write(const ShapeUse& use);
  static bool same(const ShapeUse& a, const ShapeUse& b);
};

template <>
struct Codec<MethodChoice> {
  static FieldType type(FieldType t) {
    t.base = FieldType::Base::object;
    t.object = "method";
    return t;
  }
  static std::string default_text(const MethodChoice&) { return "{\"kind\": \"still\"}"; }
  static bool read(Reading& r, JsonView at, const FieldInfo& info, MethodChoice& out);
  static Json write(const MethodChoice& choice);
  static bool same(const MethodChoice& a, const MethodChoice& b);
};

/// Rows for position and rotation.
template <class Table>
void add_placement(Table& t) {
  t.field(&Placement::position, {.name = "position",
                                 .unit = "m",
                                 .range = kCoordinate,
                                 .meaning = "Where the body's origin stands, x, y, z; z is up."});
  t.field(
      &Placement::orientation_wxyz,
      {.name = "orientation_wxyz",
       .unit = "1",
       .range = {-2.0, 2.0},
       .default_text = "no rotation",
       .meaning =
           "Rotation as a unit quaternion w, x, y, z; its length may be off by a thousandth. At "
           "most one of the three ways to say a rotation is given."});
  t.field(&Placement::axis_angle_deg,
          {.name = "axis_angle_deg",
           .unit = "1, degree",
           .range = kCoordinate,
           .default_text = "no rotation",
           .meaning = "Rotation about an axis x, y, z (any length but 0) by the fourth number, in "
                      "degrees."});
  t.field(&Placement::roll_pitch_yaw_deg,
          {.name = "roll_pitch_yaw_deg",
           .unit = "degree",
           .range = kCoordinate,
           .default_text = "no rotation",
           .meaning = "Rotation about the world's x axis, then y, then z."});
}
/// The field "times" of `at` increases, and `others` things of the field `other` go with it.
bool check_times(Reading& reading, JsonView at, const std::vector<double>& times, const char* other,
                 std::size_t others);
/// At most one rotation, and a meaningful one.
bool check_placement(Reading& reading, JsonView at, const Placement& place);

}  // namespace repose
