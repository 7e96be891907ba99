#include "database.h"

#include <cstring>

namespace repose::database {

namespace {

// what a reader of the message can do about it
std::string remedy(int code) {
  switch (code & 0xff) {
    case SQLITE_FULL:
      return "make room on the disk; what was committed stays readable";
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return "a folder that may be written";
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_INTERRUPT:
    case SQLITE_TOOBIG:
    case SQLITE_ERROR:
      return "a recording.repose written by repose run";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "wait until the other program has finished with it";
    default:
      return {};
  }
}

}  // namespace

Result<Connection> Connection::open(const std::filesystem::path& path, int flags) {
  Connection out;
  out.path_ = path;
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
  out.raw_.reset(raw);
  if (code != SQLITE_OK) return out.error("cannot open");
  sqlite3_extended_result_codes(raw, 1);
  constexpr int kBusyMilliseconds = 5000;
  sqlite3_busy_timeout(raw, kBusyMilliseconds);
  return out;
}

int Connection::spend(void* budget) {
  return --*static_cast<int*>(budget) < 0 ? 1 : 0;
}

Result<Connection> Connection::open_untrusted(const std::filesystem::path& path) {
  auto out = open(path, SQLITE_OPEN_READONLY);
  if (!out) return out;
  sqlite3* raw = out->raw();
  // the file's own schema may not act
  constexpr std::pair<int, int> kSwitches[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                               {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                               {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                               {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                               {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0}};
  for (const auto& [what, on] : kSwitches) sqlite3_db_config(raw, what, on, nullptr);
  constexpr std::pair<int, int> kLimits[] = {{SQLITE_LIMIT_LENGTH, 1 << 29},
                                             {SQLITE_LIMIT_SQL_LENGTH, 100'000},
                                             {SQLITE_LIMIT_COLUMN, 100},
                                             {SQLITE_LIMIT_EXPR_DEPTH, 20},
                                             {SQLITE_LIMIT_COMPOUND_SELECT, 3},
                                             {SQLITE_LIMIT_VDBE_OP, 25'000},
                                             {SQLITE_LIMIT_FUNCTION_ARG, 8},
                                             {SQLITE_LIMIT_ATTACHED, 0},
                                             {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50},
                                             {SQLITE_LIMIT_VARIABLE_NUMBER, 10},
                                             {SQLITE_LIMIT_TRIGGER_DEPTH, 1}};
  for (const auto& [what, most] : kLimits) sqlite3_limit(raw, what, most);
  out->budget_ = std::make_unique<int>(kBudget);
  sqlite3_progress_handler(raw, kOperations, spend, out->budget_.get());
  // a file that shrinks under a mapping would kill the reader
  for (const char* sql : {"PRAGMA mmap_size = 0", "PRAGMA cell_size_check = ON"})
    if (auto done = out->run(sql); !done) return done.error();
  return out;
}

Result<Done> Connection::run(const char* sql) {
  if (sqlite3_exec(raw(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) return error("cannot use");
  return Done{};
}

int Connection::last_code() const {
  return raw_ == nullptr ? SQLITE_NOMEM : sqlite3_errcode(raw());
}

InputError Connection::error(std::string_view doing) const {
  InputError out;
  out.file = path_.string();
  out.wrong = std::string(doing) + ": ";
  out.wrong += raw_ == nullptr ? "out of memory" : sqlite3_errmsg(raw());
  const int from_system = raw_ == nullptr ? 0 : sqlite3_system_errno(raw());
  const int kind = last_code() & 0xff;
  if (from_system != 0 && (kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN))
    out.wrong += std::string(" (") + std::strerror(from_system) + ")";
  out.right = remedy(last_code());
  return out;
}

Result<Statement> Statement::prepare(const Connection& connection, const char* sql) {
  Statement out;
  out.connection_ = &connection;
  sqlite3_stmt* raw = nullptr;
  const int code = sqlite3_prepare_v2(connection.raw(), sql, -1, &raw, nullptr);
  out.raw_.reset(raw);
  if (code != SQLITE_OK) return connection.error("cannot use");
  return out;
}

Statement& Statement::bind(int place, std::int64_t number) {
  REPOSE_CHECK(sqlite3_bind_int64(raw_.get(), place, number) == SQLITE_OK);
  return *this;
}

Statement& Statement::bind(int place, double number) {
  REPOSE_CHECK(sqlite3_bind_double(raw_.get(), place, number) == SQLITE_OK);
  return *this;
}

Statement& Statement::bind(int place, std::string_view text) {
  REPOSE_CHECK(sqlite3_bind_text64(raw_.get(), place, text.data(), text.size(), SQLITE_TRANSIENT,
                                   SQLITE_UTF8) == SQLITE_OK);
  return *this;
}

// the blob must stay alive until the statement is reset; finish() sees to it
Statement& Statement::bind(int place, const Blob& blob) {
  const int code = blob.empty() ? sqlite3_bind_zeroblob(raw_.get(), place, 0)
                                : sqlite3_bind_blob64(raw_.get(), place, blob.data(), blob.size(),
                                                      SQLITE_STATIC);
  REPOSE_CHECK(code == SQLITE_OK);
  return *this;
}

Result<bool> Statement::step() {
  connection_->renew_budget();
  const int code = sqlite3_step(raw_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  InputError error = connection_->error("cannot go on");
  reset();
  return error;
}

Result<Done> Statement::finish() {
  auto row = step();
  reset();
  if (!row) return row.error();
  return Done{};
}

void Statement::reset() {
  sqlite3_reset(raw_.get());
  sqlite3_clear_bindings(raw_.get());
}

int Statement::type(int column) const {
  return sqlite3_column_type(raw_.get(), column);
}

const char* Statement::column_name(int column) const {
  const char* name = sqlite3_column_name(raw_.get(), column);
  return name == nullptr ? "?" : name;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(raw_.get(), column);
}

double Statement::number(int column) const {
  return sqlite3_column_double(raw_.get(), column);
}

std::string Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(raw_.get(), column));
  const int size = sqlite3_column_bytes(raw_.get(), column);
  return text == nullptr ? std::string() : std::string(text, static_cast<std::size_t>(size));
}

Blob Statement::blob(int column) const {
  const auto* bytes = static_cast<const std::byte*>(sqlite3_column_blob(raw_.get(), column));
  const int size = sqlite3_column_bytes(raw_.get(), column);
  return bytes == nullptr ? Blob() : Blob(bytes, bytes + size);
}

}  // namespace repose::database
