#include "repose/farm/job.h"

#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "repose/base/json.h"
#include "repose/base/json_write.h"
#include "repose/base/random.h"
#include "repose/math/pose.h"
#include "repose/scene/gallery.h"

#include "farm/fields.h"

namespace repose::farm {
namespace {

constexpr std::int64_t kMostRuns = 10'000'000;
constexpr std::int64_t kMostValues = 1'000'000;
constexpr double kMostSeconds = 1e7, kMostMegabytes = 1e7;

std::string number_json(double number) {
  return Json(number).line();
}

/// "from", "to" and "count", evenly; with "log" evenly in the logarithm.
Result<std::vector<std::string>> spread(const Fields& fields, AxisKind kind) {
  double from = 0.0, to = 0.0;
  std::int64_t count = 0;
  bool log = false;
  if (auto done = fields.number("from", {-1e300, 1e300}, &from, true); !done) return done.error();
  if (auto done = fields.number("to", {-1e300, 1e300}, &to, kind != AxisKind::seed); !done)
    return done.error();
  if (auto done = fields.whole("count", {1, kMostValues}, &count, true); !done) return done.error();
  if (auto done = fields.flag("log", &log); !done) return done.error();
  if (log && !(from > 0.0 && to > 0.0))
    return fields.error("log", "a logarithm of what is not above 0", "from and to above 0");
  std::vector<std::string> out;
  for (std::int64_t i = 0; i < count; ++i) {
    if (kind == AxisKind::seed) {
      out.push_back(fmt::format("{}", static_cast<std::int64_t>(from) + i));
      continue;
    }
    const double s = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0.0;
    out.push_back(number_json(log ? from * std::pow(to / from, s) : from + s * (to - from)));
  }
  return out;
}

Result<Axis> read_axis(const JsonView& view) {
  const Fields fields(view, {"pointer", "setting", "seed", "values", "from", "to", "count", "log"});
  if (auto done = fields.known(); !done) return done.error();
  Axis out;
  bool seed = false;
  if (auto done = fields.text("pointer", &out.name); !done) return done.error();
  if (!out.name.empty()) out.kind = AxisKind::pointer;
  std::string setting;
  if (auto done = fields.text("setting", &setting); !done) return done.error();
  if (auto done = fields.flag("seed", &seed); !done) return done.error();
  if ((out.name.empty() ? 0 : 1) + (setting.empty() ? 0 : 1) + (seed ? 1 : 0) != 1)
    return view.error("an axis varies one thing", "one of pointer, setting and \"seed\": true");
  if (!setting.empty()) {
    out.kind = AxisKind::setting;
    out.name = setting;
  }
  if (seed) out.name = "seed";
  if (out.kind == AxisKind::pointer && out.name[0] != '/')
    return fields.error("pointer", "a pointer begins with /", "as in /bodies/1/position/0");
  const auto values = view.find("values");
  if (!values) {
    auto made = spread(fields, out.kind);
    if (!made) return made.error();
    out.values = std::move(*made);
    return out;
  }
  if (values->kind() != JsonKind::array || values->size() == 0)
    return values->error("not a list of values", "a list with at least one");
  values->each([&](const JsonView& v) {
    out.values.push_back(Json(v).line());
    return true;
  });
  return out;
}

Result<Done> read_bound(const Fields& fields, const char* name, std::vector<double>* out,
                        bool* list) {
  const auto found = fields.view().find(name);
  if (!found) return fields.error(name, "is missing", "a number, or a list of numbers");
  *list = found->kind() == JsonKind::array;
  bool good = true;
  const auto take = [&](const JsonView& v) {
    good = good && v.kind() == JsonKind::number;
    out->push_back(good ? v.number() : 0.0);
    return good;
  };
  if (*list)
    found->each(take);
  else
    take(*found);
  if (!good || out->empty()) return found->error("not a bound", "a number, or a list of numbers");
  return Done{};
}

Result<Draw> read_draw(const JsonView& view) {
  const Fields fields(view, {"pointer", "low", "high", "rotation"});
  if (auto done = fields.known(); !done) return done.error();
  Draw out;
  if (auto done = fields.text("pointer", &out.pointer, true); !done) return done.error();
  if (out.pointer[0] != '/')
    return fields.error("pointer", "a pointer begins with /", "as in /bodies/1/position");
  if (auto done = fields.flag("rotation", &out.rotation); !done) return done.error();
  if (out.rotation) return out;
  bool list = false;
  if (auto done = read_bound(fields, "low", &out.low, &out.list); !done) return done.error();
  if (auto done = read_bound(fields, "high", &out.high, &list); !done) return done.error();
  bool ordered = list == out.list && out.low.size() == out.high.size();
  for (std::size_t k = 0; ordered && k < out.low.size(); ++k) ordered = out.low[k] <= out.high[k];
  if (!ordered)
    return fields.error("high", "no bound above low", "as many numbers as low, none below it");
  return out;
}

Result<Draws> read_draws(const JsonView& view) {
  const Fields fields(view, {"count", "seed", "at"});
  if (auto done = fields.known(); !done) return done.error();
  Draws out;
  if (auto done = fields.whole("count", {1, kMostRuns}, &out.count, true); !done)
    return done.error();
  if (auto done = fields.whole("seed", {0, kLargestSeed}, &out.seed); !done) return done.error();
  auto at = fields.list<Draw>("at", read_draw);
  if (!at) return at.error();
  out.at = std::move(*at);
  return out;
}

Result<Limits> read_limits(const JsonView& view) {
  const Fields fields(view, {"seconds", "memory_mb", "steps", "retries"});
  if (auto done = fields.known(); !done) return done.error();
  Limits out;
  std::int64_t retries = out.retries;
  constexpr std::int64_t kMostRetries = 100;
  if (auto done = fields.number("seconds", {0.0, kMostSeconds}, &out.seconds); !done)
    return done.error();
  if (auto done = fields.number("memory_mb", {0.0, kMostMegabytes}, &out.memory_mb); !done)
    return done.error();
  if (auto done = fields.whole("steps", {0, kMostSteps}, &out.steps); !done) return done.error();
  if (auto done = fields.whole("retries", {0, kMostRetries}, &retries); !done) return done.error();
  out.retries = static_cast<int>(retries);
  return out;
}

Result<Done> read_keep(const JsonView& view, Job* job) {
  const Fields fields(view, {"recordings", "pictures"});
  if (auto done = fields.known(); !done) return done.error();
  std::string what = name_of(job->recordings);
  if (auto done = fields.text("recordings", &what); !done) return done.error();
  const auto keep = named<Keep>(what);
  if (!keep) return fields.error("recordings", "not understood", "none, failures or all");
  job->recordings = *keep;
  std::int64_t pictures = job->pictures;
  constexpr std::int64_t kMostPictures = 1000;
  if (auto done = fields.whole("pictures", {0, kMostPictures}, &pictures); !done)
    return done.error();
  job->pictures = static_cast<int>(pictures);
  return Done{};
}

/// Gallery names stay, paths are looked for beside the job.
Result<std::string> read_scene_name(const JsonView& view, const std::string& job_file) {
  if (view.kind() != JsonKind::text || view.text().empty())
    return view.error("not a scene", "a path or a gallery name");
  const std::filesystem::path beside = std::filesystem::path(job_file).parent_path() / view.text();
  std::error_code failed;
  if (std::filesystem::is_regular_file(beside, failed))
    return std::filesystem::absolute(beside).lexically_normal().string();
  const auto found = find_scene(view.text());
  if (!found) return view.error(found.error().wrong, found.error().right);
  return *found == view.text() ? std::filesystem::absolute(*found).string() : view.text();
}

template <class Read>
Result<Done> read_part(const JsonView& root, const char* name, const Read& read) {
  const auto found = root.find(name);
  if (!found) return Done{};
  if (found->kind() != JsonKind::object) return found->error("not an object", "{ ... }");
  return read(*found);
}

std::string rotation_json(Random& random) {
  const Quat q = random_rotation(random);
  return Json(Json::Array{q.w(), q.x(), q.y(), q.z()}).line();
}

std::string drawn_json(const Draw& draw, Random& random) {
  if (draw.rotation) return rotation_json(random);
  Json::Array out;
  for (std::size_t k = 0; k < draw.low.size(); ++k)
    out.push_back(random.between(draw.low[k], draw.high[k]));
  return draw.list ? Json(std::move(out)).line() : out[0].line();
}

}  // namespace

std::int64_t Job::count() const {
  auto out = static_cast<std::int64_t>(scenes.size()) * draws.count;
  for (const Axis& axis : axes) {
    if (out > kMostRuns) return out;
    out *= static_cast<std::int64_t>(axis.values.size());
  }
  return out;
}

Result<Job> read_job(const std::string& path) {
  const auto document = JsonDocument::read(path);
  if (!document) return document.error();
  const JsonView root = (*document)->root();
  if (root.kind() != JsonKind::object) return root.error("not a job", "an object");
  const Fields fields(root, {"farm", "about", "scenes", "vary", "draws", "limits", "keep"});
  if (auto done = fields.known(); !done) return done.error();
  std::int64_t version = 0;
  if (auto done = fields.whole("farm", {1, 1}, &version, true); !done) return done.error();
  Job job;
  job.file = path;
  job.text = Json(root).line();
  if (auto done = fields.text("about", &job.about); !done) return done.error();
  auto scenes = fields.list<std::string>(
      "scenes", [&](const JsonView& v) { return read_scene_name(v, path); });
  if (!scenes) return scenes.error();
  if (scenes->empty()) return fields.error("scenes", "no scenes", "at least one");
  job.scenes = std::move(*scenes);
  auto axes = fields.list<Axis>("vary", read_axis);
  if (!axes) return axes.error();
  job.axes = std::move(*axes);
  auto done = read_part(root, "draws", [&](const JsonView& v) -> Result<Done> {
    auto draws = read_draws(v);
    if (!draws) return draws.error();
    job.draws = std::move(*draws);
    return Done{};
  });
  if (!done) return done.error();
  done = read_part(root, "limits", [&](const JsonView& v) -> Result<Done> {
    auto limits = read_limits(v);
    if (!limits) return limits.error();
    job.limits = *limits;
    return Done{};
  });
  if (!done) return done.error();
  done = read_part(root, "keep", [&](const JsonView& v) { return read_keep(v, &job); });
  if (!done) return done.error();
  if (job.count() > kMostRuns)
    return root.error(fmt::format("{} runs are too many", job.count()),
                      fmt::format("at most {}", kMostRuns));
  return job;
}

Order order_of(const Job& job, std::int64_t number) {
  Order out;
  out.number = number;
  const auto next = [&](std::int64_t size) {
    const std::int64_t at = number % size;
    number /= size;
    return at;
  };
  const std::int64_t draw = next(job.draws.count);
  out.axis_values.resize(job.axes.size());
  for (std::size_t k = job.axes.size(); k-- > 0;) {
    const auto& values = job.axes[k].values;
    out.axis_values[k] =
        values[static_cast<std::size_t>(next(static_cast<std::int64_t>(values.size())))];
  }
  out.scene = job.scenes[static_cast<std::size_t>(number)];
  // the draw's own numbers, whatever else is varied
  Random random(static_cast<std::uint64_t>(job.draws.seed) * 0x9E3779B97F4A7C15ULL +
                static_cast<std::uint64_t>(draw));
  for (const Draw& at : job.draws.at) out.drawn.emplace_back(at.pointer, drawn_json(at, random));
  return out;
}

std::vector<std::string> run_words(const Job& job, const Order& order) {
  std::vector<std::string> out{"run", order.scene};
  for (std::size_t k = 0; k < job.axes.size(); ++k) {
    const Axis& axis = job.axes[k];
    const std::string& value = order.axis_values[k];
    if (axis.kind == AxisKind::seed) {
      out.insert(out.end(), {"--seed", value});
    } else if (axis.kind == AxisKind::setting) {
      const bool quoted = value.size() > 1 && value.front() == '"';
      out.insert(out.end(),
                 {"--set", axis.name + "=" + (quoted ? value.substr(1, value.size() - 2) : value)});
    } else {
      out.insert(out.end(), {"--at", axis.name + "=" + value});
    }
  }
  for (const auto& [pointer, value] : order.drawn)
    out.insert(out.end(), {"--at", pointer + "=" + value});
  if (job.limits.steps >= 0)
    out.insert(out.end(), {"--steps", fmt::format("{}", job.limits.steps)});
  return out;
}

}  // namespace repose::farm
