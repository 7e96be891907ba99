#include "repose/scene/format.h"

#include "tables.h"

namespace repose {

std::string FieldType::text() const {
  std::string out;
  switch (base) {
    case Base::boolean:
      out = "boolean";
      break;
    case Base::integer:
      out = "whole number";
      break;
    case Base::number:
      out = "number";
      break;
    case Base::text:
      out = "text";
      break;
    case Base::object:
      out = "`" + object + "`";
      break;
    case Base::any:
      out = "boolean, number, text or [number x 3]";
      break;
  }
  if (or_name) out = "name, or " + out;
  for (auto list = lists.rbegin(); list != lists.rend(); ++list)
    out = *list < 0 ? "list of " + out : "[" + out + " x " + std::to_string(*list) + "]";
  if (or_color) out += " or text";
  if (map) out = "object from names to " + out;
  return out;
}

const std::vector<ObjectInfo>& scene_format() {
  static const std::vector<ObjectInfo> format = [] {
    std::vector<ObjectInfo> out{
        scene_table().info(),       body_table().info(),          shape_kinds().info(),
        union_part_table().info(),  bspline_patch_table().info(), formula_patch_table().info(),
        trim_face_table().info(),   trim_surface_kinds().info(),  trim_curve_kinds().info(),
        trim_spline_table().info(), sew_table().info(),           polygon_table().info(),
        disc_table().info(),        material_table().info(),      instances_table().info(),
        mixed_body_table().info(),  pattern_table().info(),       arrangement_kinds().info(),
        sizes_kinds().info(),       placement_table().info(),     soft_table().info(),
        box_region_table().info(),  path_table().info(),          force_kinds().info(),
        joint_kinds().info(),       event_table().info(),         edit_kinds().info(),
        limits_table().info(),      record_table().info(),        view_table().info(),
        patient_table().info()};
    out.push_back(model_table().info());
    out.back().name = "model_file";
    return out;
  }();
  return format;
}

}  // namespace repose
