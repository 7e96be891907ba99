#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "places.h"

namespace repose {

namespace fs = std::filesystem;
using nlohmann::json;

/// The tool in a folder of its own.
class ToolTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "repose-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    out_ = folder_ / "out";
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// The path of a scene file with this text.
  std::string scene_of(const std::string& text) const {
    std::ofstream(folder_ / "scene.json") << text;
    return (folder_ / "scene.json").string();
  }
  /// Runs the tool; its output lands in stdout.txt and stderr.txt.
  int run(const std::string& arguments) const {
    // a picture is drawn in one test only
    const bool plain =
        arguments.rfind("run ", 0) == 0 && arguments.find("--pages") == std::string::npos;
    std::string asked = arguments;
    if (const auto at = asked.find("--pages"); at != std::string::npos) asked.erase(at, 7);
    const std::string command =
        std::string(repose::tests::tool()) + " " + asked + (plain ? " --no-pages" : "") + " > " +
        (folder_ / "stdout.txt").string() + " 2> " + (folder_ / "stderr.txt").string();
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string text(const fs::path& path) const {
    std::ostringstream out;
    out << std::ifstream(path).rdbuf();
    return out.str();
  }
  std::string told(const char* stream) const { return text(folder_ / stream); }
  json result() const { return json::parse(text(out_ / "result.json")); }
  fs::path folder_, out_;
};

}  // namespace repose
