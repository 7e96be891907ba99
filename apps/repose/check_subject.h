#pragma once

#include <optional>
#include <string>

#include "repose/check/input.h"
#include "repose/record/pace.h"
#include "repose/run/judge.h"
#include "repose/run/result.h"
#include "repose/scene/scene.h"

#include "opening.h"

/// What `repose check` judges: a scene with the poses its bodies shall have.
struct CheckSubject {
  std::string name;
  repose::Scene scene;
  repose::World world;
  std::optional<repose::Recording> recording;  // where the poses came from a run
  repose::State start;                         // of a run: where the scene puts its bodies
  repose::Problem cast;  // of a run: the scene's problem with the bodies that its events add
  std::optional<repose::RunClaim> claim;  // of a run, where its own last poses are judged
  repose::SettingValues settings;         // of the method, where the poses are; as given
  bool loads_known = true;                // false: edits changed what acts on the bodies
};

/// As the judge sees it. `friction`: of all bodies; negative: their own.
repose::check::Input input_of(const CheckSubject& subject, double friction);

/// What the method promises of skins with its settings.
repose::check::SkinsOf skins_of(const CheckSubject& subject);
/// False where its method keeps spheres apart and promises nothing of skins: the verdict tells of
/// them and does not hang on them, as that of the run.
bool skins_count(const CheckSubject& subject);

/// Names of bodies that an edit put elsewhere between a step of the run and the next.
std::vector<std::string> put_by_edits(const repose::Recording& recording, long step);

/// `what` is a scene (path or gallery name), the folder of a run or its recording.repose (the last
/// frame counts), or a poses file that names its scene. `poses`, where not empty, is a poses file
/// whose poses replace the scene's: JSON {"scene": ..., "poses": [{"body", "position",
/// "orientation_wxyz"}]} or CSV with the columns body,x,y,z,qw,qx,qy,qz. Bodies that are not named
/// stay where they are.
/// `words`: how a scene of another tool is read.
repose::Result<CheckSubject> open_subject(const std::string& what, const std::string& poses,
                                          const OpeningWords& words = {});

/// Places the bodies as the subject's recording shows them at a moment: of a frame, or on the way
/// to the next.
repose::Result<repose::Done> take_moment(CheckSubject& subject, const repose::Moment& moment);
