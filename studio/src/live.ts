// The studio: a run under way, behind a socket, with hands in it.
import "uplot/dist/uPlot.min.css";
import "./page.css";
import "./report.css";
import "./timeline.css";
import "./live.css";
import "./hands.css";
import "./fingers.css";
import { BodyList } from "./panel/body_list";
import { Bring } from "./panel/bring";
import { element, section, sentence } from "./panel/dom";
import { contactsTable } from "./panel/facts";
import { Gallery } from "./panel/gallery";
import { listenToHandKeys } from "./panel/hand_keys";
import { helpDialog } from "./panel/help";
import { judgePanel, marksOf } from "./panel/judge_panel";
import { livePlots } from "./panel/live_plots";
import { Player } from "./panel/player";
import { SceneText } from "./panel/scene_text";
import { SettingsForm } from "./panel/settings_form";
import { StageTimes } from "./panel/stage_times";
import { selectionCard, softChoices, switchFor } from "./panel/timeline";
import { menu } from "./panel/menu";
import { Actions, Toolbar } from "./panel/toolbar";
import { Connection, Status } from "./source/connection";
import { SocketSource } from "./source/socket_source";
import { Legend, viewTools } from "./panel/view_tools";
import { PlaceTool } from "./touch/place";
import { PullTool } from "./touch/pull";
import { TieTool } from "./touch/tie";
import { Stage } from "./view/stage";
import { NoDrawing } from "./view/undrawn";
import { Witness } from "./view/witness";

const kToastTime = 8000; // ms
const kPatience = 400; // ms that a step under way may keep a hand waiting

// what ends a run, and so need not wait for the step under way
const kEnds: ReadonlySet<string> = new Set(["pause", "undo", "redo", "reset", "open", "open_text", "open_saved", "branch"]);

declare global {
  interface Window {
    /** For scripts that look into an open page. */
    studio?: Studio;
  }
}

const kLost =
  "The studio's server does not answer. What it holds is not lost as long as it runs; this page looks for it and joins again. If it has ended, what was recorded or exported stands in its folder.";
const kOther =
  "Another studio runs here now. Open the address that it printed; what this one recorded or exported stands in its folder.";

class Studio {
  readonly source = new SocketSource();
  readonly link = new Connection(location);
  readonly player = new Player(this.source);
  readonly stage: Stage;
  readonly pull: PullTool;
  readonly place: PlaceTool;
  readonly tie: TieTool;
  readonly witness: Witness;
  selected = -1;

  private readonly view = element("div", "view");
  private readonly title = element("h1");
  private readonly about = element("p");
  private readonly toast = element("p", "toast");
  private readonly banner = element("div", "banner");
  private readonly panel = element("aside", "panel");
  private readonly judged = element("div");
  private readonly switches = element("div", "switches");
  private readonly toolbar: Toolbar;
  readonly bring: Bring;
  private comes = ""; // a body that was added and is not here yet
  private comesNote = ""; // what else is to be said of it
  private readonly gallery: Gallery;
  private readonly help = helpDialog();
  private readonly legend = new Legend();
  private readonly settings: SettingsForm;
  readonly bodies: BodyList;
  readonly text: SceneText;
  private readonly card: { card: HTMLElement; select: (body: number) => void };
  private loading = 0; // serial of the scene that is being fetched
  private waiting: ArrayBuffer | null = null; // the newest frame of a scene that is not here yet
  private toastTimer = 0;
  /** What is shown: the newest frame that has been taken in belongs to it. */
  status: Status = { serial: 0 };
  private nextStatus: Status | null = null;
  private nextFrame: ArrayBuffer | null = null;
  private soon = 0;
  private readonly times = new StageTimes();
  private contactBox: HTMLInputElement | null = null;

