#include "columns.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "repose/base/text.h"

#include "blobs.h"

namespace repose {

namespace {

using database::Blob;

constexpr std::size_t kLongestShown = 60;

const char* type_name(int type) {
  switch (type) {
    case SQLITE_INTEGER:
      return "a whole number";
    case SQLITE_FLOAT:
      return "a number";
    case SQLITE_TEXT:
      return "a text";
    case SQLITE_BLOB:
      return "bytes";
    default:
      return "nothing";
  }
}

std::string range_text(double low, double high) {
  return fmt::format("a number from {} to {}", low, high);
}

bool within(const Vec3& v, double most) {
  return (v.array().abs() <= most).all();
}

}  // namespace

std::string Columns::row_name() const {
  return fmt::format("{}, row {}", table_,
                     row_.type(0) == SQLITE_TEXT ? row_.text(0).substr(0, kLongestShown)
                                                 : std::to_string(row_.integer(0)));
}

void Columns::refuse(int column, const std::string& value, const std::string& right) {
  if (fault_) return;
  fault_.emplace();
  fault_->wrong = fmt::format("damaged recording: {} in {}", row_.column_name(column), row_name());
  fault_->value = value.substr(0, kLongestShown);
  fault_->right = right;
}

void Columns::refuse(const std::string& wrong) {
  if (fault_) return;
  fault_.emplace();
  fault_->wrong = fmt::format("damaged recording: {}: {}", row_name(), wrong);
}

bool Columns::is(int column, int type, const char* right) {
  const int found = row_.type(column);
  const bool good = found == type || (type == SQLITE_FLOAT && found == SQLITE_INTEGER);
  if (!good) refuse(column, type_name(found), right);
  return good;
}

std::int64_t Columns::whole(int column, std::int64_t low, std::int64_t high) {
  if (!is(column, SQLITE_INTEGER, "a whole number")) return 0;
  const std::int64_t value = row_.integer(column);
  if (low <= value && value <= high) return value;
  refuse(column, std::to_string(value), fmt::format("a whole number from {} to {}", low, high));
  return 0;
}

double Columns::number(int column, double low, double high) {
  if (!is(column, SQLITE_FLOAT, "a number")) return 0.0;
  const double value = row_.number(column);
  if (low <= value && value <= high) return value;
  refuse(column, fmt::format("{}", value), range_text(low, high));
  return 0.0;
}

std::string Columns::text(int column) {
  if (!is(column, SQLITE_TEXT, "a text")) return {};
  std::string value = row_.text(column);
  if (is_utf8(value)) return value;
  refuse(column, value, "a text in UTF-8");
  return {};
}

Blob Columns::blob(int column) {
  if (!is(column, SQLITE_BLOB, "bytes")) return {};
  return row_.blob(column);
}

std::vector<Vec3> Columns::vectors(int column, double most) {
  auto read = blobs::decode_vectors(blob(column));
  if (!read) refuse(column, "bytes of another length", "three numbers of 8 bytes each");
  if (!good()) return {};
  for (const Vec3& v : *read)
    if (!within(v, most)) {
      refuse(column, fmt::format("{}, {}, {}", v.x(), v.y(), v.z()), range_text(-most, most));
      return {};
    }
  return std::move(*read);
}

Vec3 Columns::vector(int column, double most) {
  const std::vector<Vec3> read = vectors(column, most);
  if (good() && read.size() != 1)
    refuse(column, fmt::format("{} vectors", read.size()), "one vector");
  return good() ? read[0] : Vec3(Vec3::Zero());
}

std::vector<double> Columns::numbers(int column, double low, double high) {
  auto read = blobs::decode_numbers(blob(column));
  if (!read) refuse(column, "bytes of another length", "numbers of 8 bytes");
  if (!good()) return {};
  for (const double x : *read)
    if (!(low <= x && x <= high)) {
      refuse(column, fmt::format("{}", x), range_text(low, high));
      return {};
    }
  return std::move(*read);
}

std::vector<int> Columns::whole_numbers(int column, int low, int high) {
  auto read = blobs::decode_integers(blob(column));
  if (!read) refuse(column, "bytes of another length", "whole numbers of 4 bytes");
  if (!good()) return {};
  for (const int n : *read)
    if (n < low || n >= high) {
      refuse(column, std::to_string(n), fmt::format("at least {} and less than {}", low, high));
      return {};
    }
  return std::move(*read);
}

std::vector<std::array<int, 3>> Columns::triangles(int column, int corners) {
  auto read = blobs::decode_triangles(blob(column));
  if (!read) refuse(column, "bytes of another length", "three whole numbers of 4 bytes each");
  if (!good()) return {};
  for (const auto& triangle : *read)
    for (const int n : triangle)
      if (n < 0 || n >= corners) {
        refuse(column, std::to_string(n), fmt::format("a point from 0 to {}", corners - 1));
        return {};
      }
  return std::move(*read);
}

}  // namespace repose
