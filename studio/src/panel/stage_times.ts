// Where the engine's time goes: CPU seconds of each stage since the scene was opened, the longest first, and how much of
// each a step takes as the run goes on.
import { element, shortNumber } from "./dom";
import { LivePlot } from "./live_plots";

const kMostCurves = 5;
const kMostSamples = 1000; // then every second one is dropped
const kTitle = "CPU time of a step";

type Stages = Readonly<Record<string, number | null>>;

export class StageTimes {
  readonly panel: HTMLElement;
  private readonly list = element("ul", "stage-times");
  private readonly chart = element("div", "plots");
  private shown = "";
  private before: { step: number; stages: Stages } | null = null;
  private steps: number[] = [];
  private costs: Record<string, number>[] = []; // ms of each stage, a step, up to each of `steps`
  private plot: LivePlot | null = null;
  private curves = "";

  constructor() {
    this.panel = element("div", "", this.chart, this.list);
  }

  /** Another scene: its stages begin anew. */
  forget(): void {
    this.before = null;
    this.steps = [];
    this.costs = [];
  }

  show(step: number, stages: Stages | undefined): void {
    if (!stages) return;
    this.sample(step, stages);
    const rows = Object.entries(stages)
      .map(([name, seconds]) => [name, seconds ?? 0] as const)
      .filter(([, seconds]) => seconds > 0)
      .sort((a, b) => b[1] - a[1]);
    const text = rows.map(([name, seconds]) => `${name} ${shortNumber(seconds)}`).join();
    if (text === this.shown || !this.panel.closest("details")?.open) return;
    this.shown = text;
    this.draw(rows.slice(0, kMostCurves).map(([name]) => name));
    const most = rows[0]?.[1] ?? 1;
    this.list.replaceChildren(
      ...rows.map(([name, seconds]) => {
        const bar = element("i");
        bar.style.width = `${(100 * seconds) / most}%`;
        return element("li", "", element("span", "", words(name)), element("b", "", `${shortNumber(seconds)} s`), bar);
      }),
    );
  }

  /** What the steps since the last status took; a state gone back to takes what came after it away. */
  private sample(step: number, stages: Stages): void {
    const { before } = this;
    this.before = { step, stages };
    while (this.steps.length && this.steps[this.steps.length - 1] >= step) {
      this.steps.pop();
      this.costs.pop();
    }
    if (!before || step <= before.step) return;
    const cost: Record<string, number> = {};
    for (const [name, seconds] of Object.entries(stages))
      cost[name] = (1000 * Math.max(0, (seconds ?? 0) - (before.stages[name] ?? 0))) / (step - before.step);
    this.steps.push(step);
    this.costs.push(cost);
    if (this.steps.length <= kMostSamples) return;
    this.steps = this.steps.filter((_, i) => i % 2 === 0);
    this.costs = this.costs.filter((_, i) => i % 2 === 0);
  }

  private draw(names: readonly string[]): void {
    if (!names.length || this.steps.length < 2) {
      this.chart.replaceChildren();
      this.plot = null;
      return;
    }
    if (!this.plot || this.curves !== names.join()) {
      this.curves = names.join();
      this.plot = new LivePlot(kTitle, names.length, "ms");
      this.chart.replaceChildren(this.plot.figure);
    }
    this.plot.update(
      Float64Array.from(this.steps),
      names.map((name) => ({ name: words(name), unit: "ms", plot: kTitle, values: Float64Array.from(this.costs, (cost) => cost[name] ?? 0) })),
    );
  }
}

const words = (name: string): string => name.replaceAll("_", " ");
