#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "repose/base/json_write.h"
#include "repose/record/drawing.h"
#include "repose/run/session.h"

namespace repose::serve {

/// Numbers shown over time, in the order of a frame's samples.
struct Sample {
  std::string name;
  double value = 0.0;  // NaN where it is not known
};
std::vector<Sample> samples_of(const Audit& audit, const StepReport& last);

/// Drawings of shapes, made once and kept as long as a scene has them.
class Drawings {
 public:
  const DrawingShape& of(const shape::ShapePtr& shape);
  /// Lets go of those that the problem does not use.
  void keep_only(const Problem& problem);

 private:
  std::map<shape::ShapePtr, DrawingShape> made_;
};

/// Joints, springs, connections and pushes as drawn: kind, name, bodies by place, points, axis.
Json ties_json(const Problem& problem);

/// What a page must know to draw frames: a text of JSON, then its arrays. `head` is what else the
/// JSON says. docs/studio.md lays the bytes down.
std::string scene_packet(const Problem& problem, const State& state, Drawings& drawings,
                         Json::Object head);

/// One state: poses, soft points, samples and contacts.
std::string frame_packet(const Problem& problem, const State& state, Drawings& drawings,
                         std::int64_t serial, const std::vector<Sample>& samples);

/// Contacts in a frame beyond this are left out.
inline constexpr std::size_t kMostShownContacts = 4000;

}  // namespace repose::serve
