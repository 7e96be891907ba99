// The page docs/scene-format.md from the tables of the format.
#include <cmath>

#include <fmt/format.h>

#include "repose/scene/format.h"

namespace repose {

namespace {

constexpr const char* kHead = R"(# Scene format, version 1

This page is made from the tables that the reader itself uses (scene_format_markdown()); a test
keeps it up to date. `repose schema` prints the same as JSON Schema, with the methods' settings.

A scene is a JSON file (UTF-8) in which `//` and `/* */` comments and a comma after the last element
are allowed. Units are SI, z is up, frames are right-handed, quaternions are written w, x, y, z.
Numbers are finite and of magnitude at most 1e30; brackets nest at most 64 deep; a file holds at most
128 MiB. Keys that are not on this page are errors, as are keys that stand twice. Every error names
file, line, column, JSON pointer, the value, and what would be right:

    lamp.json:12:17: /bodies/3/shape: there is no such shape (got "torsu"); did you mean "torus"?

## A first scene

```json
{
  "repose": 1,
  "about": "A ball above the ground.",
  "method": { "kind": "still" },
  "shapes": { "ball": { "kind": "ball", "radius": 0.1 } },
  "materials": { "wood": { "density": 700, "color": [0.5, 0.3, 0.15] } },
  "bodies": [
    { "name": "ground", "shape": { "kind": "half_space" }, "fixed": true, "role": "ground" },
    { "name": "ball", "shape": "ball", "material": "wood", "position": [0, 0, 0.5] }
  ]
}
```

`repose run PATH --out DIR` runs it. Saved as `scenes/still/first.json` of the data folder it is a
scene of the gallery, called `still/first`: `about` is its sentence in `repose list`. The data
folder is `$REPOSE_DATA` if that is set, else the installed `share/repose`, else the source tree.

- **Names.** Shapes, materials and groups are declared by name and used by name; a shape may also be
  written where it is used. Bodies that write the same shape share it. Instances are called
  `NAME-1`, `NAME-2`, ...
- **Mass** is density times volume, exact for curved shapes, unless `mass` says otherwise. A shape
  without volume (an open mesh, endless ground) serves fixed bodies only.
- **Models.** `models/NAME.json` of the data folder holds one shape, used as `{"model": "NAME"}`;
  a name ending in `.json` is a path beside the file that uses it. Mesh files, too, are looked for
  beside the file that names them. A model may use models; circles are refused and printed.
- **Settings** of the method stand beside its `kind`: `"method": {"kind": "place", "epsilon_max":
  0.02}`. On the command line: `--set place.epsilon_max=0.02`.
- **Saving** a scene leaves out fields that hold their default, and comments; every number reads
  back to the same bits.
)";

std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string range_cell(const FieldInfo& field) {
  if (!field.choices.empty()) {
    std::string out;
    for (const std::string& choice : field.choices) out += (out.empty() ? "" : ", ") + choice;
    return out;
  }
  const bool number =
      field.type.base == FieldType::Base::number || field.type.base == FieldType::Base::integer;
  const bool bounded = std::isfinite(field.range.min) || std::isfinite(field.range.max);
  return number && bounded ? field.range.text() : "";
}

void append_fields(std::string& out, const std::vector<FieldInfo>& fields) {
  if (fields.empty()) return;
  out += "\n| field | type | unit | range | default | meaning |\n|---|---|---|---|---|---|\n";
  for (const FieldInfo& field : fields)
    out += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", field.name, cell(field.type.text()),
                       field.unit, cell(range_cell(field)),
                       field.required ? "required" : cell(field.default_text), cell(field.meaning));
}

}  // namespace

std::string scene_format_markdown() {
  std::string out = kHead;
  for (const ObjectInfo& info : scene_format()) {
    out += fmt::format("\n## `{}`\n\n{}\n", info.name, info.about);
    append_fields(out, info.fields);
    for (const ObjectInfo& kind : info.kinds) {
      out += fmt::format("\n### {} of kind `{}`\n\n{}\n", info.name, kind.name, kind.about);
      append_fields(out, kind.fields);
    }
  }
  out +=
      "\n## `method`\n\nThe field `kind` names a method, the others are its settings: see each "
      "method's page, or `repose schema`.\n";
  return out;
}

}  // namespace repose
