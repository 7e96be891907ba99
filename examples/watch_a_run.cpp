// watch_a_run [SCENE]: steps a scene of the gallery, or a file, and lets the judge look at its end.
#include <cstdio>

#include "repose/run/catalogue.h"
#include "repose/run/judge.h"
#include "repose/run/session.h"
#include "repose/scene/gallery.h"

namespace {

/// Bad input says where it stands, what stands there and what would be right.
int refused(const repose::InputError& error) {
  std::fprintf(stderr, "%s\n", error.text().c_str());
  return 2;
}

}  // namespace

int main(int count, char** words) {
  using namespace repose;
  const auto scene = open_scene(count > 1 ? words[1] : "place/torus-on-cone", method_catalogue());
  if (!scene) return refused(scene.error());
  auto world = build_world(*scene);
  if (!world) return refused(world.error());
  const auto method = find_method(scene->method.kind);
  if (!method) return refused(method.error());
  auto session = Session::start(std::move(world->problem), std::move(world->state), **method,
                                scene->method.settings);
  if (!session) return refused(session.error());

  constexpr int kMostSteps = 1000;
  RunStatus status = RunStatus::moving;
  for (int k = 0; k < kMostSteps && status == RunStatus::moving; ++k) {
    const auto report = session->step();
    if (!report) return refused(report.error());
    status = report->status;
    const Vec3& last = session->state().bodies.back().world_from_body.position;
    std::printf("step %ld: %s at height %.9f m, %zu contacts\n", session->state().step,
                session->problem().bodies.back().name.c_str(), last.z(),
                session->state().contacts.size());
  }
  const Judgement verdict = judge(session->problem(), session->state());
  std::printf("%s; no overlap: %s; balance: %s\n", to_text(status), to_text(verdict.overlap),
              to_text(verdict.balanced));
  return verdict.overlap == Judgement::Answer::proven ? 0 : 1;
}
