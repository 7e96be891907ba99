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
  /// For reading what a stranger may have made: nothing in the file can run, grow or go on for
  /// ever. Still to be checked is what it holds.
  static Result<Connection> open_untrusted(const std::filesystem::path& path);
  Result<Done> run(const char* sql);
  /// The error of the last failed call.
  InputError error(std::string_view doing) const;
  int last_code() const;
  sqlite3* raw() const { return raw_.get(); }
  const std::filesystem::path& path() const { return path_; }
  /// Of a connection to a stranger's file: the work that one step may do begins anew.
  void renew_budget() const {
    if (budget_ != nullptr) *budget_ = kBudget;
  }

 private:
  /// Calls of SQLite's progress handler that one step may see, each after kOperations of its
  /// machine: a few seconds of work that brings no row.
  static constexpr int kBudget = 5000;
  static constexpr int kOperations = 10'000;
  static int spend(void* budget);

  struct Close {
    void operator()(sqlite3* raw) const { sqlite3_close_v2(raw); }
  };
  std::filesystem::path path_;
  std::unique_ptr<int> budget_;
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

  /// SQLITE_INTEGER, SQLITE_FLOAT, SQLITE_TEXT, SQLITE_BLOB or SQLITE_NULL.
  int type(int column) const;
  const char* column_name(int column) const;
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
