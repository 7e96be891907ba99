#pragma once

#include <string>

#include "repose/base/result.h"

/// Tells what is wrong with the input on stderr, and with `json` also as an object on stdout.
/// Answers the exit code for bad input.
int bad_input(const repose::InputError& error, bool json);

/// The same for a broken promise of our own.
int our_fault(const std::string& what, bool json);
