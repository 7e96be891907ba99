#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <sqlite3.h>

#include "repose/base/result.h"

namespace repose::database {

using Blob = std::vector<std::byte>;

/// An open SQLite file. Errors carry the path and SQLite's own words.
class Connection {
 public:
  /// `flags` as of sqlite3_open_v2.
  static Result<Connection> open(const std::filesystem::path& path, int flags);
  Result<Done> run(const char* sql);
  /// The error of the last failed call.
  InputError error(std::string_view doing) const;
  int last_code() const;
  sqlite3* raw() const { return raw_.get(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  struct Close {
    void operator()(sqlite3* raw) const { sqlite3_close_v2(raw); }
  };
  std::filesystem::path path_;
  std::unique_ptr<sqlite3, Close> raw_;
};

/// A prepared statement, used again and again: bind, then step until it answers false.
class Statement {
 public:
  static Result<Statement> prepare(const Connection& connection, const char* sql);

  Statement& bind(int place, std::int64_t number);
  Statement& bind(int place, double number);
  Statement& bind(int place, std::string_view text);
  Statement& bind(int place, const Blob& blob);

  /// True while there is a row to read.
  Result<bool> step();
  /// Steps a statement that answers no rows and makes it ready for the next call.
  Result<Done> finish();
  void reset();

  std::int64_t integer(int column) const;
  double number(int column) const;
  std::string text(int column) const;
  Blob blob(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* raw) const { sqlite3_finalize(raw); }
  };
  const Connection* connection_ = nullptr;
  std::unique_ptr<sqlite3_stmt, Finalize> raw_;
};

}  // namespace repose::database
