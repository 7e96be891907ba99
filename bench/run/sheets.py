"""What benchmarks tell (bench/README.md has the schema): reading, comparing and fitting it."""
import json
import math
import pathlib

VERSION = 1
SAME = ("word", "count", "measure")  # what comes out alike in two runs
TEXT = ("word", "chosen")  # no numbers


class BadSheet(Exception):
    """A file that is not what it should be; the text says which and why."""


def read(path):
    """The sheets of a file: of one benchmark, or of all in one."""
    try:
        data = json.loads(pathlib.Path(path).read_text())
    except (OSError, ValueError) as why:
        raise BadSheet(f"{path}: {why}") from why
    if not isinstance(data, dict) or data.get("repose_bench") != VERSION:
        raise BadSheet(f"{path}: no file of `repose bench` (repose_bench: {VERSION} is missing)")
    return data.get("sheets", [data])


def figures(sheets):
    """(sheet, figure) of all sheets."""
    return [(sheet, figure) for sheet in sheets for figure in sheet["figures"]]


def best_peers(figure):
    """The peers to compare with: of each engine the best of its settings."""
    return [peer for peer in figure["peers"] if peer["best"] and peer["value"] is not None]


def known_cells(sheet):
    """What must not differ between two runs: (where, value)."""
    for table in sheet["tables"]:
        for r, row in enumerate(table["rows"]):
            for column, cell in zip(table["columns"], row):
                if column["holds"] in SAME:
                    yield (table["id"], r, column["name"]), cell
    for figure in sheet["figures"]:
        if figure["holds"] in SAME:
            yield ("figures", figure["id"], "ours"), figure["ours"]


def differences(first, second):
    """A line for each verdict, count, hash or measure in which two runs differ."""
    out = []
    others = {sheet["name"]: sheet for sheet in second}
    for sheet in first:
        if sheet["name"] not in others:
            out.append(f"{sheet['name']}: only in one of the two")
            continue
        a, b = dict(known_cells(sheet)), dict(known_cells(others[sheet["name"]]))
        for where in sorted(set(a) | set(b), key=str):
            if a.get(where) != b.get(where):
                place = ", ".join(str(part) for part in where)
                out.append(f"{sheet['name']}: {place}: {a.get(where)} and {b.get(where)}")
    return out


def instructions(sheets):
    """Instructions by kernel, where they were counted."""
    out = {}
    for sheet in sheets:
        for table in sheet["tables"]:
            if table["id"] != "instructions":
                continue
            out.update({row[0]: row[1] for row in table["rows"]})
    return out


def worse_than(recorded, now, ratio):
    """A line for each kernel that needs more than `ratio` times the recorded instructions, or is gone."""
    out = []
    for name, before in recorded.items():
        if name not in now:
            out.append(f"{name}: was recorded and is not measured any more")
        elif now[name] > ratio * before:
            out.append(f"{name}: {now[name]:.0f} instructions, {now[name] / before:.3f} times the recorded {before:.0f}")
    return out


def shown(value):
    """A cell as people read it."""
    if value is None:
        return ""
    if not isinstance(value, (int, float)):
        return str(value)
    if value == round(value) and abs(value) < 1e6:
        return f"{value:.0f}"
    if value != 0 and not 1e-3 <= abs(value) < 1e5:
        return f"{value:.1e}"
    digits = 3 if math.isfinite(value) else 0
    return f"{value:.{digits}g}"
