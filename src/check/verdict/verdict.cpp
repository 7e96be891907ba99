#include "repose/check/verdict.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "repose/base/stage_clock.h"
#include "repose/check/fault.h"
#include "repose/check/near_pairs.h"
#include "repose/check/soft.h"

#include "check/exact/rounding.h"
#include "check/gap/prepared.h"
#include "check/gap/ridges.h"
#include "check/gap/thickness.h"
#include "check/statics/blocking.h"
#include "check/verdict/tally.h"

namespace repose::check {

namespace {

const PlacedBody& item(const Input& input, int i) {
  return input.bodies[static_cast<std::size_t>(i)];
}

bool interrupted(const Settings& settings) {
  return settings.interrupt && settings.interrupt->load(std::memory_order_relaxed);
}

/// work(k) for every pair, on all threads; what it writes for one pair no other touches, so the
/// answer is the same for any number of threads. Pairs left when the judge is interrupted are not
/// worked on. Adds what was spent.
template <class Work>
void for_pairs(std::size_t count, const Settings& settings, Effort& effort, const Work& work) {
  constexpr std::size_t kGrain = 4;
  std::vector<Effort> each(count);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, kGrain), [&](const auto& range) {
    for (std::size_t k = range.begin(); k != range.end(); ++k)
      if (!interrupted(settings)) counted(each[k], [&] { work(k); });
  });
  for (const Effort& e : each) effort += e;
}

/// A body with another, or with itself.
GapBracket gap_of(const Input& input, const std::array<int, 2>& pair, const GapSettings& settings) {
  const PlacedBody& body = item(input, pair[0]);
  return pair[0] == pair[1] ? self_gap(body, settings) : gap(body, item(input, pair[1]), settings);
}

/// The pairs and every soft body that moves with itself: its points are bodies of their own.
std::vector<std::array<int, 2>> with_selves(const Input& input,
                                            std::vector<std::array<int, 2>> pairs) {
  for (std::size_t i = 0; i < input.bodies.size(); ++i)
    if (is_soft(input.bodies[i]) && !input.bodies[i].fixed && input.bodies[i].collides)
      pairs.push_back({static_cast<int>(i), static_cast<int>(i)});
  return pairs;
}

/// The bracket of one pair and what overlap it may have. Of bodies so thin that the width asked
/// for is no less than what they may overlap it is made narrower.
PairGap judge_pair(const Input& input, const std::array<int, 2>& pair, GapSettings settings,
                   double tolerance) {
  constexpr double kOfAllowed = 0.25;
  const PlacedBody &a = item(input, pair[0]), &b = item(input, pair[1]);
  PairGap out{pair[0], pair[1], gap_of(input, pair, settings)};
  if (out.bracket.status == GapStatus::unjudged) return out;
  out.allowed = allowed_overlap(a, b, out.bracket, tolerance);
  const double size = pair_size(a, b);
  const bool thin = out.allowed < tolerance * size && out.allowed > 0.0;
  if (!thin || prove::at_least(out.bracket.bracket(), -out.allowed) != Answer::undecided)
    return out;
  settings.width = std::min(settings.width, kOfAllowed * out.allowed / size);
  out.bracket = gap_of(input, pair, settings);
  return out;
}
/// A pair that touches, or that may.
struct Touching {
  std::array<int, 2> pair;
  bool loosely;  // its gap is known to no better than what counts as touching: nor is the place
};

