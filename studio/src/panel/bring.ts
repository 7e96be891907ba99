// What comes in and goes out: bodies from a palette, files dropped onto the page, and the run in other forms.
import type { Connection } from "../source/connection";
import { askName } from "./ask_name";
import { Choice, menu } from "./menu";

interface Offer {
  readonly label: string;
  readonly body: Record<string, unknown>;
}

export interface Hands {
  say(what: Error | string): void;
  /** A body of that name has come in. */
  added(name: string, note?: string): void;
  /** The drawing as it is seen, as PNG. */
  picture(): Promise<Blob>;
  canvas(): HTMLCanvasElement;
  /** A plain name for files of this scene. */
  folder(): string;
}

const kMeshes = /\.(obj|stl|ply|glb)$/i;
const kFilmRate = 30; // pictures a second
const kFilmPiece = 1000; // ms
const kMostBytes = 2.8e6; // what a message of 4 MB holds as base64

export class Bring {
  readonly add: HTMLElement;
  readonly give: HTMLElement;

  constructor(
    private readonly link: Connection,
    private readonly hands: Hands,
    target: HTMLElement,
  ) {
    this.add = menu("Add", "Add a body", () => this.offers());
    this.give = menu("Export", "Save what was done in another form", async () => this.forms());
    target.addEventListener("dragover", (event) => event.preventDefault());
    target.addEventListener("drop", (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) void this.drop(file).catch((error: Error) => hands.say(error));
    });
  }

  /** A scene is opened, a mesh becomes a body. */
  async drop(file: File): Promise<void> {
    if (/\.json$/i.test(file.name)) {
      await this.link.ask("open_text", { text: await file.text(), name: plainName(file.name, "scene") });
      return;
    }
    if (!kMeshes.test(file.name)) throw new Error(`${file.name} is no scene (.json) and no mesh (.obj, .stl, .ply, .glb)`);
    if (file.size > kMostBytes)
      throw new Error(`${file.name} has ${(file.size / 1e6).toFixed(1)} MB; a dropped mesh may have 2.8. Name it in the scene text instead.`);
    const plain = plainName(file.name, "mesh");
    const ending = file.name.slice(file.name.lastIndexOf(".")).toLowerCase();
    const bytes = base64(new Uint8Array(await file.arrayBuffer()));
    const { name, unit } = await this.link.ask("add_mesh", { file: plain + ending, bytes });
    this.hands.added(String(name), unit ? `its file names no unit and was taken in ${String(unit)}` : "");
  }

  private async offers(): Promise<Choice[]> {
    try {
      const { bodies } = await this.link.ask("palette");
      const offers = bodies as Offer[];
      if (!offers.length) this.hands.say("Nothing moves in this scene's method.");
      return offers.map(({ label, body }) => ({ label, act: () => this.bring(body) }));
    } catch (error) {
      this.hands.say(error as Error);
      return [];
    }
  }

  private bring(body: Record<string, unknown>): void {
    this.link.ask("add", { body }).then(
      ({ name }) => this.hands.added(String(name)),
      (error: Error) => this.hands.say(error),
    );
  }

  private forms(): Choice[] {
    const write = (label: string, title: string, form: string): Choice => ({
      label,
      title,
      act: () =>
        void this.link.ask("export", { name: this.hands.folder(), form }).then(
          ({ path }) => this.hands.say(`Written to ${String(path)}`),
          (error: Error) => this.hands.say(error),
        ),
    });
    return [
      {
        label: "Recording",
        title: "For repose report, check, render and export",
        act: () => this.saveAs(this.hands.folder()),
      },
      {
        label: "Recording as…",
        title: "Under another name: the last one stays",
        act: () => void askName("Save the recording as", this.hands.folder()).then((name) => name && this.saveAs(name)),
      },
      write("Page", "The page of this run, one file", "page"),
      write("glTF", "For Blender, browsers and game engines", "gltf"),
      write("CSV", "Plotted series and poses", "csv"),
      { label: "Picture", title: "What is seen, as PNG", act: () => void this.download() },
      {
        label: this.film ? "End the film" : "Film",
        title: "What is seen from now on, as WebM; once more ends it",
        act: () => this.toggleFilm(),
      },
    ];
  }

  private saveAs(name: string): void {
    this.link.ask("save", { name }).then(
      ({ path }) => this.hands.say(`Saved as ${String(path)}`),
      (error: Error) => this.hands.say(error),
    );
  }

  private async download(): Promise<void> {
    this.keep(await this.hands.picture(), "png");
  }

  private keep(blob: Blob, ending: string): void {
    const address = URL.createObjectURL(blob);
    const link = document.createElement("a");
    link.href = address;
    link.download = `${this.hands.folder()}.${ending}`;
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  private film: MediaRecorder | null = null;
  /** Bytes of the film that is being taken, as far as the browser has handed them over. */
  filmed = 0;

  /** Begins a film of the drawing, or ends it and hands it over. */
  private toggleFilm(): void {
    if (this.film) {
      this.film.stop();
      return;
    }
    if (typeof MediaRecorder === "undefined") {
      this.hands.say("This browser records no films; repose render makes one from a saved recording.");
      return;
    }
    const parts: Blob[] = [];
    const film = new MediaRecorder(this.hands.canvas().captureStream(kFilmRate), { mimeType: "video/webm" });
    this.filmed = 0;
    film.ondataavailable = ({ data }) => {
      parts.push(data);
      this.filmed += data.size;
    };
    film.onstop = () => {
      this.film = null;
      this.give.classList.remove("filming");
      this.keep(new Blob(parts, { type: "video/webm" }), "webm");
    };
    this.film = film;
    this.give.classList.add("filming");
    film.start(kFilmPiece);
    this.hands.say("A film is being taken: Export, End the film.");
  }
}

/** A file's name without its ending, as the server takes names. */
function plainName(file: string, otherwise: string): string {
  return file.replace(/\.[^.]*$/, "").replace(/[^A-Za-z0-9_-]+/g, "-") || otherwise;
}

function base64(bytes: Uint8Array): string {
  const kPiece = 0x8000;
  let text = "";
  for (let i = 0; i < bytes.length; i += kPiece) text += String.fromCharCode(...bytes.subarray(i, i + kPiece));
  return btoa(text);
}
