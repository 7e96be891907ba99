#include "engines.h"

#include "edits.h"
#include "paper.h"

namespace repose::place {
namespace {

class Engines final : public Method {
 public:
  Engines(std::unique_ptr<Method> rows, const PlaceSettings& settings)
      : rows_(std::move(rows)), paper_(make_paper_engine(settings)), engine_(settings.engine) {}

  std::string name() const override { return "place"; }

  Result<Done> prepare(const Problem& problem, State& state) override {
    prepared_ = engine_;
    return now().prepare(problem, state);
  }

  StepReport step(const Problem& problem, State& state) override {
    if (prepared_ != engine_ || moved_by_paper_engine(state) != (engine_ == Engine::paper)) {
      if (auto done = prepare(problem, state); !done) {
        StepReport report;
        report.status = RunStatus::stuck;
        report.why = done.error().text();
        return report;
      }
    }
    return now().step(problem, state);
  }

  Audit audit(const Problem& problem, const State& state) override {
    return owner(state).audit(problem, state);
  }

  Json::Object facts(const Problem& problem, const State& state) override {
    return owner(state).facts(problem, state);
  }

  Result<Done> apply(const Edit& edit, Problem& problem, State& state) override {
    return apply_edit(edit, problem, state);
  }

  Result<Done> change_settings(const SettingValues& values) override {
    auto read = settings_table().read(values);
    if (!read) return read.error();
    if (auto done = rows_->change_settings(values); !done) return done;
    if (auto done = paper_->change_settings(values); !done) return done;
    engine_ = read->engine;
    return Done{};
  }

 private:
  Method& now() { return engine_ == Engine::paper ? *paper_ : *rows_; }
  /// The engine that made the state's memory.
  Method& owner(const State& state) { return moved_by_paper_engine(state) ? *paper_ : *rows_; }

  std::unique_ptr<Method> rows_, paper_;
  Engine engine_;
  Engine prepared_ = Engine::rows;
};

}  // namespace

std::unique_ptr<Method> make_engines(std::unique_ptr<Method> rows, const PlaceSettings& settings) {
  return std::make_unique<Engines>(std::move(rows), settings);
}

}  // namespace repose::place