/// Gaps of all near pairs; fills gap, overlaps, undecided and the answer on overlap.
std::vector<Touching> judge_overlap(const Input& input,
                                    const std::vector<std::array<int, 2>>& pairs,
                                    const Settings& settings, Verdict& verdict) {
  const StageScope timed("judge_overlap");
  GapSettings gap_settings = settings.gap;
  if (std::isinf(gap_settings.enough)) gap_settings.enough = settings.within;
  gap_settings.interrupt = settings.interrupt;
  std::vector<PairGap> judged(pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) judged[k] = {pairs[k][0], pairs[k][1], {}};
  for_pairs(pairs.size(), settings, verdict.effort, [&](std::size_t k) {
    judged[k] = judge_pair(input, pairs[k], gap_settings, settings.tolerance);
  });
  verdict.overlap = Answer::proven;
  std::vector<Touching> touching;
  double least = std::numeric_limits<double>::infinity();
  for (const PairGap& pair : judged) {
    const int i = pair.body_a, j = pair.body_b;
    if (pair.bracket.status == GapStatus::unjudged) {
      // near_pairs gives only pairs that can meet: what has no gap here is not known to be free
      verdict.undecided.push_back(pair);
      continue;
    }
    const double size = pair_size(item(input, i), item(input, j));
    const double relative = pair.bracket.lower / size;
    if (relative < least) {
      least = relative;
      verdict.gap = pair;
      verdict.gap_relative = relative;
    }
    const Answer free = prove::at_least(pair.bracket.bracket(), -pair.allowed);
    if (free == Answer::missed) verdict.overlaps.push_back(pair);
    if (free == Answer::undecided) verdict.undecided.push_back(pair);
    if (free != Answer::missed && i != j && relative <= settings.contact.touch)
      touching.push_back({{i, j}, pair.bracket.width() > settings.contact.touch * size});
  }
  const auto depth = [&](const PairGap& p) {
    return p.bracket.upper / pair_size(item(input, p.body_a), item(input, p.body_b));
  };
  std::stable_sort(verdict.overlaps.begin(), verdict.overlaps.end(),
                   [&](const PairGap& p, const PairGap& q) { return depth(p) < depth(q); });
  if (!verdict.undecided.empty()) verdict.overlap = Answer::undecided;
  if (!verdict.overlaps.empty()) verdict.overlap = Answer::missed;
  return touching;
}

/// Fixed bodies stand where the scene put them: an overlap of two is told and counts for nothing.
void look_at_fixed(const Input& input, const std::vector<std::array<int, 2>>& pairs,
                   const Settings& settings, Verdict& verdict) {
  constexpr double kWidth = 1e-6;  // of size: what is told of them need not be sharp
  constexpr int kBudget = 20'000;  // pair tests for one pair
  LeftOut& out = verdict.left_out;
  out.both_fixed = static_cast<long>(pairs.size());
  if (!settings.judge_fixed) {
    out.fixed_unknown = out.both_fixed;
    return;
  }
  const StageScope timed("look_at_fixed");
  GapSettings gap_settings = settings.gap;
  gap_settings.width = std::max(gap_settings.width, kWidth);
  gap_settings.enough = 0.0;
  gap_settings.budget = std::min(gap_settings.budget, kBudget);
  gap_settings.interrupt = settings.interrupt;
  std::vector<GapBracket> brackets(pairs.size());
  for_pairs(pairs.size(), settings, verdict.effort, [&](std::size_t k) {
    brackets[k] = gap(item(input, pairs[k][0]), item(input, pairs[k][1]), gap_settings);
  });
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [i, j] = pairs[k];
    const double least =
        -std::max(settings.tolerance, kWidth) * pair_size(item(input, i), item(input, j));
    const Answer free = prove::at_least(brackets[k].bracket(), least);
    if (free == Answer::missed) out.fixed_overlaps.push_back({i, j, brackets[k]});
    if (free == Answer::undecided) ++out.fixed_unknown;
  }
}

/// Bodies that overlap by more than this share of the smaller one's size do not lie on each other.
constexpr double kDeep = 0.2;

/// Pairs without those that run deeply into each other: where these touch is no place at which one
/// could carry the other, and they may touch all over.
std::vector<std::array<int, 2>> that_can_press(const Input& input,
                                               std::vector<std::array<int, 2>> pairs,
                                               const std::vector<PairGap>& overlaps) {
  std::vector<std::array<int, 2>> deep;
  for (const PairGap& p : overlaps)
    if (p.bracket.upper < -kDeep * pair_size(item(input, p.body_a), item(input, p.body_b)))
      deep.push_back({std::min(p.body_a, p.body_b), std::max(p.body_a, p.body_b)});
  std::sort(deep.begin(), deep.end());
  std::erase_if(
      pairs, [&](const auto& pair) { return std::binary_search(deep.begin(), deep.end(), pair); });
  return pairs;
}

