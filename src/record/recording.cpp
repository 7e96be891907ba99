#include "repose/record/recording.h"

#include <limits>

#include <nlohmann/json.hpp>

#include "blobs.h"
#include "database.h"
#include "schema.h"
#include "scratch_copy.h"

namespace repose {

namespace {

using database::Connection;
using database::Statement;
namespace fs = std::filesystem;

InputError damaged(const Connection& connection, const std::string& what) {
  InputError error;
  error.file = connection.path().string();
  error.wrong = "damaged recording: " + what;
  error.right = "a recording.repose written by repose run";
  return error;
}

/// Calls `take(statement)` for every row of the query; false from it means a damaged row.
template <class Take>
Result<Done> each_row(const Connection& connection, const char* sql, std::int64_t from, Take take) {
  auto statement = Statement::prepare(connection, sql);
  if (!statement) return statement.error();
  if (from >= 0) statement->bind(1, from);
  while (true) {
    auto row = statement->step();
    if (!row) return row.error();
    if (!*row) return Done{};
    if (!take(*statement)) return damaged(connection, sql);
  }
}

Result<std::int64_t> read_pragma(const Connection& connection, const char* sql) {
  std::int64_t value = 0;
  auto done = each_row(connection, sql, -1, [&value](const Statement& row) {
    value = row.integer(0);
    return true;
  });
  if (!done) return done.error();
  return value;
}

Result<Done> check_format(const Connection& connection) {
  auto id = read_pragma(connection, "PRAGMA application_id");
  if (!id) return id.error();
  if (*id != record_schema::kApplicationId) {
    InputError error;
    error.file = connection.path().string();
    error.wrong = "not a recording";
    error.right = "a recording.repose written by repose run";
    return error;
  }
  auto format = read_pragma(connection, "PRAGMA user_version");
  if (!format) return format.error();
  if (*format > record_schema::kFormat) {
    InputError error;
    error.file = connection.path().string();
    error.wrong = "written in a newer format";
    error.value = std::to_string(*format);
    error.right = "format " + std::to_string(record_schema::kFormat) + " or a newer program";
    return error;
  }
  return Done{};
}

std::optional<DrawingForm> form_from_text(const std::string& text) {
  for (const auto form : {DrawingForm::ball, DrawingForm::half_space, DrawingForm::mesh,
                          DrawingForm::spheres, DrawingForm::surfels})
    if (text == to_text(form)) return form;
  return std::nullopt;
}

template <class T>
bool assign(T& out, std::optional<T> read) {
  if (!read) return false;
  out = std::move(*read);
  return true;
}

bool assign(Vec3& out, const std::optional<std::vector<Vec3>>& read) {
  if (!read || read->size() != 1) return false;
  out = read->front();
  return true;
}

bool take_shape(const Statement& row, DrawingShape& out) {
  out.kind = row.text(1);
  out.radius = row.number(3);
  out.bounding_radius = row.number(4);
  out.soft_offset = static_cast<int>(row.integer(6));
  return assign(out.form, form_from_text(row.text(2))) &&
         assign(out.bounding_center, blobs::decode_vectors(row.blob(5))) &&
         assign(out.points, blobs::decode_vectors(row.blob(7))) &&
         assign(out.normals, blobs::decode_vectors(row.blob(8))) &&
         assign(out.radii, blobs::decode_numbers(row.blob(9))) &&
         assign(out.triangles, blobs::decode_triangles(row.blob(10)));
}

bool take_body(const Statement& row, RecordedBody& out) {
  out.name = row.text(1);
  out.shape = static_cast<int>(row.integer(2));
  out.mass = row.number(3);
  out.size = row.number(5);
  out.fixed = row.integer(6) != 0;
  out.collides = row.integer(7) != 0;
  out.layer = static_cast<int>(row.integer(8));
  out.role = row.text(9);
  const auto groups = nlohmann::json::parse(row.text(10), nullptr, false);
  if (!groups.is_array()) return false;
  for (const auto& group : groups)
    if (group.is_string()) out.groups.push_back(group.get<std::string>());
  Material& material = out.material;
  material.name = row.text(11);
  material.density = row.number(12);
  material.friction = row.number(13);
  material.restitution = row.number(14);
  material.opacity = row.number(16);
  material.roughness = row.number(17);
  const auto color = blobs::decode_numbers(row.blob(15));
  if (!color || color->size() != material.color.size()) return false;
  for (std::size_t i = 0; i < material.color.size(); ++i) material.color[i] = (*color)[i];
  return assign(out.center_body, blobs::decode_vectors(row.blob(4)));
}

void take_meta(const std::string& key, const std::string& value, RecordingHead& head,
               std::string& result) {
  if (key == "scene") head.scene = value;
  if (key == "scene_text") head.scene_text = value;
  if (key == "method") head.method = value;
  if (key == "version") head.version = value;
  if (key == "seed") head.seed = std::strtoull(value.c_str(), nullptr, 10);
  if (key == "result") result = value;
  if (key != "gravity") return;
  const auto gravity = nlohmann::json::parse(value, nullptr, false);
  if (!gravity.is_array() || gravity.size() != 3) return;
  for (std::size_t i = 0; i < 3; ++i)
    if (gravity[i].is_number()) head.gravity[static_cast<int>(i)] = gravity[i].get<double>();
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
  std::vector<std::string> series_names;
  std::vector<double> times, energies;
  std::vector<long> steps;

  Result<Done> load();
  Result<Done> load_facts();
  Result<Done> load_bodies();
  Result<Done> load_frames();
};

Result<Done> Recording::Inside::load() {
  // one read transaction: all parts are of the same moment
  if (auto done = connection.run("BEGIN"); !done) return done;
  Result<Done> done = load_facts();
  if (done) done = load_bodies();
  if (done) done = load_frames();
  static_cast<void>(connection.run("COMMIT"));
  return done;
}

Result<Done> Recording::Inside::load_facts() {
  auto done = each_row(connection, "SELECT key, value FROM meta", -1, [this](const Statement& row) {
    take_meta(row.text(0), row.text(1), head, result);
    return true;
  });
  if (!done) return done;
  done = each_row(connection, "SELECT name, value FROM settings", -1, [this](const Statement& row) {
    head.settings[row.text(0)] = row.text(1);
    return true;
  });
  if (!done) return done;
  return each_row(connection, "SELECT * FROM events WHERE id > ? ORDER BY id",
                  static_cast<std::int64_t>(events.size()), [this](const Statement& row) {
                    events.push_back({static_cast<long>(row.integer(1)), row.number(2), row.text(3),
                                      row.text(4), row.text(5)});
                    return true;
                  });
}

Result<Done> Recording::Inside::load_bodies() {
  auto done = each_row(connection, "SELECT * FROM shapes WHERE id >= ? ORDER BY id",
                       static_cast<std::int64_t>(shapes.size()), [this](const Statement& row) {
                         shapes.emplace_back();
                         return take_shape(row, shapes.back());
                       });
  if (!done) return done;
  done = each_row(connection, "SELECT * FROM bodies WHERE id >= ? ORDER BY id",
                  static_cast<std::int64_t>(bodies.size()), [this](const Statement& row) {
                    bodies.emplace_back();
                    const auto shape = static_cast<std::size_t>(row.integer(2));
                    return take_body(row, bodies.back()) && shape < shapes.size();
                  });
  if (!done) return done;
  return each_row(connection, "SELECT * FROM casts WHERE id >= ? ORDER BY id",
                  static_cast<std::int64_t>(casts.size()), [this](const Statement& row) {
                    casts.emplace_back();
                    if (!assign(casts.back(), blobs::decode_integers(row.blob(1)))) return false;
                    for (const int body : casts.back())
                      if (body < 0 || body >= static_cast<int>(bodies.size())) return false;
                    return true;
                  });
}

Result<Done> Recording::Inside::load_frames() {
  series_names = {"energy"};
  auto done =
      each_row(connection, "SELECT name FROM series ORDER BY id", -1, [this](const Statement& row) {
        series_names.push_back(row.text(0));
        return true;
      });
  if (!done) return done;
  return each_row(connection, "SELECT id, step, time, energy FROM frames WHERE id >= ? ORDER BY id",
                  static_cast<std::int64_t>(times.size()), [this](const Statement& row) {
                    if (row.integer(0) != static_cast<std::int64_t>(times.size())) return false;
                    steps.push_back(static_cast<long>(row.integer(1)));
                    times.push_back(row.number(2));
                    energies.push_back(row.number(3));
                    return true;
                  });
}

Recording::Recording(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Recording::~Recording() = default;
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;

Result<Recording> Recording::open(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) {
    InputError error;
    error.file = path.string();
    error.wrong = "no such recording";
    error.right = "a recording.repose written by repose run";
    return error;
  }
  const auto read = [](Inside& inside, const fs::path& from) -> Result<Done> {
    auto connection = Connection::open(from, SQLITE_OPEN_READONLY);
    if (!connection) return connection.error();
    inside.connection = std::move(*connection);
    if (auto done = check_format(inside.connection); !done) return done;
    return inside.load();
  };
  auto inside = std::make_unique<Inside>();
  Result<Done> done = read(*inside, path);
  if (!done && needs_copy(inside->connection.last_code())) {
    // the log of an unfinished recording wants a writable folder with room: read a copy instead
    inside = std::make_unique<Inside>();
    auto copy = ScratchCopy::make(path);
    if (!copy) return copy.error();
    inside->copy.emplace(std::move(*copy));
    done = read(*inside, inside->copy->path());
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

Result<RecordedFrame> Recording::frame(int index) const {
  REPOSE_CHECK(0 <= index && index < frame_count());
  const Connection& connection = inside_->connection;
  RecordedFrame out;
  const auto done = each_row(
      connection, "SELECT * FROM frames WHERE id = ?", index, [this, &out](const Statement& row) {
        const auto cast = static_cast<std::size_t>(row.integer(4));
        if (cast >= inside_->casts.size()) return false;
        out.bodies = inside_->casts[cast];
        out.step = static_cast<long>(row.integer(1));
        out.time = row.number(2);
        out.energy = row.number(3);
        return assign(out.contacts, blobs::decode_contacts(row.blob(6))) &&
               assign(out.poses, blobs::decode_poses(row.blob(7))) &&
               assign(out.points_world,
                      blobs::decode_soft_points(row.blob(8), out.bodies.size())) &&
               out.poses.size() == out.bodies.size();
      });
  if (!done) return done.error();
  if (out.poses.size() != out.bodies.size()) return damaged(connection, "a frame is missing");
  return out;
}

std::vector<double> Recording::series(const std::string& name) const {
  if (name == "energy") return inside_->energies;
  const auto& names = inside_->series_names;
  std::size_t place = 1;
  while (place < names.size() && names[place] != name) ++place;
  if (place >= names.size()) return {};
  std::vector<double> out(inside_->times.size(), std::numeric_limits<double>::quiet_NaN());
  const auto take = [&out, place](const Statement& row) {
    const auto frame = static_cast<std::size_t>(row.integer(0));
    const auto values = blobs::decode_numbers(row.blob(1));
    if (values && frame < out.size() && place - 1 < values->size())
      out[frame] = (*values)[place - 1];
    return true;
  };
  static_cast<void>(
      each_row(inside_->connection, "SELECT id, series FROM frames ORDER BY id", -1, take));
  return out;
}

Result<Done> Recording::refresh() {
  return inside_->load();
}

}  // namespace repose
