// Jobs of farms, and the runs they ask for.
#include "repose/farm/job.h"

#include "fuzz/driver.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = repose::fuzz::scratch_file("job.json", data, size);
  const auto job = repose::farm::read_job(path.string());
  if (!job) return 0;
  for (const std::int64_t number : {std::int64_t{0}, job->count() / 2, job->count() - 1})
    static_cast<void>(repose::farm::run_words(*job, repose::farm::order_of(*job, number)));
  return 0;
}

repose::fuzz::Target repose::fuzz::target() {
  Target out;
  out.seeds = {
      R"({"farm": 1, "about": "A job.", "scenes": ["place/torus-on-cone"],
 "vary": [{"pointer": "/bodies/2/position/2", "from": 0.19, "to": 0.4, "count": 8},
  {"setting": "place.epsilon_max", "values": [0.1, "x", null, [1, {}]]}, {"seed": true, "from": 1, "count": 3}],
 "draws": {"count": 5, "seed": 2, "at": [{"pointer": "/a", "low": [0, 1], "high": [2, 3]}, {"pointer": "/b", "rotation": true}]},
 "limits": {"seconds": 1, "memory_mb": 100, "steps": 5, "retries": 1}, "keep": {"recordings": "all", "pictures": 3}})"};
  out.words = {"\"log\": true",
               "1e308",
               "-1",
               "9223372036854775807",
               "[]",
               "{}",
               "\"\"",
               "null",
               "\"count\": 10000000",
               "\"/\"",
               "true",
               "0",
               "1e-320"};
  return out;
}
