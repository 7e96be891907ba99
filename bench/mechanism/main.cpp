#include <cstdio>
#include <cstring>

#include "bench.h"

int main(int count, char** words) {
  const bool all = count < 2;
  const auto asked = [&](const char* name) { return all || std::strcmp(words[1], name) == 0; };
  if (!asked("boxes") && !asked("machines")) {
    std::fprintf(stderr, "bench_mechanism [boxes | machines [four-bar | feeder | pyramid]]\n");
    return 2;
  }
  if (asked("boxes")) repose::mechanism::bench_broad_phase();
  if (asked("machines")) repose::mechanism::bench_machines(count > 2 ? words[2] : "");
  return 0;
}
