// repose._core.Session: a run under hands, and its states as arrays.
#include <mutex>
#include <thread>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "repose/check/verdict.h"
#include "repose/handover/handover.h"
#include "repose/record/recording_head.h"
#include "repose/record/recording_observer.h"
#include "repose/render/depict.h"
#include "repose/render/draw.h"
#include "repose/run/catalogue.h"
#include "repose/run/edits.h"
#include "repose/run/judge.h"
#include "repose/run/judge_input.h"
#include "repose/run/loop.h"
#include "repose/run/support.h"

#include "core.h"

namespace py = pybind11;

namespace repose::python {
namespace {

using Names = std::vector<std::string>;
using StatePtr = std::shared_ptr<const State>;

/// A state as Python holds it. Its arrays are views: they keep it alive and cannot be written.
struct HeldState {
  StatePtr state;
};

/// Rows of `width` numbers that lie `stride` bytes apart, from `first` on; `owner` keeps them.
template <class Number>
py::array_t<Number> rows(const Number* first, std::size_t count, std::size_t width,
                         std::size_t stride, const py::object& owner) {
  static const Number nothing{};
  py::array_t<Number> out({count, width}, {stride, sizeof(Number)}, count > 0 ? first : &nothing,
                          owner);
  out.attr("setflags")(py::arg("write") = false);
  return out;
}

/// A vector within each element of an array of structs.
template <class Struct, class Get>
auto column(const py::object& self, const std::vector<Struct>& all, std::size_t width,
            const Get& get) {
  using Number = std::remove_cvref_t<decltype(*get(all[0]))>;
  return rows<Number>(all.empty() ? nullptr : get(all[0]), all.size(), width, sizeof(Struct), self);
}

const State& state_of(const py::object& self) {
  return *self.cast<const HeldState&>().state;
}

py::array_t<double> orientations_wxyz(const State& state) {
  py::array_t<double> out({state.bodies.size(), std::size_t{4}});
  auto at = out.mutable_unchecked<2>();
  for (py::ssize_t i = 0; i < out.shape(0); ++i) {
    const Quat& q = state.bodies[static_cast<std::size_t>(i)].world_from_body.rotation;
    at(i, 0) = q.w();
    at(i, 1) = q.x();
    at(i, 2) = q.y();
    at(i, 3) = q.z();
  }
  return out;
}

py::object soft_column(const py::object& self, int body, bool velocities) {
  const State& state = state_of(self);
  const auto& soft = state.bodies.at(static_cast<std::size_t>(body)).soft;
  const auto& points = (velocities ? soft.velocities : soft.positions).view();
  return column(self, points, 3, [](const Vec3& p) { return p.data(); });
}

void add_state(py::module_& module) {
  const auto vector_of_body = [](auto get) {
    return [get](const py::object& self) { return column(self, state_of(self).bodies, 3, get); };
  };
  const auto vector_of_contact = [](auto get) {
    return [get](const py::object& self) { return column(self, state_of(self).contacts, 3, get); };
  };
  py::class_<HeldState>(
      module, "State",
      "A state of the bodies and their contacts: read-only arrays that stay as they are. "
      "_core.pyi says what each holds.")
      .def_property_readonly("step", [](const HeldState& s) { return s.state->step; })
      .def_property_readonly("time", [](const HeldState& s) { return s.state->time; })
      .def_property_readonly("hash", [](const HeldState& s) { return state_hash(*s.state); })
      .def_property_readonly("positions", vector_of_body([](const BodyState& b) {
                               return b.world_from_body.position.data();
                             }))
      .def_property_readonly("orientations_xyzw",
                             [](const py::object& self) {
                               return column(self, state_of(self).bodies, 4,
                                             [](const BodyState& b) {
                                               return b.world_from_body.rotation.coeffs().data();
                                             });
                             })
      .def_property_readonly("orientations_wxyz",
                             [](const HeldState& s) { return orientations_wxyz(*s.state); })
      .def_property_readonly("velocities",
                             vector_of_body([](const BodyState& b) { return b.velocity.data(); }))
      .def_property_readonly("angular_velocities", vector_of_body([](const BodyState& b) {
                               return b.angular_velocity.data();
                             }))
      .def_property_readonly(
          "contact_bodies",
          [](const py::object& self) {
            static_assert(offsetof(Contact, body_b) == offsetof(Contact, body_a) + sizeof(int));
            return column(self, state_of(self).contacts, 2,
                          [](const Contact& c) { return &c.body_a; });
          })
      .def_property_readonly("contact_points", vector_of_contact([](const Contact& c) {
                               return c.point_world.data();
                             }))
      .def_property_readonly("contact_normals", vector_of_contact([](const Contact& c) {
                               return c.normal_a_to_b.data();
                             }))
      .def_property_readonly(
          "contact_forces", vector_of_contact([](const Contact& c) { return c.force_on_b.data(); }))
      .def_property_readonly("contact_gaps",
                             [](const py::object& self) {
                               return column(self, state_of(self).contacts, 1,
                                             [](const Contact& c) { return &c.gap; })
                                   .attr("reshape")(-1);
                             })
      .def("soft_positions",
           [](const py::object& self, int body) { return soft_column(self, body, false); })
      .def("soft_velocities",
           [](const py::object& self, int body) { return soft_column(self, body, true); });
}

/// A scene with the session that runs it. One thread works with it at a time; another is refused.
class Held {
 public:
  Held(Scene scene, Session session, std::vector<SourcePlace> written)
      : scene_(std::move(scene)), session_(std::move(session)), written_(std::move(written)) {}

