#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repose/math/vec.h"

#include "database.h"

namespace repose {

/// One row as a stranger may have written it. Every value is asked for with what it may be; the
/// first that is not is kept as the row's fault, and answered by zero or nothing.
class Columns {
 public:
  Columns(const database::Statement& row, const char* table) : row_(row), table_(table) {}

  std::int64_t whole(int column, std::int64_t low, std::int64_t high);
  /// Requires low <= high; an infinite bound lets infinity pass, NaN never does.
  double number(int column, double low, double high);
  bool flag(int column) { return whole(column, 0, 1) != 0; }
  /// Well-formed UTF-8.
  std::string text(int column);
  database::Blob blob(int column);
  std::vector<Vec3> vectors(int column, double most);
  Vec3 vector(int column, double most);
  std::vector<double> numbers(int column, double low, double high);
  /// Low included, high not.
  std::vector<int> whole_numbers(int column, int low, int high);
  std::vector<std::array<int, 3>> triangles(int column, int corners);

  /// A fault that the caller sees. `value` is what stands there.
  void refuse(int column, const std::string& value, const std::string& right);
  /// The same of the row as a whole.
  void refuse(const std::string& wrong);
  bool good() const { return !fault_; }
  /// Requires: !good(). Names the table, the row and the column.
  const InputError& fault() const { return *fault_; }

 private:
  bool is(int column, int type, const char* right);
  std::string row_name() const;

  const database::Statement& row_;
  const char* table_;
  std::optional<InputError> fault_;
};

}  // namespace repose
