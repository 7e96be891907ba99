#pragma once

#include <map>
#include <string>

#include "model.h"

namespace repose::handover {

/// What <compiler> says.
struct MjcfCompiler {
  bool degrees = true;
  std::string sequence = "xyz";  // of Euler angles
  std::string mesh_folder;
  bool strip_path = false;
  enum class Inertia { from_geoms, as_given, where_missing };
  Inertia inertia = Inertia::where_missing;
};

/// Attributes that a class of <default> gives, by element and name; with all that it inherits.
using MjcfAttributes = std::map<std::string, Word>;
using MjcfClass = std::map<std::string, MjcfAttributes>;

/// An element's attributes over those of its class.
class MjcfElement {
 public:
  MjcfElement(At at, const MjcfAttributes* defaults) : at_(at), defaults_(defaults) {}

  std::optional<Word> find(const char* name) const;
  const At& at() const { return at_; }

 private:
  At at_;
  const MjcfAttributes* defaults_;  // may be null
};

/// pos, and the rotation that quat, axisangle, euler, xyaxes or zaxis give; at most one of these.
Pose mjcf_pose(const MjcfElement& element, const MjcfCompiler& compiler);

}  // namespace repose::handover
