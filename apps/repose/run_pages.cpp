#include "run_pages.h"

repose::Result<repose::Done> write_pages(const std::filesystem::path&, const repose::Scene&) {
  return repose::Done{};
}
