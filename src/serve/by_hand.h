#pragma once

#include <optional>
#include <vector>

#include "repose/scene/scene.h"

namespace repose::serve {

/// One thing that hands did, where and when.
struct HandEdit {
  long number = 0;  // of the state that it made
  long step = 0;    // of the run when it was done
  Edit edit;
  std::optional<SceneBody> body = {};  // add: as a scene describes it
};

/// What hands did since a scene was opened, in their order. States that were undone are forgotten
/// as soon as something else is done.
class HandLog {
 public:
  void add(HandEdit edit) { edits_.push_back(std::move(edit)); }
  /// From the state of that number on something else happens.
  void forget_after(long number);
  /// A body of that name has come in once.
  bool has_named(const std::string& body) const;
  std::size_t count(long number) const;
  /// The state that the newest of them made, and the newest that was no pull (pulls come with every
  /// step while a hand holds something); -1: none.
  struct Newest {
    long any = -1, lasting = -1;
    bool operator==(const Newest&) const = default;
  };
  Newest newest(long number) const;
  /// Those that led to the state of that number.
  std::vector<HandEdit> until(long number) const;

 private:
  std::vector<HandEdit> edits_;
};

/// The scene with what hands did as events, each at its step: running it does the same again, up to
/// `last_step`, where it stops.
Scene as_events(const Scene& opened, const std::vector<HandEdit>& edits, long last_step);
/// The same as one would write it: what was done before the first step changes the scene itself, as
/// far as it can; nothing stops it.
Scene as_written(const Scene& opened, const std::vector<HandEdit>& edits);

/// A scene of as_events is to go on where it stopped: answers that step, and takes the stop out.
std::optional<long> take_stop(Scene& scene);

}  // namespace repose::serve