void gather_contacts(const Input& input, const std::vector<std::array<int, 2>>& pairs,
                     const Settings& settings, Verdict& verdict) {
  const StageScope timed("gather_contacts");
  std::map<std::array<int, 2>, std::vector<Vec3>> told;
  for (const ClaimedContact& c : input.claims)
    if (c.point_world.allFinite())
      told[{std::min(c.body_a, c.body_b), std::max(c.body_a, c.body_b)}].push_back(c.point_world);
  std::vector<std::vector<ContactPoint>> found(pairs.size());
  for_pairs(pairs.size(), settings, verdict.effort, [&](std::size_t k) {
    const auto [i, j] = pairs[k];
    const auto claimed = told.find({std::min(i, j), std::max(i, j)});
    found[k] = find_contacts(item(input, i), item(input, j), settings.contact,
                             claimed == told.end() ? std::span<const Vec3>() : claimed->second);
  });
  verdict.contacts.clear();
  for (std::size_t k = 0; k < pairs.size(); ++k)
    for (ContactPoint c : found[k]) {
      c.body_a = pairs[k][0];
      c.body_b = pairs[k][1];
      verdict.contacts.push_back(c);
    }
}

/// Contacts that lie along curves or over areas are samples. More of them can only help balance,
/// so the sample is refined while balance is missed and the finer one still lessens the residual.
void balance_on_samples(const Input& input, const std::vector<std::array<int, 2>>& pairs,
                        const Settings& settings, Verdict& verdict) {
  constexpr int kRefinements = 3;
  constexpr double kLess = 0.9;  // of the residual before
  Settings sampled = settings;
  gather_contacts(input, pairs, sampled, verdict);
  const auto balanced = [&](const std::vector<ContactPoint>& contacts) {
    return counted(verdict.effort, [&] { return balance(input, contacts, 1.0, settings.balance); });
  };
  verdict.balance = balanced(verdict.contacts);
  for (int k = 0; k < kRefinements && !verdict.balance.balanced && !interrupted(settings); ++k) {
    sampled.contact.merge *= 0.5;
    sampled.contact.areas = true;
    Verdict finer;
    gather_contacts(input, pairs, sampled, finer);
    verdict.effort += finer.effort;
    if (finer.contacts.size() <= verdict.contacts.size()) return;
    finer.balance = balanced(finer.contacts);
    if (!(finer.balance.residual < kLess * verdict.balance.residual)) return;
    verdict.contacts = std::move(finer.contacts);
    verdict.balance = std::move(finer.balance);
  }
}

/// Balance must not hang on contacts that may let go: it is sought without them. Says which pair it
/// does hang on; {-1, -1}: none.
std::array<int, 2> balance_on_what_blocks(const Input& input, const Settings& settings,
                                          Verdict& verdict) {
  Verdict sure;
  sure.contacts = verdict.contacts;
  sure.balance = verdict.balance;
  while (sure.balance.balanced && !interrupted(settings)) {
    const std::vector<bool> doubtful = counted(
        verdict.effort, [&] { return that_may_let_go(input, sure.contacts, sure.balance); });
    const auto first = std::find(doubtful.begin(), doubtful.end(), true);
    if (first == doubtful.end()) {
      verdict.contacts = std::move(sure.contacts);
      verdict.balance = std::move(sure.balance);
      return {-1, -1};
    }
    const ContactPoint& one = sure.contacts[static_cast<std::size_t>(first - doubtful.begin())];
    const std::array<int, 2> pair{one.body_a, one.body_b};
    std::vector<ContactPoint> left;
    for (std::size_t c = 0; c < doubtful.size(); ++c)
      if (!doubtful[c]) left.push_back(sure.contacts[c]);
    sure.contacts = std::move(left);
    sure.balance = counted(verdict.effort,
                           [&] { return balance(input, sure.contacts, 1.0, settings.balance); });
    if (!sure.balance.balanced) return pair;
  }
  return {-1, -1};
}

/// The first body whose weight is in doubt: mass counts some of its matter more than once. -1:
/// none.
int weighed_wrongly(const Input& input) {
  if (input.gravity.isZero(0.0)) return -1;
  for (std::size_t i = 0; i < input.bodies.size(); ++i)
    if (!input.bodies[i].fixed && !prepared(input.bodies[i].shape)->matter().simple)
      return static_cast<int>(i);
  return -1;
}

