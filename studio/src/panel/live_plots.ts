// Plots of a run under way: they grow as samples come.
import uPlot from "uplot";
import type { FrameSource, Series } from "../source/frame_source";
import { element, shortNumber } from "./dom";
import { kAxis, paint } from "./ink";
import { kInks } from "./plots";

const kHeight = 116; // CSS pixels
const kEvery = 200; // ms between two drawings
const kMostPlots = 12;

export class LivePlot {
  readonly figure: HTMLElement;
  private readonly reading = element("span", "reading");
  private readonly holder = element("div", "chart");
  private chart: uPlot | null = null;

  constructor(
    private readonly title: string,
    private readonly count: number,
    unit: string,
  ) {
    this.figure = element(
      "figure",
      "plot",
      element("figcaption", "", element("span", "", unit ? `${title}, ${unit}` : title), this.reading),
      this.holder,
    );
    new ResizeObserver(() => {
      if (this.holder.clientWidth > 0)
        this.chart?.setSize({ width: this.holder.clientWidth, height: kHeight });
    }).observe(this.holder);
  }

  update(x: Float64Array, series: readonly Series[]): void {
    const group = series.filter(({ plot }) => plot === this.title);
    const last = x.length - 1;
    this.reading.replaceChildren(
      ...group.map(({ name, values }, k) => {
        const label = group.length > 1 ? `${name} ` : "";
        const item = element("span", "", label, element("b", "", shortNumber(values[last])));
        if (group.length > 1) item.style.color = `var(${kInks[k % kInks.length]})`;
        return item;
      }),
    );
    if (this.holder.clientWidth === 0) return; // folded away
    const data = [
      Array.from(x),
      ...group.map(({ values }) => Array.from(values, (v) => (Number.isFinite(v) ? v : null))),
    ] as uPlot.AlignedData;
    if (this.chart) this.chart.setData(data);
    else this.chart = this.make(data);
  }

  private make(data: uPlot.AlignedData): uPlot {
    return new uPlot(
      {
        width: Math.max(120, this.holder.clientWidth),
        height: kHeight,
        padding: [8, 8, 0, 0],
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
        scales: { x: { time: false } },
        axes: [
          { ...kAxis, size: 24, space: 60 },
          { ...kAxis, size: 58, space: 26, values: (_, ticks) => ticks.map((v) => shortNumber(v)) },
        ],
        series: [
          {},
          ...Array.from({ length: this.count }, (_, k) => ({
            stroke: () => paint(kInks[k % kInks.length]),
            width: 1.5,
            points: { show: false },
          })),
        ],
      },
      data,
      this.holder,
    );
  }
}

/** All series of the source, grouped as on the report page. */
export function livePlots(source: FrameSource): HTMLElement {
  const out = element("div", "plots");
  let plots: LivePlot[] = [];
  let known = "";
  let drawn = 0;
  let timer = 0;
  const draw = () => {
    timer = 0;
    drawn = performance.now();
    const series = source.series;
    const names = series.map(({ plot, name }) => `${plot}.${name}`).join();
    if (names !== known) {
      known = names;
      const groups = new Map<string, Series[]>();
      for (const one of series) groups.set(one.plot, [...(groups.get(one.plot) ?? []), one]);
      plots = [...groups].slice(0, kMostPlots).map(([title, group]) => new LivePlot(title, group.length, group[0].unit));
      out.replaceChildren(...plots.map(({ figure }) => figure));
    }
    const x = source.hasTime ? source.sampleTimes : source.sampleSteps;
    for (const plot of plots) plot.update(x, series);
  };
  source.subscribe(({ kind }) => {
    if (kind !== "samples" || timer) return;
    timer = window.setTimeout(draw, Math.max(0, drawn + kEvery - performance.now()));
  });
  return out;
}
