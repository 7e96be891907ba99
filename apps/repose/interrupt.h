#pragma once

#include <atomic>

/// From now on the first Ctrl-C (or SIGTERM) sets this flag; the second ends the program at once.
const std::atomic<bool>& catch_interrupts();
