import { ArrayType, TypedArray, decodeArray, integrateTracks } from "./codec";
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

// the manifest as docs/report.md lays it down; numbers called *Array are indices into `arrays`
type ManifestShape =
  | { kind: "ball"; radius: number }
  | { kind: "half_space" }
  | { kind: "mesh"; points: number; normals: number; triangles: number }
  | { kind: "spheres"; points: number; radii: number; links?: number }
  | { kind: "surfels"; points: number; radii: number; phyxels: number; surfacePoints: number; surfaceNormals: number; triangles: number };

interface ManifestBody {
  name: string;
  shape: number;
  material: number;
  fixed?: boolean;
  role?: string;
  mass?: number;
  points?: number;
  frames?: [number, number];
  center?: [number, number, number]; // body frame; goes straight between proven frames
  pose?: [number, number, number, number, number, number, number]; // x y z, w x y z: never moves
}

interface Manifest {
  format: string;
  version: number;
  arrays: { type: ArrayType; count: number }[];
  about: About;
  materials: Material[];
  shapes: ManifestShape[];
  bodies: ManifestBody[];
  ties?: Tie[];
  frames: { count: number; hasTime: boolean; provenBetween: boolean; jumps?: number[]; times: number; steps: number };
  motion: {
    origin: [number, number, number];
    positionStep: number;
    orientationStep: number;
    blockFrames: number;
    movers: number;
    points: number;
    blocks: number[];
  };
  contacts: {
    frames: number;
    starts: number;
    bodyA: number;
    bodyB: number;
    points: number;
    normals: number;
    gaps: number;
    forces: number;
  };
  samples: { steps: number; times: number };
  series: { name: string; unit: string; plot: string; values: number }[];
}

const kFormat = "repose-report";
const kVersion = 1;
const kStraight = 1e-6; // sine of the angle below which a turn is as good as a chord

async function decodeAll(manifest: Manifest, page: Document): Promise<TypedArray[]> {
  return Promise.all(
    manifest.arrays.map(async ({ type, count }, i) => {
      const element = page.getElementById(`repose-array-${i}`);
      if (!element) throw new Error(`array ${i} is missing from the page`);
      const out = await decodeArray(element.textContent ?? "", type, count);
      element.remove();
      return out;
    }),
  );
}

/** The quaternion at `at` of `to` becomes the one a share of the way from that of `from`. */
function turnBetween(from: Float64Array, to: Float64Array, at: number, share: number): void {
  let cosine = 0;
  for (let c = 0; c < 4; ++c) cosine += from[at + c] * to[at + c];
  const side = cosine < 0 ? -1 : 1; // q and -q are one rotation: take the short way
  const angle = Math.acos(Math.min(1, Math.abs(cosine)));
  const sine = Math.sin(angle);
  const a = sine > kStraight ? Math.sin((1 - share) * angle) / sine : 1 - share;
  const b = side * (sine > kStraight ? Math.sin(share * angle) / sine : share);
  for (let c = 0; c < 4; ++c) to[at + c] = a * from[at + c] + b * to[at + c];
}

/** A point of the body's frame, turned as the body is. */
function centerOf(point: readonly number[], orientations: Float64Array, body: number): number[] {
  const [x, y, z, w] = orientations.subarray(4 * body, 4 * body + 4);
  const [px, py, pz] = point;
  const [tx, ty, tz] = [2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)];
  return [
    px + w * tx + y * tz - z * ty,
    py + w * ty + z * tx - x * tz,
    pz + w * tz + x * ty - y * tx,
  ];
}

/** A recording stored inside the page itself. Everything is inflated once, when it opens. */
export class FileSource implements FrameSource {
  readonly about: About;
  readonly shapes: readonly DrawnShape[];
  readonly materials: readonly Material[];
  readonly bodies: readonly BodyInfo[];
  readonly frameCount: number;
  readonly hasTime: boolean;
  readonly provenBetween: boolean;
  readonly ties: readonly Tie[];
  readonly moves: boolean;
  readonly sampleSteps: Float64Array;
  readonly sampleTimes: Float64Array;
  readonly series: readonly Series[];

  private readonly manifest: Manifest;
  private readonly arrays: TypedArray[];
  private readonly movers: number[] = []; // body index of each moving body
  private readonly jumps: Set<number>;
  private readonly times: Float64Array;
  private readonly steps: Float64Array;
  private readonly buffer: {
    positions: Float64Array;
    orientations: Float64Array;
    points: Float64Array;
  };

