#pragma once

#include <atomic>

#include <pybind11/pybind11.h>
#include <signal.h>

#include "repose/base/result.h"

namespace repose::python {

/// Raises repose.InputError with every field of the error.
[[noreturn]] void raise(const InputError& error);

/// The value, or its error raised.
template <class T>
T value_of(Result<T> result) {
  if (!result) raise(result.error());
  return std::move(result).value();
}

/// While alive, Ctrl-C sets a flag that all work looks at, and then goes to Python as it did
/// before. In threads other than Python's main one signals stay as they are.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  static const std::atomic<bool>& flag();
  /// Raises KeyboardInterrupt where Ctrl-C came. Requires: the GIL is held.
  static void raise_if_asked();

 private:
  bool watching_ = false;
  struct sigaction before_ {};
};

/// Does the work without the GIL; Ctrl-C ends it as KeyboardInterrupt.
template <class Work>
auto without_gil(const Work& work) {
  const Interruptible watch;
  try {
    if constexpr (std::is_void_v<decltype(work())>) {
      {
        const pybind11::gil_scoped_release released;
        work();
      }
      Interruptible::raise_if_asked();
    } else {
      auto out = [&] {
        const pybind11::gil_scoped_release released;
        return work();
      }();
      Interruptible::raise_if_asked();
      return out;
    }
  } catch (const std::exception&) {
    // work that Ctrl-C ended says so in its own words
    Interruptible::raise_if_asked();
    throw;
  }
}

void add_session(pybind11::module_& module);
void add_settle(pybind11::module_& module);

}  // namespace repose::python
