// Every series over time, with a line where the replay stands. Clicking a plot goes there.
import uPlot from "uplot";
import type { FrameSource, Series } from "../source/frame_source";
import { element, shortNumber } from "./dom";
import { kAxis, paint } from "./ink";
import type { Player } from "./player";

const kHeight = 140; // CSS pixels
const kAtOnce = 8; // plots shown; what a scene has beyond these unfolds
const kSpansDecades = 1e4; // a positive series with a wider range gets a logarithmic axis
const kMostDecades = 4; // labels on a logarithmic axis
export const kInks = ["--series-1", "--series-2", "--series-3", "--series-4", "--series-5"];

function wantsLog(series: readonly Series[]): boolean {
  let low = Number.POSITIVE_INFINITY;
  let high = 0;
  for (const { values } of series)
    for (const value of values) {
      if (value < 0) return false;
      if (value > 0 && value < low) low = value;
      if (value > high) high = value;
    }
  return high > kSpansDecades * low;
}

/** A few powers of ten between the two. */
function decades(low: number, high: number): number[] {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const stride = Math.max(1, Math.ceil((last - first) / kMostDecades));
  const out: number[] = [];
  for (let power = last; power >= first; power -= stride) out.unshift(10 ** power);
  return out;
}

/** As short as they can be and still differ from one another. */
function tickTexts(ticks: (number | null)[]): string[] {
  const texts = ticks.map((v) => (v === null ? "" : shortNumber(v)));
  const shown = texts.filter((text) => text !== "");
  if (new Set(shown).size === shown.length) return texts;
  const known = ticks.filter((v): v is number => v !== null);
  for (let digits = 5; digits < 15; ++digits) {
    const longer = known.map((v) => String(Number(v.toPrecision(digits))));
    if (new Set(longer).size === longer.length)
      return ticks.map((v) => (v === null ? "" : String(Number(v.toPrecision(digits))).replace("-", "−")));
  }
  return texts;
}

const logAxis: uPlot.Axis = {
  splits: (_, __, low, high) => decades(low, high),
  filter: (_, splits) => splits,
};

/** The frame whose step is nearest to `step`. */
function frameAtStep(source: FrameSource, step: number): number {
  let low = 0;
  let high = source.frameCount - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (source.stepOf(middle) <= step) low = middle;
    else high = middle;
  }
  return step - source.stepOf(low) <= source.stepOf(high) - step ? low : high;
}

class Plot {
  private readonly chart: uPlot;

  constructor(
    private readonly source: FrameSource,
    private readonly player: Player,
    series: readonly Series[],
    holder: HTMLElement,
  ) {
    const log = wantsLog(series);
    const x = source.hasTime ? source.sampleTimes : source.sampleSteps;
    const columns = series.map(({ values }) =>
      Array.from(values, (v) => (Number.isFinite(v) && (!log || v > 0) ? v : null)),
    );
    this.chart = new uPlot(
      {
        width: Math.max(120, holder.clientWidth),
        height: kHeight,
        padding: [8, 14, 0, 0],
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 }, sync: { key: "repose" } },
        scales: { x: { time: false }, y: { distr: log ? 3 : 1 } },
        axes: [
          {
            ...kAxis,
            size: 24,
            space: 60,
            label: source.hasTime ? "time, s" : "step",
            labelSize: 15,
            labelFont: kAxis.font,
          },
          {
            ...kAxis,
            size: 58,
            space: 26,
            ...(log ? logAxis : {}),
            values: (_, ticks) => tickTexts(ticks),
          },
        ],
        series: [
          {},
          ...series.map((_, k) => ({
            stroke: () => paint(kInks[k % kInks.length]),
            width: 1.5,
            points: { show: false },
            spanGaps: false,
          })),
        ],
        hooks: { draw: [(chart) => this.drawNow(chart)] },
      },
      [Array.from(x), ...columns] as uPlot.AlignedData,
      holder,
    );
    this.listen();
    new ResizeObserver(() => {
      if (holder.clientWidth > 0) this.chart.setSize({ width: holder.clientWidth, height: kHeight });
    }).observe(holder);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
  }

  redraw(): void {
    this.chart.redraw(false, false);
  }

  private here(): number {
    const { source, player } = this;
    return source.hasTime ? source.timeOf(player.index) : source.stepOf(player.index);
  }

  private drawNow(chart: uPlot): void {
    const x = Math.round(chart.valToPos(this.here(), "x", true));
    const { left, top, width, height } = chart.bbox;
    if (x < left || x > left + width) return;
    chart.ctx.save();
    chart.ctx.strokeStyle = paint("--accent");
    chart.ctx.lineWidth = Math.max(1, devicePixelRatio);
    chart.ctx.beginPath();
    chart.ctx.moveTo(x, top);
    chart.ctx.lineTo(x, top + height);
    chart.ctx.stroke();
    chart.ctx.restore();
  }

  private listen(): void {
    const go = (event: MouseEvent) => {
      const { sampleSteps } = this.source;
      const at = this.chart.posToIdx(event.clientX - this.chart.over.getBoundingClientRect().left);
      this.player.pause();
      this.player.goTo(frameAtStep(this.source, sampleSteps[at]));
    };
    this.chart.over.addEventListener("mousedown", go);
    this.chart.over.addEventListener("mousemove", (event) => {
      if (event.buttons & 1) go(event);
    });
  }
}

export function plots(source: FrameSource, player: Player): HTMLElement {
  const byPlot = new Map<string, Series[]>();
  for (const series of source.series) byPlot.set(series.plot, [...(byPlot.get(series.plot) ?? []), series]);

  const out = element("div", "plots");
  const charts: Plot[] = [];
  const more = element("details", "more", element("summary", "", `${byPlot.size - kAtOnce} more plots`));
  let shown = 0;
  for (const [title, group] of byPlot) {
    const reading = element("span", "reading");
    const canvas = element("div", "chart");
    const unit = group[0].unit;
    (shown++ < kAtOnce ? out : more).append(
      element(
        "figure",
        "plot",
        element("figcaption", "", element("span", "", unit ? `${title}, ${unit}` : title), reading),
        canvas,
      ),
    );
    requestAnimationFrame(() => charts.push(new Plot(source, player, group, canvas)));
    player.onChange((index) => {
      const at = nearestSample(source, source.stepOf(index));
      reading.replaceChildren(
        ...group.map((series, k) => {
          const label = group.length > 1 ? `${series.name} ` : "";
          const item = element("span", "", label, element("b", "", shortNumber(series.values[at])));
          if (group.length > 1) item.style.color = `var(${kInks[k % kInks.length]})`;
          return item;
        }),
      );
    });
  }
  if (shown > kAtOnce) out.append(more);
  player.onChange(() => charts.forEach((chart) => chart.redraw()));
  return out;
}

function nearestSample(source: FrameSource, step: number): number {
  const steps = source.sampleSteps;
  let low = 0;
  let high = steps.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle] < step) low = middle + 1;
    else high = middle;
  }
  return low;
}
