#include "sdf_frames.h"

#include <numbers>

#include <fmt/format.h>

#include "repose/base/nearest.h"

#include "find_file.h"

namespace repose::handover {

namespace {

/// Frames that are relative to one another, one after the other.
constexpr int kLongestChain = 500;

bool is_own(const std::string& name) {
  return name.empty() || name == "__model__" || name == "world" || name == "__root__";
}

/// "a::b::c" as "a" and "b::c".
std::pair<std::string, std::string> split(const std::string& name) {
  const auto at = name.find("::");
  if (at == std::string::npos) return {name, ""};
  return {name.substr(0, at), name.substr(at + 2)};
}

}  // namespace

SdfPose sdf_pose(const At& holder) {
  SdfPose out;
  const At at = holder.child("pose");
  if (!at) return out;
  if (const auto to = attribute_of(at, "relative_to")) out.relative_to = to->text;
  const Word word = text_of(at);
  const auto format = attribute_of(at, "rotation_format");
  const bool quaternion = format && format->text == "quat_xyzw";
  if (format && !quaternion && format->text != "euler_rpy")
    format->refuse("no such way to write a rotation", "euler_rpy or quat_xyzw");
  const auto n = numbers(word, 0, quaternion ? 7 : 6);
  if (n.empty()) return out;
  if (n.size() != (quaternion ? 7U : 6U))
    word.refuse("too few numbers", quaternion ? "x y z qx qy qz qw" : "x y z roll pitch yaw");
  out.pose.position = {n[0], n[1], n[2]};
  if (quaternion) {
    const Quat turn(n[6], n[3], n[4], n[5]);
    if (!(turn.norm() > 0.0)) word.refuse("a quaternion without length", "x y z qx qy qz qw");
    out.pose.rotation = turn.normalized();
    return out;
  }
  const auto degrees = attribute_of(at, "degrees");
  const double unit = degrees && truth(*degrees) ? std::numbers::pi / 180.0 : 1.0;
  out.pose.rotation = rotation_from_rpy(unit * Vec3(n[3], n[4], n[5]));
  return out;
}

void SdfScope::add(const std::string& name, Entry entry) {
  const At by = entry.at;
  if (!entries.emplace(name, std::move(entry)).second)
    refuse(by, fmt::format("\"{}\" stands twice", name), "names that differ within a model");
  order.push_back(name);
}

Pose SdfScope::frame(const std::string& name, const At& by) const {
  if (is_own(name)) return {};
  const auto [head, rest] = split(name);
  const auto found = entries.find(head);
  if (found == entries.end()) {
    refuse(by, fmt::format("there is no frame \"{}\"", name), suggestion(head, order));
  }
  if (rest.empty()) return entry_frame(head, by);
  if (!found->second.model) refuse(by, fmt::format("\"{}\" is no model", head), "MODEL::NAME");
  return entry_frame(head, by) * found->second.model->frame(rest, by);
}

Pose SdfScope::entry_frame(const std::string& name, const At& by) const {
  if (const auto known = known_.find(name); known != known_.end()) return known->second;
  if (++depth_ > kLongestChain)
    refuse(by, "poses that are relative to one another in a circle, or in too long a chain",
           fmt::format("at most {} frames one after the other", kLongestChain));
  const Entry& entry = entries.at(name);
  Pose out = base_of(name) * entry.pose.pose;
  if (entry.model && !entry.model->placement.empty())
    out = out * entry.model->frame(entry.model->placement, entry.at).inverse();
  --depth_;
  return known_[name] = out;
}

std::string SdfScope::base_name(const std::string& name) const {
  const Entry& entry = entries.at(name);
  if (!entry.pose.relative_to.empty()) return entry.pose.relative_to;
  return entry.attached_to;
}

Pose SdfScope::base_of(const std::string& name) const {
  return frame(base_name(name), entries.at(name).at);
}

std::string SdfScope::link_of(const std::string& name, const At& by) const {
  if (name == "world") return {};
  if (is_own(name)) {
    // a model's own frame goes with its first link
    for (const std::string& other : order)
      if (entries.at(other).kind == Kind::link) return link_of(other, by);
    return {};
  }
  const auto [head, rest] = split(name);
  const auto found = entries.find(head);
  if (found == entries.end())
    refuse(by, fmt::format("there is no link \"{}\"", name), suggestion(head, order));
  const Entry& entry = found->second;
  if (entry.model) return entry.model->link_of(rest, by);
  if (entry.kind == Kind::link) return path.empty() ? head : path + "::" + head;
  if (++depth_ > kLongestChain)
    refuse(by, "frames that are attached to one another in a circle", "frames that end at a link");
  const std::string out = link_of(entry.attached_to, by);
  --depth_;
  return out;
}

}  // namespace repose::handover
