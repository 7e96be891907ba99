// A run under way as a source of frames: always one, the newest. docs/studio.md lays down the bytes.
import type { SettingValue } from "./connection";
import type {
  About,
  BodyInfo,
  Contacts,
  DrawnShape,
  Frame,
  FrameSource,
  Material,
  Series,
  SourceEvent,
  Tie,
} from "./frame_source";

interface ArrayPlace {
  readonly type: "f32" | "u32";
  readonly at: number;
  readonly count: number;
}

type PacketShape =
  | { kind: "ball"; radius: number }
  | { kind: "half_space" }
  | { kind: "mesh"; points: ArrayPlace; normals: ArrayPlace | null; triangles: ArrayPlace }
  | { kind: "spheres"; points: ArrayPlace; radii: ArrayPlace; links?: ArrayPlace }
  | {
      kind: "surfels";
      points: ArrayPlace;
      radii: ArrayPlace;
      phyxels: ArrayPlace;
      surfacePoints: ArrayPlace;
      surfaceNormals: ArrayPlace;
      triangles: ArrayPlace;
    };

/** One row of the method's settings table. */
export interface SettingRow {
  readonly name: string;
  readonly type: "boolean" | "integer" | "number" | "choice" | "text" | "vector";
  readonly default: SettingValue;
  readonly unit: string;
  readonly meaning: string;
  readonly range?: string;
  readonly choices?: readonly string[];
}

interface SceneHead {
  readonly format: string;
  readonly version: number;
  readonly serial: number;
  readonly scene: string;
  readonly about: string;
  readonly opened: number; // how often a scene was opened until this one
  readonly method: string;
  readonly methodAbout: string;
  readonly touch: "none" | "drag" | "hold";
  readonly plane: boolean;
  readonly hasTime: boolean;
  readonly up: [number, number, number];
  readonly camera: About["camera"];
  readonly settings: readonly SettingRow[];
  readonly samples: readonly string[];
  readonly plots: readonly { readonly plot: string; readonly name: string; readonly unit: string }[]; // of the samples
  readonly shapes: readonly PacketShape[];
  readonly materials: readonly Material[];
  readonly bodies: readonly {
    name: string;
    shape: number;
    material: number;
    fixed: boolean;
    held: boolean;
    role: string;
    mass: number | null;
    center: [number, number, number];
    points: number;
    matter: Matter;
    frozen: readonly boolean[];
    collides: boolean;
  }[];
  readonly ties: readonly LiveTie[];
  readonly edits: readonly string[]; // kinds that the method carries out
  readonly forces: readonly string[]; // kinds that it takes
  readonly joints: readonly string[];
  readonly bounces: boolean;
  readonly offCentre: boolean; // forces act at any point of a body
}

/** What a body is made of, as far as hands may change it. */
export type Matter = Readonly<Record<string, number | null>>;
/** A joint or a force, which has a name by which it can be removed. */
export type LiveTie = Tie & { readonly name: string };

const kSceneMark = 0x31535052;
const kFrameMark = 0x31465052;
const kHeadBytes = 8; // of a scene: mark, length of its JSON
const kFrameHead = 40; // bytes
const kMostSamples = 2000; // of each series; then every second one is dropped

const kNothing: SceneHead = {
  format: "repose-live",
  version: 1,
  serial: 0,
  scene: "",
  about: "",
  opened: 0,
  method: "",
  methodAbout: "",
  touch: "none",
  plane: false,
  hasTime: true,
  up: [0, 0, 1],
  camera: null,
  settings: [],
  samples: [],
  plots: [],
  shapes: [],
  materials: [],
  bodies: [],
  ties: [],
  edits: [],
  forces: [],
  joints: [],
  bounces: false,
  offCentre: true,
};

/** Of what is found out here. */
function ownSeries(name: string, values: Float64Array): Series {
  const dot = name.lastIndexOf(".");
  const [plot, part] = dot < 0 ? [name, name] : [name.slice(0, dot), name.slice(dot + 1)];
  return { name: part, unit: plot.endsWith("force") ? "N" : "m", plot, values };
}

export class SocketSource implements FrameSource {
  readonly live = true;
  readonly frameCount = 1;
  readonly provenBetween = false;
  readonly moves = true;
  provenFrom(): boolean {
    return false;
  }
  head: SceneHead = kNothing;
  shapes: readonly DrawnShape[] = [];
  bodies: readonly BodyInfo[] = [];
  /** Centres of mass, body frames. */
  centers: readonly (readonly [number, number, number])[] = [];
  frames = 0; // that have come, of all scenes

