#pragma once

#include <optional>
#include <string>

#include "repose/farm/work.h"

/// Who runs the parts of a farm.
struct FarmPlace {
  std::string tool, job;
  std::filesystem::path out;
  int jobs = 1;  // parts
};

/// Submits the farm to Slurm as an array of parts and waits for all of them.
repose::Result<repose::Done> farm_on_slurm(const FarmPlace& place);
/// Starts the parts under mpirun and waits for them.
repose::Result<repose::Done> farm_on_mpi(const FarmPlace& place);

/// "K/N", or "mpi": as the environment of this process says.
repose::Result<repose::farm::Part> part_of(const std::string& text);
