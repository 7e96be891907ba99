#include "repose/farm/ledger.h"

#include <fmt/format.h>

#include "record/database.h"

namespace repose::farm {
namespace {

using database::Connection;
using database::Statement;

constexpr const char* kTables = R"(
CREATE TABLE IF NOT EXISTS farm (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS runs (number INTEGER PRIMARY KEY, scene TEXT, variation TEXT, outcome TEXT, exit_code INTEGER,
  tries INTEGER, status TEXT, overlap TEXT, balance TEXT, steps INTEGER, bodies INTEGER, contacts INTEGER,
  penetration_relative REAL, force REAL, cpu_seconds REAL, wall_seconds REAL, memory_mb REAL, state_hash TEXT, why TEXT);
CREATE TABLE IF NOT EXISTS deaths (number INTEGER, what TEXT);
)";
constexpr const char* kColumns =
    "number, scene, variation, outcome, exit_code, tries, status, overlap, balance, steps, bodies, "
    "contacts, penetration_relative, force, cpu_seconds, wall_seconds, memory_mb, state_hash, why";

std::optional<std::int64_t> integer_or_none(const Statement& row, int column) {
  if (row.type(column) == SQLITE_NULL) return std::nullopt;
  return row.integer(column);
}

std::optional<double> number_or_none(const Statement& row, int column) {
  if (row.type(column) == SQLITE_NULL) return std::nullopt;
  return row.number(column);
}

Row row_of(const Statement& s) {
  Row out;
  int at = 0;
  out.number = s.integer(at++);
  out.scene = s.text(at++);
  out.variation = s.text(at++);
  out.outcome = named<Outcome>(s.text(at++)).value_or(Outcome::died);
  out.exit_code = static_cast<int>(s.integer(at++));
  out.tries = static_cast<int>(s.integer(at++));
  out.status = s.text(at++);
  out.overlap = s.text(at++);
  out.balance = s.text(at++);
  out.steps = integer_or_none(s, at++);
  out.bodies = integer_or_none(s, at++);
  out.contacts = integer_or_none(s, at++);
  out.penetration_relative = number_or_none(s, at++);
  out.force = number_or_none(s, at++);
  out.cpu_seconds = s.number(at++);
  out.wall_seconds = s.number(at++);
  out.memory_mb = s.number(at++);
  out.hash = s.text(at++);
  out.why = s.text(at++);
  return out;
}

}  // namespace

struct Ledger::Inside {
  Connection connection;
};

Ledger::Ledger(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Ledger::~Ledger() = default;
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;

Result<Ledger> Ledger::open(const std::filesystem::path& path, const Job& job) {
  auto connection = Connection::open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (!connection) return connection.error();
  for (const char* sql : {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", kTables})
    if (auto done = connection->run(sql); !done) return done.error();
  auto add = Statement::prepare(*connection, "INSERT OR IGNORE INTO farm VALUES ('job', ?1)");
  if (!add) return add.error();
  add->bind(1, job.text);
  if (auto done = add->finish(); !done) return done.error();
  auto ask = Statement::prepare(*connection, "SELECT value FROM farm WHERE name = 'job'");
  if (!ask) return ask.error();
  const auto there = ask->step();
  if (!there) return there.error();
  if (!*there || ask->text(0) != job.text) {
    InputError error;
    error.file = path.string();
    error.wrong = "the folder holds the runs of another job";
    error.right = "the job as it was, or another folder";
    return error;
  }
  return Ledger(std::make_unique<Inside>(std::move(*connection)));
}

Result<Done> Ledger::add(const Row& row) {
  auto add = Statement::prepare(
      inside_->connection,
      "INSERT OR REPLACE INTO runs VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,"
      "?17,?18,?19)");
  if (!add) return add.error();
  int at = 0;
  const auto whole = [&](const std::optional<std::int64_t>& number) {
    ++at;
    if (number) add->bind(at, *number);
  };
  const auto real = [&](const std::optional<double>& number) {
    ++at;
    if (number) add->bind(at, *number);
  };
  const auto text = [&](const std::string& words) { add->bind(++at, std::string_view(words)); };
  whole(row.number);
  text(row.scene);
  text(row.variation);
  text(name_of(row.outcome));
  whole(row.exit_code);
  whole(row.tries);
  text(row.status);
  text(row.overlap);
  text(row.balance);
  whole(row.steps);
  whole(row.bodies);
  whole(row.contacts);
  real(row.penetration_relative);
  real(row.force);
  real(row.cpu_seconds);
  real(row.wall_seconds);
  real(row.memory_mb);
  text(row.hash);
  text(row.why);
  return add->finish();
}

Result<int> Ledger::add_death(std::int64_t number, const std::string& what) {
  auto add = Statement::prepare(inside_->connection, "INSERT INTO deaths VALUES (?1, ?2)");
  if (!add) return add.error();
  add->bind(1, number).bind(2, std::string_view(what));
  if (auto done = add->finish(); !done) return done.error();
  auto ask =
      Statement::prepare(inside_->connection, "SELECT count(*) FROM deaths WHERE number = ?1");
  if (!ask) return ask.error();
  ask->bind(1, number);
  if (auto there = ask->step(); !there) return there.error();
  return static_cast<int>(ask->integer(0));
}

Result<std::map<std::int64_t, int>> Ledger::deaths() const {
  auto ask = Statement::prepare(inside_->connection,
                                "SELECT number, count(*) FROM deaths GROUP BY number");
  if (!ask) return ask.error();
  std::map<std::int64_t, int> out;
  for (;;) {
    const auto there = ask->step();
    if (!there) return there.error();
    if (!*there) return out;
    out[ask->integer(0)] = static_cast<int>(ask->integer(1));
  }
}

Result<std::vector<Row>> Ledger::rows() const {
  const std::string sql = fmt::format("SELECT {} FROM runs ORDER BY number", kColumns);
  auto ask = Statement::prepare(inside_->connection, sql.c_str());
  if (!ask) return ask.error();
  std::vector<Row> out;
  for (;;) {
    const auto there = ask->step();
    if (!there) return there.error();
    if (!*there) return out;
    out.push_back(row_of(*ask));
  }
}

}  // namespace repose::farm
