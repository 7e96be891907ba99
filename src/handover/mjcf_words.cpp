#include "mjcf_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "repose/base/nearest.h"

namespace repose::handover {

namespace {

using Words = std::vector<std::string>;

/// Attributes by element, as of MuJoCo 3.
const std::map<std::string, Words>& words() {
  static const Words place{"pos", "quat", "axisangle", "xyaxes", "zaxis", "euler"};
  static const auto with_place = [](Words more) {
    more.insert(more.end(), place.begin(), place.end());
    return more;
  };
  static const std::map<std::string, Words> all{
      {"geom",
       with_place({"name",       "class",     "type",         "contype",  "conaffinity", "condim",
                   "group",      "priority",  "size",         "material", "rgba",        "friction",
                   "mass",       "density",   "shellinertia", "solmix",   "solref",      "solimp",
                   "margin",     "gap",       "fromto",       "hfield",   "mesh",        "fitscale",
                   "fluidshape", "fluidcoef", "user"})},
      {"body", with_place({"name", "childclass", "mocap", "gravcomp", "sleep", "user"})},
      {"frame", with_place({"name", "childclass"})},
      {"inertial", with_place({"mass", "diaginertia", "fullinertia"})},
      {"freejoint", {"name", "group", "align"}},
      {"joint",
       {"name",
        "class",
        "type",
        "group",
        "pos",
        "axis",
        "springdamper",
        "limited",
        "actuatorfrclimited",
        "solreflimit",
        "solimplimit",
        "solreffriction",
        "solimpfriction",
        "stiffness",
        "range",
        "actuatorfrcrange",
        "actuatorgravcomp",
        "margin",
        "ref",
        "springref",
        "armature",
        "damping",
        "frictionloss",
        "user"}},
      {"mesh",
       {"name", "class", "content_type", "file", "vertex", "normal", "texcoord", "face", "refpos",
        "refquat", "scale", "smoothnormal", "maxhullvert", "inertia", "builtin", "params",
        "material", "octree_maxdepth"}},
      {"hfield", {"name", "content_type", "file", "nrow", "ncol", "size", "elevation"}},
      {"key", {"name", "time", "qpos", "qvel", "act", "ctrl", "mpos", "mquat"}}};
  return all;
}

}  // namespace

void check_mjcf_attributes(const At& at) {
  const auto known = words().find(at.name());
  if (known == words().end()) return;
  for (const auto& attribute : at.node.attributes()) {
    const std::string name = attribute.name();
    const Words& all = known->second;
    if (std::find(all.begin(), all.end(), name) == all.end())
      Word{attribute.value(), at, name}.refuse(fmt::format("<{}> has no such attribute", at.name()),
                                               suggestion(name, all));
  }
}

}  // namespace repose::handover
