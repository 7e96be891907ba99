#pragma once

#include <bit>
#include <cstring>
#include <optional>
#include <vector>

#include "repose/math/pose.h"
#include "repose/world/state.h"

#include "database.h"

/// Numbers as bytes, little-endian, without padding; docs/recording.md lists every layout.
namespace repose::blobs {

static_assert(std::endian::native == std::endian::little, "recordings are little-endian");

using database::Blob;

class Writer {
 public:
  template <class Number>
  void add(Number number) {
    static_assert(std::is_arithmetic_v<Number>);
    const auto place = bytes_.size();
    bytes_.resize(place + sizeof(Number));
    std::memcpy(bytes_.data() + place, &number, sizeof(Number));
  }
  void add(const Vec3& v) {
    for (int i = 0; i < 3; ++i) add(v[i]);
  }
  void reserve(std::size_t size) { bytes_.reserve(size); }
  void clear() { bytes_.clear(); }
  const Blob& bytes() const { return bytes_; }

 private:
  Blob bytes_;
};

class Reader {
 public:
  explicit Reader(const Blob& bytes) : bytes_(bytes) {}

  /// Zero once the bytes are used up; good() tells.
  template <class Number>
  Number take() {
    Number out{};
    if (sizeof(Number) > bytes_.size() - at_) {
      good_ = false;
      return out;
    }
    std::memcpy(&out, bytes_.data() + at_, sizeof(Number));
    at_ += sizeof(Number);
    return out;
  }
  Vec3 take_vec3() {
    const double x = take<double>(), y = take<double>(), z = take<double>();
    return {x, y, z};
  }
  std::size_t left() const { return bytes_.size() - at_; }
  bool good() const { return good_; }

 private:
  const Blob& bytes_;
  std::size_t at_ = 0;
  bool good_ = true;
};

// bytes of one entry
inline constexpr std::size_t kPoseBytes = 7 * sizeof(double);
inline constexpr std::size_t kContactBytes = 2 * sizeof(std::int32_t) + 10 * sizeof(double);

/// All encoders clear `out` first and write into it, so that one buffer serves every frame. All
/// decoders answer nothing if the sizes do not fit.
void encode_poses(const std::vector<BodyState>& bodies, Writer& out);
std::optional<std::vector<Pose>> decode_poses(const Blob& bytes);

/// Empty if every body is rigid. Radii are left out where they are the rest ones: `radii[i]` are
/// those of body i, null where it is rigid.
void encode_soft(const std::vector<BodyState>& bodies,
                 const std::vector<const std::vector<double>*>& radii, Writer& out);
std::optional<std::vector<SoftState>> decode_soft(const Blob& bytes, std::size_t body_count);

/// `rows[i]` is the recording's row of the problem's body i. Requires: contacts are of such bodies.
void encode_contacts(const std::vector<Contact>& contacts, const std::vector<int>& rows,
                     Writer& out);
std::optional<std::vector<Contact>> decode_contacts(const Blob& bytes);

void encode(const std::vector<Vec3>& values, Writer& out);
void encode(const std::vector<double>& values, Writer& out);
void encode(const std::vector<int>& values, Writer& out);
void encode(const std::vector<std::array<int, 3>>& values, Writer& out);
std::optional<std::vector<Vec3>> decode_vectors(const Blob& bytes);
std::optional<std::vector<double>> decode_numbers(const Blob& bytes);
std::optional<std::vector<int>> decode_integers(const Blob& bytes);
std::optional<std::vector<std::array<int, 3>>> decode_triangles(const Blob& bytes);

}  // namespace repose::blobs
