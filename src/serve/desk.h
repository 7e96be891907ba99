#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "repose/base/json.h"
#include "repose/run/judge.h"
#include "repose/run/session.h"
#include "repose/scene/scene.h"
#include "repose/world/hand_spring.h"

#include "by_hand.h"
#include "hold.h"
#include "journal.h"
#include "packet.h"

namespace repose::serve {

/// What hands can do with a scene's bodies.
enum class Touch {
  none,  // nothing moves
  drag,  // bodies have speeds: a spring pulls them while the run goes on
  hold   // bodies have none: one is put somewhere, and settles from there
};
const char* to_text(Touch touch);

/// A session under hands: opened, stepped, edited, undone, judged and saved by one thread. Every
/// refusal is an error that leaves all as it was.
class Desk {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Desk(std::filesystem::path out);

  // scenes
  Result<Done> open(const std::string& path_or_name);
  /// `name`: what it is called from now on; empty: as the scene that is open.
  Result<Done> open_text(const std::string& text, const std::string& name = {});
  /// What is wrong with a text before anything is built from it.
  Result<Done> check_text(const std::string& text) const;
  /// The scene as it was opened, from its first state on; what was done stays as a branch.
  Result<Done> reset();
  /// The scene as it was opened, with what hands did since (by_hand.h).
  std::string scene_text() const;
  /// The scene as it stands now (present.h).
  Result<std::string> present_text() const;
  /// Names of recordings that were saved and can be opened again.
  std::vector<std::string> saved() const;
  /// A saved one: computed again, at full pace, up to where it was saved.
  Result<Done> open_saved(const std::string& name);
  bool is_open() const { return session_.has_value(); }
  /// Requires: is_open(), as everything below.
  const Session& session() const { return *session_; }
  const MethodInfo& method() const { return *method_; }
  Touch touch() const;

  // time
  /// Where a method has no time, 1 is kStepsPerSecond; 0: as fast as it can.
  Result<Done> set_pace(double times_real_time);
  void run();
  void pause();
  /// Pauses and tells why in the status.
  void stop(const std::string& why);
  bool running() const { return running_; }
  /// When the next step is due; in the past where it is late.
  Clock::time_point due() const;
  /// One step, paused or not. What ends it pauses the run and says why.
  void step();
  /// Set by another thread: a step or a judgement under way is left, and what was before it stays.
  void watch(const std::atomic<bool>& interrupt) { interrupt_ = &interrupt; }
  /// The states of the last thing that was done, or of the next; answers how many.
  int undo();
  int redo();
  /// One state, whatever it belongs to.
  int undo_one();
  int redo_one();

  // branches
  /// From here on a second line of states: the first stays as it is, to come back to.
  Result<Done> branch();
  Result<Done> go_to_branch(int index);

  // edits
  Result<Done> apply(const Edit& edit);
  /// A hand takes hold of a body at a world point, or goes on to pull it to `to`. The pull starts
  /// with the next step; only the last place before a step counts.
  Result<Done> grab(int hand, const std::string& body, const std::optional<Vec3>& at,
                    const Vec3& to, double max_force);
  void release(int hand);
  std::vector<Interference> probe(int body, const Pose& world_from_body);
  /// Puts the body there and lets everything settle.
  Result<Done> let_go(const std::string& body, const Pose& world_from_body);

  // new bodies
  /// Those the method takes, to choose from: a list of {"label", "body"}.
  Json palette() const;
  /// A body as a scene's list of bodies writes it; materials and shapes may be the scene's. It
  /// stands above all others where it names no position. Answers its name, made unlike all others.
  Result<std::string> add(const JsonView& body);
  struct Brought {
    std::string name;
    std::string unit;  // in which the file was taken; empty: its own, or metres
  };
  /// The bytes of a mesh file, kept as OUT/dropped/FILE, as a body. Where the file names no unit
  /// and would be a giant among what moves, it is taken in cm or mm.
  Result<Brought> add_mesh(const std::string& file, const std::string& bytes);

  /// Pauses; the judge's word on this state, which stays until something moves.
  const Judgement& judge();
  const std::optional<Judgement>& judgement() const { return judgement_; }