  static async open(page: Document): Promise<FileSource> {
    const manifest = JSON.parse(
      page.getElementById("repose-manifest")?.textContent ?? "{}",
    ) as Manifest;
    if (manifest.format !== kFormat || manifest.version !== kVersion)
      throw new Error("this page holds no recording that this script can read");
    return new FileSource(manifest, await decodeAll(manifest, page));
  }

  private constructor(manifest: Manifest, arrays: TypedArray[]) {
    this.manifest = manifest;
    this.arrays = arrays;
    this.about = manifest.about;
    this.materials = manifest.materials;
    this.shapes = manifest.shapes.map((shape) => this.readShape(shape));
    this.frameCount = manifest.frames.count;
    this.hasTime = manifest.frames.hasTime;
    this.provenBetween = manifest.frames.provenBetween;
    this.jumps = new Set(manifest.frames.jumps ?? []);
    this.ties = manifest.ties ?? [];
    this.moves = manifest.frames.count > 1 && manifest.motion.movers + manifest.motion.points > 0;
    this.times = arrays[manifest.frames.times] as Float64Array;
    this.steps = arrays[manifest.frames.steps] as Float64Array;
    this.sampleSteps = arrays[manifest.samples.steps] as Float64Array;
    this.sampleTimes = arrays[manifest.samples.times] as Float64Array;
    this.series = manifest.series.map((s) => ({
      ...s,
      values: arrays[s.values] as Float64Array,
    }));
    this.buffer = {
      positions: new Float64Array(3 * manifest.bodies.length),
      orientations: new Float64Array(4 * manifest.bodies.length),
      points: new Float64Array(3 * manifest.motion.points),
    };
    this.bodies = this.readBodies();
    this.integrateBlocks();
  }

  timeOf(index: number): number {
    return this.times[index];
  }
  stepOf(index: number): number {
    return this.steps[index];
  }

  provenFrom(index: number): boolean {
    return this.provenBetween && !this.jumps.has(index);
  }

  frame(index: number): Frame {
    const whole = Math.floor(index);
    if (whole === index || whole + 1 >= this.frameCount) return this.recorded(whole);
    const { positions, orientations, points } = this.buffer;
    this.recorded(whole);
    const from = {
      positions: positions.slice(),
      orientations: orientations.slice(),
      points: points.slice(),
    };
    this.recorded(whole + 1);
    const share = index - whole;
    for (let k = 0; k < positions.length; ++k)
      positions[k] = from.positions[k] + share * (positions[k] - from.positions[k]);
    for (let k = 0; k < points.length; ++k)
      points[k] = from.points[k] + share * (points[k] - from.points[k]);
    const ends = this.manifest.bodies.map(({ center }, body) => center && centerOf(center, orientations, body));
    for (let body = 0; 4 * body < orientations.length; ++body)
      turnBetween(from.orientations, orientations, 4 * body, share);
    // where the centre goes straight, the origin follows it
    this.manifest.bodies.forEach(({ center }, body) => {
      if (!center) return;
      const start = centerOf(center, from.orientations, body);
      const now = centerOf(center, orientations, body);
      const end = ends[body]!;
      for (let c = 0; c < 3; ++c)
        positions[3 * body + c] += start[c] + share * (end[c] - start[c]) - now[c];
    });
    const time = this.times[whole] + share * (this.times[whole + 1] - this.times[whole]);
    return { index, time, step: this.steps[whole], ...this.buffer };
  }

  private recorded(index: number): Frame {
    const { blockFrames, blocks, origin, positionStep, orientationStep, movers, points } =
      this.manifest.motion;
    const { positions, orientations } = this.buffer;
    const block = Math.floor(index / blockFrames);
    const at = index - block * blockFrames;
    const length = Math.min(blockFrames, this.frameCount - block * blockFrames);
    const words = this.arrays[blocks[block]] as Int32Array;
    const read = (track: number) => words[track * length + at];

    // channels: x of all movers, y, z, then w, x, y, z of their orientations, then soft points
    for (let m = 0; m < movers; ++m) {
      const body = this.movers[m];
      for (let c = 0; c < 3; ++c)
        positions[3 * body + c] = origin[c] + positionStep * read(c * movers + m);
      const w = orientationStep * read(3 * movers + m);
      const x = orientationStep * read(4 * movers + m);
      const y = orientationStep * read(5 * movers + m);
      const z = orientationStep * read(6 * movers + m);
      const scale = 1 / Math.hypot(w, x, y, z);
      orientations.set([x * scale, y * scale, z * scale, w * scale], 4 * body);
    }
    for (let p = 0; p < points; ++p)
      for (let c = 0; c < 3; ++c)
        this.buffer.points[3 * p + c] =
          origin[c] + positionStep * read(7 * movers + c * points + p);
    return { index, time: this.times[index], step: this.steps[index], ...this.buffer };
  }

