// Random pairs of bodies near touching, judged three ways and swept: pairs a second by kind,
// undecided answers, and answers that the sweep refutes.
//   bench_check_pairs [PAIRS [THREADS [SEED]]] [--pair K] [--kinds A B] [--no-sweep] [--no-known]
//     [--wild W P] [--sort NAME]
// PAIRS 100000, THREADS 1, SEED 1. One seed is one list of pairs, whatever the number of threads:
// SLOW=S in the environment prints pairs that take more than S seconds.
// --pair K judges the K-th alone and prints all that is known of it; --kinds A B draws bodies of
// kind A with bodies of kind B only. --wild W P judges W pairs of each of five wild sorts and P
// pushed into one another instead; --sort NAME of one sort alone; TELL=1
// in the environment prints those left undecided.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "bench/sheet/sheet.h"
#include "check/sweep.h"
#include "known.h"

namespace {

using namespace repose;
using namespace repose::check;

struct Options {
  long pairs = 100'000, threads = 1, seed = 1, only = -1;
  bool sweep = true, known = true;
  long wild = 0, pushed = 0;
  std::string kind_a, kind_b, sort;  // empty: all
};

struct Tally {
  long pairs = 0, undecided = 0, fine_undecided = 0, faults = 0, apart_asked = 0, apart_proven = 0;
  double seconds = 0.0, apart_seconds = 0.0, worst = 0.0, fine_seconds = 0.0;
};
using Tallies = std::map<std::string, Tally>;

/// One pair judged at 1e-6, at 1e-9 and for strict separation alone.
struct Judged {
  GapBracket rough, fine, apart;
  double seconds = 0.0, fine_seconds = 0.0, apart_seconds = 0.0;
  bool disjoint = false;
  sweep::Seen seen;
  std::string fault;
};

/// The pair's way through the judge.
const char* way(const sweep::Pair& p) {
  const auto is = [&](const char* kind) {
    return p.body_a->kind == kind || p.body_b->kind == kind;
  };
  if (p.convex()) return "= convex";
  if (is("mesh")) return "= mesh";
  if (is("torus") || is("capsule")) return "= swept";
  return "= curved";
}

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  constexpr double kNanosecond = 1e-9;
  return static_cast<double>(now.tv_sec) + kNanosecond * static_cast<double>(now.tv_nsec);
}

double judge(const sweep::Pair& pair, const GapSettings& settings, GapBracket& out) {
  const double start = thread_seconds();
  out = gap(pair.a, pair.b, settings);
  return thread_seconds() - start;
}

Judged judge_pair(const sweep::Pair& pair, bool swept) {
  constexpr double kRough = 1e-6, kFine = 1e-9;
  Judged out;
  out.seconds = judge(pair, {.width = kRough}, out.rough);
  out.fine_seconds = judge(pair, {.width = kFine}, out.fine);
  out.disjoint = out.rough.lower > kRough * pair.size;
  if (out.disjoint) out.apart_seconds = judge(pair, {.width = kRough, .enough = 0.0}, out.apart);
  if (!swept) return out;
  out.seen = sweep::look(pair);
  out.fault = sweep::fault(pair, out.rough, out.seen);
  if (out.fault.empty()) out.fault = sweep::fault(pair, out.fine, out.seen);
  if (out.fault.empty() && out.disjoint) out.fault = sweep::fault(pair, out.apart, out.seen);
  return out;
}

void print_item(const char* name, const sweep::Body& body, const PlacedBody& item) {
  const Vec3& p = item.world_from_body.position;
  const Quat& q = item.world_from_body.rotation;
  std::printf(
      "  %s %s number %ld: position %.17g %.17g %.17g orientation_wxyz %.17g %.17g %.17g "
      "%.17g\n",
      name, body.kind.c_str(), body.number, p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z());
}

void print_bracket(const char* name, const GapBracket& g, double seconds) {
  std::printf("  %s [%.17g, %.17g] %s, %ld tests, %.3f ms, at %.9g %.9g %.9g\n", name, g.lower,
              g.upper, to_text(g.status), g.tests, 1e3 * seconds, g.point_a.x(), g.point_a.y(),
              g.point_a.z());
}

