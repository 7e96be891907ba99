// What is drawn and from where, and what can be taken along: views, cut, colours, labels, trails; picture, table, link.
import * as THREE from "three";
import type { FrameSource } from "../source/frame_source";
import { Coloured, Quantity, kQuantities, kScale } from "../view/quantities";
import type { Stage } from "../view/stage";
import { element, shortNumber } from "./dom";
import type { Player } from "./player";
import { switchFor } from "./timeline";

function button(label: string, title: string, act: () => void): HTMLButtonElement {
  const out = element("button", "tool", label);
  out.type = "button";
  out.title = title;
  out.addEventListener("click", act);
  return out;
}

function choice(label: string, options: readonly (readonly [string, string])[], change: (value: string) => void): HTMLElement {
  const select = element("select", "speed");
  select.setAttribute("aria-label", label);
  for (const [value, text] of options) {
    const option = element("option", "", text);
    option.value = value;
    select.append(option);
  }
  select.addEventListener("change", () => change(select.value));
  return element("label", "choice", element("span", "", label), select);
}

/** Looks from a side: 1 front, 3 right, 7 above. */
export function lookFrom(stage: Stage, source: FrameSource, side: "front" | "right" | "above"): void {
  const up = new THREE.Vector3(...source.about.up);
  // for scenes of the plane the front is the plane itself
  const front = source.about.plane ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(0, -1, 0);
  if (side === "front") stage.lookAlong(front);
  else if (side === "right") stage.lookAlong(new THREE.Vector3(1, 0, 0));
  else stage.lookAlong(up.addScaledVector(front, 1e-3));
}

/** Looks from the other side. */
export function lookBack(stage: Stage): void {
  stage.lookAlong(stage.controls.target.clone().sub(stage.camera.position));
}

export function save(name: string, address: string): void {
  const link = element("a");
  link.download = name;
  link.href = address;
  link.click();
}

/** Every series, and the poses of the frame that is shown. */
export function csvOf(source: FrameSource): string {
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const head = ["step", quoted("time, s"), ...source.series.map(({ plot, name, unit }) => quoted(`${plot === name ? name : `${plot} ${name}`}${unit ? `, ${unit}` : ""}`))];
  const rows = Array.from(source.sampleSteps, (step, k) =>
    [step, source.sampleTimes[k], ...source.series.map(({ values }) => values[k])].join(","),
  );
  return [head.join(","), ...rows].join("\n") + "\n";
}

const kNameOfFile = /[^A-Za-z0-9_-]+/g;

/** The moment and the eye, in the address. */
export function linkToMoment(player: Player, stage: Stage): string {
  const eye = stage.eye.map((x) => Number(x.toPrecision(6))).join(",");
  return `#frame=${player.index}&eye=${eye}`;
}

/** Goes where the address says, if it says anything. */
export function followLink(player: Player, stage: Stage): boolean {
  const asked = new URLSearchParams(location.hash.slice(1));
  const eye = (asked.get("eye") ?? "").split(",").map(Number);
  if (eye.length === 6 && eye.every(Number.isFinite)) stage.standAt(eye);
  const frame = Number(asked.get("frame") ?? Number.NaN);
  if (Number.isFinite(frame)) player.goTo(frame);
  return Number.isFinite(frame);
}

/** What the colours and the arrows mean, over the drawing. */
export class Legend {
  readonly box = element("div", "legend");
  private readonly colours = element("div", "scale");
  private readonly forces = element("div", "forces");
  private readonly points = element("div", "points", element("i"), "contact");

  constructor() {
    this.box.append(this.colours, this.forces, this.points);
    this.colours.hidden = this.forces.hidden = this.points.hidden = true;
  }

  showColours(coloured: Coloured | null, title: string): void {
    this.colours.hidden = coloured === null;
    if (!coloured) return;
    const stops = kScale.map((c) => `#${c.toString(16).padStart(6, "0")}`).join(", ");
    const bar = element("i");
    bar.style.background = `linear-gradient(to right, ${stops})`;
    this.colours.replaceChildren(
      element("b", "", `${title}, ${coloured.unit}`),
      bar,
      element("span", "", shortNumber(coloured.low)),
      element("span", "", shortNumber(coloured.high)),
    );
  }

  showSigns(stage: Stage): void {
    this.points.hidden = !stage.pointsShown;
    this.forces.hidden = !stage.forcesShown;
    const { force, length } = stage.forceScale;
    this.forces.replaceChildren(element("i"), `force; ${shortNumber(length)} m stands for ${shortNumber(force)} N`);
  }
}

/** The part "View" of the panel. */
export function viewTools(source: FrameSource, player: Player, stage: Stage, legend: Legend): HTMLElement {
  const at = element("input");
  at.type = "range";
  at.min = "0";
  at.max = "1";
  at.step = "0.005";
  at.value = "0.5";
  at.disabled = true;
  at.setAttribute("aria-label", "Where the cut lies");
  let axis: 0 | 1 | 2 | null = null;
  const cut = () => stage.cut(axis, at.valueAsNumber);
  at.addEventListener("input", cut);
  let quantity: Quantity = "own";
  stage.onColoured = (coloured) =>
    legend.showColours(coloured, coloured?.name ?? kQuantities.find(([name]) => name === quantity)?.[1] ?? "");
  const name = () => source.about.title.replace(kNameOfFile, "-") || "repose";
  const out = element(
    "div",
    "view-tools",
    element(
      "div",
      "row",
      button("Front", "Look from the front (1)", () => lookFrom(stage, source, "front")),
      button("Right", "Look from the right (3)", () => lookFrom(stage, source, "right")),
      button("Above", "Look from above (7)", () => lookFrom(stage, source, "above")),
      button("All", "Show everything (F)", () => stage.frameAll()),
    ),
    choice("Colour by", kQuantities, (value) => {
      quantity = value as Quantity;
      stage.colourBy(quantity);
    }),
    element(
      "div",
      "row",
      choice("Cut across", [["", "nothing"], ["0", "x"], ["1", "y"], ["2", "z"]], (value) => {
        axis = value === "" ? null : (Number(value) as 0 | 1 | 2);
        at.disabled = axis === null;
        cut();
      }),
      at,
    ),
  );
  const switches = element("div", "row", switchFor("Names", false, (on) => stage.showLabels(on)));
  if (source.moves) switches.append(switchFor("Trails", false, (on) => stage.showTrails(on)));
  if (stage.tieWord) switches.append(switchFor(stage.tieWord, true, (on) => stage.showTies(on)));
  out.append(switches);
  if (source.live) return out; // Export has the rest
  const take = element(
    "div",
    "row",
    button("Picture", "Save the drawing as a PNG", () => save(`${name()}.png`, stage.picture())),
  );
  if (source.series.length)
    take.append(
      button("CSV", "Save the plotted figures as a table", () =>
        save(`${name()}.csv`, URL.createObjectURL(new Blob([csvOf(source)], { type: "text/csv" }))),
      ),
    );
  const link = button("Link", "Put this moment and this view into the address, to copy", () => {
    history.replaceState(null, "", linkToMoment(player, stage));
    void navigator.clipboard?.writeText(location.href).catch(() => undefined);
    link.textContent = "Link copied";
    setTimeout(() => (link.textContent = "Link"), 2000);
  });
  take.append(link);
  out.append(take);
  return out;
}
