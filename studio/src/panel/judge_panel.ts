// The judge's word on the state that is shown, and the places it points at.
import type { Judgement } from "../source/connection";
import type { Mark } from "../source/frame_source";
import { element, shortNumber } from "./dom";

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

export function judgePanel(said: Judgement | null | undefined): HTMLElement {
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
      row("nothing overlaps", said.overlap, deep === null ? "" : `at most ${shortNumber(deep)} m`),
      row("all is balanced", said.balanced, force === null ? "" : `${shortNumber(force)} of a weight`),
    ),
    said.why ? element("p", "detail", said.why) : null,
    ...marksOf(said).map((mark) => element("p", "note", mark.label)),
  );
}
