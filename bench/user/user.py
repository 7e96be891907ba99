#!/usr/bin/env python3
"""bench user [--quick] [--json FILE] [SCENE ...]: what somebody waits for. Runs scenes as `repose run` does, and tells the CPU seconds of loading, solving,
judging and drawing, the seconds by the clock, and the size of the page."""
import json
import pathlib
import subprocess
import sys
import tempfile
import time

SCENES = ["still/tea-set",
          *(f"place/{name}" for name in ("torus-on-cone", "spoon-in-bowl", "stuck-together", "straws-in-glass", "cluttered-scene", "fallen-teapot",
                                         "ice-in-glass", "44-balls-in-bowl", "still-life", "eight-fruits")),
          *(f"pile/{name}" for name in ("box-64", "box-216", "box-1000", "trampoline", "spring-net", "lava-lamp", "pearl-in-shampoo", "polyhedra-in-box",
                                        "fruit-bowl")),
          *(f"mechanism/{name}" for name in ("four-bar", "block-feeder", "double-action-jack", "escapement", "geneva-drive", "wall-20")),
          *(f"molecule/{name}" for name in ("hammock", "performance", "soft-pile", "squeezed-ball")),
          *(f"surfel/{name}" for name in ("newtons-cradle", "two-busts", "jelly"))]
MAIN = ["place/eight-fruits", "pile/box-1000", "mechanism/block-feeder", "molecule/performance", "surfel/two-busts"]  # whose stages are told
QUICK = ["still/tea-set", "place/torus-on-cone", "pile/box-64"]
HEADS = [("scene", "word"), ("load", "time"), ("solve", "time"), ("judge", "time"), ("draw", "time"), ("all", "time"), ("clock", "time"),
         ("page, kB", "time"), ("steps", "count"), ("no overlap", "word"), ("hash", "word"), ("note", "word")]
STAGE_HEADS = [("scene", "word"), ("stage", "chosen"), ("CPU s", "time"), ("share of solving", "time")]
WHOLE = ("total", "solve", "load", "record", "check", "report")  # parts of the run, not stages of the method
MOST_STAGES = 4
TOOL = pathlib.Path(__file__).resolve().parent.parent / "apps/repose/repose"


def top_stages(scene, seconds):
    """Where the time of solving goes: the stages that cost most. One stage may hold others."""
    stages = sorted(((took, name) for name, took in seconds.items() if name not in WHOLE), reverse=True)
    return [[scene, name, took, took / max(seconds["solve"], 1e-9)] for took, name in stages[:MOST_STAGES]]


def run(scene):
    """Exit code, the row of the table and the stages that cost most."""
    with tempfile.TemporaryDirectory() as place:
        start = time.monotonic()
        done = subprocess.run([TOOL, "run", scene, "--out", place, "--json", "--quiet"], capture_output=True, text=True, check=False)
        clock = time.monotonic() - start
        if done.returncode > 1:
            return done.returncode, [scene] + [None] * (len(HEADS) - 2) + [f"exit code {done.returncode}: {done.stderr.strip()}"], []
        result = json.loads(done.stdout)
        s = result["seconds"]
        page = (pathlib.Path(place) / "report.html").stat().st_size / 1000
        return done.returncode, [scene, s["load"], s["solve"], s["check"], s["report"], s["total"], clock, page, result.get("steps"),
                                 result.get("verdict", {}).get("overlap"), result.get("state_hash"),
                                 "a promise was missed" if done.returncode else ""], top_stages(scene, s)


def main(words):
    quick = "--quick" in words
    words = [word for word in words if word != "--quick"]
    file = None
    if "--json" in words:
        at = words.index("--json")
        file = pathlib.Path(words[at + 1])
        del words[at:at + 2]
    title = "What somebody waits for, from scene to page: CPU seconds, and seconds by the clock"
    print(f"\n{title}\n\n| {' | '.join(name for name, _ in HEADS)} |\n|{'---|' * len(HEADS)}")
    rows, stages, worst = [], [], 0
    for scene in words or (QUICK if quick else SCENES):
        code, row, top = run(scene)
        if words or quick or scene in MAIN:
            stages += top
        worst = max(worst, code)
        rows.append(row)
        print("| " + " | ".join("" if v is None else f"{v:.2f}" if isinstance(v, float) else str(v) for v in row) + " |", flush=True)
    if file:
        def table(name, what, heads, found):
            return {"id": name, "title": what, "columns": [{"name": n, "holds": h} for n, h in heads], "rows": found, "notes": []}

        tables = [table("waits", title, HEADS, rows), table("stages", "Where the time of solving goes", STAGE_HEADS, stages)]
        file.write_text(json.dumps({"repose_bench": 1, "name": "user", "command": "./repose bench user" + (" --quick" if quick else ""),
                                    "quick": quick, "cpu_seconds": 0.0, "tables": tables, "figures": [], "growth": []}))
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
