// The judge's word on the state that is shown, and the places it points at.
import type { Judgement } from "../source/connection";
import type { Mark } from "../source/frame_source";
import type { Motion } from "../view/witness";
import { element, sentence, shortNumber } from "./dom";

interface Pair {
  readonly pair: readonly [string, string];
  readonly points: readonly (readonly [number, number, number])[];
}

const kMostMarks = 200;

/** Middle of the two witnesses of each pair that overlaps or stayed open. */
export function marksOf(said: Judgement | null | undefined): Mark[] {
  const details = said?.details as { overlaps?: Pair[]; undecided?: Pair[] } | null | undefined;
  const marks = (pairs: Pair[] | undefined, what: string) =>
    (Array.isArray(pairs) ? pairs : []).slice(0, kMostMarks).map(({ pair, points }): Mark => {
      const [a, b] = points;
      return {
        point: [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2])],
        label: `${pair[0]} and ${pair[1]} ${what}`,
        bad: true,
      };
    });
  return [...marks(details?.overlaps, "overlap"), ...marks(details?.undecided, "are undecided")];
}

interface Details {
  readonly stability?: {
    readonly class?: string;
    readonly why?: string;
    readonly witness?: Motion | null;
    readonly margins?: {
      readonly tilt_rad?: number | null;
      readonly friction?: number | null;
      readonly load_factor?: number | null;
      readonly first_if_tilted?: Motion | null;
    };
  };
}

/** How firmly it stands, and how it would go. */
function stability(said: Judgement, play: (motion: Motion | null) => void): (HTMLElement | null)[] {
  const found = (said.details as Details | null)?.stability;
  if (!found || said.balanced === "not judged") return [];
  const { margins } = found;
  const figure = (name: string, value: number | null | undefined, unit: string) =>
    typeof value === "number" ? element("li", "", element("span", "", name), element("b", "", `${shortNumber(value)}${unit}`)) : null;
  const rows = [
    figure("tilts until something gives", margins?.tilt_rad == null ? null : (margins.tilt_rad * 180) / Math.PI, "°"),
    figure("friction it needs", margins?.friction, ""),
    figure("times its load until something gives", margins?.load_factor, ""),
  ].filter((row) => row !== null);
  const motion = found.witness ?? margins?.first_if_tilted;
  const show = motion ? element("button", "tool", found.witness ? "Show how it would move" : "Show what goes first if tilted") : null;
  if (show && motion) {
    show.type = "button";
    const words = show.textContent!;
    show.setAttribute("aria-pressed", "false");
    show.addEventListener("click", () => {
      const on = show.getAttribute("aria-pressed") !== "true";
      show.setAttribute("aria-pressed", String(on));
      show.textContent = on ? "Stop showing it" : words;
      play(on ? motion : null);
    });
  }
  return [
    found.class ? element("p", "detail", `Stands: ${found.class}`) : null,
    rows.length ? element("ul", "margins", ...rows) : null,
    show,
  ];
}

/** `play`: shows a motion; null: no more. */
export function judgePanel(said: Judgement | null | undefined, play: (motion: Motion | null) => void = () => undefined): HTMLElement {
  if (!said)
    return element("p", "note", "Not judged yet: Check asks the judge about this very state.");
  const row = (name: string, answer: string, figure: string) =>
    element(
      "li",
      answer === "proven" ? "kept" : answer === "missed" ? "missed" : "",
      element("span", "tick", answer === "proven" ? "✓" : answer === "missed" ? "✕" : "–"),
      element("div", "", element("b", "", name), element("span", "", answer), element("span", "measured", figure)),
    );
  const deep = said.penetration;
  const force = said.force;
  return element(
    "div",
    "verdict",
    element(
      "ul",
      "promises",
      row("nothing overlaps", said.overlap, deep === null || deep === 0 ? "" : `at most ${shortNumber(deep)} m`),
      row("all is balanced", said.balanced, force === null ? "" : `${shortNumber(force)} of a weight`),
    ),
    said.why ? element("p", "detail", sentence(said.why)) : null,
    ...stability(said, play),
    ...marksOf(said).map((mark) => element("p", "note", mark.label)),
  );
}
