#pragma once

#include <atomic>
#include <filesystem>
#include <functional>

/// Calls `act` now and again after every change of the file, until interrupted. Answers what it
/// answered last.
int at_every_save(const std::filesystem::path& file, const std::atomic<bool>& interrupt,
                  const std::function<int()>& act);
