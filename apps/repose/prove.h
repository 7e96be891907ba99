#pragma once

#include <optional>

#include "repose/run/judge.h"

/// Judges frame after frame for overlap and keeps the worst verdict (`run --prove`).
class FrameProof {
 public:
  void add(const repose::Problem& problem, const repose::State& state);
  const std::optional<repose::Judgement>& worst() const { return worst_; }
  double seconds() const { return seconds_; }  // CPU

 private:
  std::optional<repose::Judgement> worst_;
  double seconds_ = 0.0;
};
