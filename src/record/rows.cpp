#include "rows.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "repose/base/json.h"

#include "blobs.h"
#include "limits.h"

namespace repose {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr int kMostIndex = std::numeric_limits<int>::max();
/// Whole numbers that a double holds.
constexpr std::int64_t kMostSteps = std::int64_t{1} << 53;
/// Balls of the bodies of one frame that are drawn by balls. Shapes may be shared: a small file can
/// ask for any number.
constexpr std::size_t kMostBalls = std::size_t{1} << 21;

std::optional<DrawingForm> form_from_text(const std::string& text) {
  for (const auto form : {DrawingForm::ball, DrawingForm::half_space, DrawingForm::mesh,
                          DrawingForm::spheres, DrawingForm::surfels})
    if (text == to_text(form)) return form;
  return std::nullopt;
}

/// Infinite of endless ground, finite of everything else.
void check_extent(Columns& row, int column, double extent, DrawingForm form) {
  const bool endless = form == DrawingForm::half_space;
  if (endless ? std::isinf(extent) : extent <= kLargestLength) return;
  row.refuse(
      column, fmt::format("{}", extent),
      fmt::format("infinite for a half space, at most {} for every other form", kLargestLength));
}

/// The parts of a drawing fit each other.
void check_parts(Columns& row, const DrawingShape& shape) {
  const std::size_t points = shape.points.size();
  const bool has_radii = shape.form == DrawingForm::spheres || shape.form == DrawingForm::surfels;
  if (!shape.normals.empty() && shape.normals.size() != points)
    row.refuse(fmt::format("{} normals of {} points", shape.normals.size(), points));
  if (shape.radii.size() != (has_radii ? points : 0))
    row.refuse(fmt::format("{} radii of {} points", shape.radii.size(), points));
  if (shape.form == DrawingForm::ball && !(shape.radius > 0.0)) row.refuse("a ball without radius");
  if (shape.form != DrawingForm::mesh && !shape.triangles.empty())
    row.refuse("triangles without a mesh");
}

/// Links of spheres are kept as two points and the first again, where other forms have triangles.
void read_links(Columns& row, DrawingShape& out) {
  for (const auto& [a, b, again] : out.triangles) {
    if (a == b || a != again) return row.refuse("a link that joins no two spheres");
    out.links.push_back({a, b});
  }
  out.triangles.clear();
}

/// Phyxels of surfels are kept behind the points.
void read_phyxels(Columns& row, DrawingShape& out) {
  const auto phyxels = static_cast<std::size_t>(out.soft_offset);
  if (out.points.size() < phyxels) return row.refuse("surfels without their phyxels");
  const auto first = out.points.end() - static_cast<std::ptrdiff_t>(phyxels);
  out.phyxels.assign(first, out.points.end());
  out.points.erase(first, out.points.end());
  if (out.normals.size() != out.points.size()) row.refuse("surfels without normals");
}

void read_groups(Columns& row, int column, std::vector<std::string>& out) {
  const auto groups = JsonDocument::parse(row.text(column), "groups");
  if (!row.good()) return;
  const bool good = groups && (*groups)->root().kind() == JsonKind::array &&
                    (*groups)->root().each([&out](JsonView group) {
                      out.push_back(group.kind() == JsonKind::text ? group.text() : "");
                      return group.kind() == JsonKind::text;
                    });
  if (!good) row.refuse(column, row.text(column), "a JSON array of texts");
}

void read_gravity(Columns& row, const std::string& text, Vec3& out) {
  const auto gravity = JsonDocument::parse(text, "gravity");
  int axis = 0;
  const bool good =
      gravity && (*gravity)->root().kind() == JsonKind::array && (*gravity)->root().size() == 3 &&
      (*gravity)->root().each([&](JsonView number) {
        out[axis++] = number.number();
        return number.kind() == JsonKind::number && std::fabs(number.number()) <= kLargestNumber;
      });
  if (!good) row.refuse(1, text, "three numbers, as in [0, 0, -9.81]");
}

void read_seed(Columns& row, const std::string& text, std::uint64_t& out) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (failed != std::errc{} || end != text.data() + text.size())
    row.refuse(1, text, "a whole number");
}

/// result.json is shown by pages: broken or endlessly nested text must not reach them.
void check_result(Columns& row, const std::string& text) {
  const auto result = JsonDocument::parse(text, "result");
  if (!result || (*result)->root().kind() != JsonKind::object)
    row.refuse(1, text, "a JSON object, nested at most 64 deep");
}

bool is_unit(double length) {
  return std::fabs(length - 1.0) <= kUnitSlack;
}

bool within(const Vec3& v, double most) {
  return (v.array().abs() <= most).all();
}

