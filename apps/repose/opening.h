#pragma once

#include <string>
#include <vector>

#include "repose/handover/handover.h"

#include "command_line.h"

/// How another tool's file is to be read, as the command line has it.
struct OpeningWords {
  std::vector<std::string> bodies, joints;  // names; NAME=VALUE
  std::string key, unit, up;
  bool hulls = false, ground = false;

  bool any() const;
};

/// The options of every subcommand that opens scenes of other tools.
void add_opening(Command& command, OpeningWords& words);

/// Opens a scene of any kind as the words say.
repose::Result<repose::handover::Handed> open_as(const std::string& path_or_name,
                                                 const OpeningWords& words);

/// What of the file is not used and how it was taken, on stderr.
void tell_reading(const repose::handover::Handed& handed);
