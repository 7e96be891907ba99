// The bar under the drawing of a run under way: run, step, undo, and where it stands.
import type { Status } from "../source/connection";
import { element } from "./dom";
import { icon } from "./timeline";

const kIcons = {
  run: "M8 5.5v13l10.5-6.5z",
  pause: "M7.5 5.5h3.2v13H7.5zM13.3 5.5h3.2v13h-3.2z",
  step: "M6 5.5v13l8.5-6.5zM15.5 5.5h2.6v13h-2.6z",
  undo: "M9 5 4 10l5 5v-3.5h5a3.5 3.5 0 0 1 0 7H8V21h6a6 6 0 0 0 0-12H9z",
  redo: "M15 5l5 5-5 5v-3.5h-5a3.5 3.5 0 0 0 0 7h6V21h-6a6 6 0 0 1 0-12h5z",
  reset: "M12 5a7 7 0 1 1-6.6 4.7l2.3.8A4.6 4.6 0 1 0 12 7.4V11L7 6.2 12 1.5z",
};
const kPaces: readonly (readonly [number, string])[] = [
  [0.1, "0.1×"],
  [0.25, "0.25×"],
  [1, "1×"],
  [4, "4×"],
  [0, "fastest"],
];

export interface Actions {
  toggle(): void;
  step(): void;
  undo(): void;
  redo(): void;
  reset(): void;
  check(): void;
  gallery(): void;
  help(): void;
  pace(times: number): void;
}

export class Toolbar {
  readonly bar: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly undo: HTMLButtonElement;
  private readonly redo: HTMLButtonElement;
  private readonly clock = element("output", "clock");
  private readonly pace = element("select", "speed");
  private running: boolean | null = null;

  constructor(actions: Actions, menus: readonly HTMLElement[]) {
    const button = (path: string, label: string, act: () => void, className = "tool round") => {
      const out = element("button", className, icon(path));
      out.type = "button";
      out.title = label;
      out.setAttribute("aria-label", label);
      out.addEventListener("click", act);
      return out;
    };
    const word = (label: string, title: string, act: () => void) => {
      const out = element("button", "tool", label);
      out.type = "button";
      out.title = title;
      out.addEventListener("click", act);
      return out;
    };
    this.play = button(kIcons.run, "Run", () => actions.toggle(), "play");
    this.undo = button(kIcons.undo, "Undo (Ctrl-Z)", () => actions.undo());
    this.redo = button(kIcons.redo, "Redo (Ctrl-Y)", () => actions.redo());
    this.clock.setAttribute("aria-live", "off"); // read aloud when asked for, not at every picture
    this.pace.setAttribute("aria-label", "Pace");
    for (const [times, label] of kPaces) {
      const option = element("option", "", label);
      option.value = String(times);
      this.pace.append(option);
    }
    this.pace.addEventListener("change", () => actions.pace(Number(this.pace.value)));
    this.bar = element(
      "div",
      "timeline toolbar",
      this.play,
      button(kIcons.step, "One step (→)", () => actions.step()),
      this.undo,
      this.redo,
      button(kIcons.reset, "From the start", () => actions.reset()),
      this.pace,
      this.clock,
      element(
        "div",
        "tools",
        word("Check", "The judge's word on this state (C)", () => actions.check()),
        ...menus,
        word("Gallery", "Open another scene (O)", () => actions.gallery()),
        word("?", "Keys and mouse", () => actions.help()),
      ),
    );
  }

  show(status: Status, hasTime: boolean): void {
    const running = status.running ?? false;
    if (running !== this.running) {
      this.running = running;
      this.play.replaceChildren(icon(running ? kIcons.pause : kIcons.run));
      this.play.title = running ? "Pause (space)" : "Run (space)";
      this.play.setAttribute("aria-label", running ? "Pause" : "Run");
    }
    this.undo.disabled = !status.undo;
    this.redo.disabled = !status.redo;
    if (document.activeElement !== this.pace) this.pace.value = String(status.pace ?? 1);
    this.clock.hidden = status.serial === 0;
    const when = hasTime ? `${(status.time ?? 0).toFixed(3)} s` : `step ${status.step ?? 0}`;
    const state = status.running ? "running" : status.result === "moving" ? "paused" : status.result;
    this.clock.replaceChildren(
      element("b", "", when),
      element("span", "", hasTime ? `step ${status.step ?? 0} · ${state}` : (state ?? "")),
    );
  }
}
