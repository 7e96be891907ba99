#include "apart.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "repose/base/fault.h"
#include "repose/check/verdict.h"
#include "repose/run/judge_input.h"
#include "repose/world/joined.h"

namespace repose {

namespace {

/// A depth that is no rounding and no touch. Fraction of the smaller body's size.
constexpr double kDeep = 1e-2;
/// Bodies whose bounding balls have centres nearer than this stand about one point. Fraction of the
/// smaller body's size.
constexpr double kOnePoint = 1e-3;

struct Ball {
  std::size_t body = 0;
  Vec3 center = Vec3::Zero();
  double radius = 0.0;  // m; infinite for endless ground
};

std::vector<Ball> balls_of(const Problem& problem, const State& state) {
  std::vector<Ball> out;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const shape::Shape& shape = *problem.bodies[i].shape;
    if (problem.bodies[i].collides)
      out.push_back(
          {i, state.bodies[i].world_from_body * shape.bounding_center, shape.bounding_radius});
  }
  return out;
}

/// What the judge is asked about: some bodies, and which of their pairs matter.
struct Question {
  std::vector<std::size_t> bodies;
  std::vector<std::size_t> unseen;  // pairs with one of these; empty: every pair
};

/// Bodies of shapes to whose overlaps the method is blind, and what their balls meet.
Question about_unseen(const MethodSupport& method, const Problem& problem,
                      const std::vector<Ball>& balls) {
  std::vector<Ball> blind;
  Question out;
  for (const Ball& ball : balls) {
    const Body& body = problem.bodies[ball.body];
    if (body.fixed || std::ranges::count(method.blind_to, body.shape->kind) == 0) continue;
    blind.push_back(ball);
    out.unseen.push_back(ball.body);
  }
  for (const Ball& ball : balls)
    if (std::any_of(blind.begin(), blind.end(), [&](const Ball& other) {
          return !((ball.center - other.center).norm() > ball.radius + other.radius);
        }))
      out.bodies.push_back(ball.body);
  return out;
}

/// Pairs about one point, of which a body moves. Methods seek the places where surfaces come
/// nearest, and there every place is alike.
std::vector<Question> about_one_point(const Problem& problem, std::vector<Ball> balls) {
  std::erase_if(balls, [](const Ball& ball) { return !std::isfinite(ball.radius); });
  std::sort(balls.begin(), balls.end(), [](const Ball& a, const Ball& b) {
    return std::pair(a.center.x(), a.body) < std::pair(b.center.x(), b.body);
  });
  std::vector<Question> out;
  const auto passing = passing_pairs(problem);
  for (std::size_t k = 0; k < balls.size(); ++k) {
    const Ball& a = balls[k];
    const double most = 2.0 * kOnePoint * a.radius;
    for (std::size_t l = k + 1; l < balls.size(); ++l) {
      const Ball& b = balls[l];
      if (b.center.x() - a.center.x() > most) break;
      if ((a.center - b.center).norm() > std::min(most, 2.0 * kOnePoint * b.radius)) continue;
      if (problem.bodies[a.body].fixed && problem.bodies[b.body].fixed) continue;
      const std::pair<int, int> pair =
          std::minmax(static_cast<int>(a.body), static_cast<int>(b.body));
      if (std::binary_search(passing.begin(), passing.end(), pair)) continue;
      out.push_back({{std::min(a.body, b.body), std::max(a.body, b.body)}, {}});
    }
  }
  return out;
}

/// Bodies of the given indices alone, without forces and joints.
check::Input input_of(const Problem& problem, const State& state,
                      const std::vector<std::size_t>& bodies) {
  Problem few;
  State stand;
  for (const std::size_t i : bodies) {
    few.bodies.push_back(problem.bodies[i]);
    stand.bodies.push_back(state.bodies[i]);
  }
  return judge_input(few, stand);
}

Result<Done> ask_judge(const Problem& problem, const State& state, const Question& question) {
  if (question.bodies.size() < 2) return Done{};
  check::Settings settings;
  settings.judge_balance = settings.judge_stability = false;
  const check::Verdict verdict = check::check(input_of(problem, state, question.bodies), settings);
  const auto body_of = [&](int i) { return question.bodies[static_cast<std::size_t>(i)]; };
  std::vector<check::PairGap> overlaps = verdict.overlaps;
  // two that lie on one another and might overlap deeply are no start either
  for (const check::PairGap& pair : verdict.undecided) {
    const double size = std::min(problem.bodies[body_of(pair.body_a)].size(),
                                 problem.bodies[body_of(pair.body_b)].size());
    if (pair.bracket.upper <= 0.0 && pair.bracket.lower < -kDeep * size) overlaps.push_back(pair);
  }
  for (const check::PairGap& pair : overlaps) {
    const std::size_t a = std::min(body_of(pair.body_a), body_of(pair.body_b));
    const std::size_t b = std::max(body_of(pair.body_a), body_of(pair.body_b));
    if (!question.unseen.empty() &&
        std::ranges::count(question.unseen, a) + std::ranges::count(question.unseen, b) == 0)
      continue;
    return fault(fmt::format("/bodies/{}/position", b), "",
                 fmt::format("{} and {} overlap by {:.3g} to {:.3g} m", problem.bodies[a].name,
                             problem.bodies[b].name, -pair.bracket.upper, -pair.bracket.lower),
                 "a place of its own for each body");
  }
  return Done{};
}

}  // namespace

Result<Done> check_apart(const MethodSupport& method, const Problem& problem, const State& state) {
  // bodies of the plane have a method that parts them itself
  if (!method.moves || method.plane()) return Done{};
  const std::vector<Ball> balls = balls_of(problem, state);
  std::vector<Question> questions = about_one_point(problem, balls);
  if (!method.blind_to.empty()) questions.push_back(about_unseen(method, problem, balls));
  for (const Question& question : questions)
    if (auto done = ask_judge(problem, state, question); !done) return done;
  return Done{};
}

}  // namespace repose
