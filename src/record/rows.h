#pragma once

#include "repose/record/recording.h"

#include "columns.h"

namespace repose {

/// The rows of a recording as values, each checked on the way: sizes, ranges, indices, texts. A
/// fault stays in the columns, and what was read is then of no use.
DrawingShape read_shape(Columns& row);
RecordedBody read_body(Columns& row, const std::vector<DrawingShape>& shapes);
/// Indices of bodies, each at most once.
std::vector<int> read_cast(Columns& row, const std::vector<RecordedBody>& bodies,
                           const std::vector<DrawingShape>& shapes);
RecordedEvent read_event(Columns& row);

/// One key of `meta`; keys that this program does not know are left alone.
void read_meta(Columns& row, RecordingHead& head, std::string& result);

/// What a frame's row says without its blobs, from
/// SELECT id, step, time, energy, cast_id, length(series), length(contacts), length(poses),
/// length(points).
struct FrameRow {
  long step = 0;
  double time = 0.0, energy = 0.0;
  std::size_t cast = 0;
  std::uint64_t bytes = 0;  // of the blobs
};
FrameRow read_frame_row(Columns& row, const std::vector<std::vector<int>>& casts);

/// A whole row of `frames`.
RecordedFrame read_frame(Columns& row, const std::vector<std::vector<int>>& casts,
                         const std::vector<RecordedBody>& bodies,
                         const std::vector<DrawingShape>& shapes);

}  // namespace repose
