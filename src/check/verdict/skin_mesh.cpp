#include "check/verdict/skin_mesh.h"

#include <map>

#include "repose/base/at.h"
#include "repose/base/disjoint_sets.h"

namespace repose::check {

namespace {

using Place = std::array<int, 3>;

/// The squares of a lattice that are its outside.
class LatticeSkin {
 public:
  explicit LatticeSkin(const std::vector<Place>& places) {
    for (std::size_t i = 0; i < places.size(); ++i) number_.emplace(places[i], static_cast<int>(i));
    for (const Place& place : places)
      for (std::size_t axis = 0; axis < 3; ++axis) add_square(place, axis);
  }
  std::vector<std::array<int, 3>> triangles;

 private:
  int find(const Place& place) const {
    const auto found = number_.find(place);
    return found == number_.end() ? -1 : found->second;
  }
  bool has_cell(const Place& low) const {
    for (int x = 0; x < 2; ++x)
      for (int y = 0; y < 2; ++y)
        for (int z = 0; z < 2; ++z)
          if (find({low[0] + x, low[1] + y, low[2] + z}) < 0) return false;
    return true;
  }
  /// The square at `low` that is square to the axis.
  void add_square(const Place& low, std::size_t axis) {
    Place second = low, fourth = low, below = low;
    second[(axis + 1) % 3] += 1;
    fourth[(axis + 2) % 3] += 1;
    Place third = second;
    third[(axis + 2) % 3] += 1;
    below[axis] -= 1;
    const int a = find(low), b = find(second), c = find(third), d = find(fourth);
    if (a < 0 || b < 0 || c < 0 || d < 0) return;
    const bool over = has_cell(low), under = has_cell(below);
    if (over && under) return;
    // counter-clockwise seen from where there is no cell
    if (over) {
      triangles.push_back({a, c, b});
      triangles.push_back({a, d, c});
    } else {
      triangles.push_back({a, b, c});
      triangles.push_back({a, c, d});
    }
  }

  std::map<Place, int> number_;
};

/// Which triangles hang together, and which of these parts are closed: each side belongs to as many
/// triangles one way round as the other.
void find_parts(int points, SkinShape& skin) {
  DisjointSets joined(points);
  std::map<std::array<int, 2>, int> sides;
  for (const auto& t : skin.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const int from = t[k], to = t[(k + 1) % 3];
      joined.join(from, to);
      sides[{std::min(from, to), std::max(from, to)}] += from < to ? 1 : -1;
    }
  std::map<int, bool> open;
  for (const auto& [side, count] : sides) open[joined.name_of(side[0])] |= count != 0;
  std::map<int, int> first;
  for (std::size_t t = 0; t < skin.triangles.size(); ++t) {
    const int part = joined.name_of(skin.triangles[t][0]);
    skin.in_closed.push_back(!open[part]);
    if (first.emplace(part, static_cast<int>(t)).second)
      skin.parts.push_back({static_cast<int>(t), skin.triangles[t][0]});
  }
}

std::shared_ptr<const SkinShape> make_skin(const shape::SphereSet& set) {
  auto out = std::make_shared<SkinShape>();
  out->triangles = LatticeSkin(set.lattice).triangles;
  find_parts(static_cast<int>(set.centers.size()), *out);
  return out;
}

/// From this thread's store where it is there: states of one run share their shapes.
std::shared_ptr<const SkinShape> skin_of(const shape::ShapePtr& shape,
                                         const shape::SphereSet& set) {
  struct Known {
    std::weak_ptr<const shape::Shape> shape;
    std::shared_ptr<const SkinShape> skin;
  };
  constexpr std::size_t kStored = 4096;
  thread_local std::map<const shape::Shape*, Known> store;
  Known& known = store[shape.get()];
  if (known.skin && !known.shape.expired()) return known.skin;
  if (store.size() > kStored)
    std::erase_if(store, [](const auto& entry) { return entry.second.shape.expired(); });
  const std::shared_ptr<const SkinShape> made = make_skin(set);
  store[shape.get()] = {shape, made};
  return made;
}

/// Without triangles where the body has no skin.
SkinMesh skin_mesh(const PlacedBody& placed, const PlacedBody* after) {
  SkinMesh out;
  const auto* set = std::get_if<shape::SphereSet>(&placed.shape->geometry);
  const auto has_points = [&](const PlacedBody& body) {
    return body.points_world.size() == set->centers.size();
  };
  if (set == nullptr || set->lattice.size() != set->centers.size() || !placed.collides ||
      !has_points(placed) || (after != nullptr && !has_points(*after)))
    return out;
  out.shape = skin_of(placed.shape, *set);
  if (out.triangles().empty()) return out;
  out.points = placed.points_world;
  if (after != nullptr) out.later = after->points_world;
  for (const auto& triangle : out.triangles()) {
    const Vec3& first = out.points[at(triangle[0])];
    SkinBox box{first, first};
    for (const int corner : triangle) {
      box.hold(out.points[at(corner)]);
      if (after != nullptr) box.hold(out.later[at(corner)]);
    }
    out.boxes.push_back(box);
  }
  out.box = out.boxes[0];
  for (const SkinBox& box : out.boxes) {
    out.box.hold(box.low);
    out.box.hold(box.high);
  }
  return out;
}

}  // namespace

std::vector<int> SkinMesh::triangles_in(const SkinBox& where) const {
  std::vector<int> out;
  for (std::size_t t = 0; t < boxes.size(); ++t)
    if (boxes[t].meets(where)) out.push_back(static_cast<int>(t));
  return out;
}

std::vector<SkinMesh> skins_of(const Input& input, const Input* after) {
  std::vector<SkinMesh> out;
  for (std::size_t b = 0; b < input.bodies.size(); ++b) {
    SkinMesh mesh = skin_mesh(input.bodies[b], after != nullptr ? &after->bodies[b] : nullptr);
    if (mesh.boxes.empty()) continue;
    mesh.body = static_cast<int>(b);
    out.push_back(std::move(mesh));
  }
  return out;
}

}  // namespace repose::check