/// The same contacts without friction. Forces without friction lie in every cone.
void balance_without_friction(const Input& input, const Settings& settings, Verdict& verdict) {
  const bool rough = std::any_of(verdict.contacts.begin(), verdict.contacts.end(),
                                 [](const ContactPoint& c) { return c.friction > 0.0; });
  verdict.frictionless_balance = verdict.balance;
  if (!rough) return;
  verdict.frictionless_balance = counted(
      verdict.effort, [&] { return balance(input, verdict.contacts, 0.0, settings.balance); });
  if (!verdict.balance.balanced && verdict.frictionless_balance.balanced)
    verdict.balance = verdict.frictionless_balance;
}

/// Where a body rests on a nearly flat area the nearest point alone does not keep it from tilting;
/// what else touches does. So bodies that seem to tip are looked at once more, areas sampled whole.
void judge_stability(const Input& input, const std::vector<std::array<int, 2>>& pairs,
                     const Settings& settings, Verdict& verdict) {
  const auto judged = [&](Verdict& v) {
    v.stability = counted(v.effort, [&] {
      return stability(input, v.contacts, v.balance, v.frictionless_balance, settings.stability);
    });
  };
  judged(verdict);
  if (verdict.stability.kind != StabilityClass::metastable || settings.contact.areas) return;
  Settings sampled = settings;
  sampled.contact.areas = true;
  Verdict whole;
  gather_contacts(input, pairs, sampled, whole);
  if (whole.contacts.size() > verdict.contacts.size() && !interrupted(settings)) {
    whole.balance = counted(whole.effort,
                            [&] { return balance(input, whole.contacts, 1.0, settings.balance); });
    const bool slips = balance_on_what_blocks(input, settings, whole)[0] >= 0;
    balance_without_friction(input, settings, whole);
    if (whole.balance.balanced && !slips) judged(whole);
  }
  verdict.effort += whole.effort;
  if (whole.stability.kind != StabilityClass::stable) return;
  verdict.contacts = std::move(whole.contacts);
  verdict.balance = std::move(whole.balance);
  verdict.frictionless_balance = std::move(whole.frictionless_balance);
  verdict.stability = std::move(whole.stability);
}

/// What is told of loads that the contacts balance, or do not.
void tell_balance(const Input& input, const std::vector<std::array<int, 2>>& pairs,
                  const Settings& settings, Verdict& verdict) {
  verdict.slips = balance_on_what_blocks(input, settings, verdict);
  balance_without_friction(input, settings, verdict);
  if (settings.judge_stability) judge_stability(input, pairs, settings, verdict);
}

/// Corners at ridges may slip to either side: bodies that balance whichever side that is are at
/// rest, and are told of by the way that holds them worst. False, and nothing changed, where they
/// do not.
bool balance_past_ridges(const Input& input, const std::vector<std::array<int, 2>>& pairs,
                         const Settings& settings, Verdict& verdict) {
  constexpr std::size_t kMostRidges = 4;  // two ways past each
  std::vector<RidgeContact> ridges;
  for (const auto& [i, j] : pairs)
    for (RidgeContact& ridge : ridge_contacts(item(input, i), item(input, j), settings.contact)) {
      for (ContactPoint& c : ridge) {
        c.body_a = i;
        c.body_b = j;
      }
      ridges.push_back(ridge);
    }
  if (ridges.empty() || ridges.size() > kMostRidges) return false;
  std::optional<Verdict> worst;
  for (std::size_t way = 0; way >> ridges.size() == 0 && !interrupted(settings); ++way) {
    Verdict one;
    one.contacts = verdict.contacts;
    for (std::size_t k = 0; k < ridges.size(); ++k)
      one.contacts.push_back(ridges[k][(way >> k) & 1U]);
    one.balance = counted(verdict.effort,
                          [&] { return balance(input, one.contacts, 1.0, settings.balance); });
    if (one.balance.balanced) tell_balance(input, pairs, settings, one);
    verdict.effort += one.effort;
    if (!one.balance.balanced || one.slips[0] >= 0) return false;
    if (!worst || one.stability.kind > worst->stability.kind) worst = std::move(one);
  }
  if (!worst || interrupted(settings)) return false;
  verdict.contacts = std::move(worst->contacts);
  verdict.balance = std::move(worst->balance);
  verdict.frictionless_balance = std::move(worst->frictionless_balance);
  verdict.stability = std::move(worst->stability);
  return true;
}

