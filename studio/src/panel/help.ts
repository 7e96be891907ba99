// Keys and mouse of the studio.
import { keysDialog } from "./keys";

const kRows: readonly (readonly [string, string])[] = [
  ["drag a body", "pull it by a spring (methods with speeds), while the run goes on"],
  ["drag elsewhere, right-drag, wheel", "orbit, pan, zoom (as in MuJoCo)"],
  ["middle-drag, with shift", "orbit, pan (as in Blender)"],
  ["W, A, S, D, +, −", "orbit and zoom by keys (click the drawing first)"],
  ["click, double click", "select a body, turn to it"],
  ["G, R", "take the selected body out and move it; turn it (place, pile)"],
  ["shift and arrows", "nudge the selected body (place, pile)"],
  ["Ctrl-D", "copy the selected body"],
  ["shift while moving", "in even steps, turns by 15°"],
  ["enter, esc", "let the body go, put it back"],
  ["space", "run, pause"],
  ["→, ←", "one step, one state back"],
  ["Ctrl-Z, Ctrl-Y", "undo, redo what was done last: a run, a pull, an edit"],
  ["C", "ask the judge about this state"],
  ["del", "delete the selected body"],
  ["1, 3, 7, 9", "look from the front, the right, above, the other side (as in Blender)"],
  [". (full stop), home", "go near the selected body; show everything"],
  ["H", "draw again what was hidden"],
  ["one finger, two fingers", "orbit or pull; pan and zoom, by pinching"],
  ["F, O, ?", "show everything, gallery, this page"],
];

export function helpDialog(): HTMLDialogElement {
  return keysDialog(kRows);
}
