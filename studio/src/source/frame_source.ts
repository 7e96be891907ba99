// Where frames come from. The views and panels know this interface alone: a page on disk implements
// it today, a live connection implements it with the same promises.

/** Linear RGB in [0, 1]. */
export type Color = readonly [number, number, number];

export interface Material {
  readonly color: Color;
  readonly opacity: number;
  readonly roughness: number;
}

/**
 * What is drawn for a body, in its own frame, metres. A soft body moves the points of its mesh or
 * spheres one by one: Frame.points holds them in the world frame.
 */
export type DrawnShape =
  | { readonly kind: "ball"; readonly radius: number }
  | { readonly kind: "half_space" }
  | {
      readonly kind: "mesh";
      readonly points: Float32Array;
      readonly normals: Float32Array | null; // null: draw flat triangles
      readonly triangles: Uint32Array;
    }
  | {
      readonly kind: "spheres";
      readonly points: Float32Array;
      readonly radii: Float32Array;
      readonly links: Uint32Array | null; // two points each; null: none
    }
  | {
      readonly kind: "surfels"; // Frame.points holds its phyxels, then its balls
      readonly points: Float32Array; // centres of balls
      readonly radii: Float32Array;
      readonly phyxels: Float32Array; // at rest
      readonly surfacePoints: Float32Array; // what is drawn of it, at rest
      readonly surfaceNormals: Float32Array;
      readonly triangles: Uint32Array;
    };

export interface BodyInfo {
  readonly name: string;
  readonly shape: number; // index into shapes
  readonly material: number; // index into materials
  readonly fixed: boolean;
  readonly role: string;
  readonly mass: number; // kg; 0 where unknown
  readonly firstPoint: number; // soft bodies: place of its points in Frame.points
  readonly pointCount: number; // 0 for rigid bodies
  readonly firstFrame: number; // drawn from this frame ...
  readonly lastFrame: number; // ... to this one
}

/** Contacts of one frame, column by column; vectors are x, y, z in turn. */
export interface Contacts {
  readonly frame: number; // the recorded frame they belong to
  readonly count: number;
  readonly bodyA: Uint32Array;
  readonly bodyB: Uint32Array;
  readonly points: Float32Array; // world, m
  readonly normals: Float32Array; // unit, from a to b
  readonly gaps: Float32Array; // m; negative is overlap
  readonly forces: Float32Array; // on b, N
}

/** One recorded state. The arrays belong to the source and hold until its next frame() call. */
export interface Frame {
  readonly index: number;
  readonly time: number; // s
  readonly step: number;
  readonly positions: Float64Array; // of each body's frame, x y z, m
  readonly orientations: Float64Array; // x y z w, unit
  readonly points: Float64Array; // of all soft bodies, world, m
}

export interface Series {
  readonly name: string;
  readonly unit: string;
  readonly plot: string; // series of one plot share axes
  readonly values: Float64Array;
}

export interface KeptPromise {
  readonly name: string;
  readonly promised: string;
  readonly measured: string;
  readonly kept: boolean;
  readonly advice?: string; // what to try; of missed ones
}

export interface Verdict {
  readonly headline: string;
  readonly status: string;
  readonly detail: string;
  readonly judged?: string; // what the judge found
  readonly place?: readonly [number, number, number] | null; // m; what that is about
  readonly exitCode: number;
  readonly promises: readonly KeptPromise[];
}

export interface Setting {
  readonly name: string;
  readonly value: string;
  readonly unit: string;
  readonly meaning: string;
  readonly changed: boolean; // differs from its default
}

/** A place worth pointing at, such as one where the checker found overlap. */
export interface Mark {
  readonly point: readonly [number, number, number];
  readonly label: string;
  readonly bad: boolean;
}

/** A curve or histogram of one state. */
export interface Chart {
  readonly title: string;
  readonly xLabel: string;
  readonly bars: boolean; // a bar at each x; else a line
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** A joint or spring between two bodies; -1 is the world. Points and axis in the frames of their bodies. */
export interface Tie {
  readonly kind: string;
  readonly a: number;
  readonly b: number;
  readonly pointA: readonly [number, number, number];
  readonly pointB: readonly [number, number, number];
  readonly axis: readonly [number, number, number];
}

export interface RunEvent {
  readonly step: number;
  readonly text: string;
}

export interface Camera {
  readonly eye: readonly [number, number, number];
  readonly target: readonly [number, number, number];
  readonly fov: number; // vertical, degrees
}

/** Everything about a run but its frames. */
export interface About {
  readonly title: string;
  readonly subtitle: string;
  readonly about?: string; // the scene's own sentence
  readonly stamp?: string; // of a page that looks for newer ones of itself; empty: it does not
  readonly method: string;
  readonly version: string;
  readonly verdict: Verdict;
  readonly facts: readonly (readonly [string, string])[];
  readonly settings: readonly Setting[];
  readonly events: readonly RunEvent[];
  readonly measured: readonly (readonly [string, string])[]; // figures of the last state
  readonly charts: readonly Chart[];
  readonly marks: readonly Mark[];
  readonly camera: Camera | null;
  readonly up: readonly [number, number, number]; // unit, against gravity
  readonly plane?: boolean; // bodies move in the plane z = 0 alone
  readonly note: string; // what was left out to keep the page small; empty: nothing
}

export type SourceEvent =
  | { readonly kind: "frames"; readonly count: number } // more frames can be asked for
  | { readonly kind: "bodies" } // bodies, shapes or materials changed
  | { readonly kind: "samples" } // the series grew
  | { readonly kind: "about" }; // verdict, settings or events changed

export interface FrameSource {
  readonly about: About;
  readonly shapes: readonly DrawnShape[];
  readonly materials: readonly Material[];
  readonly bodies: readonly BodyInfo[];

  /** Joints and springs. */
  readonly ties: readonly Tie[];
  /** Something moves from frame to frame. */
  readonly moves: boolean;
  /** Frames come from a run under way: there is one, the newest. */
  readonly live?: boolean;
  /** Of a run under way: the frame before the newest, of the same bodies; null: there is none. */
  readonly before?: Frame | null;
  readonly frameCount: number;
  readonly hasTime: boolean; // false: the method counts steps only
  /** Bodies may be drawn on the straight way between two frames: it is proven free of overlap. */
  readonly provenBetween: boolean;
  /** The same of the way from this frame to the next. */
  provenFrom(index: number): boolean;
  /** 0 <= index < frameCount; between two frames bodies go straight and turn evenly. */
  frame(index: number): Frame;
  timeOf(index: number): number;
  stepOf(index: number): number;
  /** Contacts of the nearest frame that has them. */
  contacts(index: number): Contacts;

  readonly sampleSteps: Float64Array; // the step of each sample of the series
  readonly sampleTimes: Float64Array; // s
  readonly series: readonly Series[];

  /** Calls back as the source changes; the answer ends the subscription. A file never changes. */
  subscribe(listener: (event: SourceEvent) => void): () => void;
}
