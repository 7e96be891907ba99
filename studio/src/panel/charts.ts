// What was measured of the last state: figures, curves and histograms that do not change with time.
import uPlot from "uplot";
import type { About, Chart } from "../source/frame_source";
import { element, shortNumber } from "./dom";
import { kAxis, paint } from "./ink";

const kHeight = 140; // CSS pixels
const kBarWidth = 0.82; // of the room between two bars

function draw(chart: Chart, holder: HTMLElement): void {
  const room = chart.x.length > 1 ? chart.x[1] - chart.x[0] : 1;
  const plot = new uPlot(
    {
      width: Math.max(120, holder.clientWidth),
      height: kHeight,
      padding: [8, 14, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: {
        // bars need half a bar's room at both ends
        x: {
          time: false,
          range: (_, low, high) => (chart.bars ? [low - room / 2, high + room / 2] : [0, high]),
        },
        y: { range: (_, __, high) => [0, high > 0 ? 1.08 * high : 1] },
      },
      axes: [
        { ...kAxis, size: 24, space: 50, label: chart.xLabel, labelSize: 16, labelFont: kAxis.font },
        {
          ...kAxis,
          size: 50,
          space: 26,
          values: (_, ticks) => ticks.map((v) => shortNumber(v)),
        },
      ],
      series: [
        {},
        {
          stroke: () => paint("--series-1"),
          fill: chart.bars ? () => paint("--series-1") : undefined,
          width: chart.bars ? 0 : 1.5,
          points: { show: false },
          paths: chart.bars ? uPlot.paths.bars!({ size: [kBarWidth, Infinity] }) : undefined,
        },
      ],
    },
    [[...chart.x], [...chart.y]],
    holder,
  );
  new ResizeObserver(() => {
    if (holder.clientWidth > 0) plot.setSize({ width: holder.clientWidth, height: kHeight });
  }).observe(holder);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
    plot.redraw(false, false),
  );
}

export function measuredPart({ measured, charts }: About): HTMLElement {
  const out = element(
    "div",
    "plots state",
    element(
      "dl",
      "settings",
      ...measured.map(([name, text]) =>
        element("div", "", element("dt", "", name), element("dd", "mono", text)),
      ),
    ),
  );
  for (const chart of charts) {
    if (!chart.y.some((y) => y !== 0)) continue; // nothing was measured
    const canvas = element("div", "chart");
    out.append(
      element("figure", "plot", element("figcaption", "", element("span", "", chart.title)), canvas),
    );
    requestAnimationFrame(() => draw(chart, canvas));
  }
  return out;
}
