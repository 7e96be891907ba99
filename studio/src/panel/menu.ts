// A button that opens a list of things to choose from.
import { element } from "./dom";

export interface Choice {
  readonly label: string;
  readonly title?: string;
  act(): void;
}

/** `choices` is asked anew at each opening. Escape and a click elsewhere close the list. */
export function menu(label: string, title: string, choices: () => Promise<readonly Choice[]>): HTMLElement {
  const open = element("button", "tool", label);
  open.type = "button";
  open.title = title;
  open.setAttribute("aria-haspopup", "menu");
  open.setAttribute("aria-expanded", "false");
  const list = element("ul", "choices");
  list.setAttribute("role", "menu");
  list.hidden = true;
  const out = element("div", "menu", open, list);
  const show = (on: boolean) => {
    list.hidden = !on;
    open.setAttribute("aria-expanded", String(on));
  };
  const row = ({ label: name, title: more, act }: Choice) => {
    const button = element("button", "link", element("b", "", name), more ? element("span", "", more) : null);
    button.type = "button";
    button.setAttribute("role", "menuitem");
    button.addEventListener("click", () => {
      show(false);
      act();
    });
    const item = element("li", "", button);
    item.setAttribute("role", "none");
    return item;
  };
  open.addEventListener("click", () => {
    if (!list.hidden) {
      show(false);
      return;
    }
    void choices().then((found) => {
      list.replaceChildren(...found.map(row));
      show(found.length > 0);
      list.querySelector("button")?.focus();
    });
  });
  out.addEventListener("keydown", (event) => {
    const rows = [...list.querySelectorAll("button")];
    const at = rows.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === "Escape" && !list.hidden) {
      show(false);
      open.focus();
    } else if (event.key === "ArrowDown" && at >= 0) rows[(at + 1) % rows.length]!.focus();
    else if (event.key === "ArrowUp" && at >= 0) rows[(at + rows.length - 1) % rows.length]!.focus();
    else return;
    event.stopPropagation();
    event.preventDefault();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!out.contains(event.target as Node)) show(false);
  });
  return out;
}
