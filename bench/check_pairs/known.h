#pragma once

namespace repose::check::bench {

/// Closed forms under ten rigid motions: the worst width and time of each.
void judge_known();
/// Two meshes of 100 000 triangles each, trees included, and ten thousand balls.
void judge_large();

}  // namespace repose::check::bench