  /// The states from the oldest kept one to this: OUT/NAME/recording.repose. Answers its path.
  Result<std::string> save(const std::string& name) const;
  /// The same in another form beside it: "page", "gltf" or "csv". Answers the path.
  Result<std::string> export_as(const std::string& name, const std::string& form) const;
  /// From now on every state goes to OUT/live/recording.repose as it comes, of the scene opened
  /// last.
  void keep_journal(bool on);

  // what is shown
  /// Changes whenever the bodies or the samples do.
  std::int64_t serial();
  std::string scene_bytes();
  std::string frame_bytes();
  /// Changes whenever a frame would.
  std::uint64_t version() const { return version_; }
  Json status();

 private:
  /// One client's hold on a body.
  struct Hand {
    std::string body;
    Vec3 point = Vec3::Zero();  // body frame, rest shape
    Vec3 to = Vec3::Zero();     // world
    double max_force = 0.0;     // N; 0: the spring's own limit
    bool fresh = true;          // the session does not know of it yet
    bool moved = false;         // `to` has changed since the last step
  };
  /// How much of what hands did the journal knows.
  struct Told {
    HandLog::Newest newest;
    Clock::time_point again;  // when it may be told of more pulls
  };
  /// What belongs to one line of states.
  struct Line {
    Session session;
    std::map<std::string, SceneBody> added;
    StepReport last;
    std::map<long, Audit> audits;
    std::vector<long> marks, undone;
    HandLog log;
  };

  /// Its first state, with room for those that follow.
  static Result<Session> session_of(const Scene& scene);
  Result<Done> start(Scene scene);
  void begin(Session session, Scene scene);
  void start_clock();
  void begin_gesture();
  void changed();
  void forget_old_audits();
  /// Does what a hand asks, and remembers it.
  Result<Done> carry(const Edit& edit, const std::optional<SceneBody>& body = {});
  bool time_is_up_at(const State& state) const;
  void pause_at_limit();
  /// A body to come, as it stands in a scene of its own.
  struct Made {
    SceneBody described;
    Body body;
    BodyState state;
  };
  Result<Made> make(const JsonView& body) const;
  Result<std::string> put_in(Made made, bool placed);
  /// The spring of a hand; `tied`: it swings more than the body.
  HandSpring spring_of(const std::string& body, bool& tied) const;
  double hand_force(const Hand& hand) const;
  Line take_line();
  void put_line(Line line);
  void finish_step(const StepReport& report);
  void move_hands();
  void drop_stale_drags();
  void forget_hands();
  bool same_bodies() const;
  Result<RecordingHead> head() const;
  void begin_journal();
  void write_journal();
  Result<Done> tell_journal();

  std::filesystem::path out_;
  Scene scene_;
  const MethodInfo* method_ = nullptr;
  std::optional<Session> session_;
  std::map<std::string, SceneBody> added_;  // how bodies that came in by hand are described
  HandLog log_;
  std::vector<std::optional<Line>> branches_;  // the current one's place is empty
  std::size_t branch_ = 0;
  std::optional<long> replay_to_;  // the step up to which a saved run is computed again
  double replay_pace_ = 1.0;       // what the pace was before
  const std::atomic<bool>* interrupt_ = nullptr;
  StepReport last_;
  Audit audit_;
  std::map<long, Audit> audits_;  // by state number, of kept states
  std::string why_;               // the run stopped, or something went wrong
  bool running_ = false;
  double pace_ = 1.0;
  Clock::time_point clock_start_;
  double clock_time_ = 0.0;           // simulated seconds, or steps, at clock_start_
  std::vector<long> marks_, undone_;  // state numbers before each thing that was done, or after
  std::map<int, Hand> hands_;
  std::set<std::string> dragged_;  // bodies that a hand has held since the scene was opened
  bool stale_drags_ = false;       // a state of old may hold springs whose hands are gone
  bool keeps_journal_ = false;
  std::optional<Journal> journal_;
  Told told_;
  std::optional<Judgement> judgement_;
  std::optional<std::pair<long, HoldProbe>> probe_;  // with its state number
  Drawings drawings_;
  std::int64_t opened_ = 0;  // how often a scene was
  std::int64_t serial_ = 0;
  long serial_version_ = -1;         // of the problem that the serial tells of
  std::vector<Body> serial_bodies_;  // of it
  Json serial_ties_;
  std::vector<std::string> serial_samples_;
  std::uint64_t version_ = 0;
};

}  // namespace repose::serve
