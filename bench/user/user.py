#!/usr/bin/env python3
"""bench user [SCENE ...]: what somebody waits for. Runs scenes as `repose run` does, and tells the CPU seconds of loading, solving,
judging and drawing, the seconds by the clock, and the size of the page."""
import json
import pathlib
import subprocess
import sys
import tempfile
import time

SCENES = ["still/tea-set", "place/torus-on-cone", "place/spoon-in-bowl", "pile/box-64", "pile/box-216", "mechanism/block-feeder",
          "molecule/hammock", "surfel/newtons-cradle"]
tool = pathlib.Path(__file__).resolve().parent.parent / "apps/repose/repose"
print(f"{'scene':<24}{'load':>8}{'solve':>8}{'judge':>8}{'draw':>8}{'all':>8}{'clock':>8}{'page, kB':>10}   CPU seconds")
worst = 0
for scene in sys.argv[1:] or SCENES:
    with tempfile.TemporaryDirectory() as place:
        start = time.monotonic()
        done = subprocess.run([tool, "run", scene, "--out", place, "--json", "--quiet"], capture_output=True, text=True, check=False)
        clock = time.monotonic() - start
        worst = max(worst, done.returncode)
        if done.returncode > 1:
            print(f"{scene:<24}exit code {done.returncode}: {done.stderr.strip()}")
            continue
        s = json.loads(done.stdout)["seconds"]
        page = (pathlib.Path(place) / "report.html").stat().st_size / 1000
        print(f"{scene:<24}{s['load']:8.2f}{s['solve']:8.2f}{s['check']:8.2f}{s['report']:8.2f}{s['total']:8.2f}{clock:8.2f}{page:10.0f}"
              + ("   a promise was missed" if done.returncode else ""))
sys.exit(worst)