void read_poses(Columns& row, int column, std::vector<Pose>& out) {
  auto poses = blobs::decode_poses(row.blob(column));
  if (!poses) row.refuse(column, "bytes of another length", "seven numbers for each body");
  if (!row.good()) return;
  out = std::move(*poses);
  for (const Pose& pose : out)
    if (!within(pose.position, kLargestLength) || !is_unit(pose.rotation.norm()))
      return row.refuse("a pose whose numbers are no place in the world");
}

void read_points(Columns& row, int column, std::size_t bodies, std::vector<SoftState>& out) {
  auto points = blobs::decode_soft(row.blob(column), bodies);
  if (!points) row.refuse(column, "bytes of another length", "a count and points for each body");
  if (!row.good()) return;
  out = std::move(*points);
  for (const SoftState& soft : out) {
    for (const Vec3& point : soft.positions)
      if (!within(point, kLargestLength))
        return row.refuse("a point whose numbers are no place in the world");
    for (const Vec3& velocity : soft.velocities)
      if (!within(velocity, kLargestNumber)) return row.refuse("a velocity that is no number");
    for (const double radius : soft.radii)
      if (!(radius >= 0.0 && radius <= kLargestLength)) return row.refuse("a radius that is none");
  }
}

/// Between two bodies of the frame, and finite.
void read_contacts(Columns& row, int column, const std::vector<int>& cast,
                   std::vector<Contact>& out) {
  auto contacts = blobs::decode_contacts(row.blob(column));
  if (!contacts) row.refuse(column, "bytes of another length", "88 bytes for each contact");
  if (!row.good()) return;
  out = std::move(*contacts);
  std::vector<int> present = cast;
  std::sort(present.begin(), present.end());
  const auto is_there = [&present](int body) {
    return std::binary_search(present.begin(), present.end(), body);
  };
  for (const Contact& c : out) {
    if (!is_there(c.body_a) || !is_there(c.body_b) || c.body_a == c.body_b)
      return row.refuse(column, fmt::format("a contact of {} and {}", c.body_a, c.body_b),
                        "two bodies of the frame");
    if (!within(c.point_world, kLargestLength) || !within(c.normal_a_to_b, kLongestNormal) ||
        !(std::fabs(c.gap) <= kLargestLength) || !within(c.force_on_b, kLargestNumber))
      return row.refuse("a contact whose numbers are no place or no force");
  }
}

/// A soft body moves every point of its drawing.
void check_softness(Columns& row, const RecordedFrame& frame,
                    const std::vector<RecordedBody>& bodies,
                    const std::vector<DrawingShape>& shapes) {
  for (std::size_t k = 0; k < frame.bodies.size(); ++k) {
    const RecordedBody& body = bodies[static_cast<std::size_t>(frame.bodies[k])];
    const DrawingShape& shape = shapes[static_cast<std::size_t>(body.shape)];
    const std::size_t given = frame.soft[k].size();
    const bool drawn = shape.form == DrawingForm::spheres || shape.form == DrawingForm::surfels;
    if (given == 0 || !drawn) continue;
    if (given < static_cast<std::size_t>(shape.soft_offset) + shape.points.size())
      return row.refuse(
          fmt::format("{} points of a body that is drawn by {}", given, shape.points.size()));
  }
}

}  // namespace

DrawingShape read_shape(Columns& row) {
  DrawingShape out;
  out.kind = row.text(1);
  const std::string form = row.text(2);
  if (const auto known = form_from_text(form))
    out.form = *known;
  else
    row.refuse(2, form, "ball, half_space, mesh, spheres or surfels");
  out.radius = row.number(3, 0.0, kLargestLength);
  out.bounding_radius = row.number(4, 0.0, kInfinite);
  check_extent(row, 4, out.bounding_radius, out.form);
  out.bounding_center = row.vector(5, kLargestLength);
  out.soft_offset = static_cast<int>(row.whole(6, 0, kMostIndex));
  out.points = row.vectors(7, kLargestLength);
  out.normals = row.vectors(8, kLongestNormal);
  out.radii = row.numbers(9, 0.0, kLargestLength);
  out.triangles = row.triangles(10, static_cast<int>(out.points.size()));
  if (row.good() && out.form == DrawingForm::spheres) read_links(row, out);
  if (row.good() && out.form == DrawingForm::surfels) read_phyxels(row, out);
  if (row.good()) check_parts(row, out);
  return out;
}