  constructor(app: HTMLElement) {
    const layout = element("div", "report studio", this.view, this.panel);
    app.replaceChildren(layout);
    this.stage = new Stage(this.source, this.view);
    this.pull = new PullTool(this.stage, this.source, this.link);
    this.place = new PlaceTool(this.stage, this.source, this.link);
    this.tie = new TieTool(this.stage, this.source);
    this.tie.onSay = (text) => this.say(text);
    this.tie.onEdit = (kind, target, values) => this.act("edit", { kind, target, values });
    this.pull.free = () => !this.tie.picking;
    this.witness = new Witness(this.stage, this.source);
    this.gallery = new Gallery(
      this.link,
      (scene) => this.act("open", { scene }),
      (name) => this.act("open_saved", { name }),
      (file) => void this.bring.drop(file).catch((error: Error) => this.say(error)),
    );
    this.settings = new SettingsForm((name, value) =>
      this.link.ask("set", { name, value }).catch((error: Error) => {
        this.say(error);
        throw error;
      }),
    );
    this.bodies = new BodyList(this.source, {
      select: (body) => this.select(body),
      place: (body) => this.place.start(body),
      hide: (body) => this.stage.hideBody(body, true),
      alone: (body) => this.stage.isolate(this.stage.isIsolated(body) ? [] : [body]),
      glass: (body) => (this.stage.canSeeThrough(body) ? () => this.stage.seeThrough(body, !this.stage.isSeenThrough(body)) : null),
      showAll: () => this.stage.showAll(),
      edit: (kind, target, values) => void this.act("edit", { kind, target, values: values ?? {} }),
    }, this.tie.panel);
    this.text = new SceneText(this.link, () => this.hands().folder());
    this.card = selectionCard(this.source, this.player);
    this.bring = new Bring(this.link, this.hands(), layout);
    this.toolbar = new Toolbar(this.actions(), [
      this.bring.add,
      this.bring.give,
      menu("Branch", "Several ways on from one state", async () => this.branches()),
    ]);
    this.pull.onRefused = this.place.onRefused = (error) => this.say(error);
    this.layOut(layout);
    this.listen();
  }

  /** Asks the server; what it refuses is said. A step that keeps it waiting is left in its midst. */
  act(what: string, more: Record<string, unknown> = {}): Promise<boolean> {
    const wait = window.setTimeout(() => {
      if (this.status.running && kEnds.has(what)) this.link.ask("interrupt").catch(() => undefined);
    }, kPatience);
    return this.link
      .ask(what, more)
      .then(
        () => true,
        (error: Error) => {
          this.say(error);
          return false;
        },
      )
      .finally(() => window.clearTimeout(wait));
  }

  private branches() {
    const { branch = 0, branches = 1 } = this.status;
    return [
      { label: "New branch from here", title: "This one stays as it is, to come back to", act: () => void this.act("branch") },
      ...Array.from({ length: branches }, (_, k) => ({
        label: k === branch ? `Branch ${k + 1} (shown)` : `Branch ${k + 1}`,
        act: () => void this.act("branch", { branch: k }),
      })),
    ];
  }

  select(body: number): void {
    this.selected = body;
    this.stage.select(body);
    this.card.select(body);
    this.bodies.select(body);
    this.tie.select(body);
    this.source.watch(body);
  }

  say(what: Error | string): void {
    this.toast.textContent = typeof what === "string" ? what : what.message;
    this.toast.hidden = false;
    window.clearTimeout(this.toastTimer);
    this.toastTimer = window.setTimeout(() => (this.toast.hidden = true), kToastTime);
  }

  actions(): Actions {
    return {
      toggle: () => this.act(this.status.running ? "pause" : "run"),
      step: () => this.act("step"),
      undo: () => this.act("undo"),
      redo: () => this.act("redo"),
      reset: () => this.act("reset"),
      check: () => this.act("check"),
      gallery: () => void this.gallery.open().catch((error: Error) => this.say(error)),
      help: () => this.help.showModal(),
      pace: (pace: number) => this.act("pace", { pace }),
    };
  }

