#include "repose/record/recording.h"

#include <limits>

#include <fmt/format.h>

#include "repose/base/fault.h"

#include "blobs.h"
#include "known_tables.h"
#include "on_disk.h"
#include "rows.h"
#include "scratch_copy.h"

namespace repose {

namespace {

using database::Connection;
using database::Statement;
namespace fs = std::filesystem;

/// Tables whose rows are read once, in order.
constexpr const char* kMeta = "SELECT key, value FROM meta ORDER BY key";
constexpr const char* kSettings = "SELECT name, value FROM settings ORDER BY name";
constexpr const char* kEvents = "SELECT * FROM events WHERE id >= ? ORDER BY id";
constexpr const char* kShapes = "SELECT * FROM shapes WHERE id >= ? ORDER BY id";
constexpr const char* kBodies = "SELECT * FROM bodies WHERE id >= ? ORDER BY id";
constexpr const char* kCasts = "SELECT * FROM casts WHERE id >= ? ORDER BY id";
constexpr const char* kSeries = "SELECT id, name FROM series WHERE id >= ? ORDER BY id";
constexpr const char* kFrames =
    "SELECT id, step, time, energy, cast_id, length(series), length(contacts), length(poses), "
    "length(points) FROM frames WHERE id >= ? ORDER BY id";

/// What is read may be this many times the bytes on disk (texts may be stored shorter than they are
/// read), and this many bytes more.
constexpr std::uint64_t kMostGrowth = 4, kSmall = 1 << 16;
/// Numbers of all series over the bytes on disk; beyond it the names are a stranger's.
constexpr std::uint64_t kMostSeriesGrowth = 16;

/// The value of a series in frames that did not give it.
constexpr double kNotGiven = std::numeric_limits<double>::quiet_NaN();

InputError damaged(const Connection& connection, const std::string& what) {
  return not_a_recording(connection.path(), "damaged recording: " + what);
}

InputError located(const Connection& connection, const InputError& fault) {
  InputError error = fault;
  error.file = connection.path().string();
  return error;
}

/// Calls `take(columns)` for every row of a table that is numbered without gaps from `from` on.
template <class Take>
Result<Done> each_numbered(const Connection& connection, const char* table, const char* sql,
                           std::size_t from, Take take) {
  auto statement = Statement::prepare(connection, sql);
  if (!statement) return statement.error();
  auto next = static_cast<std::int64_t>(from);
  statement->bind(1, next);
  for (;; ++next) {
    auto row = statement->step();
    if (!row) return row.error();
    if (!*row) return Done{};
    Columns columns(*statement, table);
    if (next > std::numeric_limits<int>::max()) columns.refuse("too many rows");
    columns.whole(0, next, next);
    if (columns.good()) take(columns);
    if (!columns.good()) return located(connection, columns.fault());
  }
}

/// Calls `take(columns)` for every row of a table whose first column is a text that grows.
template <class Take>
Result<Done> each_named(const Connection& connection, const char* table, const char* sql,
                        Take take) {
  auto statement = Statement::prepare(connection, sql);
  if (!statement) return statement.error();
  std::optional<std::string> last;
  while (true) {
    auto row = statement->step();
    if (!row) return row.error();
    if (!*row) return Done{};
    Columns columns(*statement, table);
    std::string name = columns.text(0);
    if (last && name <= *last) columns.refuse("out of order");
    last = std::move(name);
    if (columns.good()) take(columns);
    if (!columns.good()) return located(connection, columns.fault());
  }
}

}  // namespace

struct Recording::Inside {
  std::optional<ScratchCopy> copy;  // where the folder itself could not be used
  Connection connection;
  RecordingHead head;
  std::string result;
  std::vector<DrawingShape> shapes;
  std::vector<RecordedBody> bodies;
  std::vector<std::vector<int>> casts;
  std::vector<RecordedEvent> events;
  std::vector<std::string> series_names{"energy"};
  std::vector<double> times, energies;
  std::vector<long> steps;
  std::uint64_t taken = 0;  // bytes of the blobs, in tables and in frames

