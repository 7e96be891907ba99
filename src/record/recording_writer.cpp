#include "repose/record/recording_writer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>

#include "repose/base/hash.h"
#include "repose/base/json_write.h"
#include "repose/base/version.h"
#include "repose/base/whole_file.h"

#include "blobs.h"
#include "database.h"
#include "limits.h"
#include "schema.h"

namespace repose {

namespace {

using database::Connection;
using database::Statement;
using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

Result<Done> write_meta(Connection& connection, const RecordingHead& head) {
  auto meta = Statement::prepare(connection, record_schema::kAddMeta);
  if (!meta) return meta.error();
  const Json gravity = Json::Array{head.gravity.x(), head.gravity.y(), head.gravity.z()};
  const std::pair<const char*, std::string> rows[] = {
      {"scene", head.scene},
      {"scene_text", head.scene_text},
      {"method", head.method},
      {"seed", std::to_string(head.seed)},
      {"version", head.version.empty() ? kVersion : head.version},
      {"gravity", gravity.line()}};
  for (const auto& [key, value] : rows)
    if (auto done = meta->bind(1, std::string_view(key)).bind(2, std::string_view(value)).finish();
        !done)
      return done;
  auto setting = Statement::prepare(connection, record_schema::kAddSetting);
  if (!setting) return setting.error();
  for (const auto& [name, value] : head.settings)
    if (auto done =
            setting->bind(1, std::string_view(name)).bind(2, std::string_view(value)).finish();
        !done)
      return done;
  return Done{};
}

// The tables and the head.
Result<Done> write_empty(const fs::path& path, const RecordingHead& head) {
  auto connection = Connection::open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (!connection) return connection.error();
  // large pages: frames are large blobs
  for (const char* sql :
       {"PRAGMA page_size = 16384", "PRAGMA journal_mode = MEMORY", record_schema::kMark, "BEGIN"})
    if (auto done = connection->run(sql); !done) return done;
  for (const record_schema::Table& table : record_schema::kTables)
    if (auto done = connection->run(table.sql); !done) return done;
  if (auto done = write_meta(*connection, head); !done) return done;
  return connection->run("COMMIT");
}

// An old log must never meet a database that is not its own, and an old database must never stand
// without its log, which may hold half of it: where there is a log, the old recording goes first.
// One without a log stays until the new one takes its place.
Result<Done> remove_logs(const fs::path& path) {
  const auto gone = [](const fs::path& file, std::error_code& failed) {
    fs::remove(file, failed);
    return !failed;
  };
  for (const char* ending : {"-wal", "-shm", "-journal"}) {
    std::error_code failed;
    const fs::path log = path.string() + ending;
    if (!fs::exists(log, failed)) continue;
    if (!gone(path, failed) || !gone(log, failed)) return cannot_write(path, failed.message());
  }
  return Done{};
}

Result<Done> put_empty(const fs::path& path, const RecordingHead& head) {
  WholeFile file(path);
  if (auto done = write_empty(file.beside(), head); !done) {
    InputError error = done.error();
    error.file = path.string();
    return error;
  }
  if (auto done = remove_logs(path); !done) return done;
  return file.put();
}

bool can_be_recorded(const Contact& contact, int bodies) {
  const auto is_there = [bodies](int body) { return body >= 0 && body < bodies; };
  const auto within = [](const Vec3& v, double most) { return (v.array().abs() <= most).all(); };
  return is_there(contact.body_a) && is_there(contact.body_b) && contact.body_a != contact.body_b &&
         within(contact.point_world, kLargestLength) &&
         within(contact.normal_a_to_b, kLongestNormal) &&
         std::fabs(contact.gap) <= kLargestLength && within(contact.force_on_b, kLargestNumber);
}

/// The reader asks the same of every frame.
bool can_be_recorded(const State& state) {
  const auto is_unit = [](const BodyState& body) {
    return std::fabs(body.world_from_body.rotation.norm() - 1.0) <= kUnitSlack;
  };
  const int bodies = static_cast<int>(state.bodies.size());
  return all_finite(state) && strayed_body(state) < 0 && std::fabs(state.time) <= kLargestNumber &&
         std::all_of(state.bodies.begin(), state.bodies.end(), is_unit) &&
         std::all_of(state.contacts.begin(), state.contacts.end(),
                     [bodies](const Contact& c) { return can_be_recorded(c, bodies); });
}

std::uint64_t fingerprint(const Body& body, int shape) {
  Hash hash;
  hash.add(body.name);
  hash.add(static_cast<std::uint64_t>(shape));
  const Material& m = body.material;
  hash.add(m.name);
  for (const double x :
       {m.density, m.friction, m.restitution, m.color[0], m.color[1], m.color[2], m.opacity,
        m.roughness, body.mass, body.center_body.x(), body.center_body.y(), body.center_body.z()})
    hash.add(x);
  hash.add(static_cast<std::uint64_t>(body.fixed) * 2 + static_cast<std::uint64_t>(body.collides));
  hash.add(static_cast<std::uint64_t>(static_cast<std::int64_t>(body.layer)));
  hash.add(body.role);
  for (const std::string& group : body.groups) hash.add(group);
  return hash.value();
}

}  // namespace

struct RecordingWriter::Inside {
  Connection connection;
  RecordingSettings settings;
  std::optional<Statement> add_shape, add_body, add_cast, add_series, add_frame, add_event;
  std::optional<InputError> broken;