  private hands() {
    return {
      say: (what: Error | string) => this.say(what),
      added: (name: string, note = "") => {
        this.comes = name;
        this.comesNote = note;
        this.takeNew();
      },
      picture: () =>
        new Promise<Blob>((resolve, reject) => {
          this.stage.quality.full();
          this.stage.draw();
          this.stage.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("there is no picture"))));
        }),
      canvas: () => this.stage.canvas,
      folder: () => (this.source.head.scene || "scene").replace(/[^A-Za-z0-9_-]+/g, "-"),
    };
  }

  /** The body that was added is selected; where bodies are set down by hand, it is in the hand. */
  private takeNew(): void {
    const body = this.source.bodies.findIndex(({ name }) => name === this.comes);
    if (body < 0) return;
    this.comes = "";
    this.select(body);
    this.say(`Added ${this.source.bodies[body]!.name}${this.comesNote && `: ${this.comesNote}`}`);
    if (this.source.head.touch === "hold") this.place.start(body);
  }

  private layOut(layout: HTMLElement): void {
    this.banner.hidden = this.toast.hidden = true;
    this.banner.setAttribute("role", "alert");
    this.toast.setAttribute("role", "status");
    const limit = element("input");
    limit.type = "text";
    limit.inputMode = "decimal";
    limit.name = "pull-limit";
    limit.placeholder = "20 weights";
    limit.addEventListener("change", () => (this.pull.maxForce = Math.max(0, Number(limit.value) || 0)));
    const contacts = contactsTable(this.source, this.player, (body) => this.select(body));
    const contactPart = section("Contacts", false, contacts.table);
    contacts.title((count) => (contactPart.querySelector("summary")!.dataset.count = String(count)));
    contactPart.addEventListener("toggle", () => this.player.goTo(0));
    const textPart = section("Scene text", false, this.text.panel);
    textPart.addEventListener("toggle", () => {
      if (textPart.open && !this.text.dirty) void this.text.load().catch(() => undefined);
    });
    const timesPart = section("Time of the engine", false, this.times.panel);
    timesPart.addEventListener("toggle", () => this.times.show(this.status.step ?? 0, this.status.stages));
    this.panel.append(
      section("Judge", true, this.judged),
      section("Bodies", true, this.place.panel, this.bodies.panel),
      section("View", true, this.switches, viewTools(this.source, this.player, this.stage, this.legend)),
      section("Joints and forces", false, this.bodies.ties),
      section("Plots", true, livePlots(this.source)),
      timesPart,
      section(
        "Settings",
        false,
        element("label", "field", element("span", "", "pull limit, N"), limit),
        this.settings.form,
      ),
      contactPart,
      textPart,
    );
    const header = element("header", "title", this.title, this.about);
    this.view.append(
      header,
      this.pull.label,
      this.place.depths,
      this.banner,
      this.toast,
      this.card.card,
      this.legend.box,
      this.toolbar.bar,
    );
    this.stage.keepClearOf(header, this.toolbar.bar);
    new ResizeObserver(() =>
      this.view.style.setProperty("--bar", `${this.toolbar.bar.offsetHeight}px`),
    ).observe(this.toolbar.bar);
    layout.append(this.gallery.dialog, this.help);
    this.judged.replaceChildren(judgePanel(null));
  }

  private listen(): void {
    this.stage.onSelect = (body) => this.select(body);
    // the newest of each is looked at once a picture, however many come between
    this.link.onStatus = (status) => {
      this.nextStatus = status;
      this.comeSoon();
    };
    this.link.onFrame = (bytes) => {
      this.nextFrame = bytes;
      this.comeSoon();
    };
    this.link.onAnswer = () => this.takeNext();
    this.link.onLink = (up, other = false) => {
      // what was said last stays until the server is back, or another is met
      if (!up && (other || this.banner.hidden)) this.banner.textContent = other ? kOther : kLost;
      this.banner.hidden = up;
      if (up) this.loading = 0;
    };
    this.player.onChange(() => this.stage.show(0));
    this.select(-1);
    listenToHandKeys(this);
  }

  private comeSoon(): void {
    if (this.soon) return;
    this.soon = requestAnimationFrame(() => {
      this.soon = 0;
      this.takeNext();
    });
  }

  private takeNext(): void {
    const [status, frame] = [this.nextStatus, this.nextFrame];
    this.nextStatus = this.nextFrame = null;
    if (status) this.takeStatus(status);
    if (frame) this.takeFrame(frame);
  }

  private takeStatus(status: Status): void {
    const before = this.status;
    this.status = status;
    if (status.serial === 0 && !this.gallery.dialog.open) void this.gallery.open().catch(() => undefined);
    if (status.serial > this.source.head.serial) void this.fetchScene(status.serial);
    this.toolbar.show(status, this.source.hasTime);
    if (status.settings && JSON.stringify(status.settings) !== JSON.stringify(before.settings))
      this.settings.show(status.settings);
    if (JSON.stringify(status.verdict ?? null) !== JSON.stringify(before.verdict ?? null)) {
      this.witness.stop();
      this.judged.replaceChildren(
        judgePanel(status.verdict, (motion) => {
          if (!motion) this.witness.stop();
          else if (!this.witness.play(motion)) this.say(`${motion.body} is not there any more.`);
        }),
      );
      if (this.place.holding < 0) this.stage.mark(marksOf(status.verdict));
    }
    this.times.show(status.step ?? 0, status.stages);
    const held = status.hands?.find(({ body }) => body === this.pull.holding);
    if (held) this.pull.tell(held.force ?? 0);
    const changed = status.edits !== before.edits || status.branch !== before.branch || status.scene !== before.scene;
    if (!status.running && (changed || before.running)) this.text.follow();
    if (status.why && status.why !== before.why) this.say(sentence(status.why));
  }

  private async fetchScene(serial: number): Promise<void> {
    if (serial === 0 || this.loading === serial) return;
    this.loading = serial;
    try {
      const bytes = await this.link.scene(serial);
      const { scene, opened } = this.source.head;
      this.place.end();
      this.source.takeScene(bytes);
      if (scene === this.source.head.scene && opened === this.source.head.opened) this.pull.keep();
      else this.pull.letGo();
      this.begin(scene !== this.source.head.scene, opened !== this.source.head.opened);
    } catch (error) {
      // without a server the banner says so
      if (this.link.up) this.say(error as Error);
    }
    this.loading = 0;
    if (this.status.serial > this.source.head.serial) void this.fetchScene(this.status.serial);
  }

  /** The scene is here; its bodies stand where its first frame has them. */
  private begin(isOther: boolean, isOpened: boolean): void {
    const { head } = this.source;
    this.isOpened ||= isOpened;
    this.fresh = isOther ? "all" : "bodies";
    document.title = `${head.scene} · Repose studio`;
    this.title.textContent = head.scene;
    this.about.textContent = head.about;
    this.toolbar.show(this.status, this.source.hasTime);
    this.settings.build(head.settings);
    if (this.status.settings) this.settings.show(this.status.settings);
    if (this.waiting) this.takeFrame(this.waiting);
  }
  private fresh: "all" | "bodies" | null = null;
  private isOpened = false; // the scene was opened anew, perhaps from another text

  private takeFrame(bytes: ArrayBuffer): void {
    if (!this.source.takeFrame(bytes)) {
      this.waiting = bytes;
      return;
    }
    this.waiting = null;
    if (this.fresh) this.rebuild(this.fresh === "all");
    this.fresh = null;
    this.player.goTo(0);
    if (this.contactBox) this.contactBox.checked = this.stage.pointsShown;
    this.pull.follow();
    this.source.tell({ kind: "samples" });
    document.documentElement.dataset.ready = "true";
  }

  private rebuild(isOther: boolean): void {
    if (isOther) {
      this.stage.contactsAsked = false;
      this.times.forget();
    }
    const outgrown = this.stage.load() && this.isOpened;
    this.isOpened = false;
    this.bodies.build();
    this.tie.build();
    this.witness.stop();
    if (isOther) this.select(-1);
    else this.select(this.selected < this.source.bodies.length ? this.selected : -1);
    if (isOther || outgrown) this.stage.frameAll();
    this.stage.mark(marksOf(this.status.verdict));
    if (this.comes) this.takeNew();
    const show = () => {
      this.stage.showContacts(this.stage.pointsShown, this.stage.forcesShown);
      this.legend.showSigns(this.stage);
    };
    this.legend.showSigns(this.stage);
    const contacts = switchFor("Contacts", this.stage.pointsShown, (on) => {
      this.stage.contactsAsked = true;
      this.stage.pointsShown = on;
      show();
    });
    this.contactBox = contacts.querySelector("input");
    const { tieWord } = this.stage;
    this.switches.replaceChildren(
      ...(tieWord ? [switchFor(tieWord, true, (on) => this.stage.showTies(on))] : []),
      ...softChoices(this.stage),
      contacts,
      switchFor("Forces", this.stage.forcesShown, (on) => {
        this.stage.forcesShown = on;
        show();
      }),
    );
    if (isOther && !this.text.dirty) this.text.forget();
    else this.text.follow();
  }
}

const app = document.getElementById("repose-app")!;
try {
  window.studio = new Studio(app);
} catch (error) {
  if (!(error instanceof NoDrawing)) throw error;
  app.replaceChildren(element("p", "failed", error.message));
}
