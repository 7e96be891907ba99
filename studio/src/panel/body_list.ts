// Every body by name, what can be done with the one that is selected, and the joints and forces there are.
import type { SocketSource } from "../source/socket_source";
import { reachOf } from "../view/ghost_body";
import { Edit, button, copyName, freezeBoxes, matterFields, nudgePad } from "./body_tools";
import { element, section, shortNumber } from "./dom";

const kMostRows = 400;

export interface BodyActions {
  select(body: number): void;
  place(body: number): void;
  hide(body: number): void;
  alone(body: number): void;
  /** Sees through it, or no more; null where it cannot be. */
  glass(body: number): (() => void) | null;
  showAll(): void;
  edit: Edit;
}

export class BodyList {
  readonly panel = element("div", "bodies");
  readonly ties = element("ul", "ties");
  private readonly find = element("input");
  private readonly list = element("ul");
  private readonly tools = element("div");
  private selected = -1;

  /** `tie`: how joints and forces are put in. */
  constructor(
    private readonly source: SocketSource,
    private readonly actions: BodyActions,
    tie: HTMLElement,
  ) {
    this.find.type = "search";
    this.find.placeholder = "Find a body";
    this.find.setAttribute("aria-label", "Find a body");
    this.find.addEventListener("input", () => this.build());
    this.panel.append(this.tools, tie, this.find, this.list);
  }

  build(): void {
    const { bodies } = this.source;
    const wanted = this.find.value.toLowerCase();
    const found = [...bodies.keys()].filter((i) => bodies[i].name.toLowerCase().includes(wanted));
    this.find.hidden = bodies.length < 8;
    const rows = found.slice(0, kMostRows).map((i) => {
      const body = bodies[i];
      const name = element("button", "link", body.name);
      name.type = "button";
      name.addEventListener("click", () => this.actions.select(i));
      const fact = body.fixed ? "fixed" : body.mass > 0 ? `${shortNumber(body.mass)} kg` : "";
      const row = element("li", "", name, element("span", "", fact));
      row.dataset.body = String(i);
      return row;
    });
    if (found.length > kMostRows) rows.push(element("li", "note", `and ${found.length - kMostRows} more`));
    this.list.replaceChildren(...rows);
    this.buildTies();
    this.select(this.selected < bodies.length ? this.selected : -1);
  }

  select(body: number): void {
    this.selected = body;
    for (const row of this.list.querySelectorAll("li")) row.classList.toggle("selected", row.dataset.body === String(body));
    const info = this.source.bodies[body];
    if (!info) {
      const what = this.source.head.touch === "drag" ? "Drag a body to pull it; click it to select it." : "Click a body to select it.";
      this.tools.replaceChildren(element("p", "note", what));
      return;
    }
    const { edit } = this.actions;
    const { edits, touch } = this.source.head;
    const moves = touch !== "none" && !info.fixed;
    const copy = () =>
      edit("replicate", info.name, { name: copyName(this.source, info.name), move: this.clearOf(body) });
    this.tools.replaceChildren(
      element(
        "div",
        "tools",
        ...(touch === "hold" && moves ? [button("Take", "Move it by hand (G)", () => this.actions.place(body))] : []),
        info.fixed
          ? button("Free", "It may move", () => edit("free", info.name))
          : button("Fix", "It stays where it is", () => edit("fix", info.name)),
        ...(edits.includes("stick") && moves ? [button("Stick", "It stays with everything it touches", () => edit("stick", info.name))] : []),
        button("Copy", "Another one above all (Ctrl-D)", copy),
        button("Delete", "It goes (Del)", () => edit("remove", info.name)),
        button("Hide", "Do not draw it (H: draw all again)", () => this.actions.hide(body)),
        button("Alone", "Draw nothing else", () => this.actions.alone(body)),
        ...(this.actions.glass(body) ? [button("Glass", "See through it", () => this.actions.glass(body)?.())] : []),
        button("Show all", "Nothing hidden, nothing seen through (H)", () => this.actions.showAll()),
      ),
      ...(moves && touch === "hold" ? [nudgePad(this.source, body, edit)] : []),
      ...(moves && edits.includes("freeze") ? [freezeBoxes(this.source, body, edit)] : []),
      ...(touch !== "none" ? [section("Material", this.matterOpen, matterFields(this.source, body, edit))] : []),
    );
    this.tools.querySelector("details")?.addEventListener("toggle", (event) => {
      this.matterOpen = (event.target as HTMLDetailsElement).open;
    });
  }
  private matterOpen = false;

  copy(): void {
    const info = this.source.bodies[this.selected];
    if (info) this.actions.edit("replicate", info.name, { name: copyName(this.source, info.name), move: this.clearOf(this.selected) });
  }

  private buildTies(): void {
    const nameOf = (body: number) => this.source.bodies[body]?.name ?? "the world";
    this.ties.replaceChildren(
      ...this.source.ties.map(({ kind, name, a, b }) => {
        const row = element("li", "", element("span", "", `${name || kind}: ${kind}, ${nameOf(a)}${kind === "push" ? "" : ` and ${nameOf(b)}`}`));
        if (name) row.append(button("Remove", `Takes ${name} out`, () => this.actions.edit("remove", name)));
        return row;
      }),
    );
    if (!this.source.ties.length) this.ties.append(element("li", "note", "None. Select a body to put one in."));
  }

  /** A way up that leads past everything. */
  private clearOf(body: number): number[] {
    const { up } = this.source.head;
    const { positions } = this.source.frame(0);
    const height = (i: number) => [0, 1, 2].reduce((sum, c) => sum + up[c] * positions[3 * i + c], 0);
    const highest = Math.max(...this.source.bodies.map((_, i) => height(i)));
    return up.map((u) => u * (highest - height(body) + 4 * reachOf(this.source, body)));
  }
}
