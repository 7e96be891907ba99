#include "repose/farm/job.h"

namespace repose::farm {

std::string job_schema() {
  return R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "A farm of Repose: many runs, each a scene with changes",
  "type": "object",
  "required": ["farm", "scenes"],
  "additionalProperties": false,
  "properties": {
    "farm": {"const": 1, "description": "Version of the format."},
    "about": {"type": "string", "description": "One sentence."},
    "scenes": {"type": "array", "minItems": 1, "items": {"type": "string"},
      "description": "Paths, looked for beside the job, or gallery names."},
    "vary": {"type": "array", "description": "Axes of a grid: every value with every value of the others.",
      "items": {"type": "object", "additionalProperties": false,
        "properties": {
          "pointer": {"type": "string", "pattern": "^/", "description": "A JSON pointer into the scene, as in /bodies/1/position/2."},
          "setting": {"type": "string", "description": "METHOD.NAME, as --set has it."},
          "seed": {"const": true, "description": "The scene's seed."},
          "values": {"type": "array", "minItems": 1, "description": "JSON values."},
          "from": {"type": "number", "description": "Instead of values: the first; of seeds they follow one another."},
          "to": {"type": "number", "description": "... and the last."},
          "count": {"type": "integer", "minimum": 1, "description": "... and how many, evenly."},
          "log": {"type": "boolean", "default": false, "description": "Evenly in the logarithm."}}}},
    "draws": {"type": "object", "additionalProperties": false, "required": ["count"],
      "description": "Values drawn at random, anew for every draw; every point of the grid sees the same draws.",
      "properties": {
        "count": {"type": "integer", "minimum": 1},
        "seed": {"type": "integer", "minimum": 0, "default": 1},
        "at": {"type": "array", "items": {"type": "object", "additionalProperties": false, "required": ["pointer"],
          "properties": {
            "pointer": {"type": "string", "pattern": "^/"},
            "low": {"description": "A number, or a list of numbers."},
            "high": {"description": "As many."},
            "rotation": {"type": "boolean", "description": "A rotation drawn uniformly, as w, x, y, z, instead of low and high."}}}}}},
    "limits": {"type": "object", "additionalProperties": false, "description": "Of one run.",
      "properties": {
        "seconds": {"type": "number", "minimum": 0, "default": 0, "description": "Of wall time; 0: none."},
        "memory_mb": {"type": "number", "minimum": 0, "default": 0, "description": "Of data; 0: none."},
        "steps": {"type": "integer", "minimum": 0, "description": "Instead of the scene's."},
        "retries": {"type": "integer", "minimum": 0, "maximum": 100, "default": 2, "description": "Of a run whose process died."}}},
    "keep": {"type": "object", "additionalProperties": false,
      "properties": {
        "recordings": {"enum": ["none", "failures", "all"], "default": "failures"},
        "pictures": {"type": "integer", "minimum": 0, "maximum": 1000, "default": 24,
          "description": "Runs that are drawn for the page, failures first."}}}
  }
}
)";
}

}  // namespace repose::farm
