"""repose bench: runs benchmarks, writes their tables, one JSON file and a page."""
import argparse
import json
import os
import pathlib
import platform
import resource
import subprocess
import sys

import page
import sheets
from matrix_sheet import matrix_sheet

# in this order; `user` last, for it draws pages
ALL = ["place", "pile", "mechanism", "mechanism_forces", "molecule", "response", "surfel", "check_pairs", "handover", "growth", "kernels",
       "matrix", "user"]
AGAINST = ["kernels"]  # what a recorded file of instructions is compared with
RATIO = 1.05  # instructions may grow by this factor


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def command_of(name, folder, out, quick):
    program = [str(folder / f"bench_{name}")]
    if name == "matrix":
        # one start a placement in place of five: all of them are a run of their own
        return program + ["--quick", "--out", str(out / "matrix")] + (["--only", "place/*/bowl"] if quick else ["--method", "place"])
    return program + ["--json", str(out / f"{name}.json")] + (["--quick"] if quick else [])


def run_one(name, folder, out, quick):
    """Runs one benchmark; its sheet, or one that says why there is none."""
    file = out / f"{name}.json"
    file.unlink(missing_ok=True)
    before = children_seconds()
    words = command_of(name, folder, out, quick)
    with open(out / f"{name}.txt", "w", encoding="utf-8") as told, subprocess.Popen(
            words, stdout=subprocess.PIPE, text=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}) as running:
        for line in running.stdout:
            print(line, end="", flush=True)
            told.write(line)
    if name == "matrix" and running.returncode in (0, 1):
        file.write_text(json.dumps(matrix_sheet(out / "matrix/matrix.json", quick)))
    sheet = {"repose_bench": sheets.VERSION, "name": name, "command": f"./repose bench {name}" + (" --quick" if quick else ""),
             "quick": quick, "tables": [], "figures": [], "growth": []}
    if file.exists():
        sheet = sheets.read(file)[0]
    if running.returncode != 0:
        sheet["failed"] = f"bench_{name} ended with exit code {running.returncode}"
        print(f"repose: {sheet['failed']}", file=sys.stderr)
    sheet["cpu_seconds"] = children_seconds() - before
    return sheet


def with_earlier(made, out, quick):
    """What was measured now, and what the folder holds of other benchmarks at the same sizes, in the usual order."""
    file = out / "bench.json"
    earlier = sheets.read(file) if file.exists() else []
    names = {sheet["name"] for sheet in made}
    everything = made + [sheet for sheet in earlier if sheet["name"] not in names and sheet["quick"] == quick]
    return sorted(everything, key=lambda sheet: ALL.index(sheet["name"]) if sheet["name"] in ALL else len(ALL))


def write_all(made, out, quick):
    total = sum(sheet["cpu_seconds"] for sheet in made)
    machine = f"{platform.machine()}, {os.cpu_count()} cores"
    lead = (f"{len(made)} benchmark{'' if len(made) == 1 else 's'}, {total:.0f} s of CPU on {machine}. Times are CPU seconds of this machine; ratios of one run count, "
            "absolute times are for orientation. Every peer ran in three settings, and the best of them is the one compared with."
            + (" A quick run: small sizes only." if quick else ""))
    data = {"repose_bench": sheets.VERSION, "quick": quick, "machine": machine, "cpu_seconds": total, "sheets": made}
    (out / "bench.json").write_text(json.dumps(data, indent=1) + "\n")
    (out / "index.html").write_text(page.page(made, lead))
    print(f"\n{total:.0f} s of CPU; figures: {out / 'bench.json'}; page: {out / 'index.html'}")


def compare(made, file, ratio):
    recorded, now = sheets.instructions(sheets.read(file)), sheets.instructions(made)
    if not recorded:
        raise sheets.BadSheet(f"{file}: holds no instructions of kernels; `./repose bench kernels` makes such a file")
    worse = sheets.worse_than(recorded, now, ratio)
    print("\n".join(worse) if worse else f"no kernel needs more than {ratio} times the instructions of {file}")
    return 1 if worse else 0


def read_words(words):
    parser = argparse.ArgumentParser(prog="repose bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(ALL)}; all of them without a name")
    parser.add_argument("--quick", action="store_true", help="small sizes: under four minutes in all")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("bench-out"), help="folder for tables, JSON and page (bench-out)")
    parser.add_argument("--against", type=pathlib.Path, metavar="FILE",
                        help="compare the instructions of kernels with this file; exit code 1 above --ratio")
    parser.add_argument("--ratio", type=float, default=RATIO, help=f"of instructions, now to recorded ({RATIO})")
    parser.add_argument("--same", nargs=2, metavar="FILE", help="compare verdicts, hashes and counts of two runs, and run nothing")
    return parser.parse_args(words)


def main(folder, words):
    options = read_words(words)
    try:
        if options.same:
            found = sheets.differences(sheets.read(options.same[0]), sheets.read(options.same[1]))
            print("\n".join(found) if found else "the same verdicts, hashes and counts")
            return 1 if found else 0
        if options.against:
            sheets.read(options.against)
        names = options.names or (AGAINST if options.against else ALL)
        unknown = [name for name in names if not (folder / f"bench_{name}").exists()]
        if unknown and options.names:
            there = sorted(p.name[6:] for p in folder.glob("bench_*") if p.is_file() and not p.suffix and p.name != "bench_all")
            print(f"repose: no benchmark '{unknown[0]}': there are {', '.join(there)}", file=sys.stderr)
            return 2
        options.out.mkdir(parents=True, exist_ok=True)
        made = []
        for name in names:
            if name in unknown:
                print(f"\n{name}: skipped, its program is not built", flush=True)
                continue
            print(f"\n== {name}", flush=True)
            made.append(run_one(name, folder, options.out.resolve(), options.quick))
        write_all(with_earlier(made, options.out, options.quick), options.out, options.quick)
        code = compare(made, options.against, options.ratio) if options.against else 0
        return max([code] + [1 for sheet in made if sheet.get("failed")])
    except (sheets.BadSheet, OSError) as why:
        print(f"repose: {why}", file=sys.stderr)
        return 2