  const Session& session() const { return session_; }
  const Scene& scene() const { return scene_; }

  /// Work on the session without the GIL.
  template <class Work>
  auto work(const Work& work) {
    const Turn turn(*this);
    return without_gil([&] { return work(session_); });
  }
  /// Looks at the session with the GIL held: allowed to the thread that works on it as well.
  template <class Look>
  auto look(const Look& look) const {
    if (busy_ && worker_ != std::this_thread::get_id())
      throw std::runtime_error("the session is at work in another thread");
    return look(session_);
  }
  InputError located(const InputError& error) const {
    return locate_error(scene_, written_, error);
  }

 private:
  /// Who works; taken and given back with the GIL held.
  class Turn {
   public:
    explicit Turn(Held& held) : held_(held) {
      if (held.busy_) throw std::runtime_error("the session is at work already");
      held.busy_ = true;
      held.worker_ = std::this_thread::get_id();
    }
    ~Turn() { held_.busy_ = false; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Held& held_;
  };

  Scene scene_;
  Session session_;
  std::vector<SourcePlace> written_;
  bool busy_ = false;
  std::thread::id worker_;
};

Result<handover::Handed> as_handed(Result<Scene> scene) {
  if (!scene) return scene.error();
  handover::Handed out;
  out.scene = std::move(*scene);
  return out;
}

/// `set` holds settings of the scene's method, as NAME=VALUE.
Result<std::shared_ptr<Held>> start(Result<handover::Handed> handed, const Names& set,
                                    std::optional<std::int64_t> seed) {
  if (!handed) return handed.error();
  Scene* scene = &handed->scene;
  for (const std::string& text : set)
    if (auto done = apply_setting(*scene, scene->method.kind + "." + text, method_catalogue());
        !done)
      return done.error();
  if (seed) scene->seed = *seed;
  auto world = handover::build_world(*handed);
  if (!world) return world.error();
  auto method = find_method(scene->method.kind);
  if (!method) return method.error();
  if (auto done = check_support(**method, *scene); !done)
    return locate_error(*scene, world->written, done.error());
  auto session = Session::start(std::move(world->problem), std::move(world->state), **method,
                                scene->method.settings);
  if (!session) return locate_error(*scene, world->written, session.error());
  return std::make_shared<Held>(std::move(*scene), std::move(*session), std::move(world->written));
}

std::shared_ptr<Held> open(const std::string& path, const Names& set,
                           std::optional<std::int64_t> seed) {
  return value_of(
      without_gil([&] { return start(handover::open_any(path, method_catalogue()), set, seed); }));
}

std::shared_ptr<Held> from_text(const std::string& text, const std::string& file, const Names& set,
                                std::optional<std::int64_t> seed) {
  return value_of(without_gil([&] {
    return start(as_handed(scene_from_text(text, file, method_catalogue())), set, seed);
  }));
}

py::dict report_dict(const StepReport& report) {
  py::dict out;
  out["status"] = to_text(report.status);
  out["residual"] = report.residual;
  out["why"] = report.why;
  return out;
}

/// Records where asked, calls back where asked; a callback that answers False ends the run.
class Watcher : public RunObserver {
 public:
  Watcher(RecordingObserver* record, const py::object& callback, long every,
          std::atomic<bool>& stop)
      : record_(record), callback_(callback), every_(every), stop_(stop) {}

