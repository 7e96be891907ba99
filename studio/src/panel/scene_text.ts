// The scene as text: as it was opened, to be changed and opened again.
import { Connection, Refused } from "../source/connection";
import { element } from "./dom";

export class SceneText {
  readonly panel: HTMLElement;
  private readonly area = element("textarea", "mono scene-text");
  private readonly fault = element("p", "note fault");
  private shown = ""; // as the server last gave it

  constructor(private readonly link: Connection) {
    this.area.spellcheck = false;
    this.area.setAttribute("aria-label", "Scene text");
    const apply = element("button", "tool", "Open this text");
    apply.type = "button";
    apply.addEventListener("click", () => this.apply());
    const revert = element("button", "tool", "Revert");
    revert.type = "button";
    revert.addEventListener("click", () => void this.load());
    this.panel = element("div", "", this.area, this.fault, element("div", "tools", apply, revert));
  }

  /** What was typed and not opened yet. */
  get dirty(): boolean {
    return this.area.value !== this.shown;
  }

  /** Another scene is open: what is shown is fetched when it is looked at. */
  forget(): void {
    this.shown = this.area.value = "";
    if (this.panel.closest("details")?.open) void this.load().catch(() => undefined);
  }

  async load(): Promise<void> {
    this.shown = (await this.link.ask("scene_text")).text as string;
    this.area.value = this.shown;
    this.fault.textContent = "";
  }

  private apply(): void {
    this.link.ask("open_text", { text: this.area.value }).then(
      () => {
        this.shown = this.area.value;
        this.fault.textContent = "";
      },
      (error: Error) => {
        this.fault.textContent = error.message;
        if (error instanceof Refused && error.line > 0) this.pointAt(error.line);
      },
    );
  }

  /** Selects the line at fault. */
  private pointAt(line: number): void {
    const lines = this.area.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    this.area.focus();
    this.area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    this.area.scrollTop = ((line - 4) * this.area.scrollHeight) / Math.max(1, lines.length);
  }
}
