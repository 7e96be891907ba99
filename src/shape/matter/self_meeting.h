#pragma once

#include <array>
#include <vector>

#include "repose/shape/shape.h"

namespace repose::shape {

/// What two triangles of one mesh share beside the corners and sides that are theirs in common.
enum class Meeting {
  none,
  touch,  // points on the border of one of them, or an area back to back
  cross,  // points inside both, or an area turned the same way
};

struct SelfMeeting {
  Meeting kind = Meeting::none;
  std::array<int, 2> triangles{-1, -1};  // an example
};

/// The worst meeting of two triangles of the mesh, by exact signs; the first crossing ends the
/// search. Triangles without area bound nothing and are passed over. Corners are one where their
/// numbers are.
SelfMeeting self_meeting(const TriangleMesh& mesh);

/// All meetings, sorted by their triangles; the search ends at `most` of them.
std::vector<SelfMeeting> all_meetings(const TriangleMesh& mesh, std::size_t most);

/// How often closed oriented triangles wind about a point, exactly. Nothing where the point lies on
/// one of them, or a number left the range of doubles. `triangles` numbers those that count.
struct Winding {
  bool known = false;
  int number = 0;
};
Winding winding_about(const Vec3& point, const TriangleMesh& mesh,
                      const std::vector<int>& triangles);
/// The same of the triangles that the segment from p to q crosses: how often they wind about p more
/// than about q. The triangles need not be closed.
Winding winding_along(const Vec3& p, const Vec3& q, const TriangleMesh& mesh,
                      const std::vector<int>& triangles);

}  // namespace repose::shape