  Result<Done> frame(const Session& session, const Audit& audit) override {
    return record_ ? record_->frame(session, audit) : RunObserver::frame(session, audit);
  }
  Result<Done> event(const Session& session, const Edit& edit) override {
    return record_ ? record_->event(session, edit) : RunObserver::event(session, edit);
  }
  void step(const Session& session) override {
    if (Interruptible::flag()) stop_ = true;
    if (callback_.is_none() || session.state().step % every_ != 0) return;
    const py::gil_scoped_acquire held;
    const py::object answer = callback_();
    if (answer.is(py::bool_(false))) stop_ = true;
  }

 private:
  RecordingObserver* record_;
  const py::object& callback_;
  long every_;
  std::atomic<bool>& stop_;
};

struct RunOrder {
  std::optional<long> steps;       // more than now; else the scene's limit
  std::optional<double> duration;  // s of simulated time in all; else the scene's limit
  long every = 1;
  std::string record;  // path; empty: none
};

Result<RunOutcome> drive(const Held& held, Session& session, const RunOrder& order,
                         const py::object& callback) {
  std::optional<RecordingWriter> writer;
  std::optional<RecordingObserver> recorder;
  if (!order.record.empty()) {
    const auto head = recording_head(held.scene(), session);
    if (!head) return head.error();
    auto made = RecordingWriter::create(order.record, *head);
    if (!made) return made.error();
    writer.emplace(std::move(*made));
    recorder.emplace(*writer, held.scene().record.contacts);
  }
  std::atomic<bool> stop = false;
  RunLimits limits;
  if (held.scene().limits.duration) limits.duration = *held.scene().limits.duration;
  if (held.scene().limits.steps) limits.steps = static_cast<long>(*held.scene().limits.steps);
  if (order.steps) limits.steps = session.state().step + *order.steps;
  if (order.duration) limits.duration = *order.duration;
  limits.frame_every_steps = held.scene().record.every_steps;
  limits.frame_every_time = held.scene().record.every_time;
  limits.interrupt = &stop;
  Watcher watcher(recorder ? &*recorder : nullptr, callback, order.every, stop);
  auto outcome = run_to_end(session, limits, watcher);
  if (!outcome) return held.located(outcome.error());
  if (writer)
    if (auto done = writer->finish(); !done) return done.error();
  return outcome;
}

py::dict run(Held& held, const py::object& callback, std::optional<long> steps,
             std::optional<double> duration, long every, const std::string& record) {
  if (every < 1) throw py::value_error("every: 1 or more");
  const RunOrder order{steps, duration, every, record};
  const RunOutcome outcome =
      value_of(held.work([&](Session& session) { return drive(held, session, order, callback); }));
  py::dict out;
  out["status"] = to_text(outcome.status);
  out["why"] = outcome.why;
  out["steps"] = held.session().state().step;
  out["time"] = held.session().state().time;
  out["energy"] = outcome.final.energy;
  out["force_residual"] = outcome.final.force_residual;
  out["torque_residual"] = outcome.final.torque_residual;
  out["worst_gap"] = outcome.worst_gap;
  out["frames"] = outcome.frames;
  return out;
}

py::dict step(Held& held) {
  const auto report = held.work([](Session& session) { return session.step(); });
  if (!report) raise(held.located(report.error()));
  return report_dict(*report);
}

/// The verdict as the tool's `check --json` tells it.
std::string check_text(Held& held, double tolerance, std::optional<double> friction) {
  return held.work([&](Session& session) {
    check::Input input = judge_input(session.problem(), session.state());
    if (friction)
      for (check::PlacedBody& body : input.bodies) body.friction = *friction;
    check::Settings settings;
    settings.tolerance = tolerance;
    settings.interrupt = &Interruptible::flag();
    settings.judge_balance = loads_are_described(session.problem());
    settings.judge_stability = settings.judge_balance && loads_stay(session.problem());
    return to_json(check::check(input, settings), input).line();
  });
}

py::array_t<std::uint8_t> render_picture(Held& held, int width, int height, int samples,
                                         std::optional<std::array<double, 2>> view, bool contacts,
                                         bool forces) {
  constexpr int kMostPixels = 16384;
  if (width < 1 || height < 1 || width > kMostPixels || height > kMostPixels || samples < 1)
    throw py::value_error("width and height: 1 to 16384; samples: 1 or more");
  auto image = std::make_unique<render::Image>(held.work([&](Session& session) {
    render::DepictSettings depict;
    depict.aspect = static_cast<double>(width) / height;
    depict.contacts = contacts;
    depict.forces = forces;
    depict.gravity = session.problem().gravity;
    constexpr double kDegree = 0.017453292519943295;
    const ViewChoice& choice = held.scene().view;
    depict.view.azimuth = kDegree * (view ? (*view)[0] : choice.azimuth_deg);
    depict.view.elevation = kDegree * (view ? (*view)[1] : choice.elevation_deg);
    depict.spans = render::spans_of(session.problem());
    depict.signs = render::signs_of(session.problem());
    const auto method = find_method(held.scene().method.kind);
    depict.board = method && (*method)->support.plane() && !view;
    render::RenderSettings settings;
    settings.width = width;
    settings.height = height;
    settings.samples = samples;
    return render::draw(render::depict(session.problem(), session.state(), depict), settings);
  }));
  std::uint8_t* pixels = image->rgb.data();
  // the array takes the pixels over
  const py::capsule owner(image.release(),
                          [](void* held_image) { delete static_cast<render::Image*>(held_image); });
  return py::array_t<std::uint8_t>({height, width, 3}, pixels, owner);
}

void set_pose(const Pose& pose, Placement& place) {
  const Quat& q = pose.rotation;
  place.position = pose.position;
  place.orientation_wxyz = {{q.w(), q.x(), q.y(), q.z()}};
  place.axis_angle_deg.reset();
  place.roll_pitch_yaw_deg.reset();
}

/// The scene with its bodies where they are now, every instance a body of its own.
std::string scene_text(const Held& held) {
  return held.look([&](const Session& session) {
    Scene out = held.scene();
    for (const Instances& set : out.instances)
      for (const Body& body : session.problem().bodies) {
        const std::string first = set.name + "-";
        const bool of_set =
            body.name.rfind(first, 0) == 0 &&
            body.name.find_first_not_of("0123456789", first.size()) == std::string::npos;
        if (!of_set) continue;
        out.bodies.push_back(set.body);
        out.bodies.back().name = body.name;
      }
    out.instances.clear();
    std::vector<SceneBody> there;
    for (SceneBody& body : out.bodies) {
      const int i = session.problem().find_body(body.name);
      if (i < 0) continue;  // an edit removed it
      const BodyState& state = session.state().bodies[static_cast<std::size_t>(i)];
      if (!state.soft.empty())
        raise({.file = {},
               .pointer = body.name,
               .value = {},
               .wrong = "the points of a soft body are no part of a scene file",
               .right = "a recording: run(record=PATH)"});
      set_pose(state.world_from_body, body);
      body.velocity = state.velocity;
      body.angular_velocity = state.angular_velocity;
      there.push_back(body);
    }
    out.bodies = std::move(there);
    return write_scene(out);
  });
}

void apply(Held& held, const Edit& edit) {
  const auto done = held.work([&](Session& session) { return session.apply(edit); });
  if (!done) raise(done.error());
}

void set_value(Held& held, const std::string& name, const py::object& value) {
  SettingValue as;
  if (py::isinstance<py::bool_>(value))
    as = value.cast<bool>();
  else if (py::isinstance<py::int_>(value))
    as = static_cast<std::int64_t>(value.cast<std::int64_t>());
  else if (py::isinstance<py::float_>(value))
    as = value.cast<double>();
  else
    as = value.cast<std::string>();
  apply(held, set_parameter(name, as));
}

py::list body_list(const Held& held) {
  return held.look([](const Session& session) {
    py::list out;
    for (const Body& body : session.problem().bodies) {
      py::dict row;
      row["name"] = body.name;
      row["shape"] = name_of(body.shape->kind);
      row["mass"] = body.mass;
      row["size"] = body.size();
      row["fixed"] = body.fixed;
      row["center_body"] =
          std::array{body.center_body.x(), body.center_body.y(), body.center_body.z()};
      row["soft_points"] = body.soft ? body.soft->size() : 0;
      out.append(row);
    }
    return out;
  });
}

Vec3 vector(const std::array<double, 3>& v) {
  return {v[0], v[1], v[2]};
}

}  // namespace

void add_session(py::module_& module) {
  add_state(module);
  using Wxyz = std::array<double, 4>;
  using Xyz = std::array<double, 3>;
  py::class_<Held, std::shared_ptr<Held>>(module, "Session")
      .def_static("open", &open, py::arg("path"), py::arg("set"), py::arg("seed"))
      .def_static("from_text", &from_text, py::arg("text"), py::arg("file"), py::arg("set"),
                  py::arg("seed"))
      .def("step", &step)
      .def("run", &run, py::arg("callback"), py::arg("steps"), py::arg("duration"),
           py::arg("every"), py::arg("record"))
      .def("check_text", &check_text, py::arg("tolerance"), py::arg("friction"))
      .def("render", &render_picture, py::arg("width"), py::arg("height"), py::arg("samples"),
           py::arg("view"), py::arg("contacts"), py::arg("forces"))
      .def("scene_text", &scene_text)
      .def("set", &set_value, py::arg("name"), py::arg("value"))
      .def("place",
           [](Held& held, const std::string& body, const Xyz& position, const Wxyz& wxyz) {
             const Quat turn = Quat(wxyz[0], wxyz[1], wxyz[2], wxyz[3]).normalized();
             apply(held, reposition(body, Pose{vector(position), turn}));
           })
      .def("nudge", [](Held& held, const std::string& body, const Xyz& move,
                       const Xyz& turn) { apply(held, nudge(body, vector(move), vector(turn))); })
      .def("keep_states",
           [](Held& held, std::size_t count) {
             held.look([](const Session&) { return 0; });
             held.work([&](Session& session) { session.keep_states(count); });
           })
      .def("undo",
           [](Held& held, int count) {
             return held.work([&](Session& session) { return session.undo(count); });
           })
      .def_property_readonly("bodies", &body_list)
      .def_property_readonly("method", [](const Held& held) { return held.scene().method.kind; })
      .def_property_readonly("name", [](const Held& held) { return held.scene().name; })
      .def_property_readonly("state", [](const Held& held) {
        return held.look([](const Session& session) {
          return HeldState{std::make_shared<const State>(session.state())};
        });
      });
}

}  // namespace repose::python