  bool in_transaction = false;
  Clock::time_point transaction_start;
  long frames = 0;
  long committed = 0;

  // shapes are kept alive so that an address means one shape
  std::unordered_map<const shape::Shape*, int> shape_rows;
  std::vector<shape::ShapePtr> shapes;
  std::unordered_map<std::uint64_t, int> body_rows;  // by fingerprint
  std::vector<int> cast;                             // row of each of the problem's bodies
  int casts = 0;
  std::vector<const std::vector<double>*> rest_radii;  // of each; null where rigid
  std::vector<std::string> series_names;
  blobs::Writer series, contacts, poses, points, other;

  Result<Done> fail(const InputError& error) {
    broken = error;
    if (in_transaction) sqlite3_exec(connection.raw(), "ROLLBACK", nullptr, nullptr, nullptr);
    in_transaction = false;
    return error;
  }
  Result<Done> keep(const Result<Done>& done) { return done ? done : fail(done.error()); }

  Result<Done> prepare_statements();
  Result<Done> begin();
  Result<Done> commit();
  Result<int> shape_row(const shape::ShapePtr& shape);
  Result<int> body_row(const Body& body);
  Result<Done> write_shape(int row, const DrawingShape& drawing);
  Result<Done> write_body(int row, const Body& body, int shape);
  Result<Done> gather_series(const Audit& audit);
};

Result<Done> RecordingWriter::Inside::prepare_statements() {
  const std::pair<std::optional<Statement>*, const char*> all[] = {
      {&add_shape, record_schema::kAddShape}, {&add_body, record_schema::kAddBody},
      {&add_cast, record_schema::kAddCast},   {&add_series, record_schema::kAddSeries},
      {&add_frame, record_schema::kAddFrame}, {&add_event, record_schema::kAddEvent}};
  for (const auto& [place, sql] : all) {
    auto statement = Statement::prepare(connection, sql);
    if (!statement) return statement.error();
    *place = std::move(*statement);
  }
  return Done{};
}

Result<Done> RecordingWriter::Inside::begin() {
  if (broken) return *broken;
  if (in_transaction) return Done{};
  if (auto done = connection.run("BEGIN"); !done) return fail(done.error());
  in_transaction = true;
  transaction_start = Clock::now();
  return Done{};
}

Result<Done> RecordingWriter::Inside::commit() {
  if (broken) return *broken;
  if (!in_transaction) return Done{};
  if (auto done = connection.run("COMMIT"); !done) return fail(done.error());
  in_transaction = false;
  committed = frames;
  return Done{};
}

Result<Done> RecordingWriter::Inside::write_shape(int row, const DrawingShape& drawing) {
  blobs::Writer center, vertices, normals, radii, triangles;
  center.add(drawing.bounding_center);
  std::vector<Vec3> points = drawing.points;
  points.insert(points.end(), drawing.phyxels.begin(), drawing.phyxels.end());  // see read_phyxels
  blobs::encode(points, vertices);
  blobs::encode(drawing.normals, normals);
  blobs::encode(drawing.radii, radii);
  auto corners = drawing.triangles;
  for (const auto& [a, b] : drawing.links) corners.push_back({a, b, a});  // see read_links
  blobs::encode(corners, triangles);
  return add_shape->bind(1, std::int64_t{row})
      .bind(2, std::string_view(drawing.kind))
      .bind(3, std::string_view(to_text(drawing.form)))
      .bind(4, drawing.radius)
      .bind(5, drawing.bounding_radius)
      .bind(6, center.bytes())
      .bind(7, std::int64_t{drawing.soft_offset})
      .bind(8, vertices.bytes())
      .bind(9, normals.bytes())
      .bind(10, radii.bytes())
      .bind(11, triangles.bytes())
      .finish();
}

Result<int> RecordingWriter::Inside::shape_row(const shape::ShapePtr& shape) {
  const auto known = shape_rows.find(shape.get());
  if (known != shape_rows.end()) return known->second;
  const int row = static_cast<int>(shapes.size());
  if (auto done = write_shape(row, drawing_of(*shape)); !done) return done.error();
  shape_rows.emplace(shape.get(), row);
  shapes.push_back(shape);
  return row;
}

Result<Done> RecordingWriter::Inside::write_body(int row, const Body& body, int shape) {
  blobs::Writer center, color;
  center.add(body.center_body);
  for (const double channel : body.material.color) color.add(channel);
  const std::string groups = Json(Json::Array(body.groups.begin(), body.groups.end())).line();
  return add_body->bind(1, std::int64_t{row})
      .bind(2, std::string_view(body.name))
      .bind(3, std::int64_t{shape})
      .bind(4, body.mass)
      .bind(5, center.bytes())
      .bind(6, body.size())
      .bind(7, std::int64_t{body.fixed})
      .bind(8, std::int64_t{body.collides})
      .bind(9, std::int64_t{body.layer})
      .bind(10, std::string_view(body.role))
      .bind(11, std::string_view(groups))
      .bind(12, std::string_view(body.material.name))
      .bind(13, body.material.density)
      .bind(14, body.material.friction)
      .bind(15, body.material.restitution)
      .bind(16, color.bytes())
      .bind(17, body.material.opacity)
      .bind(18, body.material.roughness)
      .finish();
}

Result<int> RecordingWriter::Inside::body_row(const Body& body) {
  auto shape = shape_row(body.shape);
  if (!shape) return shape;
  const std::uint64_t print = fingerprint(body, *shape);
  const auto known = body_rows.find(print);
  if (known != body_rows.end()) return known->second;
  const int row = static_cast<int>(body_rows.size());
  if (auto done = write_body(row, body, *shape); !done) return done.error();
  body_rows.emplace(print, row);
  return row;
}

// values by the order in which their names first appeared; NaN for a name this frame lacks
Result<Done> RecordingWriter::Inside::gather_series(const Audit& audit) {
  std::vector<double> values(series_names.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < audit.series.size(); ++i) {
    const auto& [name, value] = audit.series[i];
    std::size_t at = i < series_names.size() && series_names[i] == name ? i : 0;
    while (at < series_names.size() && series_names[at] != name) ++at;
    if (at == series_names.size()) {
      const auto row = static_cast<std::int64_t>(at);
      if (auto done = add_series->bind(1, row).bind(2, std::string_view(name)).finish(); !done)
        return done;
      series_names.push_back(name);
      values.push_back(value);
    }
    values[at] = value;
  }
  blobs::encode(values, series);
  return Done{};
}

namespace {

/// A reader may hold the log open: then it stays, and the file is as readable as before.
void fold(Connection& connection) {
  sqlite3_busy_timeout(connection.raw(), 0);
  static_cast<void>(connection.run("PRAGMA journal_mode = DELETE"));
}

}  // namespace

Result<RecordingWriter> RecordingWriter::create(const fs::path& path, const RecordingHead& head,
                                                const RecordingSettings& settings) {
  if (auto done = put_empty(path, head); !done) return done.error();
  auto connection = Connection::open(path, SQLITE_OPEN_READWRITE);
  if (!connection) return connection.error();
  auto inside = std::make_unique<Inside>();
  inside->connection = std::move(*connection);
  inside->settings = settings;
  // a kill needs no flush to survive; the log is flushed before it is folded in, so that a power
  // cut may lose the latest frames but not the file
  for (const char* sql : {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL"})
    if (auto done = inside->connection.run(sql); !done) return done.error();
  if (auto done = inside->prepare_statements(); !done) return done.error();
  return RecordingWriter(std::move(inside));
}

RecordingWriter::RecordingWriter(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
RecordingWriter::RecordingWriter(RecordingWriter&&) noexcept = default;
RecordingWriter& RecordingWriter::operator=(RecordingWriter&&) noexcept = default;

RecordingWriter::~RecordingWriter() {
  if (inside_ != nullptr && !inside_->broken) static_cast<void>(inside_->commit());
}

Result<Done> RecordingWriter::set_head(const RecordingHead& head) {
  Inside& in = *inside_;
  if (auto done = in.begin(); !done) return done;
  return in.keep(write_meta(in.connection, head));
}

Result<Done> RecordingWriter::set_bodies(const Problem& problem) {
  Inside& in = *inside_;
  if (auto done = in.begin(); !done) return done;
  std::vector<int> cast;
  for (const Body& body : problem.bodies) {
    auto row = in.body_row(body);
    if (!row) return in.fail(row.error());
    cast.push_back(*row);
  }
  in.rest_radii.clear();
  for (const Body& body : problem.bodies) {
    const auto* set = std::get_if<shape::SphereSet>(&body.shape->geometry);
    in.rest_radii.push_back(set == nullptr ? nullptr : &set->radii);
  }
  if (in.casts > 0 && cast == in.cast) return Done{};
  blobs::encode(cast, in.other);
  const std::int64_t id = in.casts;
  if (auto done = in.add_cast->bind(1, id).bind(2, in.other.bytes()).finish(); !done)
    return in.fail(done.error());
  in.cast = std::move(cast);
  in.casts += 1;
  return Done{};
}

Result<Done> RecordingWriter::add_frame(const State& state, const Audit& audit) {
  Inside& in = *inside_;
  REPOSE_CHECK(in.casts > 0 && state.bodies.size() == in.cast.size(),
               "a frame must fit the bodies last set");
  REPOSE_CHECK(can_be_recorded(state), "a recorded state must be finite and in the world");
  if (auto done = in.begin(); !done) return done;
  if (auto done = in.gather_series(audit); !done) return in.fail(done.error());
  blobs::encode_contacts(state.contacts, in.cast, in.contacts);
  blobs::encode_poses(state.bodies, in.poses);
  blobs::encode_soft(state.bodies, in.rest_radii, in.points);
  const auto done = in.add_frame->bind(1, std::int64_t{in.frames})
                        .bind(2, std::int64_t{state.step})
                        .bind(3, state.time)
                        .bind(4, std::isfinite(audit.energy) ? audit.energy : 0.0)
                        .bind(5, std::int64_t{in.casts - 1})
                        .bind(6, in.series.bytes())
                        .bind(7, in.contacts.bytes())
                        .bind(8, in.poses.bytes())
                        .bind(9, in.points.bytes())
                        .finish();
  if (!done) return in.fail(done.error());
  in.frames += 1;
  return commit_if_due();
}

Result<Done> RecordingWriter::add_event(const RecordedEvent& event) {
  Inside& in = *inside_;
  if (auto done = in.begin(); !done) return done;
  return in.keep(in.add_event->bind(1, std::int64_t{event.step})
                     .bind(2, event.time)
                     .bind(3, std::string_view(event.kind))
                     .bind(4, std::string_view(event.target))
                     .bind(5, std::string_view(event.text))
                     .finish());
}

Result<Done> RecordingWriter::set_result(const std::string& json_text) {
  Inside& in = *inside_;
  if (auto done = in.begin(); !done) return done;
  auto meta = Statement::prepare(in.connection, record_schema::kAddMeta);
  if (!meta) return in.fail(meta.error());
  return in.keep(
      meta->bind(1, std::string_view("result")).bind(2, std::string_view(json_text)).finish());
}

Result<Done> RecordingWriter::commit() {
  return inside_->commit();
}

Result<Done> RecordingWriter::commit_if_due() {
  const std::chrono::duration<double> age = Clock::now() - inside_->transaction_start;
  if (!inside_->in_transaction || age.count() < inside_->settings.commit_every) return Done{};
  return commit();
}

long RecordingWriter::committed_frames() const {
  return inside_->committed;
}

Result<Done> RecordingWriter::finish() {
  Inside& in = *inside_;
  if (auto done = in.commit(); !done) return done;
  fold(in.connection);
  return Done{};
}

void fold_log(const fs::path& recording) {
  std::error_code ignored;
  if (!fs::exists(recording.string() + "-wal", ignored)) return;
  if (auto connection = Connection::open(recording, SQLITE_OPEN_READWRITE)) fold(*connection);
}

}  // namespace repose
