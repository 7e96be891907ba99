// Keys of a report page, in a dialog.
import { element } from "./dom";

const kRows: readonly (readonly [string, string])[] = [
  ["space", "play, pause"],
  ["→, ←", "one frame; with shift ten"],
  ["home, end", "the first frame, the last"],
  ["L", "play again and again"],
  ["drag, right-drag, wheel", "orbit, pan, zoom"],
  ["W, A, S, D, +, −", "orbit and zoom by keys (click the drawing first)"],
  ["click, double click", "select a body, turn to it"],
  ["1, 3, 7", "look from the front, the right, above"],
  ["F", "show everything"],
  ["H", "nothing hidden any more"],
  ["esc", "select nothing"],
  ["?", "these keys"],
];

export function keysDialog(rows = kRows): HTMLDialogElement {
  const dialog = element("dialog", "help");
  const close = element("button", "tool", "Close");
  close.type = "button";
  close.addEventListener("click", () => dialog.close());
  dialog.append(
    element("header", "", element("h2", "", "Keys and mouse"), close),
    element(
      "table",
      "",
      ...rows.map(([keys, does]) => element("tr", "", element("th", "", keys), element("td", "", does))),
    ),
  );
  return dialog;
}
