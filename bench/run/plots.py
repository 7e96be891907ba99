"""Plots as SVG that take the page's colours."""
import html
import math

WIDTH = 640
SERIES = [f"var(--series-{k})" for k in range(1, 6)]


def _text(x, y, text, anchor="start", size=12, quiet=False):
    style = ' fill="var(--quiet)"' if quiet else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{style}>{html.escape(text)}</text>'


def _svg(height, inside, title):
    return (f'<svg class="bench-plot" viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{html.escape(title)}" '
            f'fill="currentColor">{"".join(inside)}</svg>\n')


def _decades(low, high):
    return [10.0 ** k for k in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]


def _power(value):
    k = round(math.log10(value))
    return {-2: "0.01", -1: "0.1", 0: "1", 1: "10", 2: "100", 3: "1000"}.get(k, f"1e{k}")


def ratios(title, rows):
    """A line a row (label, [(name, ratio)]): how many times the other's figure is ours. To the right of 1 we are ahead."""
    values = [value for _, points in rows for _, value in points if value and value > 0]
    if not values:
        return ""
    low, high = min(values + [0.5]), max(values + [2.0])
    ticks = _decades(low, high)
    left, right, top, line = 250, 16, 44, 24
    names = []
    for _, points in rows:
        names += [name for name, _ in points if name not in names]
    height = top + line * len(rows) + 30 + 18 * ((len(names) + 2) // 3)

    def at(value):
        a, b = math.log(ticks[0]), math.log(ticks[-1])
        return left + (math.log(value) - a) / (b - a) * (WIDTH - left - right)

    out = [_text(0, 16, title, size=14)]
    for tick in ticks:
        strong = tick == 1.0
        out.append(f'<path d="M{at(tick):.1f} {top - 8}V{top + line * len(rows)}" stroke="currentColor" '
                   f'stroke-opacity="{0.7 if strong else 0.15}"/>')
        out.append(_text(at(tick), top - 12, _power(tick), "middle", 11, True))
    for r, (label, points) in enumerate(rows):
        y = top + line * (r + 0.5)
        out.append(_text(left - 10, y + 4, label if len(label) < 36 else label[:34] + "…", "end"))
        for name, value in points:
            if value and value > 0:
                out.append(f'<circle cx="{at(value):.1f}" cy="{y:.1f}" r="5" fill="{SERIES[names.index(name) % 5]}">'
                           f'<title>{html.escape(f"{label}: {name} {value:.3g}")}</title></circle>')
    foot = top + line * len(rows) + 26
    for k, name in enumerate(names):
        x, y = 10 + (k % 3) * 205, foot + 18 * (k // 3)
        out.append(f'<circle cx="{x}" cy="{y - 4}" r="5" fill="{SERIES[k % 5]}"/>' + _text(x + 12, y, name))
    return _svg(height, out, title)


def curves(title, x_label, y_label, series, logs=True):
    """Lines through points: series is [(name, [(x, y)])]."""
    series = [(name, [(x, y) for x, y in points if y is not None and (not logs or (x > 0 and y > 0))]) for name, points in series]
    series = [(name, points) for name, points in series if points]
    if not series:
        return ""
    xs = [x for _, points in series for x, _ in points]
    ys = [y for _, points in series for _, y in points]
    left, right, top, bottom = 70, 16, 44, 46
    height = 300 + 18 * len(series)
    floor = height - bottom - 18 * len(series)
    low_y = min(ys) if logs else min(0.0, min(ys))
    scale = math.log if logs else (lambda v: v)

    def place(value, low, high, a, b):
        span = scale(high) - scale(low)
        return a + ((scale(value) - scale(low)) / span if span else 0.5) * (b - a)

    def px(x):
        return place(x, min(xs), max(xs), left, WIDTH - right)

    def py(y):
        return place(y, low_y, max(ys), floor, top)

    out = [_text(0, 16, title, size=14),
           f'<path d="M{left} {top}V{floor}H{WIDTH - right}" fill="none" stroke="currentColor" stroke-opacity="0.5"/>']
    if logs:
        for tick in _decades(low_y, max(ys)):
            if low_y <= tick <= max(ys):
                out.append(f'<path d="M{left} {py(tick):.1f}H{WIDTH - right}" stroke="currentColor" stroke-opacity="0.15"/>')
    out += [_text(left, floor + 16, f"{min(xs):.4g}"), _text(WIDTH - right, floor + 16, f"{max(xs):.4g}", "end"),
            _text((left + WIDTH) / 2, floor + 32, x_label, "middle", quiet=True),
            _text(left - 6, floor, f"{low_y:.2g}", "end"), _text(left - 6, top + 6, f"{max(ys):.2g}", "end"),
            _text(left, top - 10, y_label, quiet=True)]
    for k, (name, points) in enumerate(series):
        color = SERIES[k % 5]
        path = "L".join(f"{px(x):.1f} {py(y):.1f}" for x, y in points)
        out.append(f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        out += [f'<circle cx="{px(x):.1f}" cy="{py(y):.1f}" r="3.5" fill="{color}"/>' for x, y in points]
        y = floor + 52 + 18 * k
        out.append(f'<circle cx="{left}" cy="{y - 4}" r="5" fill="{color}"/>' + _text(left + 12, y, name))
    return _svg(height, out, title)
