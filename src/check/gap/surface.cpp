#include "check/gap/surface.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "repose/base/disjoint_sets.h"

#include "check/exact/rounding.h"
#include "check/verdict/tally.h"

namespace repose::check {

namespace {

/// Axis-aligned box about a piece.
struct Box {
  Vec3 low, high;
};
Box box_of(const Piece& p) {
  Box b;
  for (int k = 0; k < 3; ++k) {
    const Span s = span(p, Vec3::Unit(k));
    b.low[k] = s.low;
    b.high[k] = s.high;
  }
  return b;
}

Piece node_of(const Box& b) {
  Piece p;
  p.center = 0.5 * (b.low + b.high);
  const Vec3 half =
      0.5 * (b.high - b.low) + Vec3::Constant(kSumError * (b.low.norm() + b.high.norm()));
  p.half_u = Vec3(half.x(), 0, 0);
  p.half_v = Vec3(0, half.y(), 0);
  p.thickness = half.z();
  p.size = half.norm();
  p.on_error = std::numeric_limits<double>::infinity();
  return p;
}

/// A space curve as a patch whose second parameter does nothing.
class CurvePatch final : public shape::Patch {
 public:
  explicit CurvePatch(shape::CurvePtr curve) : curve_(std::move(curve)) {}
  shape::UvBox domain() const override {
    const Interval t = curve_->domain();
    return {t.lo, t.hi, 0.0, 0.0};
  }
  shape::PatchJet jet(double u, double) const override {
    const shape::CurveJet j = curve_->jet(u);
    return {j.c, j.ct, Vec3::Zero(), j.ctt, Vec3::Zero(), Vec3::Zero()};
  }
  shape::PatchEnclosure enclose(const shape::UvBox& box) const override {
    const shape::CurveEnclosure e = curve_->enclose({box.u0, box.u1});
    return {e.c, e.ct, {}, e.ctt, {}, {}};
  }
  bool closed_u() const override { return curve_->closed(); }

