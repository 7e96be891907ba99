// Scenes to open, by method.
import type { Connection } from "../source/connection";
import { element } from "./dom";

interface Scene {
  readonly name: string;
  readonly about: string;
  readonly method: string;
}

/** A dialog with every scene of the gallery; `choose` gets the one that is clicked. */
export class Gallery {
  readonly dialog = element("dialog", "gallery");
  private readonly list = element("div", "groups");
  private scenes: Scene[] = [];

  constructor(
    private readonly link: Connection,
    private readonly choose: (name: string) => void,
  ) {
    const find = element("input");
    find.type = "search";
    find.placeholder = "Find a scene";
    find.setAttribute("aria-label", "Find a scene");
    find.addEventListener("input", () => this.draw(find.value));
    const close = element("button", "tool", "Close");
    close.type = "button";
    close.addEventListener("click", () => this.dialog.close());
    this.dialog.append(
      element("header", "", element("h2", "", "Gallery"), find, close),
      this.list,
    );
  }

  async open(): Promise<void> {
    if (!this.dialog.open) this.dialog.showModal();
    this.scenes = (await this.link.ask("gallery")).scenes as Scene[];
    this.draw("");
  }

  private draw(filter: string): void {
    const wanted = filter.toLowerCase();
    const groups = new Map<string, Scene[]>();
    for (const scene of this.scenes)
      if (`${scene.name} ${scene.about}`.toLowerCase().includes(wanted))
        groups.set(scene.method, [...(groups.get(scene.method) ?? []), scene]);
    this.list.replaceChildren(
      ...[...groups].map(([method, scenes]) =>
        element(
          "section",
          "",
          element("h3", "", method),
          ...scenes.map((scene) => {
            const button = element(
              "button",
              "scene",
              element("b", "", scene.name.replace(`${method}/`, "")),
              element("span", "", scene.about),
            );
            button.type = "button";
            button.dataset.scene = scene.name;
            button.addEventListener("click", () => {
              this.dialog.close();
              this.choose(scene.name);
            });
            return button;
          }),
        ),
      ),
    );
  }
}
