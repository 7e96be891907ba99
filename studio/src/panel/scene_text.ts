// The scene as text: as it was opened, with what hands did since, to be changed and opened again. What is wrong is underlined as it is typed; the
// server reads the text, since it alone knows what a scene is.
import { autocompletion } from "@codemirror/autocomplete";
import { json } from "@codemirror/lang-json";
import { syntaxHighlighting } from "@codemirror/language";
import { Diagnostic, linter, lintGutter } from "@codemirror/lint";
import { Compartment } from "@codemirror/state";
import { classHighlighter } from "@lezer/highlight";
import { EditorView, basicSetup } from "codemirror";
import { Connection, Refused } from "../source/connection";
import { element } from "./dom";
import { Schema, SchemaHelp } from "./schema_help";

const kQuiet = 500; // ms after the last key

export class SceneText {
  readonly panel: HTMLElement;
  readonly editor: EditorView;
  private readonly fault = element("p", "note fault");
  private shown = ""; // as the server last gave it
  private readonly helpPlace = new Compartment();
  /** Once the schema is here. */
  help: SchemaHelp | null = null;

  /** `name`: of the file that it is saved as, without ending. */
  constructor(
    private readonly link: Connection,
    private readonly name: () => string,
  ) {
    const holder = element("div", "scene-text");
    this.editor = new EditorView({
      parent: holder,
      extensions: [
        basicSetup,
        json(),
        lintGutter(),
        syntaxHighlighting(classHighlighter),
        this.helpPlace.of([]),
        linter(() => this.faults(), { delay: kQuiet }),
        EditorView.contentAttributes.of({ "aria-label": "Scene text" }),
      ],
    });
    const apply = element("button", "tool", "Open this text");
    apply.type = "button";
    apply.addEventListener("click", () => void this.apply());
    const revert = element("button", "tool", "Revert");
    revert.type = "button";
    revert.addEventListener("click", () => void this.load());
    const now = element("button", "tool", "As it stands");
    now.type = "button";
    now.title = "The scene with every body where it is now, those added by hand too; its events are left out";
    now.addEventListener("click", () => void this.loadNow());
    const save = element("button", "tool", "Save as");
    save.type = "button";
    save.title = "Keep this text as a file";
    save.addEventListener("click", () => this.keep());
    this.panel = element("div", "", holder, this.fault, element("div", "tools", apply, revert, now, save));
  }

  get text(): string {
    return this.editor.state.doc.toString();
  }
  set text(text: string) {
    this.editor.dispatch({ changes: { from: 0, to: this.editor.state.doc.length, insert: text } });
  }
  /** What was typed and not opened yet. */
  get dirty(): boolean {
    return this.text !== this.shown;
  }

  /** Completion and help come with the schema, which is fetched once. */
  private async learn(): Promise<void> {
    if (this.help) return;
    this.help = new SchemaHelp((await this.link.ask("schema")).schema as Schema);
    const { help } = this;
    this.editor.dispatch({
      effects: this.helpPlace.reconfigure([
        autocompletion({ override: [(context) => help.complete(context)], activateOnTyping: true }),
        help.hover,
      ]),
    });
  }

  /** Hands did something: the text follows, unless something else is typed there. */
  follow(): void {
    if (this.dirty || !this.panel.closest("details")?.open) return;
    void this.load().catch(() => undefined);
  }

  /** Another scene is open: what is shown is fetched when it is looked at. */
  forget(): void {
    this.shown = this.text = "";
    if (this.panel.closest("details")?.open) void this.load().catch(() => undefined);
  }

  async load(): Promise<void> {
    void this.learn().catch(() => undefined);
    const before = this.text;
    const text = (await this.link.ask("scene_text")).text as string;
    if (this.text !== before && this.dirty) return; // something was typed meanwhile
    this.shown = text;
    if (this.text !== text) this.text = text;
    this.fault.textContent = "";
  }

  private async loadNow(): Promise<void> {
    try {
      this.text = (await this.link.ask("scene_text", { now: true })).text as string;
      this.fault.textContent = "";
    } catch (error) {
      this.fault.textContent = (error as Error).message;
    }
  }

  private keep(): void {
    const address = URL.createObjectURL(new Blob([this.text], { type: "application/json" }));
    const link = element("a");
    link.href = address;
    link.download = `${this.name()}.json`;
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  private async faults(): Promise<Diagnostic[]> {
    if (this.text === "" || !this.dirty) return [];
    try {
      await this.link.ask("check_text", { text: this.text });
      return [];
    } catch (error) {
      return error instanceof Refused ? [this.diagnostic(error)] : [];
    }
  }

  private diagnostic({ message, line, column }: Refused): Diagnostic {
    const { doc } = this.editor.state;
    const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
    const from = Math.min(at.from + Math.max(0, column - 1), at.to);
    return { from, to: at.to, severity: "error", message };
  }

  private async apply(): Promise<void> {
    const opened = this.text;
    try {
      await this.link.ask("open_text", { text: opened });
      this.shown = opened;
      this.fault.textContent = "";
    } catch (error) {
      this.fault.textContent = (error as Error).message;
      if (!(error instanceof Refused) || error.line === 0) return;
      const { from, to } = this.diagnostic(error);
      this.editor.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
      this.editor.focus();
    }
  }
}
