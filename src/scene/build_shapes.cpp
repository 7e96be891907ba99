#include "build_shapes.h"

#include <filesystem>

#include <fmt/format.h>

#include "tables.h"

namespace repose {

namespace {

/// Calls the maker of each kind that needs nothing beyond its own numbers.
struct PlainMaker {
  using Answer = Result<shape::ShapePtr>;
  Answer operator()(const shape::BallInput& in) const { return shape::make_ball(in); }
  Answer operator()(const HalfSpaceSpec&) const { return shape::make_half_space(); }
  Answer operator()(const shape::BoxInput& in) const { return shape::make_box(in); }
  Answer operator()(const shape::EllipsoidInput& in) const { return shape::make_ellipsoid(in); }
  Answer operator()(const shape::SuperellipsoidInput& in) const {
    return shape::make_superellipsoid(in);
  }
  Answer operator()(const shape::CylinderInput& in) const { return shape::make_cylinder(in); }
  Answer operator()(const shape::ConeInput& in) const { return shape::make_cone(in); }
  Answer operator()(const shape::CapsuleInput& in) const { return shape::make_capsule(in); }
  Answer operator()(const shape::TorusInput& in) const { return shape::make_torus(in); }
  Answer operator()(const shape::RevolutionInput& in) const { return shape::make_revolution(in); }
  Answer operator()(const shape::TubeInput& in) const { return shape::make_tube(in); }
  Answer operator()(const shape::BezierInput& in) const { return shape::make_bezier(in); }
  Answer operator()(const shape::BsplineInput& in) const { return shape::make_bspline(in); }
  Answer operator()(const shape::FormulaInput& in) const { return shape::make_formula(in); }
  Answer operator()(const shape::TrimmedInput& in) const { return shape::make_trimmed(in); }
  Answer operator()(const shape::ConvexInput& in) const { return shape::make_convex(in); }
  Answer operator()(const shape::PlaneRegion& in) const { return shape::make_plane_region(in); }
  Answer operator()(const SphereSetSpec& in) const {
    shape::SphereSet set{in.centers, in.radii, in.links};
    if (in.link_within) shape::link_within(*in.link_within, set);
    return shape::make_sphere_set(set);
  }
  Answer operator()(const shape::LatticeInput& in) const { return shape::make_lattice(in); }
  Answer operator()(const shape::PointSet& in) const { return shape::make_point_set(in); }
  Answer operator()(const MeshSpec& in) const {
    return shape::make_mesh({{in.points, in.triangles}, in.open});
  }
  Answer operator()(const shape::MeshFileInput& in) const {
    shape::MeshFileInput beside = in;
    beside.path = (std::filesystem::path(file).parent_path() / in.path).string();
    return shape::make_mesh_file(beside);
  }
  Answer operator()(const UnionSpec&) const { return needs_others(); }
  Answer operator()(const FillSpec&) const { return needs_others(); }
  Answer operator()(const SampleSpec&) const { return needs_others(); }
  Answer operator()(const ModelUse&) const { return needs_others(); }

  static Answer needs_others() {
    REPOSE_CHECK(false, "unions, fills, samples and models are built from others");
  }

  const std::string& file;  // mesh files are looked for beside it
};

/// An error in a mesh file as an error of the shape that names the file.
InputError told_by_scene(InputError error) {
  std::string place = error.file;
  if (error.line > 0) place += fmt::format(":{}", error.line);
  if (error.column > 0) place += fmt::format(":{}", error.column);
  if (!error.pointer.empty() && error.pointer != "/path") place += " " + error.pointer;
  InputError out;
  out.pointer = "/path";
  out.value = error.value;
  out.wrong = fmt::format("{}: {}", place, error.wrong);
  out.right = error.right;
  return out;
}

/// What `make` answers, or that it took too much work.
template <class Make>
Result<shape::ShapePtr> within_budget(Make make) {
  try {
    return make();
  } catch (const WorkSpent& spent) {
    return too_much_work(spent, "fewer or simpler parts, or a mesh of the body");
  }
}

}  // namespace

InputError too_much_work(const WorkSpent& spent, const std::string& right) {
  InputError error;
  error.value = fmt::format("more than {:.2g} elementary steps for the scene",
                            static_cast<double>(kLoadWork));
  error.wrong = *spent.stage() == '\0' ? std::string("this takes too long")
                                       : fmt::format("this takes too long: {}", spent.stage());
  error.right = right;
  return error;
}

Result<shape::ShapePtr> ShapeBuilder::build(ShapeLibrary::Found found) {
  REPOSE_CHECK(found.spec != nullptr, "a shape that does not exist");
  if (const auto known = built_.find(found.spec); known != built_.end()) return known->second;
  // the words mean the same only within one file
  const std::string text = found.scope->file + Codec<ShapeSpec>::write(*found.spec).line();
  if (const auto known = by_text_.find(text); known != by_text_.end()) return known->second;
  auto made = make(found);
  if (!made) return made;
  built_.emplace(found.spec, *made);
  by_text_.emplace(text, *made);
  return made;
}

Result<shape::ShapePtr> ShapeBuilder::make(ShapeLibrary::Found found) {
  const ShapeSpec& spec = *found.spec;
  if (const auto* use = std::get_if<ModelUse>(&spec.what))
    return build(library_.find(*use, *found.scope));
  if (const auto* whole = std::get_if<UnionSpec>(&spec.what)) {
    shape::UnionInput input;
    for (const UnionPartSpec& part : whole->parts) {
      auto inner = build(library_.find(part.shape, *found.scope));
      if (!inner) return inner;
      input.parts.push_back({std::move(*inner), part.pose()});
    }
    auto made = within_budget([&] { return shape::make_union(input); });
    if (!made) return located(scene_, spec.source, made.error());
    return made;
  }
  if (const auto* fill = std::get_if<FillSpec>(&spec.what)) {
    auto inner = build(library_.find(fill->shape, *found.scope));
    if (!inner) return inner;
    shape::FillInput input = fill->input;
    input.shape = std::move(*inner);
    auto made = within_budget([&] { return shape::make_fill(input); });
    if (!made) return located(scene_, spec.source, made.error());
    return made;
  }
  if (const auto* sample = std::get_if<SampleSpec>(&spec.what)) {
    auto inner = build(library_.find(sample->shape, *found.scope));
    if (!inner) return inner;
    shape::SampleInput input = sample->input;
    input.shape = std::move(*inner);
    auto made = within_budget([&] { return shape::make_sample(input); });
    if (!made) return located(scene_, spec.source, made.error());
    return made;
  }
  auto made = within_budget([&] { return std::visit(PlainMaker{found.scope->file}, spec.what); });
  if (made) return made;
  InputError error = made.error();
  // a mesh file's own error names that file; the scene's place is where it is asked for
  if (std::holds_alternative<shape::MeshFileInput>(spec.what) && !error.file.empty())
    error = told_by_scene(std::move(error));
  return located(scene_, spec.source, std::move(error));
}

}  // namespace repose
