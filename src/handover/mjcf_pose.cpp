#include "mjcf_pose.h"

#include <cmath>
#include <numbers>

namespace repose::handover {

namespace {

/// Directions shorter than this are none.
constexpr double kNoDirection = 1e-12;

Vec3 direction(const Word& word, const Vec3& v) {
  if (!(v.norm() > kNoDirection)) word.refuse("a direction without length", "not all zero");
  return v.normalized();
}

Quat from_quat(const Word& word) {
  const auto q = numbers(word, 4, 4);
  const Quat out(q[0], q[1], q[2], q[3]);
  if (!(out.norm() > kNoDirection)) word.refuse("a quaternion without length", "w x y z");
  return out.normalized();
}

Quat from_euler(const Word& word, const MjcfCompiler& compiler) {
  const double unit = compiler.degrees ? std::numbers::pi / 180.0 : 1.0;
  const auto angles = numbers(word, 3, 3);
  Quat out = Quat::Identity();
  for (std::size_t i = 0; i < 3; ++i) {
    const char axis = compiler.sequence[i];
    const bool fixed_axes = axis == 'X' || axis == 'Y' || axis == 'Z';
    const int k = (axis | 0x20) - 'x';
    const Quat turn(Eigen::AngleAxisd(unit * angles[i], Vec3::Unit(k)));
    out = fixed_axes ? turn * out : out * turn;
  }
  return out.normalized();
}

Quat from_axes(const Word& word) {
  const auto n = numbers(word, 6, 6);
  const Vec3 x = direction(word, {n[0], n[1], n[2]});
  const Vec3 wanted(n[3], n[4], n[5]);
  const Vec3 y = direction(word, wanted - x * x.dot(wanted));
  Mat3 axes;
  axes << x, y, x.cross(y);
  return Quat(axes).normalized();
}

Quat rotation_of(const Word& word, const MjcfCompiler& compiler) {
  const std::string& way = word.attribute;
  if (way == "quat") return from_quat(word);
  if (way == "euler") return from_euler(word, compiler);
  if (way == "xyaxes") return from_axes(word);
  if (way == "zaxis") return rotation_between(Vec3::UnitZ(), direction(word, vector(word)));
  const auto n = numbers(word, 4, 4);
  const double unit = compiler.degrees ? std::numbers::pi / 180.0 : 1.0;
  return Quat(Eigen::AngleAxisd(unit * n[3], direction(word, {n[0], n[1], n[2]})));
}

}  // namespace

std::optional<Word> MjcfElement::find(const char* name) const {
  if (auto own = attribute_of(at_, name)) return own;
  if (defaults_ == nullptr) return std::nullopt;
  const auto found = defaults_->find(name);
  if (found == defaults_->end()) return std::nullopt;
  return found->second;
}

Pose mjcf_pose(const MjcfElement& element, const MjcfCompiler& compiler) {
  Pose out;
  if (const auto pos = element.find("pos")) out.position = vector(*pos);
  std::optional<Word> said, inherited;
  for (const char* way : {"quat", "axisangle", "euler", "xyaxes", "zaxis"}) {
    if (const auto own = attribute_of(element.at(), way)) {
      if (said) own->refuse("a second rotation", "one of quat, axisangle, euler, xyaxes, zaxis");
      said = own;
    } else if (const auto from_class = element.find(way)) {
      inherited = from_class;
    }
  }
  if (!said) said = inherited;
  if (said) out.rotation = rotation_of(*said, compiler);
  return out;
}

}  // namespace repose::handover
