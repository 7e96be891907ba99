// Where the engine's time goes: CPU seconds of each stage since the scene was opened, the longest first.
import { element, shortNumber } from "./dom";

export class StageTimes {
  readonly list = element("ul", "stage-times");
  private shown = "";

  show(stages: Readonly<Record<string, number | null>> | undefined): void {
    const rows = Object.entries(stages ?? {})
      .map(([name, seconds]) => [name, seconds ?? 0] as const)
      .filter(([, seconds]) => seconds > 0)
      .sort((a, b) => b[1] - a[1]);
    const text = rows.map(([name, seconds]) => `${name} ${shortNumber(seconds)}`).join();
    if (text === this.shown || !this.list.closest("details")?.open) return;
    this.shown = text;
    const most = rows[0]?.[1] ?? 1;
    this.list.replaceChildren(
      ...rows.map(([name, seconds]) => {
        const bar = element("i");
        bar.style.width = `${(100 * seconds) / most}%`;
        return element("li", "", element("span", "", name.replaceAll("_", " ")), element("b", "", `${shortNumber(seconds)} s`), bar);
      }),
    );
  }
}
