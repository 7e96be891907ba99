#pragma once

#include <map>
#include <memory>

#include "model.h"

namespace repose::handover {

/// What a <pose> says, and to which frame it is relative; empty: the one around it.
struct SdfPose {
  Pose pose;
  std::string relative_to;
};
SdfPose sdf_pose(const At& holder);

struct SdfLink {
  std::string name;  // with those of the models around it: "cart::wheel"
  At at;
  Pose world_from_link;
  bool fixed = false;  // of a static model
};

/// A world or a model: what its names mean, and where they stand in its own frame.
class SdfScope {
 public:
  enum class Kind { link, frame, joint, model };
  struct Entry {
    Kind kind = Kind::link;
    At at;
    SdfPose pose;
    std::string attached_to;          // frames; of joints the child
    std::shared_ptr<SdfScope> model;  // models
  };

  SdfScope(At at, std::string path) : at(at), path(std::move(path)) {}

  At at;                  // <world> or <model>
  std::string path;       // "" of the world, "cart" of a model in it, "cart::arm" of one in that
  std::string placement;  // the frame that the model's pose is that of; empty: its own
  bool fixed = false;     // static
  std::vector<std::string> order;  // names as the file has them
  std::map<std::string, Entry> entries;

  void add(const std::string& name, Entry entry);
  /// The pose of a name in this frame; "" and "__model__" are the frame itself. `by` is told in
  /// errors: names that are not there, circles.
  Pose frame(const std::string& name, const At& by) const;
  /// The base of an entry's pose: what its <pose> is relative to.
  Pose base_of(const std::string& name) const;
  std::string base_name(const std::string& name) const;
  /// The full name of the link that a name stands for; empty: the world or the model itself.
  std::string link_of(const std::string& name, const At& by) const;

 private:
  mutable std::map<std::string, Pose> known_;
  mutable int depth_ = 0;
  Pose entry_frame(const std::string& name, const At& by) const;
};

}  // namespace repose::handover