void judge_balance(const Input& input, const std::vector<std::array<int, 2>>& pairs,
                   const Settings& settings, Verdict& verdict) {
  const StageScope timed("judge_balance");
  balance_on_samples(input, pairs, settings, verdict);
  if (verdict.balance.balanced || !balance_past_ridges(input, pairs, settings, verdict))
    tell_balance(input, pairs, settings, verdict);
  verdict.balanced = verdict.balance.balanced    ? Answer::proven
                     : verdict.balance.converged ? Answer::missed
                                                 : Answer::undecided;
  if (verdict.balanced == Answer::proven && weighed_wrongly(input) >= 0)
    verdict.balanced = Answer::undecided;
  if (verdict.balance.balanced)
    verdict.ranges = counted(verdict.effort, [&] {
      return force_ranges(input, verdict.contacts, verdict.balance, settings.ranges);
    });
}

/// The first pair that touches, or may, without a place where it does: what one of the two could
/// carry there is not known, so that nothing is known to fall. {-1, -1}: there is none.
std::array<int, 2> touches_unseen(const std::vector<Touching>& touching,
                                  const std::vector<ContactPoint>& contacts) {
  const auto in_order = [](int i, int j) { return std::array{std::min(i, j), std::max(i, j)}; };
  std::vector<std::array<int, 2>> seen;
  seen.reserve(contacts.size());
  for (const ContactPoint& c : contacts) seen.push_back(in_order(c.body_a, c.body_b));
  std::sort(seen.begin(), seen.end());
  for (const Touching& t : touching) {
    const auto [i, j] = t.pair;
    if (t.loosely || !std::binary_search(seen.begin(), seen.end(), in_order(i, j))) return t.pair;
  }
  return {-1, -1};
}

/// A spring whose ends are in one place and that presses or pulls all the same: where to is not
/// known. What presses, or may press, keeps nothing at rest; what pulls holds by any force up to
/// its own. Nothing where there is none.
const Tie* without_direction(const Input& input, Answer balanced) {
  const auto moves = [&](int i) { return i >= 0 && !item(input, i).fixed; };
  for (const Tie& tie : input.ties) {
    if (tie.point_a_world != tie.point_b_world || tie.pull == 0.0) continue;
    if (!moves(tie.body_a) && !moves(tie.body_b)) continue;
    if (tie.pull < 0.0 || balanced == Answer::missed) return &tie;
  }
  return nullptr;
}

/// Why what was said of balance is not known; nothing where it is.
std::string balance_doubt(const Input& input, const std::vector<Touching>& touching,
                          const Verdict& verdict) {
  if (const Tie* tie = without_direction(input, verdict.balanced))
    return fmt::format("both ends of a spring of {} are in one place: where it pushes is not known",
                       item(input, tie->body_a >= 0 ? tie->body_a : tie->body_b).name);
  if (verdict.balanced == Answer::proven && verdict.slips[0] >= 0)
    return fmt::format("{} and {} meet with edges or corners of both, and may slip off each other",
                       item(input, verdict.slips[0]).name, item(input, verdict.slips[1]).name);
  if (verdict.balanced != Answer::missed) return {};
  const auto [i, j] = touches_unseen(touching, verdict.contacts);
  if (i < 0) return {};
  return fmt::format("{} and {} touch or may, but where is not known", item(input, i).name,
                     item(input, j).name);
}

/// Takes back what was said of balance where a contact was not found; says so.
std::string doubt_balance(const Input& input, const std::vector<Touching>& touching,
                          Verdict& verdict) {
  const std::string why = balance_doubt(input, touching, verdict);
  if (why.empty()) return {};
  verdict.balanced = Answer::undecided;
  verdict.stability.kind = StabilityClass::undecided;
  verdict.stability.witness = {};
  verdict.stability.why = why;
  return why;
}

/// What is to be said of the bodies' matter.
std::string matter_text(const Input& input, std::initializer_list<int> bodies) {
  std::string out;
  for (const int i : bodies) {
    const std::string& why = prepared(item(input, i).shape)->matter().why;
    if (!why.empty()) out += fmt::format("; {}: {}", item(input, i).name, why);
  }
  return out;
}

std::string fixed_text(const Input& input, const LeftOut& left_out) {
  if (left_out.fixed_overlaps.empty()) return {};
  const PairGap& p = left_out.fixed_overlaps.front();
  std::string out =
      fmt::format("; the fixed bodies {} and {} overlap by {:.3g} m or more",
                  item(input, p.body_a).name, item(input, p.body_b).name, -p.bracket.upper);
  const std::size_t more = left_out.fixed_overlaps.size() - 1;
  if (more > 0)
    out += fmt::format(", and {} more pair{} of fixed bodies", more, more > 1 ? "s" : "");
  return out;
}

