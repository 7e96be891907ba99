// Every body by name: find it, hide it, show it alone, see through it. The same on report pages and in the studio.
import type { FrameSource } from "../source/frame_source";
import type { Stage } from "../view/stage";
import { element, shortNumber } from "./dom";

const kMostRows = 400;

export class BodiesPanel {
  readonly panel = element("div", "bodies");
  private readonly list = element("ul");
  private readonly note = element("p", "note");
  private readonly search = element("input", "search");
  private selected = -1;

  constructor(
    private readonly source: FrameSource,
    private readonly stage: Stage,
    private readonly select: (body: number) => void,
  ) {
    this.search.type = "search";
    this.search.placeholder = "Find a body";
    this.search.setAttribute("aria-label", "Find a body by name");
    this.search.addEventListener("input", () => this.build());
    const all = element("button", "tool", "Show all");
    all.type = "button";
    all.title = "Nothing hidden, nothing seen through (H)";
    all.addEventListener("click", () => this.showAll());
    this.panel.append(element("div", "finder", this.search, all), this.list, this.note);
    this.build();
  }

  showAll(): void {
    this.stage.showAll();
    this.build();
  }

  /** Names, each with all that bear it: a soft body that is sampled anew is drawn as another one from then on. */
  private get named(): Map<string, number[]> {
    const out = new Map<string, number[]>();
    this.source.bodies.forEach(({ name }, index) => out.set(name, [...(out.get(name) ?? []), index]));
    return out;
  }
  get count(): number {
    return this.named.size;
  }

  build(): void {
    const wanted = this.search.value.trim().toLowerCase();
    const found = [...this.named].filter(([name]) => name.toLowerCase().includes(wanted));
    this.list.replaceChildren(...found.slice(0, kMostRows).map(([, all]) => this.row(all)));
    this.note.textContent =
      found.length > kMostRows
        ? `and ${found.length - kMostRows} more: type a part of a name`
        : found.length === 0
          ? "No body has this in its name."
          : "";
    this.mark(this.selected);
  }

  mark(body: number): void {
    this.selected = body;
    const name = this.source.bodies[body]?.name;
    for (const row of this.list.children)
      row.classList.toggle("selected", (row as HTMLElement).dataset.name === name);
  }

  /** The one of these that is there in the frame that is shown. */
  private present(all: readonly number[]): number {
    const frame = this.stage.frameShown;
    const there = ({ firstFrame, lastFrame }: { firstFrame: number; lastFrame: number }) => frame >= firstFrame && frame <= lastFrame;
    return all.find((index) => there(this.source.bodies[index])) ?? all[0];
  }

  private row(all: readonly number[]): HTMLElement {
    const index = all[0];
    const body = this.source.bodies[index];
    const { stage } = this;
    const name = element("button", "link", body.name);
    name.type = "button";
    name.addEventListener("click", () => this.select(this.present(all)));
    const fact = body.fixed ? "fixed" : body.mass > 0 ? `${shortNumber(body.mass)} kg` : "";
    const toggle = (label: string, title: string, on: boolean, change: (on: boolean) => void) => {
      const out = element("button", on ? "mini on" : "mini", label);
      out.type = "button";
      out.title = `${title}: ${body.name}`;
      out.setAttribute("aria-label", out.title);
      out.setAttribute("aria-pressed", String(on));
      out.addEventListener("click", () => {
        change(!on);
        this.build();
      });
      return out;
    };
    const row = element("li", "", name, element("span", "fact", fact));
    if (this.source.shapes[body.shape].kind !== "half_space")
      row.append(
        toggle("hide", "Hide", stage.isHidden(index) && !stage.isolates, (on) => {
          for (const one of all) stage.hideBody(one, on);
        }),
        toggle("only", "Show alone", stage.isIsolated(index), (on) => stage.isolate(on ? all : [])),
      );
    if (stage.canSeeThrough(index))
      row.append(toggle("glass", "See through", stage.isSeenThrough(index), (on) => {
        for (const one of all) stage.seeThrough(one, on);
      }));
    row.dataset.body = String(index);
    row.dataset.name = body.name;
    return row;
  }
}
