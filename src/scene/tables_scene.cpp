// The scene itself, its method, and what to do with the result.
#include <fmt/format.h>

#include "tables.h"

namespace repose {

namespace {

const MethodInfo* find_method(const Catalogue& catalogue, const std::string& name) {
  for (const MethodInfo& method : catalogue)
    if (method.name == name) return &method;
  return nullptr;
}

}  // namespace

const ObjectTable<MixedBody>& mixed_body_table() {
  static const auto table = [] {
    constexpr double kMostShare = 1e6;
    ObjectTable<MixedBody> t("mixed_body", "A further pattern of a set of instances.");
    t.nested(&MixedBody::body, pattern_table(),
             {.name = "body", .required = true, .meaning = "What is repeated."});
    t.field(&MixedBody::share, {.name = "share",
                                .unit = "1",
                                .range = {1.0 / kMostShare, kMostShare},
                                .meaning = "So many come for each one of the set's own `body`."});
    return t;
  }();
  return table;
}

const ObjectTable<Instances>& instances_table() {
  static const auto table = [] {
    ObjectTable<Instances> t("instances",
                             "Many bodies of one pattern, called NAME-1, NAME-2, ... in order.");
    t.field(&Instances::name,
            {.name = "name", .required = true, .meaning = "First part of names."});
    t.nested(&Instances::body, pattern_table(),
             {.name = "body", .required = true, .meaning = "What is repeated."});
    t.field(&Instances::mixed_with,
            {.name = "mixed_with",
             .meaning = "More patterns: a mixture of several kinds of bodies, evenly in turn."});
    t.field(&Instances::arrange,
            {.name = "arrange", .required = true, .meaning = "Where they stand."});
    return t;
  }();
  return table;
}

const ObjectTable<SceneEvent>& event_table() {
  static const auto table =
      ObjectTable<SceneEvent>("event",
                              "Changes that happen by themselves while the run goes on. Exactly "
                              "one of at_time, at_step and at_rest says when.")
          .field(&SceneEvent::at_time, {.name = "at_time",
                                        .unit = "s",
                                        .range = {0.0, 1e12},
                                        .meaning = "At this simulated time."})
          .field(&SceneEvent::at_step, {.name = "at_step",
                                        .unit = "1",
                                        .range = {0.0, kMostSteps},
                                        .meaning = "At this step."})
          .field(&SceneEvent::at_rest, {.name = "at_rest",
                                        .meaning = "true: when the method reports rest; several "
                                                   "such events happen one at each rest."})
          .field(&SceneEvent::edits,
                 {.name = "edits", .required = true, .meaning = "What changes, in this order."})
          .check([](Reading& reading, JsonView at, const SceneEvent& in) {
            const int whens =
                int{in.at_time.has_value()} + int{in.at_step.has_value()} + int{in.at_rest};
            if (whens == 1) return true;
            return reading.fail(at, whens == 0 ? "it never happens" : "more than one time",
                                "exactly one of at_time, at_step and at_rest");
          });
  return table;
}

const ObjectTable<RecordChoice>& record_table() {
  static const auto table =
      ObjectTable<RecordChoice>("record", "What a run keeps.")
          .field(&RecordChoice::every_steps,
                 {.name = "every_steps",
                  .unit = "1",
                  .range = {1.0, 1e9},
                  .meaning = "A frame each so many steps; first and last always."})
          .field(&RecordChoice::every_time,
                 {.name = "every_time",
                  .unit = "s",
                  .range = {0.0, 1e9},
                  .meaning = "At least this much simulated time between frames; 0: steps decide."})
          .field(&RecordChoice::contacts,
                 {.name = "contacts", .meaning = "Contact points and forces as well."});
  return table;
}

const ObjectTable<ViewChoice>& view_table() {
  static const auto table =
      ObjectTable<ViewChoice>("view", "From where pictures and pages look at first.")
          .field(&ViewChoice::eye, {.name = "eye",
                                    .unit = "m",
                                    .range = kCoordinate,
                                    .default_text = "so that all bodies are in view",
                                    .meaning = "Place of the camera."})
          .field(&ViewChoice::target, {.name = "target",
                                       .unit = "m",
                                       .range = kCoordinate,
                                       .default_text = "the middle of the bodies",
                                       .meaning = "What it looks at."})
          .field(&ViewChoice::view_angle_deg,
                 {.name = "view_angle_deg",
                  .unit = "degree",
                  .range = {1.0, 150.0},
                  .meaning = "From bottom to top of the picture. Larger: stronger perspective."})
          .field(&ViewChoice::azimuth_deg,
                 {.name = "azimuth_deg",
                  .unit = "degree",
                  .range = {-360.0, 360.0},
                  .meaning = "Of pictures: heading of the eye seen from the bodies, where `eye` "
                             "is not given; 0 is +x, turning to +y."})
          .field(&ViewChoice::elevation_deg,
                 {.name = "elevation_deg",
                  .unit = "degree",
                  .range = {-89.0, 89.0},
                  .meaning = "Of pictures: the eye above the horizontal."})
          .color(&ViewChoice::background, {.name = "background",
                                           .unit = "1",
                                           .range = kShare,
                                           .default_text = "the studio's",
                                           .meaning = "Of pictures: linear RGB behind everything."})
          .check([](Reading& reading, JsonView at, const ViewChoice& in) {
            if (in.eye.has_value() != in.target.has_value())
              return reading.fail(at, "a camera needs both its place and what it looks at",
                                  "eye and target, or azimuth_deg and elevation_deg");
            if (!in.eye || *in.eye != *in.target) return true;
            return reading.fail(at, "the camera looks nowhere", "a target that is not the eye");
          });
  return table;
}

const ObjectTable<Limits>& limits_table() {
  static const auto table =
      ObjectTable<Limits>("limits", "When a run ends if it has not come to rest.")
          .field(&Limits::duration, {.name = "duration",
                                     .unit = "s",
                                     .range = {0.0, 1e12, true, false},
                                     .default_text = "no limit",
                                     .meaning = "Simulated time."})
          .field(&Limits::steps, {.name = "steps",
                                  .unit = "1",
                                  .range = {1.0, kMostSteps},
                                  .default_text = "the method's own limit",
                                  .meaning = "Steps."});
  return table;
}

const ObjectTable<Patient>& patient_table() {
  static const auto table =
      ObjectTable<Patient>("patient", "Whose body it is; said and kept, nothing follows from it.")
          .field(&Patient::name, {.name = "name", .meaning = "Name."})
          .field(&Patient::gender, {.name = "gender", .meaning = "As in \"M\"."})
          .field(&Patient::weight,
                 {.name = "weight", .unit = "kg", .range = {0.0, 1e9}, .meaning = "Weight."})
          .field(&Patient::height,
                 {.name = "height", .unit = "m", .range = {0.0, 1e9}, .meaning = "Height."})
          .field(&Patient::age,
                 {.name = "age", .unit = "years", .range = {0.0, 1e9}, .meaning = "Age."});
  return table;
}

const ObjectTable<Scene>& scene_table() {
  static const auto table = [] {
    ObjectTable<Scene> t("scene", "A scene file is one such object.");
    t.constant("repose", 1, "Version of the scene format; the first field of every file.");
    t.field(&Scene::about, {.name = "about", .meaning = "One sentence for lists and pages."});
    t.field(&Scene::method, {.name = "method", .meaning = "How bodies move."});
    t.field(&Scene::gravity, {.name = "gravity",
                              .unit = "m/s^2",
                              .range = {-1e6, 1e6},
                              .meaning = "Acceleration of free fall."});
    t.field(&Scene::seed,
            {.name = "seed",
             .unit = "1",
             .range = {0.0, kLargestSeed},
             .meaning = "Of arrangements that draw at random and name no seed of their own."});
    t.field(&Scene::shapes, {.name = "shapes", .meaning = "Shapes by name."});
    t.field(&Scene::materials, {.name = "materials", .meaning = "Materials by name."});
    t.field(&Scene::groups,
            {.name = "groups", .meaning = "Groups of bodies by name, each with its sentence."});
    t.field(&Scene::bodies, {.name = "bodies", .meaning = "The bodies one by one."});
    t.field(&Scene::instances, {.name = "instances", .meaning = "Bodies of one pattern."});
    t.field(&Scene::forces, {.name = "forces", .meaning = "Forces beside gravity."});
    t.field(&Scene::joints, {.name = "joints", .meaning = "What holds bodies together."});
    t.field(&Scene::events, {.name = "events", .meaning = "Changes while the run goes on."});
    t.field(&Scene::limits, {.name = "limits", .meaning = "When a run ends at the latest."});
    t.field(&Scene::record, {.name = "record", .meaning = "What a run keeps."});
    t.field(&Scene::view, {.name = "view", .meaning = "From where to look."});
    t.field(&Scene::patient,
            {.name = "patient", .default_text = "nobody", .meaning = "Whose body it is."});
    return t;
  }();
  return table;
}

const ObjectTable<Model>& model_table() {
  static const auto table = [] {
    ObjectTable<Model> t("model", "A model file: one shape that scenes use by the file's name.");
    t.constant("repose", 1, "Version of the scene format; the first field of every file.");
    t.field(&Model::about, {.name = "about", .meaning = "One sentence."});
    t.field(&Model::shapes, {.name = "shapes", .meaning = "Shapes by name, for this file alone."});
    t.field(&Model::shape, {.name = "shape", .required = true, .meaning = "What the model is."});
    return t;
  }();
  return table;
}

namespace {

/// One setting, by its name of today or of old.
bool read_given(Reading& r, JsonView key, JsonView value, const std::vector<SettingInfo>& rows,
                SettingValues& out) {
  const std::string name = key.text();
  const SettingInfo* row = find_setting(rows, name);
  if (!row->number_is.empty() && value.kind() == JsonKind::number)
    row = find_setting(rows, row->number_is);
  SettingValue read;
  if (!read_setting(r, value, *row, read)) return false;
  auto given = given_setting(rows, name, read);
  if (!given) return r.fail(value, given.error());
  for (auto& [today, checked] : given->values)
    if (!out.emplace(today, std::move(checked)).second)
      return r.fail(key, "`" + today + "` is given twice, by an old name or in an old way",
                    "one of the two");
  if (!given->note.empty()) {
    InputError place = key.error(given->note, "");
    place.value.clear();
    r.notes.push_back(place.text());
  }
  return true;
}

}  // namespace

bool Codec<MethodChoice>::read(Reading& r, JsonView at, const FieldInfo&, MethodChoice& out) {
  out.source = {r.document, at.index()};
  ObjectInfo kinds{"method", "", {}, {}};
  for (const MethodInfo& method : *r.catalogue) kinds.kinds.push_back({method.name, "", {}, {}});
  if (read_kind(r, at, kinds) < 0) return false;
  out.kind = at.find("kind")->text();
  const MethodInfo& method = *find_method(*r.catalogue, out.kind);
  std::vector<std::string> known{"kind"};
  for (const SettingInfo& row : method.settings) known.push_back(row.name);
  return at.each_member([&](JsonView key, JsonView value) {
    const std::string name = key.text();
    if (name == "kind") return true;
    if (find_setting(method.settings, name) == nullptr)
      return fail_unknown_key(r, key, known, "method " + out.kind);
    return read_given(r, key, value, method.settings, out.settings);
  });
}

Json Codec<MethodChoice>::write(const MethodChoice& choice) {
  Json::Object out{{"kind", choice.kind}};
  for (const auto& [name, value] : choice.settings) out.emplace_back(name, write_setting(value));
  return out;
}

bool Codec<MethodChoice>::same(const MethodChoice& a, const MethodChoice& b) {
  return a.kind == b.kind && std::equal(a.settings.begin(), a.settings.end(), b.settings.begin(),
                                        b.settings.end(), [](const auto& x, const auto& y) {
                                          return x.first == y.first &&
                                                 same_setting(x.second, y.second);
                                        });
}

}  // namespace repose
