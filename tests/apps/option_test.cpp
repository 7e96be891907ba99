// Options as a user meets them: what is not understood is refused with its name, its value and what
// would be right, and nothing is done.
#include <array>

#include "tool.h"

namespace repose {
namespace {

class OptionTest : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    scene_ = scene_of(R"({"repose": 1, "about": "A ball.",
      "bodies": [{"name": "ball", "shape": {"kind": "ball", "radius": 0.1}}]})");
  }
  /// The tool refuses these words and says so of this option and this value.
  void expect_refused(const std::string& words, const std::string& option,
                      const std::string& value) const {
    EXPECT_EQ(run(words), 2) << words;
    EXPECT_NE(told("stderr.txt").find(option + ": "), std::string::npos) << words << "\n"
                                                                         << told("stderr.txt");
    EXPECT_NE(told("stderr.txt").find("(got " + value + ")"), std::string::npos)
        << words << "\n"
        << told("stderr.txt");
    EXPECT_EQ(told("stdout.txt"), "") << words;
    EXPECT_FALSE(fs::exists(out_)) << words;
  }

  std::string scene_;
};

/// Words of a subcommand in which VALUE stands for what an option is given.
struct Asked {
  const char *option, *words;
};

constexpr std::array<Asked, 7> kNumbers = {{
    {"--tolerance", "check SCENE --out OUT --tolerance=VALUE"},
    {"--friction", "check SCENE --out OUT --friction=VALUE"},
    {"--least-barrier", "poses SCENE#ball --out OUT --least-barrier=VALUE"},
    {"--chord", "poses SCENE#ball --out OUT --chord=VALUE"},
    {"--layer", "measure OUT --layer=VALUE"},
    {"--region", "measure OUT --region 0 0 0 1 1 VALUE"},
    {"--even", "render SCENE --out OUT.png --even=VALUE"},
}};

constexpr std::array<Asked, 9> kWhole = {{
    {"--threads", "run SCENE --out OUT --threads=VALUE"},
    {"--seed", "run SCENE --out OUT --seed=VALUE"},
    {"--steps", "run SCENE --out OUT --steps=VALUE"},
    {"--between", "check SCENE --out OUT --between=VALUE"},
    {"--frame", "measure OUT --frame=VALUE"},
    {"--samples", "render SCENE --out OUT.png --samples=VALUE"},
    {"--fps", "render SCENE --out OUT.png --fps=VALUE"},
    {"--most", "describe SCENE --most=VALUE"},
    {"--size", "render SCENE --out OUT.png --size=VALUE"},
}};

std::string filled(std::string words, const std::string& name, const std::string& value) {
  for (auto at = words.find(name); at != std::string::npos; at = words.find(name))
    words.replace(at, name.size(), value);
  return words;
}

TEST_F(OptionTest, no_number_is_nan_infinite_or_out_of_range) {
  for (const Asked& asked : kNumbers)
    for (const char* value :
         {"nan", "NaN", "-nan", "inf", "infinity", "1e999", "0x1p3", "two", "1,5", "1e400"}) {
      const std::string words = filled(filled(asked.words, "SCENE", scene_), "OUT", out_.string());
      // a word that begins with a dash is an option of its own where no = holds it
      const bool held = words.find("=VALUE") != std::string::npos;
      if (!held && value[0] == '-') continue;
      expect_refused(filled(words, "VALUE", value), asked.option, value);
    }
}

TEST_F(OptionTest, whole_numbers_are_whole_and_in_their_range) {
  for (const Asked& asked : kWhole)
    for (const char* value : {"-1", "1.5", "1e3", "nan", "99999999999999999999", "many", "0x10"}) {
      const std::string words = filled(filled(asked.words, "SCENE", scene_), "OUT", out_.string());
      expect_refused(filled(words, "VALUE", value), asked.option, value);
    }
}

TEST_F(OptionTest, two_numbers_in_one_word_are_checked_one_by_one) {
  const std::string render = "render " + scene_ + " --out " + out_.string() + ".png ";
  for (const char* size : {"1280x", "x800", "0x800", "1280x-8", "1280x99999", "12ax8", "1x2x3"})
    expect_refused(render + "--size=" + size, "--size", size);
  for (const char* view : {"nan,3", "3,nan", "inf,0", "361,0", "0,91", "3", "3,", "1,2,3"})
    expect_refused(render + "--view=" + view, "--view", view);
}

TEST_F(OptionTest, settings_of_the_command_line_are_finite) {
  const std::string words = "run " + scene_ + " --out " + out_.string() + " --set still.";
  for (const char* setting : {"step_time=nan", "step_time=inf", "step_time=1e400", "steps=1.5"}) {
    EXPECT_EQ(run(words + setting), 2) << setting;
    EXPECT_NE(told("stderr.txt").find("--set"), std::string::npos) << told("stderr.txt");
    EXPECT_FALSE(fs::exists(out_));
  }
}