  private shown: Frame;
  before: Frame | null = null;
  private touching: Contacts;
  private columns: number[][] = []; // steps, times, then one for each series
  private stride = 1;
  private skipped = 0;
  private readonly listeners: ((event: SourceEvent) => void)[] = [];

  constructor() {
    const none = new Float32Array(0);
    const nobody = new Uint32Array(0);
    this.shown = {
      index: 0,
      time: 0,
      step: 0,
      positions: new Float64Array(0),
      orientations: new Float64Array(0),
      points: new Float64Array(0),
    };
    this.touching = {
      frame: 0,
      count: 0,
      bodyA: nobody,
      bodyB: nobody,
      points: none,
      normals: none,
      gaps: none,
      forces: none,
    };
  }

  get about(): About {
    const { scene, about, method, up, camera, plane } = this.head;
    return {
      title: scene,
      subtitle: about,
      method,
      version: "",
      verdict: { headline: "", status: "", detail: "", exitCode: 0, promises: [] },
      facts: [],
      settings: [],
      events: [],
      measured: [],
      charts: [],
      marks: [],
      camera,
      up,
      plane,
      note: "",
    };
  }
  get ties(): readonly LiveTie[] {
    return this.head.ties;
  }
  get hasTime(): boolean {
    return this.head.hasTime;
  }
  get materials(): readonly Material[] {
    return this.head.materials;
  }
  get sampleSteps(): Float64Array {
    return Float64Array.from(this.columns[0] ?? []);
  }
  get sampleTimes(): Float64Array {
    return Float64Array.from(this.columns[1] ?? []);
  }
  get series(): readonly Series[] {
    return [...this.head.samples, ...this.own].map((name, k) => {
      const values = Float64Array.from(this.columns[k + 2] ?? []);
      const words = k < this.head.samples.length ? this.head.plots[k] : undefined;
      return words ? { ...words, values } : ownSeries(name, values);
    });
  }
  /** Series that are made here: the largest contact force, and where the body that is watched stands. */
  private get own(): readonly string[] {
    const name = this.bodies[this.watched]?.name;
    return ["largest contact force", ...(name ? ["x", "y", "z"].map((c) => `place of ${name}.${c}`) : [])];
  }
  private watched = -1;
  /** From now on the place of this body is sampled; -1: of none. */
  watch(body: number): void {
    if (body === this.watched) return;
    this.watched = body;
    const length = this.columns[0]?.length ?? 0;
    this.columns.length = Math.min(this.columns.length, 3 + this.head.samples.length);
    if (body >= 0) for (let c = 0; c < 3; ++c) this.columns.push(new Array<number>(length).fill(Number.NaN));
    this.tell({ kind: "samples" });
  }

  frame(_index: number): Frame {
    return this.shown;
  }
  timeOf(_index: number): number {
    return this.shown.time;
  }
  stepOf(_index: number): number {
    return this.shown.step;
  }
  contacts(_index: number): Contacts {
    return this.touching;
  }

  subscribe(listener: (event: SourceEvent) => void): () => void {
    this.listeners.push(listener);
    return () => this.listeners.splice(this.listeners.indexOf(listener), 1);
  }