void print_pair(long k, long seed, const sweep::Pair& pair, const Judged& j) {
  std::printf("pair %ld of seed %ld: %s - %s: %s; meant %.17g, size %.9g\n", k, seed,
              pair.body_a->kind.c_str(), pair.body_b->kind.c_str(),
              j.fault.empty() ? "no contradiction" : j.fault.c_str(), pair.meant, pair.size);
  print_item("a", *pair.body_a, pair.a);
  print_item("b", *pair.body_b, pair.b);
  print_bracket("1e-6", j.rough, j.seconds);
  print_bracket("1e-9", j.fine, j.fine_seconds);
  if (j.disjoint) print_bracket("apart", j.apart, j.apart_seconds);
  std::printf("  sweep: distance seen %.17g; ", j.seen.distance);
  if (j.seen.overlap)
    std::printf("the point %.17g %.17g %.17g of %s lies in the other\n", j.seen.point.x(),
                j.seen.point.y(), j.seen.point.z(), j.seen.of_a ? "a" : "b");
  else
    std::printf("no point seen inside\n");
  std::fflush(stdout);
}

void add(Tally& t, const Judged& j) {
  ++t.pairs;
  t.seconds += j.seconds;
  t.fine_seconds += j.fine_seconds;
  t.worst = std::max(t.worst, j.seconds);
  t.undecided += j.rough.status == GapStatus::undecided;
  t.fine_undecided += j.fine.status == GapStatus::undecided;
  t.faults += !j.fault.empty();
  t.apart_asked += j.disjoint;
  t.apart_seconds += j.apart_seconds;
  t.apart_proven += j.disjoint && j.apart.status == GapStatus::apart;
}

double per_second(long count, double seconds) {
  return count > 0 && seconds > 0.0 ? static_cast<double>(count) / seconds
                                    : std::numeric_limits<double>::quiet_NaN();
}

void tell(repose::bench::Sheet& sheet, const Options& options, const Tallies& tallies) {
  using repose::bench::Holds;
  auto& table = sheet.table("pairs",
                            "Random pairs, gaps within 1e-2 of size and half of them within 1e-6 "
                            "of touching: pairs judged "
                            "a second to brackets of 1e-6 and 1e-9 of size, and for strict "
                            "separation alone; = stands for "
                            "a way through the judge",
                            {{"kinds", Holds::word},
                             {"pairs", Holds::count},
                             {"a second, 1e-6", Holds::time},
                             {"a second, 1e-9", Holds::time},
                             {"a second, apart", Holds::time},
                             {"undecided, 1e-6", Holds::count},
                             {"undecided, 1e-9", Holds::count},
                             {"not apart", Holds::count},
                             {"worst, ms", Holds::time},
                             {"contradictions", Holds::count}});
  for (const auto& [name, t] : tallies)
    table.row({name, static_cast<double>(t.pairs), per_second(t.pairs, t.seconds),
               per_second(t.pairs, t.fine_seconds), per_second(t.apart_asked, t.apart_seconds),
               static_cast<double>(t.undecided), static_cast<double>(t.fine_undecided),
               static_cast<double>(t.apart_asked - t.apart_proven), 1e3 * t.worst,
               static_cast<double>(t.faults)});
  table.note(fmt::format("Seed {}.", options.seed));
}

/// Judges pairs[next], pairs[next + 1], ... until there is none; several threads may do so.
void work(const std::vector<sweep::Pair>& pairs, const Options& options, std::atomic<long>& next,
          std::mutex& lock, Tallies& tallies) {
  // seconds that both judgements of a pair may take before it is printed
  const char* const slow = std::getenv("SLOW");
  const double limit = slow ? std::atof(slow) : std::numeric_limits<double>::infinity();
  for (long k = next++; k < static_cast<long>(pairs.size()); k = next++) {
    const sweep::Pair& pair = pairs[static_cast<std::size_t>(k)];
    const Judged j = judge_pair(pair, options.sweep);
    const std::lock_guard<std::mutex> hold(lock);
    if (!j.fault.empty() || j.seconds + j.fine_seconds > limit)
      print_pair(k, options.seed, pair, j);
    const auto& [first, second] = std::minmax(pair.body_a->kind, pair.body_b->kind);
    for (const std::string& name :
         {std::string("= all"), std::string(way(pair)), first + " - " + second})
      add(tallies[name], j);
  }
}

