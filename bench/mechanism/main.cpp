#include <cstdio>
#include <cstring>

#include "bench.h"

int main(int count, char** words) {
  const bool all = count < 2;
  const auto asked = [&](const char* name) { return all || std::strcmp(words[1], name) == 0; };
  if (asked("boxes")) {
    repose::mechanism::bench_broad_phase();
    return 0;
  }
  std::fprintf(stderr, "bench_mechanism [boxes]\n");
  return 2;
}
