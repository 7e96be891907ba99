#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "repose/base/names.h"
#include "repose/base/result.h"

namespace repose::farm {

enum class AxisKind { pointer, setting, seed };
/// What is varied: every value with every value of the other axes.
struct Axis {
  AxisKind kind = AxisKind::seed;
  std::string name;                 // the pointer, METHOD.NAME of a setting, or "seed"
  std::vector<std::string> values;  // JSON texts
};

/// A value of the scene that is drawn anew for every draw.
struct Draw {
  std::string pointer;
  bool rotation = false;          // a rotation drawn uniformly, as a quaternion w, x, y, z
  std::vector<double> low, high;  // else uniform between them: a number, or a list of as many
  bool list = false;
};
struct Draws {
  std::int64_t count = 1;
  std::int64_t seed = 1;
  std::vector<Draw> at;
};

/// What one run may take.
struct Limits {
  double seconds = 0.0;     // of wall time; 0: no limit
  double memory_mb = 0.0;   // of data; 0: no limit
  std::int64_t steps = -1;  // negative: the scene's
  int retries = 2;          // of a run whose process died
};

enum class Keep { none, failures, all };

/// A farm: many runs, each a scene with changes.
struct Job {
  std::string file, text;
  std::string about;
  std::vector<std::string> scenes;  // gallery names, or whole paths
  std::vector<Axis> axes;
  Draws draws;
  Limits limits;
  Keep recordings = Keep::failures;
  int pictures = 24;  // runs that are drawn for the page, failures first

  std::int64_t count() const;
};

/// Reads and checks a job; relative paths of scenes are looked for beside it. Unknown fields are
/// errors, with file, line and pointer.
Result<Job> read_job(const std::string& path);
/// JSON Schema (draft 2020-12) of jobs.
std::string job_schema();

/// One run of the job.
struct Order {
  std::int64_t number = 0;
  std::string scene;
  std::vector<std::string> axis_values;                    // parallel to Job::axes, JSON texts
  std::vector<std::pair<std::string, std::string>> drawn;  // pointer and JSON text
};
/// The run of that number in [0, count): draws vary fastest, scenes slowest.
Order order_of(const Job& job, std::int64_t number);
/// Of `repose`: run SCENE and all that makes it this run.
std::vector<std::string> run_words(const Job& job, const Order& order);

}  // namespace repose::farm

namespace repose {
template <>
inline constexpr auto kNames<farm::Keep> = std::to_array<std::string_view>({"none", "failures",
                                                                            "all"});
}  // namespace repose
