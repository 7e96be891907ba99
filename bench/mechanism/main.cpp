// bench_mechanism [boxes | machines [four-bar | feeder | pyramid | chain | bin]] [--quick]
#include <fmt/format.h>

#include "bench.h"

int main(int count, char** words) {
  repose::bench::Sheet sheet("mechanism", count, words);
  const std::string part = sheet.word(0);
  if (!part.empty() && part != "boxes" && part != "machines") {
    fmt::print(stderr,
               "bench_mechanism [boxes | machines [four-bar | feeder | pyramid | chain | bin]]\n");
    return 2;
  }
  if (part != "machines") repose::mechanism::bench_broad_phase(sheet);
  if (part != "boxes") repose::mechanism::bench_machines(sheet, sheet.word(1));
  return sheet.finish();
}
