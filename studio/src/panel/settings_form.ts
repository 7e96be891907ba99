// The method's settings as a form, made from its settings table; each change goes to the run at once.
import type { SettingValue } from "../source/connection";
import type { SettingRow } from "../source/socket_source";
import { element } from "./dom";

type Change = (name: string, value: SettingValue) => Promise<unknown>;

const text = (value: SettingValue | undefined): string =>
  value === undefined ? "" : Array.isArray(value) ? value.join(", ") : String(value);

/** What stands in a field, as the setting's type; null where it is none. */
function read(row: SettingRow, field: HTMLInputElement | HTMLSelectElement): SettingValue | null {
  if (row.type === "boolean") return (field as HTMLInputElement).checked;
  if (row.type === "choice" || row.type === "text") return field.value;
  const numbers = field.value.split(",").map((part) => (part.trim() === "" ? NaN : Number(part)));
  if (numbers.some((x) => !Number.isFinite(x))) return null;
  return row.type === "vector" ? numbers : numbers.length === 1 ? numbers[0] : null;
}

class Field {
  readonly row: HTMLElement;
  private readonly field: HTMLInputElement | HTMLSelectElement;
  private value: SettingValue | undefined;

  constructor(
    private readonly setting: SettingRow,
    private readonly change: Change,
    private readonly say: (text: string) => void,
  ) {
    const { name, type, choices, unit, meaning, range } = setting;
    if (type === "choice") {
      this.field = element("select");
      for (const choice of choices ?? []) {
        const option = element("option", "", choice);
        option.value = choice;
        this.field.append(option);
      }
    } else {
      const input = element("input");
      input.type = type === "boolean" ? "checkbox" : "text";
      if (type === "number" || type === "integer") input.inputMode = "decimal";
      this.field = input;
    }
    this.field.name = name;
    const hint = [meaning, range ? `In ${range}${unit && unit !== "1" ? ` ${unit}` : ""}.` : ""];
    this.field.title = hint.filter((part) => part).join(" ");
    this.row = element("label", "field", element("span", "", name), this.field);
    this.row.title = this.field.title;
    this.field.addEventListener("change", () => this.send());
    this.field.addEventListener("focus", () => say(`${name}: ${this.field.title}`));
    this.field.setAttribute("aria-description", this.field.title);
  }

  show(value: SettingValue | undefined): void {
    this.value = value;
    this.row.classList.toggle("changed", text(value) !== text(this.setting.default));
    if (document.activeElement === this.field && this.setting.type !== "boolean") return;
    this.put();
  }

  private put(): void {
    if (this.setting.type === "boolean") (this.field as HTMLInputElement).checked = this.value === true;
    else this.field.value = text(this.value);
    this.row.classList.remove("wrong");
  }

  private send(): void {
    const value = read(this.setting, this.field);
    if (value === null) {
      this.say(`${this.setting.name}: not a number (got ${this.field.value.trim() || "nothing"}). ${this.field.title}`);
      this.refuse();
      return;
    }
    this.change(this.setting.name, value).then(
      () => this.row.classList.remove("wrong"),
      () => this.refuse(),
    );
  }

  /** What holds is shown again. */
  private refuse(): void {
    this.put();
    this.row.classList.add("wrong");
  }
}

export class SettingsForm {
  readonly form = element("form", "settings-form");
  /** What the field in use means: fingers see no titles. */
  private readonly hint = element("p", "note hint");
  private fields = new Map<string, Field>();

  constructor(private readonly change: Change) {
    this.form.addEventListener("submit", (event) => event.preventDefault());
  }

  /** A field for each row. */
  build(rows: readonly SettingRow[]): void {
    this.fields = new Map(rows.map((row) => [row.name, new Field(row, this.change, (text) => (this.hint.textContent = text))]));
    this.hint.textContent = rows.length ? "Go to a field to read what it means. A change holds at once." : "This method has no settings.";
    this.form.replaceChildren(this.hint, ...[...this.fields.values()].map(({ row }) => row));
  }

  show(values: Readonly<Record<string, SettingValue>>): void {
    for (const [name, field] of this.fields) field.show(values[name]);
  }
}
