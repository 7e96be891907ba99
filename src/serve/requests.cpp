#include "requests.h"

#include <algorithm>
#include <cmath>
#include <exception>

#include "repose/base/fault.h"
#include "repose/base/json.h"
#include "repose/base/setting_values.h"
#include "repose/report/assets.h"
#include "repose/run/catalogue.h"
#include "repose/run/edits.h"
#include "repose/scene/gallery.h"

#include "base64.h"
#include "plain_name.h"

namespace repose::serve {

namespace {

constexpr std::size_t kMostValues = 10'000;  // of one message
constexpr std::int64_t kMostStepsAtOnce = 1000;
/// Pauses, and leaves what is under way: who takes the message in looks for it.
constexpr const char* kInterrupt = "interrupt";

/// One message, with what may be asked of it.
struct Request {
  Desk& desk;
  int client;
  JsonView asked;
  InputError error;  // of the first thing that was not as it should be

  bool fail(const char* key, std::string wrong, std::string right) {
    if (error.wrong.empty())
      error = fault(std::string("/") + key, "", std::move(wrong), std::move(right));
    return false;
  }
  std::optional<JsonView> find(const char* key, JsonKind kind) {
    const auto found = asked.find(key);
    if (found && found->kind() == kind) return found;
    fail(key, found ? std::string("is ") + to_text(found->kind()) : "is missing", to_text(kind));
    return {};
  }
  bool has(const char* key) const { return asked.find(key).has_value(); }

