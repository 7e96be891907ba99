#pragma once

#include <filesystem>

#include "repose/check/verdict.h"

#include "check_subject.h"

/// Writes the page of a verdict: the bodies with contact forces, the offending places marked, and,
/// where something would move, frames of that motion: a tenth of the body's size, there and back.
repose::Result<repose::Done> write_check_page(const CheckSubject& subject,
                                              const repose::check::Input& input,
                                              const repose::check::Verdict& verdict,
                                              const std::filesystem::path& path);
