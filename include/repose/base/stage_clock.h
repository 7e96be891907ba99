#pragma once

#include <map>
#include <string>

namespace repose {

/// CPU seconds of this process (all its threads) so far.
double cpu_seconds();

/// CPU seconds by stage name. A stage times itself by holding a StageScope; the run loop says into
/// which clock by holding a StageClock::Use.
class StageClock {
 public:
  /// While alive, stages on this thread add to `clock`.
  class Use {
   public:
    explicit Use(StageClock& clock);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    StageClock* outer_;
  };

  void add(const char* stage, double seconds) { seconds_[stage] += seconds; }
  const std::map<std::string, double>& seconds() const { return seconds_; }

 private:
  std::map<std::string, double> seconds_;
};

/// First line of a stage function: `const StageScope timed("find_pairs");`
class StageScope {
 public:
  explicit StageScope(const char* stage);
  ~StageScope();
  StageScope(const StageScope&) = delete;
  StageScope& operator=(const StageScope&) = delete;

 private:
  const char* stage_;
  double start_;
};

}  // namespace repose
