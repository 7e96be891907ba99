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

  private saved: string[] = [];
  private readonly pictures = new Map<string, Promise<string | null>>();
  // pictures of scenes come as they are scrolled into sight
  private readonly sight = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) this.picture(target as HTMLElement);
    },
    { rootMargin: "200px" },
  );

  constructor(
    private readonly link: Connection,
    private readonly choose: (name: string) => void,
    private readonly again: (saved: string) => void,
    private readonly file: (file: File) => void,
  ) {
    const find = element("input");
    find.type = "search";
    find.placeholder = "Find a scene";
    find.setAttribute("aria-label", "Find a scene");
    find.addEventListener("input", () => this.draw(find.value));
    const close = element("button", "tool", "Close");
    close.type = "button";
    close.addEventListener("click", () => this.dialog.close());
    this.dialog.setAttribute("aria-label", "Open a scene");
    const files = element("input");
    files.type = "file";
    files.accept = ".json,.obj,.stl,.ply,.glb";
    files.addEventListener("change", () => {
      const [one] = files.files ?? [];
      if (!one) return;
      files.value = "";
      this.dialog.close();
      this.file(one);
    });
    const own = element("label", "tool file", "Open a file…", files);
    own.title = "A scene (.json), or a mesh to add (.obj, .stl, .ply, .glb)";
    this.dialog.append(
      element("header", "", element("h2", "", "Gallery"), find, own, close),
      this.list,
    );
  }

  async open(): Promise<void> {
    if (!this.dialog.open) this.dialog.showModal();
    this.scenes = (await this.link.ask("gallery")).scenes as Scene[];
    this.saved = (await this.link.ask("saved")).names as string[];
    this.draw("");
  }

  private picture(card: HTMLElement): void {
    this.sight.unobserve(card);
    const scene = card.dataset.scene!;
    if (!this.pictures.has(scene))
      this.pictures.set(
        scene,
        this.link.ask("gallery_picture", { scene }).then(
          ({ jpg }) => (jpg ? `data:image/jpeg;base64,${String(jpg)}` : null),
          () => null,
        ),
      );
    void this.pictures.get(scene)!.then((address) => {
      const place = card.querySelector("img");
      if (address && place) place.src = address;
    });
  }

  /** What was saved earlier, to go on with. */
  private savedOnes(wanted: string): HTMLElement | null {
    const names = this.saved.filter((name) => name.toLowerCase().includes(wanted));
    if (!names.length) return null;
    return element(
      "section",
      "",
      element("h3", "", "saved"),
      ...names.map((name) => {
        const button = element("button", "scene", element("b", "", name), element("span", "", "computed again up to where it was saved"));
        button.type = "button";
        button.dataset.saved = name;
        button.addEventListener("click", () => {
          this.dialog.close();
          this.again(name);
        });
        return button;
      }),
    );
  }

  private draw(filter: string): void {
    const wanted = filter.toLowerCase();
    const groups = new Map<string, Scene[]>();
    for (const scene of this.scenes)
      if (`${scene.name} ${scene.about}`.toLowerCase().includes(wanted))
        groups.set(scene.method, [...(groups.get(scene.method) ?? []), scene]);
    const saved = this.savedOnes(wanted);
    this.list.replaceChildren(
      ...(saved ? [saved] : []),
      ...[...groups].map(([method, scenes]) =>
        element(
          "section",
          "",
          element("h3", "", method),
          ...scenes.map((scene) => {
            const image = element("img");
            image.alt = "";
            const button = element(
              "button",
              "scene pictured",
              image,
              element("b", "", scene.name.replace(`${method}/`, "")),
              element("span", "", scene.about),
            );
            button.type = "button";
            button.dataset.scene = scene.name;
            button.addEventListener("click", () => {
              this.dialog.close();
              this.choose(scene.name);
            });
            this.sight.observe(button);
            return button;
          }),
        ),
      ),
    );
  }
}
