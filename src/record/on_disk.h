#pragma once

#include <cstdint>
#include <filesystem>

#include "repose/base/result.h"

namespace repose {

/// Every recording that is refused is told in these words.
InputError not_a_recording(const std::filesystem::path& path, std::string wrong);

/// Bytes of a recording and its log: nothing read from it can rightly hold more. Refused are what
/// is missing, what is no plain file (a pipe would make the reader wait) and what is nearly all
/// hole (a small file that reads as gigabytes).
Result<std::uint64_t> bytes_on_disk(const std::filesystem::path& recording);

}  // namespace repose
