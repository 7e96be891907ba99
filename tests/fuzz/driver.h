#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "repose/base/random.h"

/// A target is one file, tests/fuzz/NAME.cpp, with two functions: the entry below, which other
/// fuzzers know by this name, and repose::fuzz::target(). `repose_fuzz(NAME USES ...)` builds it as
/// fuzz_NAME and registers ten seconds of it as the test fuzz.NAME.
///
/// Reads one hostile input; answers 0. It may answer as it likes but must come back: a crash, an
/// exception, a hang or an allocation past the limit is a failure, and its input is saved.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);  // NOLINT: given

namespace repose::fuzz {

using Bytes = std::string;

/// What the driver starts from.
struct Target {
  /// Good inputs, from which hostile ones are made. Files in tests/fuzz/corpus/NAME join them, each
  /// tried as it stands first: what once failed lives there. Making them must start no thread.
  std::vector<Bytes> seeds;
  /// Words of the format, set in at random places: keywords, brackets, hostile numbers.
  std::vector<Bytes> words;
  /// A change that knows the format, made half of the time; empty: only plain ones are.
  std::function<void(Bytes&, Random&)> mutate;
};
Target target();

/// For readers that want files: a folder of this process's own, removed at the end.
const std::filesystem::path& scratch_folder();
/// Writes the input there under this name (replacing the last one) and answers its path.
std::filesystem::path scratch_file(const std::string& name, const std::uint8_t* data,
                                   std::size_t size);

}  // namespace repose::fuzz
