#pragma once

#include <functional>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

namespace repose::tests {

/// A scene that asks for one part of the format, and the same without it.
struct Sample {
  nlohmann::json with, without;
  std::string pointer;  // where a method that does not do it says so
  bool shows = true;    // where it works, the run is another one
  long steps = 40;      // that are enough to tell
};

/// For each part of the table the sample that tells what a method does with it.
using SampleOf = std::function<Sample(const std::string& method)>;
std::map<std::string, SampleOf> support_samples();

/// Two bodies above the ground: "one" and "two", of the plane for mechanism.
nlohmann::json two_bodies(const std::string& method);

}  // namespace repose::tests