  std::string text(const char* key) {
    const auto found = find(key, JsonKind::text);
    return found ? found->text() : std::string();
  }
  double number(const char* key) {
    const auto found = find(key, JsonKind::number);
    return found ? found->number() : 0.0;
  }
  /// `count` finite numbers.
  std::vector<double> numbers(const char* key, std::size_t count) {
    std::vector<double> out;
    if (const auto found = find(key, JsonKind::array))
      found->each([&](JsonView item) {
        if (item.kind() == JsonKind::number) out.push_back(item.number());
        return item.kind() == JsonKind::number && out.size() <= count;
      });
    if (out.size() != count) fail(key, "not a list of that many numbers", std::to_string(count));
    out.resize(count, 0.0);
    return out;
  }
  Vec3 vector(const char* key) {
    const auto v = numbers(key, 3);
    return {v[0], v[1], v[2]};
  }
  /// "position": x, y, z; "rotation": w, x, y, z, of any length but 0.
  Pose pose() {
    const Vec3 position = vector("position");
    const auto q = numbers("rotation", 4);
    const Quat turn(q[0], q[1], q[2], q[3]);
    if (!(turn.norm() > 0.0) || !std::isfinite(turn.norm()))
      fail("rotation", "no rotation", "w, x, y, z, not all 0");
    return {position, turn.norm() > 0.0 ? turn.normalized() : Quat::Identity()};
  }
  bool ok() const { return error.wrong.empty(); }
};

using Answer = Result<Json::Object>;

Answer of(const Result<Done>& done) {
  if (!done) return done.error();
  return Json::Object{};
}

std::optional<SettingValue> setting_value(const JsonView& value) {
  switch (value.kind()) {
    case JsonKind::boolean:
      return value.boolean();
    case JsonKind::number:
      if (const auto whole = value.integer()) return *whole;
      return value.number();
    case JsonKind::text:
      return value.text();
    case JsonKind::array: {
      std::array<double, 3> out{};
      std::size_t count = 0;
      const bool numbers = value.each([&](JsonView item) {
        if (item.kind() != JsonKind::number || count == 3) return false;
        out[count++] = item.number();
        return true;
      });
      if (numbers && count == 3) return out;
      return {};
    }
    case JsonKind::null:
    case JsonKind::object:
      break;
  }
  return {};
}

Answer gallery(Request&) {
  const auto scenes = list_gallery();
  if (!scenes) return scenes.error();
  Json::Array out;
  for (const GalleryScene& scene : *scenes)
    out.push_back(
        Json::Object{{"name", scene.name}, {"about", scene.about}, {"method", scene.method}});
  return Json::Object{{"scenes", std::move(out)}};
}

/// Gallery scenes alone: a page names no files.
Answer open(Request& r) {
  const std::string name = r.text("scene");
  if (!r.ok()) return r.error;
  const auto scenes = list_gallery();
  if (!scenes) return scenes.error();
  for (const GalleryScene& scene : *scenes)
    if (scene.name == name) return of(r.desk.open(name));
  return fault("/scene", name, "no scene of the gallery", "a name that `gallery` lists");
}

Answer open_text(Request& r) {
  const std::string text = r.text("text"), name = r.has("name") ? r.text("name") : "";
  if (!name.empty() && !is_plain(name))
    r.fail("name", "no plain name", "letters, digits, '-' and '_'");
  if (!r.ok()) return r.error;
  return of(r.desk.open_text(text, name));
}

Answer check_text(Request& r) {
  const std::string text = r.text("text");
  if (!r.ok()) return r.error;
  return of(r.desk.check_text(text));
}

Answer scene_text(Request& r) {
  if (!r.has("now")) return Json::Object{{"text", r.desk.scene_text()}};
  const auto text = r.desk.present_text();
  if (!text) return text.error();
  return Json::Object{{"text", *text}};
}

/// Completion and help of a scene's text come from it.
Answer schema(Request&) {
  const auto document = JsonDocument::parse(scene_schema(method_catalogue()), "schema");
  if (!document) return document.error();
  return Json::Object{{"schema", Json((*document)->root())}};
}

/// A picture of a gallery scene, where the program finds those of its documentation.
Answer gallery_picture(Request& r) {
  std::string name = r.text("scene");
  if (!r.ok()) return r.error;
  const auto scenes = list_gallery();
  if (!scenes) return scenes.error();
  if (std::ranges::none_of(*scenes, [&](const GalleryScene& s) { return s.name == name; }))
    return fault("/scene", name, "no scene of the gallery", "a name that `gallery` lists");
  std::ranges::replace(name, '/', '-');
  const auto bytes = report::load_asset("gallery/" + name + ".jpg");
  return Json::Object{{"jpg", bytes ? Json(to_base64(*bytes)) : Json()}};
}

Answer saved(Request& r) {
  Json::Array out;
  for (const std::string& name : r.desk.saved()) out.push_back(name);
  return Json::Object{{"names", std::move(out)}};
}

Answer open_saved(Request& r) {
  const std::string name = r.text("name");
  if (!r.ok()) return r.error;
  return of(r.desk.open_saved(name));
}

Answer branch(Request& r) {
  if (!r.has("branch")) return of(r.desk.branch());
  const double index = r.number("branch");
  if (!r.ok()) return r.error;
  const bool whole = index >= 0.0 && index < 1e6;
  return of(r.desk.go_to_branch(whole ? static_cast<int>(index) : -1));
}

Answer reset(Request& r) {
  return of(r.desk.reset());
}

Answer run(Request& r) {
  r.desk.run();
  return Json::Object{};
}

Answer pause(Request& r) {
  r.desk.pause();
  return Json::Object{};
}

Answer pace(Request& r) {
  const double pace = r.number("pace");
  if (!r.ok()) return r.error;
  return of(r.desk.set_pace(pace));
}

Answer step(Request& r) {
  const double count = r.has("count") ? r.number("count") : 1.0;
  if (!r.ok()) return r.error;
  if (!(count >= 1.0 && count <= static_cast<double>(kMostStepsAtOnce)))
    return fault("/count", "", "out of range", "a number in [1, 1000]");
  r.desk.pause();
  for (int i = 0; i < static_cast<int>(count); ++i) r.desk.step();
  return Json::Object{};
}

Answer undo(Request& r) {
  return Json::Object{{"moved", r.has("one") ? r.desk.undo_one() : r.desk.undo()}};
}

Answer redo(Request& r) {
  return Json::Object{{"moved", r.has("one") ? r.desk.redo_one() : r.desk.redo()}};
}

Answer set(Request& r) {
  const std::string name = r.text("name");
  const auto value = r.asked.find("value");
  const auto read = value ? setting_value(*value) : std::nullopt;
  if (!read) r.fail("value", "no value of a setting", "a number, a text, true, false, or a vector");
  if (!r.ok()) return r.error;
  return of(r.desk.apply(set_parameter(name, *read)));
}

/// Kinds that a page may ask for: those whose values are plain.
constexpr EditKind kEdits[] = {
    EditKind::pose,  EditKind::remove, EditKind::fix,     EditKind::free,      EditKind::material,
    EditKind::nudge, EditKind::freeze, EditKind::collide, EditKind::replicate, EditKind::attach,
    EditKind::stick, EditKind::join,   EditKind::add};

Answer edit(Request& r) {
  Edit out;
  const auto kind = named<EditKind>(r.text("kind"));
  if (!kind || std::find(std::begin(kEdits), std::end(kEdits), *kind) == std::end(kEdits))
    r.fail("kind", "no edit that a page can make", "pose, nudge, fix, free, remove, ...");
  out.target = r.text("target");
  if (r.ok()) out.kind = *kind;
  if (r.ok() && out.kind == EditKind::pose) out.body_state.world_from_body = r.pose();
  if (const auto values = r.asked.find("values"); values && values->kind() == JsonKind::object)
    values->each_member([&](JsonView key, JsonView value) {
      auto read = setting_value(value);
      // whole or not, a number of an edit is one
      if (read && std::holds_alternative<std::int64_t>(*read))
        read = static_cast<double>(std::get<std::int64_t>(*read));
      if (read) out.values[key.text()] = *read;
      return read ? true : r.fail("values", "no plain value", "numbers, texts, flags, vectors");
    });
  // of bodies that are added more is known (`add`)
  if (r.ok() && out.kind == EditKind::add && !out.values.contains("force"))
    r.fail("values", "no force to add", "`force`: push, connect or spring");
  if (!r.ok()) return r.error;
  return of(r.desk.apply(out));
}

Answer palette(Request& r) {
  return Json::Object{{"bodies", r.desk.palette()}};
}

Answer named_answer(const char* what, const Result<std::string>& answer) {
  if (!answer) return answer.error();
  return Json::Object{{what, *answer}};
}

Answer add(Request& r) {
  const auto body = r.find("body", JsonKind::object);
  if (!r.ok()) return r.error;
  return named_answer("name", r.desk.add(*body));
}

Answer add_mesh(Request& r) {
  const std::string file = r.text("file");
  const auto bytes = from_base64(r.text("bytes"));
  if (!bytes) r.fail("bytes", "not base64", "the bytes of a mesh file");
  if (!r.ok()) return r.error;
  const auto brought = r.desk.add_mesh(file, *bytes);
  if (!brought) return brought.error();
  return Json::Object{{"name", brought->name}, {"unit", brought->unit}};
}

Answer grab(Request& r) {
  const std::string body = r.text("body");
  const Vec3 to = r.vector("to");
  std::optional<Vec3> at;
  if (r.has("at")) at = r.vector("at");
  const double most = r.has("max_force") ? r.number("max_force") : 0.0;
  if (!(most >= 0.0)) r.fail("max_force", "below 0", "newtons, or 0 for the spring's own limit");
  if (!r.ok()) return r.error;
  return of(r.desk.grab(r.client, body, at, to, most));
}

Answer release(Request& r) {
  r.desk.release(r.client);
  return Json::Object{};
}

Answer hold(Request& r) {
  const std::string body = r.text("body");
  const Pose pose = r.pose();
  if (!r.ok()) return r.error;
  const Problem& problem = r.desk.session().problem();
  const int index = problem.find_body(body);
  if (index < 0) return fault("/body", body, "no such body", "the name of a body of the scene");
  Json::Array places;
  for (const Interference& meets : r.desk.probe(index, pose))
    places.push_back(Json::Object{
        {"other", problem.bodies[static_cast<std::size_t>(meets.other)].name},
        {"point", Json::Array{known(meets.point_world.x()), known(meets.point_world.y()),
                              known(meets.point_world.z())}},
        {"gap", Json::Array{known(meets.gap_lower), known(meets.gap_upper)}},
        {"overlaps", meets.overlaps}});
  return Json::Object{{"meets", std::move(places)}};
}

Answer let_go(Request& r) {
  const std::string body = r.text("body");
  const Pose pose = r.pose();
  if (!r.ok()) return r.error;
  return of(r.desk.let_go(body, pose));
}

Answer check(Request& r) {
  r.desk.judge();
  return Json::Object{};
}

Answer save(Request& r) {
  const std::string name = r.text("name");
  if (!r.ok()) return r.error;
  return named_answer("path", r.desk.save(name));
}

Answer export_as(Request& r) {
  const std::string name = r.text("name"), form = r.text("form");
  if (!r.ok()) return r.error;
  return named_answer("path", r.desk.export_as(name, form));
}

struct Row {
  const char* name;
  Answer (*act)(Request&);
  bool needs_scene = true;
};
constexpr Row kRows[] = {
    {"gallery", gallery, false},
    {"open", open, false},
    {"open_text", open_text, false},
    {"check_text", check_text, false},
    {"scene_text", scene_text},
    {"schema", schema, false},
    {"gallery_picture", gallery_picture, false},
    {"saved", saved, false},
    {"open_saved", open_saved, false},
    {"branch", branch},
    {"reset", reset},
    {"run", run},
    {"pause", pause},
    {kInterrupt, pause},
    {"pace", pace},
    {"step", step},
    {"undo", undo},
    {"redo", redo},
    {"set", set},
    {"edit", edit},
    {"palette", palette},
    {"add", add},
    {"add_mesh", add_mesh},
    {"grab", grab},
    {"release", release},
    {"hold", hold},
    {"let_go", let_go},
    {"check", check},
    {"save", save},
    {"export", export_as},
};

Answer carry_out(Request& request) {
  const std::string name = request.text("do");
  if (!request.ok()) return request.error;
  for (const Row& row : kRows) {
    if (name != row.name) continue;
    if (row.needs_scene && !request.desk.is_open())
      return fault("/do", name, "no scene is open", "open");
    return row.act(request);
  }
  return fault("/do", name, "nothing that can be done", "run, pause, step, undo, ...");
}

std::string line(Json to, const Answer& answer) {
  Json::Object out = {{"to", std::move(to)}};
  if (!answer) {
    out.emplace_back("error", answer.error().text());
    if (answer.error().line > 0) out.emplace_back("line", answer.error().line);
    if (answer.error().line > 0) out.emplace_back("column", answer.error().column);
    return Json(std::move(out)).line();
  }
  out.emplace_back("ok", true);
  for (const auto& member : *answer) out.push_back(member);
  return Json(std::move(out)).line();
}

}  // namespace

bool is_interrupt(const std::string& text) {
  // it is short; longer ones are left to who reads them
  constexpr std::size_t kLongest = 200;
  if (text.size() > kLongest) return false;
  const auto document = JsonDocument::parse(text, "message", kMostValues);
  if (!document || (*document)->root().kind() != JsonKind::object) return false;
  const auto what = (*document)->root().find("do");
  return what && what->kind() == JsonKind::text && what->text() == kInterrupt;
}

std::string answer_to(Desk& desk, int client, const std::string& text) {
  const auto document = JsonDocument::parse(text, "message", kMostValues);
  if (!document) return line({}, document.error());
  const JsonView root = (*document)->root();
  if (root.kind() != JsonKind::object)
    return line({},
                fault("", "", "the message is " + std::string(to_text(root.kind())), "an object"));
  const auto id = root.find("id");
  Json to = id && id->integer() ? Json(*id->integer()) : Json();
  Request request{desk, client, root, {}};
  try {
    return line(to, carry_out(request));
  } catch (const std::exception& broken) {
    // a promise of our own, or no memory left: the page hears of it, and the session stays
    return line(to, fault("", "", std::string("our fault: ") + broken.what(), ""));
  }
}

}  // namespace repose::serve
