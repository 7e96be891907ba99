#include "known_tables.h"

#include <algorithm>

#include <fmt/format.h>

#include "on_disk.h"
#include "schema.h"

namespace repose {

namespace {

using database::Connection;
using database::Statement;

/// Larger files are not read twice; every row is checked all the same.
constexpr std::uint64_t kCheapBytes = std::uint64_t{1} << 25;

Result<std::int64_t> read_pragma(const Connection& connection, const char* sql) {
  auto statement = Statement::prepare(connection, sql);
  if (!statement) return statement.error();
  auto row = statement->step();
  if (!row) return row.error();
  return *row ? statement->integer(0) : 0;
}

Result<Done> check_format(const Connection& connection) {
  auto id = read_pragma(connection, "PRAGMA application_id");
  if (!id) return id.error();
  if (*id != record_schema::kApplicationId)
    return not_a_recording(connection.path(), "not a recording");
  auto format = read_pragma(connection, "PRAGMA user_version");
  if (!format) return format.error();
  if (*format == record_schema::kFormat) return Done{};
  InputError error;
  error.file = connection.path().string();
  error.wrong = *format > record_schema::kFormat ? "written in a newer format" : "of no format";
  error.value = std::to_string(*format);
  error.right = fmt::format("format {}{}", record_schema::kFormat,
                            *format > record_schema::kFormat ? " or a newer program" : "");
  return error;
}

/// One space for each run of blanks.
std::string without_layout(std::string_view sql) {
  std::string out;
  for (const char c : sql) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return out;
}

/// SQLite's own, for a primary key or a UNIQUE.
bool is_own_index(const Statement& row) {
  return row.text(0) == "index" && row.text(1).starts_with("sqlite_autoindex_") &&
         row.type(2) == SQLITE_NULL;
}

Result<Done> check_objects(const Connection& connection) {
  auto row = Statement::prepare(connection, "SELECT type, name, sql FROM sqlite_master");
  if (!row) return row.error();
  std::size_t found = 0;
  while (true) {
    auto more = row->step();
    if (!more) return more.error();
    if (!*more) break;
    if (is_own_index(*row)) continue;
    const auto known =
        std::find_if(record_schema::kTables.begin(), record_schema::kTables.end(),
                     [&](const record_schema::Table& table) { return row->text(1) == table.name; });
    const bool ours = known != record_schema::kTables.end() && row->text(0) == "table" &&
                      without_layout(row->text(2)) == without_layout(known->sql);
    if (!ours)
      return not_a_recording(connection.path(), fmt::format("the {} '{}' is none of a recording",
                                                            row->text(0), row->text(1)));
    ++found;
  }
  if (found == record_schema::kTables.size()) return Done{};
  return not_a_recording(connection.path(), "damaged recording: a table is missing");
}

Result<Done> check_pages(const Connection& connection) {
  auto row = Statement::prepare(connection, "PRAGMA quick_check(1)");
  if (!row) return row.error();
  auto more = row->step();
  if (!more) return more.error();
  const std::string said = *more ? row->text(0) : "";
  if (said == "ok") return Done{};
  return not_a_recording(connection.path(), "damaged recording: " + said);
}

}  // namespace

Result<Done> check_tables(const Connection& connection, std::uint64_t bytes_on_disk) {
  if (auto done = check_format(connection); !done) return done;
  if (auto done = check_objects(connection); !done) return done;
  return bytes_on_disk <= kCheapBytes ? check_pages(connection) : Done{};
}

}  // namespace repose
