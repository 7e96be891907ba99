#pragma once

#include <atomic>

/// From now on the first Ctrl-C (SIGTERM, SIGHUP) sets this flag; the second ends the program at
/// once.
const std::atomic<bool>& catch_interrupts();
