"""The page of a bench: every figure with the published one, ours, the ratio, the peers and the command; plots; all tables. One file, no network."""
import html
import pathlib

import plots
from sheets import TEXT, best_peers, figures, shown

CSS = pathlib.Path(__file__).resolve().parent.parent.parent / "studio/src/page.css"
OWN = """
.wide { overflow-x: auto; margin-bottom: 12px; }
.wide td, .wide th { white-space: nowrap; }
.wide td.free { white-space: normal; min-width: 14rem; }
.bench-plot { width: 100%; min-width: 560px; max-width: 640px; height: auto; display: block; margin: 12px 0 20px; }
details > summary { cursor: pointer; margin: 14px 0 8px; }
.sheet code { font: 12px/1.6 var(--mono); }
.sheet section > p { margin: 0 0 12px; color: var(--quiet); }
@media (max-width: 480px) { .sheet { padding: 32px 14px 64px; } }
"""
LONG = 40  # letters of a cell from which on its column may be broken into lines


def _table(heads, rows, numeric):
    free = [any(isinstance(row[c], str) and len(row[c]) > LONG for row in rows) for c in range(len(heads))]

    def cell(tag, c, text):
        kinds = (["number"] if numeric[c] else []) + (["free"] if free[c] else [])
        return f'<{tag}{f""" class="{" ".join(kinds)}" """ if kinds else ""}>{text}</{tag}>'

    head = "".join(cell("th", c, html.escape(name)) for c, name in enumerate(heads))
    body = "".join("<tr>" + "".join(cell("td", c, html.escape(shown(value))) for c, value in enumerate(row)) + "</tr>\n"
                   for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table></div>\n'


def _peer_words(figure):
    return "; ".join(f"{p['engine']}, {p['setting']}: {shown(p['value'])}" + (f" ({p['note']})" if p["note"] else "")
                     for p in best_peers(figure))


def figure_rows(sheets):
    """What, published, ours, ratio, best of each peer, command: a row a figure."""
    rows = []
    for sheet, f in figures(sheets):
        unit = f" ({f['unit']})" if f["unit"] else ""
        rows.append([f["what"] + unit, f["published"], f["ours"], f["ratio"], _peer_words(f), sheet["command"]])
    return rows


FIGURE_HEADS = ["figure", "published", "ours", "ours / published", "best setting of each peer", "command"]


def _ratio_plot(sheet):
    rows = []
    for f in sheet["figures"]:
        ours = f["ours"]
        if not ours or ours <= 0:
            continue
        turn = (lambda v, o=ours: v / o) if f["less_is_better"] else (lambda v, o=ours: o / v)
        points = [("published", turn(f["published"]))] if f["published"] else []
        points += [(p["engine"], turn(p["value"])) for p in best_peers(f) if p["value"] > 0]
        if points:
            rows.append((f["what"], points))
    return plots.ratios("Times ours; right of 1: Repose is ahead", rows)


def _growth_plot(sheet):
    grown = [g for g in sheet["growth"] if len(g["sizes"]) > 1]
    series = [(f"{g['what']}: exponent {g['exponent']:.2f}", list(zip(g["sizes"], g["seconds"]))) for g in grown]
    out = plots.curves("Cost against size", "size", "CPU s", series)
    memory = [(g["what"], list(zip(g["sizes"], g["megabytes"]))) for g in grown if g["megabytes"]]
    return out + plots.curves("Memory against size", "size", "MB", memory)


def _frame_plot(sheet):
    series = []
    for table in sheet["tables"]:
        names = [column["name"] for column in table["columns"]]
        if names[:1] == ["frame"] and len(table["rows"]) > 2:
            series.append((table["id"], [(row[0], row[1]) for row in table["rows"]]))
    return plots.curves("A frame", "frame", "ms", series, logs=False)


def _sheet_html(sheet):
    out = [f"<section><h2>{html.escape(sheet['name'])}</h2>\n",
           f"<p><code>{html.escape(sheet['command'])}</code>, {sheet['cpu_seconds']:.0f} s of CPU</p>\n"]
    if sheet.get("failed"):
        out.append(f"<p class=\"outcome bad\">{html.escape(sheet['failed'])}</p>")
    drawn = _ratio_plot(sheet) + _growth_plot(sheet) + _frame_plot(sheet)
    out.append(f'<div class="wide">{drawn}</div>\n' if drawn else "")
    for table in sheet["tables"]:
        numeric = [column["holds"] not in TEXT for column in table["columns"]]
        out.append(f"<details><summary>{html.escape(table['title'])}</summary>\n")
        out.append(_table([column["name"] for column in table["columns"]], table["rows"], numeric))
        out += [f"<p>{html.escape(note)}</p>\n" for note in table["notes"]]
        out.append("</details>\n")
    return "".join(out) + "</section>\n"


def page(sheets, lead):
    rows = figure_rows(sheets)
    body = ["<section><h2>Every figure</h2>\n",
            _table(FIGURE_HEADS, rows, [False, True, True, True, False, False]) if rows else "<p>None.</p>",
            "</section>\n"] + [_sheet_html(sheet) for sheet in sheets]
    return ("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Repose, measured</title>\n"
            f"<style>{CSS.read_text()}{OWN}</style>\n</head>\n<body>\n<main class=\"sheet\">\n"
            f"<header><h1>Repose, measured</h1><p>{html.escape(lead)}</p></header>\n{''.join(body)}</main>\n</body>\n</html>\n")