RecordedBody read_body(Columns& row, const std::vector<DrawingShape>& shapes) {
  RecordedBody out;
  out.name = row.text(1);
  out.shape = static_cast<int>(row.whole(2, 0, static_cast<std::int64_t>(shapes.size()) - 1));
  out.mass = row.number(3, 0.0, kLargestNumber);
  out.center_body = row.vector(4, kLargestLength);
  out.size = row.number(5, 0.0, kInfinite);
  out.fixed = row.flag(6);
  out.collides = row.flag(7);
  out.layer = static_cast<int>(row.whole(8, std::numeric_limits<int>::min(), kMostIndex));
  out.role = row.text(9);
  read_groups(row, 10, out.groups);
  Material& material = out.material;
  material.name = row.text(11);
  material.density = row.number(12, 0.0, kLargestNumber);
  material.friction = row.number(13, 0.0, kLargestNumber);
  material.restitution = row.number(14, 0.0, 1.0);
  const std::vector<double> color = row.numbers(15, 0.0, 1.0);
  material.opacity = row.number(16, 0.0, 1.0);
  material.roughness = row.number(17, 0.0, 1.0);
  if (row.good() && color.size() != material.color.size())
    row.refuse(15, fmt::format("{} numbers", color.size()), "red, green and blue");
  if (!row.good()) return out;
  std::copy(color.begin(), color.end(), material.color.begin());
  check_extent(row, 5, out.size, shapes[static_cast<std::size_t>(out.shape)].form);
  return out;
}

std::vector<int> read_cast(Columns& row, const std::vector<RecordedBody>& bodies,
                           const std::vector<DrawingShape>& shapes) {
  std::vector<int> out = row.whole_numbers(1, 0, static_cast<int>(bodies.size()));
  std::vector<int> sorted = out;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    row.refuse("a body stands twice in it");
  std::size_t balls = 0;
  for (const int body : out)
    balls +=
        shapes[static_cast<std::size_t>(bodies[static_cast<std::size_t>(body)].shape)].radii.size();
  if (balls > kMostBalls) row.refuse(fmt::format("{} balls to draw", balls));
  return out;
}

RecordedEvent read_event(Columns& row) {
  RecordedEvent out;
  out.step = static_cast<long>(row.whole(1, 0, kMostSteps));
  out.time = row.number(2, -kLargestNumber, kLargestNumber);
  out.kind = row.text(3);
  out.target = row.text(4);
  out.text = row.text(5);
  return out;
}

void read_meta(Columns& row, RecordingHead& head, std::string& result) {
  const std::string key = row.text(0);
  const std::string value = row.text(1);
  if (!row.good()) return;
  if (key == "scene") head.scene = value;
  if (key == "scene_text") head.scene_text = value;
  if (key == "method") head.method = value;
  if (key == "version") head.version = value;
  if (key == "seed") read_seed(row, value, head.seed);
  if (key == "gravity") read_gravity(row, value, head.gravity);
  if (key == "result") check_result(row, result = value);
}

FrameRow read_frame_row(Columns& row, const std::vector<std::vector<int>>& casts) {
  FrameRow out;
  out.step = static_cast<long>(row.whole(1, 0, kMostSteps));
  out.time = row.number(2, -kLargestNumber, kLargestNumber);
  out.energy =
      row.number(3, -std::numeric_limits<double>::max(), std::numeric_limits<double>::max());
  out.cast = static_cast<std::size_t>(row.whole(4, 0, static_cast<std::int64_t>(casts.size()) - 1));
  for (const int column : {5, 6, 7, 8})
    out.bytes += static_cast<std::uint64_t>(row.whole(column, 0, kMostIndex));
  if (!row.good()) return out;
  const std::size_t bodies = casts[out.cast].size();
  if (static_cast<std::size_t>(row.whole(7, 0, kMostIndex)) != bodies * blobs::kPoseBytes)
    row.refuse(fmt::format("its poses are not those of {} bodies", bodies));
  return out;
}

RecordedFrame read_frame(Columns& row, const std::vector<std::vector<int>>& casts,
                         const std::vector<RecordedBody>& bodies,
                         const std::vector<DrawingShape>& shapes) {
  RecordedFrame out;
  out.step = static_cast<long>(row.whole(1, 0, kMostSteps));
  out.time = row.number(2, -kLargestNumber, kLargestNumber);
  out.energy =
      row.number(3, -std::numeric_limits<double>::max(), std::numeric_limits<double>::max());
  const auto cast =
      static_cast<std::size_t>(row.whole(4, 0, static_cast<std::int64_t>(casts.size()) - 1));
  if (!row.good()) return out;
  out.bodies = casts[cast];
  read_contacts(row, 6, out.bodies, out.contacts);
  read_poses(row, 7, out.poses);
  read_points(row, 8, out.bodies.size(), out.soft);
  if (!row.good()) return out;
  if (out.poses.size() != out.bodies.size())
    row.refuse(fmt::format("{} poses of {} bodies", out.poses.size(), out.bodies.size()));
  else
    check_softness(row, out, bodies, shapes);
  return out;
}

}  // namespace repose
