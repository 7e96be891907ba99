// A dialog that asks for a name.
import { element } from "./dom";

const kPlain = "[A-Za-z0-9_\\-]+"; // what the server takes as the name of a folder

/** Null where it was closed without an answer. */
export function askName(title: string, first: string): Promise<string | null> {
  const input = element("input");
  input.type = "text";
  input.name = "name";
  input.value = first;
  input.required = true;
  input.pattern = kPlain;
  input.title = "Letters, digits, - and _";
  input.addEventListener("input", () => (input.value = input.value.replaceAll(" ", "-")));
  const save = element("button", "tool", "Save");
  save.type = "submit";
  const cancel = element("button", "tool", "Cancel");
  cancel.type = "button";
  const form = element(
    "form",
    "",
    element("header", "", element("h2", "", title)),
    element("label", "field", element("span", "", "name"), input),
    element("div", "tools", save, cancel),
  );
  form.method = "dialog";
  const dialog = element("dialog", "ask", form);
  dialog.setAttribute("aria-label", title);
  document.body.append(dialog);
  return new Promise((done) => {
    let answer: string | null = null;
    form.addEventListener("submit", () => (answer = input.value));
    cancel.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      done(answer);
    });
    dialog.showModal();
    input.select();
  });
}
