// Every body by name, and what can be done with the one that is selected.
import type { SocketSource } from "../source/socket_source";
import { element, shortNumber } from "./dom";

const kMostRows = 400;

export interface BodyActions {
  select(body: number): void;
  place(body: number): void;
  edit(kind: string, target: string, values?: Record<string, unknown>): void;
}

export class BodyList {
  readonly panel = element("div", "bodies");
  private readonly list = element("ul");
  private readonly tools = element("div", "tools");
  private selected = -1;

  constructor(
    private readonly source: SocketSource,
    private readonly actions: BodyActions,
  ) {
    this.panel.append(this.tools, this.list);
  }

  build(): void {
    const { bodies } = this.source;
    const rows = bodies.slice(0, kMostRows).map((body, i) => {
      const button = element("button", "link", body.name);
      button.type = "button";
      button.addEventListener("click", () => this.actions.select(i));
      const fact = body.fixed ? "fixed" : body.mass > 0 ? `${shortNumber(body.mass)} kg` : "";
      return element("li", "", button, element("span", "", fact));
    });
    if (bodies.length > kMostRows)
      rows.push(element("li", "note", `and ${bodies.length - kMostRows} more`));
    this.list.replaceChildren(...rows);
    this.select(this.selected < bodies.length ? this.selected : -1);
  }

  select(body: number): void {
    this.selected = body;
    [...this.list.children].forEach((row, i) => row.classList.toggle("selected", i === body));
    const info = this.source.bodies[body];
    if (!info) {
      this.tools.replaceChildren(element("p", "note", "Click a body to select it."));
      return;
    }
    const { edit } = this.actions;
    const button = (label: string, title: string, act: () => void) => {
      const out = element("button", "tool", label);
      out.type = "button";
      out.title = title;
      out.addEventListener("click", act);
      return out;
    };
    const copy = () => {
      const names = new Set(this.source.bodies.map(({ name }) => name));
      let number = 2;
      while (names.has(`${info.name}-${number}`)) ++number;
      edit("replicate", info.name, {
        name: `${info.name}-${number}`,
        move: this.clearOf(body),
      });
    };
    this.tools.replaceChildren(
      ...(this.source.head.touch === "hold" && !info.fixed
        ? [button("Take", "Move it by hand (G)", () => this.actions.place(body))]
        : []),
      info.fixed
        ? button("Free", "It may move", () => edit("free", info.name))
        : button("Fix", "It stays where it is", () => edit("fix", info.name)),
      button("Copy", "Another one above all", copy),
      button("Delete", "It goes (Del)", () => edit("remove", info.name)),
    );
  }

  /** A way up that leads past everything. */
  private clearOf(body: number): number[] {
    const { up } = this.source.head;
    const { positions } = this.source.frame(0);
    const height = (i: number) =>
      [0, 1, 2].reduce((sum, c) => sum + up[c] * positions[3 * i + c], 0);
    const highest = Math.max(...this.source.bodies.map((_, i) => height(i)));
    const own = this.source.shapes[this.source.bodies[body].shape];
    const points = "points" in own ? own.points : [];
    let size = own.kind === "ball" ? 2 * own.radius : 0;
    for (const x of points) size = Math.max(size, 2 * Math.abs(x));
    return up.map((u) => u * (highest - height(body) + 2 * size));
  }
}
