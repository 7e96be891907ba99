"""The matrix of kinds as a sheet: a row a kind, with what came of its runs."""
import json
import pathlib

HEADS = [("method", "word"), ("kind", "word"), ("friction", "measure"), ("runs", "count"), ("at rest and proven", "count"),
         ("overlapping", "count"), ("beneath the ground", "count"), ("crashed", "count"), ("median CPU s", "time"), ("worst CPU s", "time")]


def _row(key, cells):
    seconds = sorted(cell["seconds"] for cell in cells)
    proven = [cell for cell in cells if cell["status"] in ("rest", "metastable") and cell["verdict"] == "proven"]
    return [*key, len(cells), len(proven), sum(cell["overlap"] == "missed" for cell in cells), sum(cell["passed"] for cell in cells),
            sum(cell["status"] == "crashed" for cell in cells), seconds[len(seconds) // 2], seconds[-1]]


def matrix_sheet(file, quick):
    cells = json.loads(pathlib.Path(file).read_text())["cells"]
    groups = {}
    for cell in cells:
        groups.setdefault((cell["method"], cell["moving"], cell["friction"]), []).append(cell)
    rows = [_row(key, found) for key, found in groups.items()]
    proven = sum(row[4] for row in rows)
    figure = {"id": "proven", "what": "placements at rest and proven, of those tried", "unit": "share", "holds": "measure", "published": None,
              "source": "", "ours": proven / max(1, len(cells)), "ratio": None, "less_is_better": False, "peers": []}
    table = {"id": "kinds", "title": "Every kind on every other: runs at rest and proven, by the kind that moves",
             "columns": [{"name": name, "holds": holds} for name, holds in HEADS], "rows": rows,
             "notes": ["matrix/index.html beside this page colours every cell."]}
    return {"repose_bench": 1, "name": "matrix", "command": "./repose bench matrix" + (" --quick" if quick else ""), "quick": quick,
            "cpu_seconds": 0.0, "tables": [table], "figures": [figure], "growth": []}
