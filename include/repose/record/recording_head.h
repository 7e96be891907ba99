#pragma once

#include "repose/record/recording.h"
#include "repose/run/session.h"
#include "repose/scene/scene.h"

namespace repose {

/// The head of the recording of `session`, which runs `scene`. The scene in it is self-contained,
/// so that the recording is judged, resumed and shown wherever it is taken; an error names a file
/// of the scene that has gone since.
Result<RecordingHead> recording_head(const Scene& scene, const Session& session);

}  // namespace repose