 private:
  shape::CurvePtr curve_;
};

/// A part of the patch as pieces that bounds are known of; mostly it is one.
std::vector<Piece> bounded_pieces(const shape::Patch& patch, const shape::UvBox& part) {
  constexpr std::size_t kMost = 4096;
  std::vector<Piece> out;
  std::vector<shape::UvBox> open{part};
  while (!open.empty()) {
    const shape::UvBox uv = open.back();
    open.pop_back();
    Piece p = patch_piece(patch, uv);
    if (std::isfinite(p.size) || open.size() + out.size() >= kMost) {
      out.push_back(p);
      continue;
    }
    shape::UvBox low = uv, high = uv;
    const shape::UvBox whole = patch.domain();
    const bool along_u =
        (uv.u1 - uv.u0) * (whole.v1 - whole.v0) >= (uv.v1 - uv.v0) * (whole.u1 - whole.u0);
    if (along_u)
      low.u1 = high.u0 = uv.center().x();
    else
      low.v1 = high.v0 = uv.center().y();
    open.push_back(high);
    open.push_back(low);
  }
  return out;
}

std::vector<Piece> triangle_leaves(const shape::TriangleMesh& mesh) {
  std::vector<Piece> out;
  out.reserve(mesh.triangles.size());
  const auto point = [&](int i) { return mesh.points[static_cast<std::size_t>(i)]; };
  for (const auto& [a, b, c] : mesh.triangles)
    out.push_back(triangle_piece(point(a), point(b), point(c)));
  return out;
}

/// One corner of every connected component of the mesh.
std::vector<Vec3> component_points(const shape::TriangleMesh& mesh) {
  DisjointSets components(static_cast<int>(mesh.points.size()));
  std::vector<bool> used(mesh.points.size(), false);
  for (const auto& [a, b, c] : mesh.triangles) {
    components.join(a, b);
    components.join(b, c);
    used[static_cast<std::size_t>(a)] = true;
  }
  std::vector<Vec3> out;
  for (const int i : components.names()) {
    // a point that no triangle uses is no surface
    const bool alone = !used[static_cast<std::size_t>(i)] &&
                       std::none_of(mesh.triangles.begin(), mesh.triangles.end(),
                                    [i](const auto& t) { return t[1] == i || t[2] == i; });
    if (!alone) out.push_back(mesh.points[static_cast<std::size_t>(i)]);
  }
  return out;
}

/// One point of every connected component of a part's faces, sewn along its seams.
void add_component_points(const shape::Part& part, std::vector<Vec3>& out) {
  DisjointSets components(static_cast<int>(part.faces.size()));
  for (const shape::Seam& seam : part.seams) components.join(seam.left.face, seam.right.face);
  for (const int i : components.names()) {
    const shape::Patch& patch = *part.faces[static_cast<std::size_t>(i)].patch;
    const Vec2 middle = patch.domain().center();
    out.push_back(patch.point(middle.x(), middle.y()));
  }
}

std::vector<Piece> polyhedron_leaves(const shape::ConvexPolyhedron& body) {
  std::vector<Piece> out;
  const auto point = [&](int i) { return body.points[static_cast<std::size_t>(i)]; };
  for (const auto& face : body.faces)
    for (std::size_t k = 2; k < face.size(); ++k)
      out.push_back(triangle_piece(point(face[0]), point(face[k - 1]), point(face[k])));
  return out;
}

}  // namespace

Surface::Surface(const Vec3& point) : pieces_{point_piece(point)}, reach_(point.norm()) {
  closed_ = false;
}

Surface::Surface(const shape::CurvePtr& curve) {
  faces_.push_back({{std::make_shared<CurvePatch>(curve), 1.0}, 0});
  std::vector<Piece> leaves{patch_piece(*faces_[0].face.patch, faces_[0].face.patch->domain())};
  leaves[0].face = 0;
  part_points_.push_back(curve->jet(curve->domain().lo).c);
  closed_ = false;
  plant(leaves);
}

Surface::Surface(const shape::ConvexPolyhedron& body) {
  std::vector<Piece> leaves = polyhedron_leaves(body);
  plant(leaves);
}

Surface::Surface(const shape::Shape& shape) {
  std::vector<Piece> leaves;
  if (const auto* mesh = std::get_if<shape::TriangleMesh>(&shape.geometry)) {
    leaves = triangle_leaves(*mesh);
    part_points_ = component_points(*mesh);
    closed_ = shape.volume.volume > 0.0;
  } else if (const auto* body = std::get_if<shape::ConvexPolyhedron>(&shape.geometry)) {
    leaves = polyhedron_leaves(*body);
  } else if (const auto* solid = std::get_if<shape::Solid>(&shape.geometry)) {
    add_solid(*solid, leaves);
  }
  if (!leaves.empty()) plant(leaves);
}

void Surface::plant(std::vector<Piece>& leaves) {
  if (faces_.empty()) {
    for (std::size_t i = 0; i < leaves.size(); ++i) leaves[i].face = static_cast<int>(i);
    if (part_points_.empty()) part_points_.push_back(leaves.front().corner[0]);
  }
  for (const Piece& p : leaves) {
    double far = p.center.norm() + p.size;
    for (const Vec3& c : p.corner)
      if (p.kind == PieceKind::triangle) far = std::max(far, c.norm());
    reach_ = std::max(reach_, far);
  }
  pieces_.resize(1);
  pieces_.reserve(2 * leaves.size());
  build(leaves, 0, leaves.size(), 0);
  first_count_ = pieces_.size();
}

void Surface::add_solid(const shape::Solid& solid, std::vector<Piece>& leaves) {
  parts_ = static_cast<int>(solid.parts.size());
  for (int part = 0; part < parts_; ++part) {
    seam_gap_ = std::max(seam_gap_, solid.parts[static_cast<std::size_t>(part)].seam_gap);
    const auto& faces = solid.parts[static_cast<std::size_t>(part)].faces;
    for (const shape::Face& face : faces) {
      for (Piece& p : bounded_pieces(*face.patch, face.patch->domain())) {
        p.face = static_cast<int>(faces_.size());
        leaves.push_back(p);
      }
      faces_.push_back({face, part});
    }
    add_component_points(solid.parts[static_cast<std::size_t>(part)], part_points_);
  }
}

Surface* Surface::borders() {
  if (borders_ || faces_.empty()) return borders_.get();
  borders_ = std::shared_ptr<Surface>(new Surface);
  borders_->faces_ = faces_;
  borders_->closed_ = false;
  std::vector<Piece> leaves;
  for (int i = 0; i < faces(); ++i) {
    const shape::Patch& patch = *face(i).patch;
    const shape::UvBox d = patch.domain();
    for (const shape::UvBox& side :
         {shape::UvBox{d.u0, d.u0, d.v0, d.v1}, shape::UvBox{d.u1, d.u1, d.v0, d.v1},
          shape::UvBox{d.u0, d.u1, d.v0, d.v0}, shape::UvBox{d.u0, d.u1, d.v1, d.v1}})
      for (Piece& p : bounded_pieces(patch, side)) {
        p.face = i;
        leaves.push_back(p);
      }
  }
  borders_->plant(leaves);
  return borders_.get();
}

void Surface::build(std::vector<Piece>& leaves, std::size_t first, std::size_t count,
                    std::size_t self) {
  if (count == 1) {
    pieces_[self] = leaves[first];
    return;
  }
  Box all = box_of(leaves[first]);
  Vec3 low = leaves[first].center, high = low;
  for (std::size_t i = first + 1; i < first + count; ++i) {
    const Box b = box_of(leaves[i]);
    all.low = all.low.cwiseMin(b.low);
    all.high = all.high.cwiseMax(b.high);
    low = low.cwiseMin(leaves[i].center);
    high = high.cwiseMax(leaves[i].center);
  }
  int axis = 0;
  (high - low).maxCoeff(&axis);
  const auto begin = leaves.begin() + static_cast<std::ptrdiff_t>(first);
  // equal keys are told apart by face number, so that the tree is the same everywhere
  std::nth_element(begin, begin + static_cast<std::ptrdiff_t>(count / 2),
                   begin + static_cast<std::ptrdiff_t>(count), [&](const Piece& a, const Piece& b) {
                     return a.center[axis] != b.center[axis] ? a.center[axis] < b.center[axis]
                                                             : a.face < b.face;
                   });
  Piece node = node_of(all);
  node.child = static_cast<int>(pieces_.size());
  pieces_[self] = node;
  const auto child = pieces_.size();
  pieces_.resize(child + 2);
  build(leaves, first, count / 2, child);
  build(leaves, first + count / 2, count - count / 2, child + 1);
}

int Surface::children(int i) {
  const Piece parent = pieces_[static_cast<std::size_t>(i)];
  ++tally.pieces;
  if (parent.child >= 0 || parent.leaf()) return parent.child;
  shape::UvBox a = parent.uv, b = parent.uv;
  const Vec2 middle = parent.uv.center();
  if (parent.split_u)
    a.u1 = b.u0 = middle.x();
  else
    a.v1 = b.v0 = middle.y();
  const int child = static_cast<int>(pieces_.size());
  const shape::Patch& patch = *face(parent.face).patch;
  for (const shape::UvBox& uv : {a, b}) {
    pieces_.push_back(patch_piece(patch, uv));
    pieces_.back().face = parent.face;
  }
  pieces_[static_cast<std::size_t>(i)].child = child;
  return child;
}

Vec3 Surface::outward(int i) const {
  const Piece& p = piece(i);
  if (p.kind != PieceKind::patch) return p.normal;
  const Vec2 m = p.uv.center();
  return face(p.face).normal(m.x(), m.y());
}

}  // namespace repose::check
