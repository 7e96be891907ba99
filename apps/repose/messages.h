#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "repose/base/result.h"

/// Writes a text so that a terminal shows it and does not obey it, whatever names stand in it. A
/// stream that takes no more keeps its error, which `main` asks for.
void show(std::FILE* to, const std::string& text);

/// The same on standard output, formatted.
template <class... Args>
void tell(fmt::format_string<Args...> format, Args&&... args) {
  show(stdout, fmt::format(format, std::forward<Args>(args)...));
}

/// Tells what is wrong with the input on stderr, and with `json` also as an object on stdout.
/// Answers the exit code for bad input.
int bad_input(const repose::InputError& error, bool json);

/// The same for a broken promise of our own.
int our_fault(const std::string& what, bool json);

/// Tells on stderr what is said in an old way.
void tell_notes(const std::vector<std::string>& notes);