TEST_F(OptionTest, what_is_misspelled_gets_a_suggestion) {
  const std::array<std::pair<std::string, std::string>, 6> tried = {{
      {"rnu " + scene_, "\"run\""},
      {"chekc " + scene_, "\"check\""},
      {"run " + scene_ + " --outt " + out_.string(), "\"--out\""},
      {"check " + scene_ + " --tolerence=1", "\"--tolerance\""},
      {"--verson", "\"--version\""},
      {"describe place/torus-on-cony", "\"place/torus-on-cone\""},
  }};
  for (const auto& [words, meant] : tried) {
    EXPECT_EQ(run(words), 2) << words;
    EXPECT_NE(told("stderr.txt").find("did you mean " + meant), std::string::npos)
        << words << "\n"
        << told("stderr.txt");
  }
}

TEST_F(OptionTest, a_word_too_many_or_too_few_names_its_option_and_what_would_be_right) {
  const std::string render = "render " + scene_ + " --out " + out_.string() + ".png ";
  const std::string start = "run " + scene_ + " --out " + out_.string();
  const std::array<std::array<std::string, 3>, 7> tried = {{
      {render + "--size 800 500", "--size: ", "; --size 800x500"},
      {render + "--view 30 20", "--view: ", "; --view 30,20"},
      {render + "--size 800", "--size: ", "two numbers as in 800x500"},
      {start + " --set still.steps 3", "--set: ", "METHOD.NAME=VALUE"},
      {"measure " + out_.string() + " --layer", "--layer: nothing stands after it",
       "--layer NUMBER"},
      {start + " twice", "one word too many (got twice)", "takes SCENE without dashes"},
      {"measure " + out_.string() + " --region 1 2 3", "--region: 3 words after it", "6 of NUMBER"},
  }};
  for (const auto& [words, place, right] : tried) {
    EXPECT_EQ(run(words), 2) << words;
    EXPECT_NE(told("stderr.txt").find(place), std::string::npos) << told("stderr.txt");
    EXPECT_NE(told("stderr.txt").find(right), std::string::npos) << told("stderr.txt");
    EXPECT_FALSE(fs::exists(out_)) << words;
  }
}

TEST_F(OptionTest, errors_of_options_are_an_object_where_json_is_asked_for) {
  ASSERT_EQ(run("check " + scene_ + " --json --tolerance nan"), 2);
  const json error = json::parse(told("stdout.txt"))["error"];
  EXPECT_EQ(error["pointer"], "--tolerance");
  EXPECT_EQ(error["value"], "nan");
  EXPECT_EQ(error["right"], "a number in [0, 0.1]");
}

TEST_F(OptionTest, an_empty_path_and_a_missing_word_are_refused) {
  EXPECT_EQ(run("run " + scene_ + " --out ''"), 2);
  EXPECT_EQ(run("run --out " + out_.string()), 2);
  EXPECT_NE(told("stderr.txt").find("SCENE"), std::string::npos);
  EXPECT_EQ(run("export " + out_.string()), 2);
  EXPECT_NE(told("stderr.txt").find("--gltf"), std::string::npos);
  EXPECT_EQ(run("measure " + out_.string() + " --region 1 2 3"), 2);
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(OptionTest, help_and_version_do_nothing_else) {
  EXPECT_EQ(run("--version"), 0);
  EXPECT_EQ(told("stdout.txt").rfind("repose ", 0), 0U);
  for (const char* command : {"demo", "run", "check", "poses", "report", "render", "export",
                              "measure", "list", "describe", "schema", "bench", "version"}) {
    EXPECT_EQ(run(std::string(command) + " --help"), 0) << command;
    EXPECT_NE(told("stdout.txt").find("Usage:"), std::string::npos) << command;
    EXPECT_EQ(told("stderr.txt"), "") << command;
    const std::string help = told("stdout.txt");
    EXPECT_EQ(run("help " + std::string(command)), 0) << command;
    EXPECT_EQ(told("stdout.txt"), help) << command;
  }
  EXPECT_EQ(run("help rnu"), 2);
  EXPECT_NE(told("stderr.txt").find("did you mean \"run\""), std::string::npos);
}

TEST_F(OptionTest, words_after_the_name_of_a_benchmark_are_its_own) {
  EXPECT_EQ(run("bench no_such_one --quick --seed 3 place"), 2);
  EXPECT_NE(told("stderr.txt").find("no benchmark 'no_such_one'"), std::string::npos);
}

}  // namespace
}  // namespace repose
