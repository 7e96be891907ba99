"""tabletops.py [COUNT]: random tables of ten bodies, settled and judged; says how many are proven and what a table takes.

Ends with 0 where at least 99 of 100 are proven.
"""
import json
import math
import sys
import time

import numpy

import repose

BODIES = 10
LEAST_PROVEN = 0.99


def random_shape(random):
    """One of the things on a table, a few centimetres large."""
    size = random.uniform(0.02, 0.05)
    return [{"kind": "ball", "radius": size},
            {"kind": "box", "size": [2 * size, 1.6 * size, 1.2 * size]},
            {"kind": "cylinder", "radius": size, "height": 1.5 * size},
            {"kind": "cone", "radius": size, "height": 1.8 * size},
            {"kind": "ellipsoid", "radii": [size, 0.8 * size, 0.6 * size]},
            {"kind": "torus", "ring_radius": size, "tube_radius": 0.3 * size},
            {"kind": "capsule", "radius": 0.5 * size, "height": 1.5 * size}][random.integers(7)]


def random_table(seed):
    """Ten bodies above a table, in three layers, each in a cell of its own, turned at random."""
    random = numpy.random.default_rng(seed)
    cells = [(x, y, z) for z in range(3) for x in range(2) for y in range(2)]
    bodies = [{"name": "table", "shape": {"kind": "half_space"}, "fixed": True, "role": "ground"}]
    for k in range(BODIES):
        q = random.normal(size=4)
        bodies.append({"name": f"thing-{k + 1}", "shape": random_shape(random),
                       "position": numpy.array([0.2, 0.2, 0.2]) * cells[k] + [0, 0, 0.11] + random.uniform(-0.005, 0.005, 3),
                       "orientation_wxyz": q / numpy.linalg.norm(q)})
    return {"about": "A random table.", "method": {"kind": "place"}, "bodies": bodies, "limits": {"steps": 4000}}


def settled(scene):
    """The scene at rest: settled, and where that is not proven set down anew from where it came to."""
    told = repose.settle(scene)
    rest = json.loads(told["text"])
    verdict = repose.load(dict(rest, method={"kind": "still"})).check()
    if verdict["verdict"] != "proven":
        session = repose.load(rest)
        session.run()
        verdict = session.check()
    return told["how"], verdict


def main(count):
    proven, seconds = 0, []
    for seed in range(count):
        start = time.process_time()
        how, verdict = settled(random_table(seed))
        seconds.append(time.process_time() - start)
        good = verdict["verdict"] == "proven"
        proven += good
        if not good:
            print(f"table {seed}: by {how}; {verdict['verdict']}: {verdict['why']}", flush=True)
    print(f"{proven} of {count} tables proven; {numpy.median(seconds):.2f} s of CPU a table (median), {max(seconds):.2f} s at most")
    return 0 if proven >= math.floor(LEAST_PROVEN * count) else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
