#pragma once

#include <stdexcept>
#include <string>

namespace repose {

/// A promise of our own that did not hold. The tool turns it into exit code 3.
class BrokenPromise : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws BrokenPromise naming the condition and its place.
[[noreturn]] void broken_promise(const char* condition, const char* file, int line,
                                 const std::string& detail = {});

}  // namespace repose

/// Holds in every build; for the borders between modules.
#define REPOSE_CHECK(condition, ...)                                                       \
  do {                                                                                     \
    if (!(condition)) [[unlikely]]                                                         \
      ::repose::broken_promise(#condition, __FILE__, __LINE__ __VA_OPT__(, ) __VA_ARGS__); \
  } while (false)

/// Holds in debug builds; for inner loops.
#ifdef NDEBUG
#define REPOSE_DCHECK(condition, ...) static_cast<void>(0)
#else
#define REPOSE_DCHECK(condition, ...) REPOSE_CHECK(condition __VA_OPT__(, ) __VA_ARGS__)
#endif