  /** Takes a scene; frames of others are left aside from now on. Bodies stand nowhere until one of its frames comes. */
  takeScene(bytes: ArrayBuffer): void {
    const view = new DataView(bytes);
    if (view.getUint32(0, true) !== kSceneMark) throw new Error("these bytes hold no scene");
    const length = view.getUint32(4, true);
    const text = new TextDecoder().decode(new Uint8Array(bytes, kHeadBytes, length));
    const head = { ...kNothing, ...(JSON.parse(text) as SceneHead) };
    const start = Math.ceil((kHeadBytes + length) / 8) * 8;
    const floats = ({ at, count }: ArrayPlace) => new Float32Array(bytes, start + at, count);
    const words = ({ at, count }: ArrayPlace) => new Uint32Array(bytes, start + at, count);
    this.shapes = head.shapes.map((shape): DrawnShape => {
      if (shape.kind === "mesh")
        return {
          kind: "mesh",
          points: floats(shape.points),
          normals: shape.normals ? floats(shape.normals) : null,
          triangles: words(shape.triangles),
        };
      if (shape.kind === "surfels")
        return {
          kind: "surfels",
          points: floats(shape.points),
          radii: floats(shape.radii),
          phyxels: floats(shape.phyxels),
          surfacePoints: floats(shape.surfacePoints),
          surfaceNormals: floats(shape.surfaceNormals),
          triangles: words(shape.triangles),
        };
      if (shape.kind === "spheres")
        return {
          kind: "spheres",
          points: floats(shape.points),
          radii: floats(shape.radii),
          links: shape.links ? words(shape.links) : null,
        };
      return shape;
    });
    let firstPoint = 0;
    this.bodies = head.bodies.map((body) => {
      const info: BodyInfo = {
        name: body.name,
        shape: body.shape,
        material: body.material,
        fixed: body.held,
        role: body.role,
        mass: body.mass ?? 0,
        firstPoint,
        pointCount: body.points,
        firstFrame: 0,
        lastFrame: Number.POSITIVE_INFINITY,
      };
      firstPoint += body.points;
      return info;
    });
    this.centers = head.bodies.map((body) => body.center);
    const sameSeries =
      head.scene === this.head.scene && head.samples.join() === this.head.samples.join();
    this.head = head;
    this.before = null;
    if (!sameSeries) this.clearSamples();
  }

  /** Takes a frame; false where it belongs to another scene than the one taken last. */
  takeFrame(bytes: ArrayBuffer): boolean {
    const view = new DataView(bytes);
    if (view.getUint32(0, true) !== kFrameMark) throw new Error("these bytes hold no frame");
    if (view.getUint32(4, true) !== this.head.serial) return false;
    const [bodies, points, contacts, samples] = [24, 28, 32, 36].map((at) => view.getUint32(at, true));
    let at = kFrameHead;
    const doubles = (count: number) => {
      at += 8 * count;
      return new Float64Array(bytes, at - 8 * count, count);
    };
    const floats = (count: number) => {
      at += 4 * count;
      return new Float32Array(bytes, at - 4 * count, count);
    };
    const words = (count: number) => {
      at += 4 * count;
      return new Uint32Array(bytes, at - 4 * count, count);
    };
    this.before = this.shown.positions.length === 3 * bodies ? this.shown : null;
    this.shown = {
      index: 0,
      step: view.getFloat64(8, true),
      time: view.getFloat64(16, true),
      positions: doubles(3 * bodies),
      orientations: doubles(4 * bodies),
      points: doubles(3 * points),
    };
    const sampled = doubles(samples);
    this.touching = {
      frame: ++this.frames,
      count: contacts,
      bodyA: words(contacts),
      bodyB: words(contacts),
      points: floats(3 * contacts),
      normals: floats(3 * contacts),
      gaps: floats(contacts),
      forces: floats(3 * contacts),
    };
    this.sample([...sampled, ...this.ownSamples()]);
    return true;
  }

  tell(event: SourceEvent): void {
    for (const listener of this.listeners) listener(event);
  }

  private clearSamples(): void {
    this.watched = -1;
    this.columns = [[], [], ...this.head.samples.map(() => []), []];
    this.stride = 1;
    this.skipped = 0;
  }

  /** A state before the last one comes after an undo: what lay beyond it is forgotten. */
  private ownSamples(): number[] {
    const { forces, count } = this.touching;
    let largest = 0;
    for (let k = 0; k < count; ++k)
      largest = Math.max(largest, Math.hypot(forces[3 * k], forces[3 * k + 1], forces[3 * k + 2]));
    const at = 3 * this.watched;
    return this.watched < 0 ? [largest] : [largest, ...this.shown.positions.slice(at, at + 3)];
  }

  private sample(values: readonly number[]): void {
    const [steps, times, ...rest] = this.columns;
    const { step, time } = this.shown;
    while (steps.length > 0 && steps[steps.length - 1] >= step)
      for (const column of this.columns) column.pop();
    if (++this.skipped < this.stride && steps.length > 1) return;
    this.skipped = 0;
    steps.push(step);
    times.push(time);
    rest.forEach((column, k) => column.push(values[k]));
    if (steps.length <= kMostSamples) return;
    this.columns = this.columns.map((column) => column.filter((_, k) => k % 2 === 0));
    this.stride *= 2;
  }
}
