// Which frame is shown, and how it runs on. Views listen; the timeline and the keys drive.
// Where the method has no time, the clock is either the count of frames or the path of the fastest body, so that it moves evenly.
import type { FrameSource } from "../source/frame_source";

const kSpeeds: readonly number[] = [0.1, 0.25, 0.5, 1, 2, 5, 10, 25, 100];
const kFramesPerSecond = 30; // where the method has no time of its own
const kShortest = 1.5; // s: shorter runs are first played slower than they were,
const kLongest = 60; // longer ones faster,
const kShortSeconds = 6; // to last about this
const kLongSeconds = 12; // or this
const kEvenSeconds = 5; // a run without time, at even speed

/** How far the outermost points of each body lie from its origin; a turn moves them. */
function reaches(source: FrameSource): number[] {
  return source.bodies.map(({ shape: index }) => {
    const shape = source.shapes[index];
    if (shape.kind === "half_space") return 0;
    if (shape.kind === "ball") return shape.radius;
    let farthest = 0;
    for (let k = 0; k < shape.points.length; k += 3)
      farthest = Math.max(farthest, Math.hypot(shape.points[k], shape.points[k + 1], shape.points[k + 2]));
    return farthest;
  });
}

/** The path of the fastest body to each frame, as a share of the whole. */
function evenClock(source: FrameSource): Float64Array {
  const out = new Float64Array(source.frameCount);
  const reach = reaches(source);
  const first = source.frame(0);
  let [last, turned] = [first.positions.slice(), first.orientations.slice()];
  for (let f = 1; f < source.frameCount; ++f) {
    const { positions: p, orientations: q } = source.frame(f);
    let farthest = 0;
    reach.forEach((size, body) => {
      const [k, n] = [3 * body, 4 * body];
      let cosine = 0;
      for (let c = 0; c < 4; ++c) cosine += q[n + c] * turned[n + c];
      const way = Math.hypot(p[k] - last[k], p[k + 1] - last[k + 1], p[k + 2] - last[k + 2]);
      farthest = Math.max(farthest, way + 2 * size * Math.acos(Math.min(1, Math.abs(cosine))));
    });
    out[f] = out[f - 1] + farthest;
    [last, turned] = [p.slice(), q.slice()];
  }
  const length = out[out.length - 1];
  return length > 0 ? out.map((way) => way / length) : out.map((_, f) => f / (out.length - 1 || 1));
}

export class Player {
  playing = false;
  looping = false;
  speed = 1;

  private readonly source: FrameSource;
  private readonly listeners: ((index: number) => void)[] = [];
  private at = 0;
  private between = 0; // share of the way to the next frame
  private even = false;
  private path: Float64Array | null = null;
  private clock = 0; // in the source's time, or frames where it has none
  private last = 0; // ms, when the clock was last moved

  constructor(source: FrameSource) {
    this.source = source;
    this.even = !source.hasTime && source.provenBetween && source.frameCount > 1;
    const length = this.clockOf(source.frameCount - 1) - this.clockOf(0);
    if (source.hasTime && length > 0) {
      const wanted = length < kShortest ? kShortSeconds : kLongSeconds;
      const miss = (speed: number) => Math.abs(Math.log(length / speed / wanted));
      const real = length >= kShortest && length <= kLongest;
      this.speed = real ? 1 : kSpeeds.reduce((a, b) => (miss(b) < miss(a) ? b : a));
    }
  }

  get index(): number {
    return this.at;
  }
  /** The frame shown, with the share of the way to the next. */
  get position(): number {
    return this.at + this.between;
  }
  /** The fastest body moves evenly, instead of every step lasting alike. */
  get evenSpeed(): boolean {
    return this.even;
  }
  set evenSpeed(on: boolean) {
    this.even = on && !this.source.hasTime;
    this.start();
  }
  get speeds(): readonly number[] {
    return kSpeeds;
  }

  onChange(listener: (index: number) => void): void {
    this.listeners.push(listener);
  }

  goTo(index: number): void {
    this.at = Math.max(0, Math.min(this.source.frameCount - 1, Math.round(index)));
    this.between = 0;
    this.clock = this.clockOf(this.at);
    this.tell();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    if (this.at >= this.source.frameCount - 1) this.goTo(0);
    this.playing = true;
    this.start();
    this.tell();
    requestAnimationFrame((now) => this.tick(now));
  }

  pause(): void {
    this.playing = false;
    this.tell();
  }

  private start(): void {
    if (this.even) this.path ??= evenClock(this.source);
    this.clock = this.clockOf(this.at);
    this.last = performance.now();
  }

  private clockOf(index: number): number {
    if (this.even && this.path) return kEvenSeconds * this.path[index];
    return this.source.hasTime ? this.source.timeOf(index) : index / kFramesPerSecond;
  }

  private tick(now: number): void {
    if (!this.playing) return;
    const end = this.source.frameCount - 1;
    // the last frame has been seen, however slow the drawing is
    if (this.at === end && this.looping) this.goTo(0);
    else this.clock += this.speed * Math.max(0, now - this.last) * 1e-3;
    this.last = now;
    let next = this.at;
    while (next < end && this.clockOf(next + 1) <= this.clock) ++next;
    if (next === end && !this.looping) this.playing = false;
    const smooth = this.even && next < end && this.source.provenFrom(next);
    const [from, to] = smooth ? [this.clockOf(next), this.clockOf(next + 1)] : [0, 0];
    this.between = smooth ? Math.min(1, Math.max(0, (this.clock - from) / (to - from))) % 1 : 0;
    if (next !== this.at || smooth || !this.playing) {
      this.at = next;
      this.tell();
    }
    requestAnimationFrame((later) => this.tick(later));
  }

  private tell(): void {
    for (const listener of this.listeners) listener(this.at);
  }
}
