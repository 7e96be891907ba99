#pragma once

#include <string>

/// Asks the desktop to open an address; false where there is no desktop or nothing to open it with.
bool open_browser(const std::string& address);