  contacts(index: number): Contacts {
    const { contacts } = this.manifest;
    const frames = this.arrays[contacts.frames] as Uint32Array;
    const starts = this.arrays[contacts.starts] as Uint32Array;
    let best = 0;
    for (let k = 1; k < frames.length; ++k)
      if (Math.abs(frames[k] - index) < Math.abs(frames[best] - index)) best = k;
    const from = frames.length ? starts[best] : 0;
    const to = frames.length ? starts[best + 1] : 0;
    const words = (array: number) => (this.arrays[array] as Uint32Array).subarray(from, to);
    const numbers = (array: number, width: number) =>
      (this.arrays[array] as Float32Array).subarray(width * from, width * to);
    return {
      frame: frames.length ? frames[best] : index,
      count: to - from,
      bodyA: words(contacts.bodyA),
      bodyB: words(contacts.bodyB),
      points: numbers(contacts.points, 3),
      normals: numbers(contacts.normals, 3),
      gaps: numbers(contacts.gaps, 1),
      forces: numbers(contacts.forces, 3),
    };
  }

  subscribe(_listener: (event: SourceEvent) => void): () => void {
    return () => undefined;
  }

  private readShape(shape: ManifestShape): DrawnShape {
    switch (shape.kind) {
      case "mesh":
        return {
          kind: "mesh",
          points: this.arrays[shape.points] as Float32Array,
          normals: shape.normals >= 0 ? (this.arrays[shape.normals] as Float32Array) : null,
          triangles: this.arrays[shape.triangles] as Uint32Array,
        };
      case "spheres":
        return {
          kind: "spheres",
          points: this.arrays[shape.points] as Float32Array,
          radii: this.arrays[shape.radii] as Float32Array,
          links: shape.links === undefined ? null : (this.arrays[shape.links] as Uint32Array),
        };
      case "surfels":
        return {
          kind: "surfels",
          points: this.arrays[shape.points] as Float32Array,
          radii: this.arrays[shape.radii] as Float32Array,
          phyxels: this.arrays[shape.phyxels] as Float32Array,
          surfacePoints: this.arrays[shape.surfacePoints] as Float32Array,
          surfaceNormals: this.arrays[shape.surfaceNormals] as Float32Array,
          triangles: this.arrays[shape.triangles] as Uint32Array,
        };
      default:
        return shape;
    }
  }

  private readBodies(): BodyInfo[] {
    let firstPoint = 0;
    return this.manifest.bodies.map((body, i) => {
      if (body.pose) {
        const [x, y, z, qw, qx, qy, qz] = body.pose;
        this.buffer.positions.set([x, y, z], 3 * i);
        this.buffer.orientations.set([qx, qy, qz, qw], 4 * i);
      } else {
        this.movers.push(i);
      }
      const pointCount = body.points ?? 0;
      const info: BodyInfo = {
        name: body.name,
        shape: body.shape,
        material: body.material,
        fixed: body.fixed ?? false,
        role: body.role ?? "",
        mass: body.mass ?? 0,
        firstPoint,
        pointCount,
        firstFrame: body.frames?.[0] ?? 0,
        lastFrame: body.frames?.[1] ?? Number.POSITIVE_INFINITY,
      };
      firstPoint += pointCount;
      return info;
    });
  }

  private integrateBlocks(): void {
    const { blockFrames, blocks, movers, points } = this.manifest.motion;
    blocks.forEach((array, block) => {
      const length = Math.min(blockFrames, this.frameCount - block * blockFrames);
      integrateTracks(this.arrays[array] as Int32Array, 7 * movers + 3 * points, length);
    });
  }
}
