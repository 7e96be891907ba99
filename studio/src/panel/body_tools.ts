// What can be done with the body that is selected: taken, copied, fixed, stuck, nudged, frozen, made of something else.
import type { SocketSource } from "../source/socket_source";
import { element } from "./dom";
import { reachOf } from "../view/ghost_body";

export type Edit = (kind: string, target: string, values?: Record<string, unknown>) => void;

const kFreedoms = ["x", "y", "z", "turn_x", "turn_y", "turn_z"] as const;
const kFreedomWords = ["x", "y", "z", "turn x", "turn y", "turn z"] as const;
const kNudge = 0.02; // of the body's size
const kMatter: Readonly<Record<string, readonly [string, string]>> = {
  density: ["density", "kg/m³"],
  friction: ["friction", ""],
  restitution: ["elasticity of impacts", "0 to 1"],
  young_modulus: ["stiffness (Young)", "Pa"],
  damping: ["damping within", "s"],
  drag: ["drag of the medium", "1/s"],
};

export function button(label: string, title: string, act: () => void): HTMLButtonElement {
  const out = element("button", "tool", label);
  out.type = "button";
  out.title = title;
  out.addEventListener("click", act);
  return out;
}

/** A name that no body has: NAME-2, NAME-3, ... */
export function copyName(source: SocketSource, name: string): string {
  const names = new Set(source.bodies.map((body) => body.name));
  let number = 2;
  while (names.has(`${name}-${number}`)) ++number;
  return `${name}-${number}`;
}

/** By how much a nudge moves a body, m. */
export function nudgeOf(source: SocketSource, body: number): number {
  return 2 * kNudge * reachOf(source, body);
}

export function nudgePad(source: SocketSource, body: number, edit: Edit): HTMLElement {
  const name = source.bodies[body].name;
  const far = nudgeOf(source, body);
  const axes = source.head.plane ? ["x", "y"] : ["x", "y", "z"];
  const pad = element("div", "row", element("span", "note", "Nudge"));
  axes.forEach((axis, c) => {
    for (const sign of [-1, 1]) {
      const move = [0, 0, 0];
      move[c] = sign * far;
      const one = button(`${sign < 0 ? "−" : "+"}${axis}`, `${sign < 0 ? "Back" : "On"} along ${axis} by ${far.toPrecision(2)} m`, () =>
        edit("nudge", name, { move }),
      );
      pad.append(one);
    }
  });
  return pad;
}

export function freezeBoxes(source: SocketSource, body: number, edit: Edit): HTMLElement {
  const { name, frozen } = source.head.bodies[body];
  const boxes = kFreedoms.map((_, k) => {
    const box = element("input");
    box.type = "checkbox";
    box.checked = frozen[k] ?? false;
    box.addEventListener("change", () =>
      edit("freeze", name, Object.fromEntries(kFreedoms.map((freedom, i) => [freedom, boxes[i].checked]))),
    );
    return box;
  });
  const shown = source.head.plane ? [0, 1, 5] : [0, 1, 2, 3, 4, 5];
  return element(
    "div",
    "row freeze",
    element("span", "note", "Hold"),
    ...shown.map((k) => element("label", "", boxes[k], kFreedomWords[k])),
  );
}

/** Fields of its material; a change goes to the run at once. */
export function matterFields(source: SocketSource, body: number, edit: Edit): HTMLElement {
  const { name, matter } = source.head.bodies[body];
  const rows = Object.entries(matter).filter(([key]) => key !== "restitution" || source.head.bounces);
  return element(
    "div",
    "matter",
    ...rows.map(([key, value]) => {
      const input = element("input");
      input.type = "text";
      input.inputMode = "decimal";
      input.name = `matter-${key}`;
      input.value = value === null ? "" : String(Number(value.toPrecision(6)));
      input.addEventListener("change", () => {
        const number = Number(input.value);
        if (input.value.trim() === "" || !Number.isFinite(number)) input.classList.add("wrong");
        else edit("material", name, { [key]: number });
      });
      const [word, unit] = kMatter[key] ?? [key, ""];
      return element("label", "field", element("span", "", unit ? `${word}, ${unit}` : word), input);
    }),
    source.head.bounces ? element("p", "note", "Where two bodies meet, the larger elasticity counts.") : null,
  );
}
