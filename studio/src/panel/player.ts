// Which frame is shown, and how it runs on. Views listen; the timeline and the keys drive.
import type { FrameSource } from "../source/frame_source";

const kSpeeds: readonly number[] = [0.1, 0.25, 0.5, 1, 2, 5, 10, 25, 100];
const kFramesPerSecond = 30; // where the method has no time of its own
const kPleasantSeconds = 12; // the first speed is the one that plays nearest to this

export class Player {
  playing = false;
  speed = 1;

  private readonly source: FrameSource;
  private readonly listeners: ((index: number) => void)[] = [];
  private at = 0;
  private clock = 0; // in the source's time, or frames where it has none
  private last = 0; // ms, when the clock was last moved

  constructor(source: FrameSource) {
    this.source = source;
    const length = this.clockOf(source.frameCount - 1) - this.clockOf(0);
    if (source.hasTime && length > 0) {
      const miss = (speed: number) => Math.abs(Math.log(length / speed / kPleasantSeconds));
      const real = miss(1) < Math.log(4); // real time, unless that is tedious or over in a blink
      this.speed = real ? 1 : kSpeeds.reduce((a, b) => (miss(b) < miss(a) ? b : a));
    }
  }

  get index(): number {
    return this.at;
  }
  get speeds(): readonly number[] {
    return kSpeeds;
  }

  onChange(listener: (index: number) => void): void {
    this.listeners.push(listener);
  }

  goTo(index: number): void {
    this.at = Math.max(0, Math.min(this.source.frameCount - 1, Math.round(index)));
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
    this.clock = this.clockOf(this.at);
    this.last = performance.now();
    this.tell();
    requestAnimationFrame((now) => this.tick(now));
  }

  pause(): void {
    this.playing = false;
    this.tell();
  }

  private clockOf(index: number): number {
    return this.source.hasTime ? this.source.timeOf(index) : index / kFramesPerSecond;
  }

  private tick(now: number): void {
    if (!this.playing) return;
    this.clock += this.speed * Math.max(0, now - this.last) * 1e-3;
    this.last = now;
    const end = this.source.frameCount - 1;
    let next = this.at;
    while (next < end && this.clockOf(next + 1) <= this.clock) ++next;
    if (next === end) this.playing = false;
    if (next !== this.at || !this.playing) {
      this.at = next;
      this.tell();
    }
    requestAnimationFrame((later) => this.tick(later));
  }

  private tell(): void {
    for (const listener of this.listeners) listener(this.at);
  }
}