/// `missing`: of its weight.
std::string unsupported_text(const std::string& name, double missing) {
  constexpr double kAll = 0.9995;  // all of it, to three digits
  if (missing >= kAll) return fmt::format("{} is unsupported: nothing carries its weight", name);
  return fmt::format("{} is not carried: {:.3g} of its weight is missing", name, missing);
}

std::string reason(const Input& input, const Verdict& v, const Settings& settings) {
  if (v.overlap == Answer::missed) {
    const PairGap& p = v.overlaps.front();
    if (p.body_a == p.body_b)
      return fmt::format("{} overlaps itself by {:.3g} m or more", item(input, p.body_a).name,
                         -p.bracket.upper);
    return fmt::format("{} and {} overlap by {:.3g} m or more", item(input, p.body_a).name,
                       item(input, p.body_b).name, -p.bracket.upper);
  }
  if (v.overlap == Answer::undecided) {
    const PairGap& p = v.undecided.front();
    if (p.bracket.status == GapStatus::unjudged)
      return fmt::format("{} and {} are near each other and of kinds that have no gap here",
                         item(input, p.body_a).name, item(input, p.body_b).name);
    return fmt::format("the gap of {} and {} is known only to lie in [{:.3g}, {:.3g}] m",
                       item(input, p.body_a).name, item(input, p.body_b).name, p.bracket.lower,
                       p.bracket.upper) +
           matter_text(input, {p.body_a, p.body_b});
  }
  if (v.balanced == Answer::undecided && v.balance.balanced) {
    const int i = weighed_wrongly(input);
    if (i < 0) return v.stability.why;
    return fmt::format("forces balance every body, but what {} weighs is not known",
                       item(input, i).name) +
           matter_text(input, {i});
  }
  if (v.balanced == Answer::missed || v.balanced == Answer::undecided) {
    const auto worst = std::max_element(v.balance.per_body.begin(), v.balance.per_body.end());
    const auto i = static_cast<int>(worst - v.balance.per_body.begin());
    return unsupported_text(item(input, i).name, *worst);
  }
  const std::string fixed = fixed_text(input, v.left_out);
  if (!v.stability.why.empty()) return v.stability.why + fixed;
  const std::string nothing = fixed.empty() ? "nothing overlaps" : "nothing that moves overlaps";
  return nothing +
         (settings.judge_balance ? ", and contact forces balance every body"
                                 : "; " + settings.no_balance) +
         fixed;
}

}  // namespace

Verdict check(const Input& input, const Settings& settings) {
  const double start = cpu_seconds();
  Verdict verdict;
  verdict.why = fault_of(settings);
  if (verdict.why.empty()) verdict.why = fault_of(input);
  if (!verdict.why.empty()) {
    verdict.overlap = Answer::undecided;
    if (settings.judge_balance) verdict.balanced = Answer::undecided;
    return verdict;
  }
  const NearPairs near = counted(verdict.effort, [&] {  // who may touch
    return all_near_pairs(input.bodies, std::max(settings.within, settings.contact.touch));
  });
  const auto& pairs = near.judged;
  const auto touching = judge_overlap(input, with_selves(input, pairs), settings, verdict);
  look_at_fixed(input, near.both_fixed, settings, verdict);
  verdict.left_out.not_colliding = near.not_colliding;
  verdict.left_out.other_layers = near.other_layers;
  verdict.left_out.joined = near.joined;
  std::string unseen;
  if (settings.judge_balance) {
    if (!interrupted(settings)) {
      judge_balance(input, that_can_press(input, pairs, verdict.overlaps), settings, verdict);
      unseen = doubt_balance(input, touching, verdict);
    }
    if (interrupted(settings)) verdict.balanced = Answer::undecided;
  }
  verdict.answer = prove::both(verdict.overlap, verdict.balanced);
  verdict.why = interrupted(settings) ? "interrupted" : reason(input, verdict, settings);
  if (verdict.overlap == Answer::proven && !unseen.empty()) verdict.why = unseen;
  verdict.seconds = cpu_seconds() - start;
  return verdict;
}

}  // namespace repose::check
