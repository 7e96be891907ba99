#include "blobs.h"

namespace repose::blobs {

void encode_poses(const std::vector<BodyState>& bodies, Writer& out) {
  out.clear();
  out.reserve(bodies.size() * kPoseBytes);
  for (const BodyState& body : bodies) {
    const Pose& pose = body.world_from_body;
    out.add(pose.position);
    for (const double q :
         {pose.rotation.w(), pose.rotation.x(), pose.rotation.y(), pose.rotation.z()})
      out.add(q);
  }
}

std::optional<std::vector<Pose>> decode_poses(const Blob& bytes) {
  if (bytes.size() % kPoseBytes != 0) return std::nullopt;
  std::vector<Pose> out(bytes.size() / kPoseBytes);
  Reader in(bytes);
  for (Pose& pose : out) {
    pose.position = in.take_vec3();
    const double w = in.take<double>(), x = in.take<double>(), y = in.take<double>(),
                 z = in.take<double>();
    pose.rotation = Quat(w, x, y, z);
  }
  return out;
}

namespace {

// what follows the positions of a soft body, as bits of its count's companion
constexpr std::uint32_t kHasVelocities = 1, kHasRadii = 2;

}  // namespace

void encode_soft(const std::vector<BodyState>& bodies,
                 const std::vector<const std::vector<double>*>& radii, Writer& out) {
  out.clear();
  bool soft = false;
  std::size_t points = 0;
  for (const BodyState& body : bodies) {
    soft = soft || !body.soft.empty();
    points += body.soft.size();
  }
  if (!soft) return;
  out.reserve(bodies.size() * 2 * sizeof(std::uint32_t) + points * 2 * sizeof(Vec3));
  for (const BodyState& body : bodies) {
    out.add(static_cast<std::uint32_t>(body.soft.size()));
    for (const Vec3& point : body.soft.positions) out.add(point);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const SoftState& of = bodies[i].soft;
    if (of.empty()) continue;
    const bool moving = of.velocities.size() == of.size();
    const bool resized =
        of.radii.size() == of.size() && !(radii[i] != nullptr && of.radii.view() == *radii[i]);
    out.add((moving ? kHasVelocities : 0U) | (resized ? kHasRadii : 0U));
    if (moving)
      for (const Vec3& velocity : of.velocities) out.add(velocity);
    if (resized)
      for (const double radius : of.radii) out.add(radius);
  }
}

namespace {

std::optional<std::vector<Vec3>> take_vectors(Reader& in, std::size_t count) {
  if (count > in.left() / sizeof(Vec3)) return std::nullopt;
  std::vector<Vec3> out(count);
  for (Vec3& value : out) value = in.take_vec3();
  return out;
}

/// Velocities and radii of a soft body, where they are there.
bool take_motion(Reader& in, SoftState& out) {
  const auto has = in.take<std::uint32_t>();
  if (has > (kHasVelocities | kHasRadii)) return false;
  if ((has & kHasVelocities) != 0) {
    auto velocities = take_vectors(in, out.size());
    if (!velocities) return false;
    out.velocities = std::move(*velocities);
  }
  if ((has & kHasRadii) != 0) {
    if (out.size() > in.left() / sizeof(double)) return false;
    std::vector<double> radii(out.size());
    for (double& radius : radii) radius = in.take<double>();
    out.radii = std::move(radii);
  }
  return true;
}

}  // namespace

std::optional<std::vector<SoftState>> decode_soft(const Blob& bytes, std::size_t body_count) {
  std::vector<SoftState> out(body_count);
  if (bytes.empty()) return out;
  Reader in(bytes);
  for (SoftState& soft : out) {
    auto points = take_vectors(in, in.take<std::uint32_t>());
    if (!points) return std::nullopt;
    soft.positions = std::move(*points);
  }
  // older recordings end here
  if (in.good() && in.left() == 0) return out;
  for (SoftState& soft : out)
    if (!soft.empty() && !take_motion(in, soft)) return std::nullopt;
  if (!in.good() || in.left() != 0) return std::nullopt;
  return out;
}

void encode_contacts(const std::vector<Contact>& contacts, const std::vector<int>& rows,
                     Writer& out) {
  out.clear();
  out.reserve(contacts.size() * kContactBytes);
  const auto row = [&rows](int body) {
    return static_cast<std::int32_t>(rows[static_cast<std::size_t>(body)]);
  };
  for (const Contact& contact : contacts) {
    out.add(row(contact.body_a));
    out.add(row(contact.body_b));
    out.add(contact.point_world);
    out.add(contact.normal_a_to_b);
    out.add(contact.gap);
    out.add(contact.force_on_b);
  }
}

std::optional<std::vector<Contact>> decode_contacts(const Blob& bytes) {
  if (bytes.size() % kContactBytes != 0) return std::nullopt;
  std::vector<Contact> out(bytes.size() / kContactBytes);
  Reader in(bytes);
  for (Contact& contact : out) {
    contact.body_a = in.take<std::int32_t>();
    contact.body_b = in.take<std::int32_t>();
    contact.point_world = in.take_vec3();
    contact.normal_a_to_b = in.take_vec3();
    contact.gap = in.take<double>();
    contact.force_on_b = in.take_vec3();
  }
  return out;
}

void encode(const std::vector<Vec3>& values, Writer& out) {
  out.clear();
  out.reserve(values.size() * sizeof(Vec3));
  for (const Vec3& value : values) out.add(value);
}

void encode(const std::vector<double>& values, Writer& out) {
  out.clear();
  for (const double value : values) out.add(value);
}

void encode(const std::vector<int>& values, Writer& out) {
  out.clear();
  for (const int value : values) out.add(static_cast<std::int32_t>(value));
}

void encode(const std::vector<std::array<int, 3>>& values, Writer& out) {
  out.clear();
  out.reserve(values.size() * 3 * sizeof(std::int32_t));
  for (const auto& triangle : values)
    for (const int corner : triangle) out.add(static_cast<std::int32_t>(corner));
}

std::optional<std::vector<Vec3>> decode_vectors(const Blob& bytes) {
  if (bytes.size() % sizeof(Vec3) != 0) return std::nullopt;
  std::vector<Vec3> out(bytes.size() / sizeof(Vec3));
  Reader in(bytes);
  for (Vec3& value : out) value = in.take_vec3();
  return out;
}

std::optional<std::vector<double>> decode_numbers(const Blob& bytes) {
  if (bytes.size() % sizeof(double) != 0) return std::nullopt;
  std::vector<double> out(bytes.size() / sizeof(double));
  Reader in(bytes);
  for (double& value : out) value = in.take<double>();
  return out;
}

std::optional<std::vector<int>> decode_integers(const Blob& bytes) {
  if (bytes.size() % sizeof(std::int32_t) != 0) return std::nullopt;
  std::vector<int> out(bytes.size() / sizeof(std::int32_t));
  Reader in(bytes);
  for (int& value : out) value = in.take<std::int32_t>();
  return out;
}

std::optional<std::vector<std::array<int, 3>>> decode_triangles(const Blob& bytes) {
  constexpr std::size_t kTriangleBytes = 3 * sizeof(std::int32_t);
  if (bytes.size() % kTriangleBytes != 0) return std::nullopt;
  std::vector<std::array<int, 3>> out(bytes.size() / kTriangleBytes);
  Reader in(bytes);
  for (auto& triangle : out)
    for (int& corner : triangle) corner = in.take<std::int32_t>();
  return out;
}

}  // namespace repose::blobs
