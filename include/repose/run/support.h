#pragma once

#include <string>
#include <vector>

#include "repose/scene/scene.h"
#include "repose/world/method.h"

namespace repose {

/// When it is asked what a problem wants: at its start, or after an edit of a run under way.
enum class SupportMoment { start, edit };

/// The edit is one that every session carries out, or the method does.
bool carries_out(const MethodInfo& method, EditKind kind);

/// Refuses what the problem asks and the method does not do. The error's pointer counts bodies,
/// forces, joints and events as the problem does; locate_error tells where the scene says it.
Result<Done> check_support(const MethodInfo& method, const Problem& problem, const State& state,
                           SupportMoment moment);

/// The same of what stands in the scene alone: its limits and what it records.
Result<Done> check_support(const MethodInfo& method, const Scene& scene);

/// One row of the table of what each method does with a part of the scene format.
struct SupportRow {
  std::string part;                // "joint `weld`", "body `velocity`"
  std::vector<std::string> cells;  // by method (moving_methods): "works", "refused", or more
};
std::vector<SupportRow> support_rows();
/// The methods of its columns: those that move bodies and name the shapes they know.
std::vector<const MethodInfo*> moving_methods();
/// The table as Markdown, for docs/run.md.
std::string support_markdown();

}  // namespace repose