  Result<Done> open(const fs::path& path);
  Result<Done> load();
  Result<Done> load_facts();
  Result<Done> load_bodies();
  Result<Done> load_frames();
  Result<Done> check_amount() const;
};

Result<Done> Recording::Inside::open(const fs::path& path) {
  const auto bytes = bytes_on_disk(path);
  if (!bytes) return bytes.error();
  auto opened = Connection::open_untrusted(path);
  if (!opened) return opened.error();
  connection = std::move(*opened);
  if (auto done = check_tables(connection, *bytes); !done) return done;
  return load();
}

Result<Done> Recording::Inside::load() {
  // one read transaction: all parts are of the same moment
  if (auto done = connection.run("BEGIN"); !done) return done;
  Result<Done> done = load_facts();
  if (done) done = load_bodies();
  if (done) done = load_frames();
  if (done) done = check_amount();
  static_cast<void>(connection.run("COMMIT"));
  return done;
}

Result<Done> Recording::Inside::load_facts() {
  int known = 0;
  auto done = each_named(connection, "meta", kMeta, [&](Columns& row) {
    const std::string key = row.text(0);
    for (const char* needed : {"scene", "scene_text", "method", "version", "seed", "gravity"})
      known += key == needed ? 1 : 0;
    read_meta(row, head, result);
  });
  if (!done) return done;
  constexpr int kNeeded = 6;
  if (known != kNeeded) return damaged(connection, "meta lacks what every run tells");
  done = each_named(connection, "settings", kSettings,
                    [this](Columns& row) { head.settings[row.text(0)] = row.text(1); });
  if (!done) return done;
  // events are numbered from 1
  return each_numbered(connection, "events", kEvents, events.size() + 1,
                       [this](Columns& row) { events.push_back(read_event(row)); });
}

Result<Done> Recording::Inside::load_bodies() {
  auto done = each_numbered(connection, "shapes", kShapes, shapes.size(), [this](Columns& row) {
    shapes.push_back(read_shape(row));
    const DrawingShape& s = shapes.back();
    taken += (s.points.size() + s.normals.size()) * sizeof(Vec3) + s.radii.size() * sizeof(double) +
             s.triangles.size() * sizeof(s.triangles[0]);
  });
  if (!done) return done;
  done = each_numbered(connection, "bodies", kBodies, bodies.size(), [this](Columns& row) {
    bodies.push_back(read_body(row, shapes));
    taken += bodies.back().name.size();
  });
  if (!done) return done;
  return each_numbered(connection, "casts", kCasts, casts.size(), [this](Columns& row) {
    casts.push_back(read_cast(row, bodies, shapes));
    taken += casts.back().size() * sizeof(int);
  });
}

Result<Done> Recording::Inside::load_frames() {
  // "energy" is the name before those of the table
  auto done = each_numbered(connection, "series", kSeries, series_names.size() - 1,
                            [this](Columns& row) { series_names.push_back(row.text(1)); });
  if (!done) return done;
  return each_numbered(connection, "frames", kFrames, times.size(), [this](Columns& row) {
    const FrameRow frame = read_frame_row(row, casts);
    steps.push_back(frame.step);
    times.push_back(frame.time);
    energies.push_back(frame.energy);
    taken += frame.bytes;
  });
}

/// Pages that stand in several places at once would let a small file fill the memory.
Result<Done> Recording::Inside::check_amount() const {
  const auto bytes = bytes_on_disk(connection.path());
  if (!bytes) return bytes.error();
  if (taken > kMostGrowth * *bytes + kSmall)
    return damaged(connection, fmt::format("its {} bytes read as {}", *bytes, taken));
  const std::uint64_t numbers = series_names.size() * times.size() * sizeof(double);
  if (numbers > kMostSeriesGrowth * (*bytes + kSmall))
    return damaged(connection,
                   fmt::format("{} series in {} frames", series_names.size() - 1, times.size()));
  return Done{};
}

Recording::Recording(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Recording::~Recording() = default;
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;

Result<Recording> Recording::open(const fs::path& path) {
  auto inside = std::make_unique<Inside>();
  Result<Done> done = inside->open(path);
  if (!done && needs_copy(inside->connection.last_code())) {
    // the log of an unfinished recording wants a writable folder with room: read a copy instead
    auto copy = ScratchCopy::make(path);
    if (!copy) return copy.error();
    inside = std::make_unique<Inside>();
    inside->copy.emplace(std::move(*copy));
    done = inside->open(inside->copy->path());
  }
  if (!done) {
    InputError error = done.error();
    error.file = path.string();
    return error;
  }
  return Recording(std::move(inside));
}

const RecordingHead& Recording::head() const {
  return inside_->head;
}
const std::vector<DrawingShape>& Recording::shapes() const {
  return inside_->shapes;
}
const std::vector<RecordedBody>& Recording::bodies() const {
  return inside_->bodies;
}
const std::vector<RecordedEvent>& Recording::events() const {
  return inside_->events;
}
int Recording::frame_count() const {
  return static_cast<int>(inside_->times.size());
}
const std::vector<double>& Recording::times() const {
  return inside_->times;
}
const std::vector<long>& Recording::steps() const {
  return inside_->steps;
}
const std::vector<std::string>& Recording::series_names() const {
  return inside_->series_names;
}
const std::string& Recording::result_text() const {
  return inside_->result;
}

Result<Done> Recording::require_frames() const {
  if (frame_count() > 0) return Done{};
  return located(inside_->connection, fault("", "", "the recording holds no frame",
                                            "a recording with at least its first state"));
}

Result<RecordedFrame> Recording::frame(int index) const {
  REPOSE_CHECK(0 <= index && index < frame_count());
  const Connection& connection = inside_->connection;
  auto row = Statement::prepare(connection, "SELECT * FROM frames WHERE id = ?");
  if (!row) return row.error();
  row->bind(1, std::int64_t{index});
  auto found = row->step();
  if (!found) return found.error();
  if (!*found) return damaged(connection, fmt::format("frame {} is missing", index));
  Columns columns(*row, "frames");
  columns.whole(0, index, index);
  RecordedFrame out = read_frame(columns, inside_->casts, inside_->bodies, inside_->shapes);
  if (!columns.good()) return located(connection, columns.fault());
  return out;
}

std::vector<double> Recording::series(const std::string& name) const {
  if (name == "energy") return inside_->energies;
  const auto& names = inside_->series_names;
  std::size_t place = 1;
  while (place < names.size() && names[place] != name) ++place;
  if (place >= names.size()) return {};
  std::vector<double> out;
  // a frame that came after the last refresh is not asked for
  static_cast<void>(each_numbered(
      inside_->connection, "frames", "SELECT id, series FROM frames WHERE id >= ? ORDER BY id", 0,
      [&out, place](Columns& row) {
        const auto values = blobs::decode_numbers(row.blob(1));
        out.push_back(values && place - 1 < values->size() ? (*values)[place - 1] : kNotGiven);
      }));
  out.resize(inside_->times.size(), kNotGiven);
  return out;
}

Result<Done> Recording::refresh() {
  return inside_->load();
}

}  // namespace repose
