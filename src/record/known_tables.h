#pragma once

#include "database.h"

namespace repose {

/// The file says that it is a recording, of a format this program reads, and holds the tables of
/// one and nothing else: a view, trigger or rule of a stranger is refused before anything is asked
/// of it. Then SQLite's own check of the pages, where it is cheap.
Result<Done> check_tables(const database::Connection& connection, std::uint64_t bytes_on_disk);

}  // namespace repose