Options read_options(const std::vector<std::string>& words) {
  Options out;
  long* const places[] = {&out.pairs, &out.threads, &out.seed};
  std::size_t place = 0;
  const auto number = [](const std::string& word) { return std::atol(word.c_str()); };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& arg = words[i];
    if (arg == "--pair" && i + 1 < words.size())
      out.only = number(words[++i]);
    else if (arg == "--kinds" && i + 2 < words.size()) {
      out.kind_a = words[++i];
      out.kind_b = words[++i];
    } else if (arg == "--wild" && i + 2 < words.size()) {
      out.wild = number(words[++i]);
      out.pushed = number(words[++i]);
    } else if (arg == "--sort" && i + 1 < words.size())
      out.sort = words[++i];
    else if (arg == "--no-sweep")
      out.sweep = false;
    else if (arg == "--no-known")
      out.known = false;
    else if (place < std::size(places))
      *places[place++] = number(arg);
  }
  return out;
}

/// One of the bodies of a kind, or of all where it is empty.
const sweep::Body& draw_body(const std::vector<sweep::Body>& bodies, const std::string& kind,
                             Random& random) {
  for (;;) {
    const sweep::Body& body = bodies[random.below(bodies.size())];
    if (kind.empty() || body.kind == kind) return body;
  }
}

}  // namespace

int main(int argc, char** argv) {
  repose::bench::Sheet sheet("check_pairs", argc, argv);
  Options options = read_options(sheet.words());
  constexpr long kQuickPairs = 300, kPlainPairs = 10'000;
  if (sheet.words().empty()) options.pairs = sheet.quick() ? kQuickPairs : kPlainPairs;
  options.known = options.known && !sheet.quick();
  if (options.wild > 0 || options.pushed > 0)
    return check::bench::judge_wild(options.sort, options.wild, options.pushed, options.seed,
                                    options.only) == 0
               ? 0
               : 1;
  Random random(static_cast<std::uint64_t>(options.seed));
  std::vector<sweep::Body> bodies;
  constexpr int kEach = 6;
  for (const auto make : sweep::makers())
    for (int k = 0; k < kEach; ++k) {
      bodies.push_back(make(random));
      bodies.back().number = static_cast<long>(bodies.size()) - 1;
    }
  std::vector<sweep::Pair> pairs;
  const long count = std::max(options.pairs, options.only + 1);
  for (long k = 0; k < count; ++k) {
    // the two are drawn in a fixed order, whatever the compiler's order of arguments
    const sweep::Body &second = draw_body(bodies, options.kind_b, random),
                      &first = draw_body(bodies, options.kind_a, random);
    pairs.push_back(sweep::draw_pair(first, second, random));
  }
  if (options.only >= 0) {
    const sweep::Pair& pair = pairs[static_cast<std::size_t>(options.only)];
    print_pair(options.only, options.seed, pair, judge_pair(pair, options.sweep));
    return 0;
  }
  if (options.known) {
    check::bench::judge_known();
    check::bench::judge_large();
  }
  Tallies tallies;
  std::atomic<long> next = 0;
  std::mutex lock;
  std::vector<std::thread> threads;
  for (long t = 1; t < options.threads; ++t)
    threads.emplace_back([&] { work(pairs, options, next, lock, tallies); });
  work(pairs, options, next, lock, tallies);
  for (std::thread& t : threads) t.join();
  tell(sheet, options, tallies);
  const Tally& all = tallies["= all"];
  return sheet.finish(all.faults == 0 ? 0 : 1);
}
