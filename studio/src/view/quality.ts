// How finely is drawn while things move: without a graphics card shadows and then pixels are given up until the motion
// is smooth. What stands still is drawn in full.
import type * as THREE from "three";
import type { Lights } from "./look";

interface Level {
  readonly shadows: boolean;
  readonly pixels: number; // of those drawn when still, in each direction
}

const kLevels: readonly Level[] = [
  { shadows: true, pixels: 1 },
  { shadows: false, pixels: 1 },
  { shadows: false, pixels: 0.7 },
  { shadows: false, pixels: 0.5 },
];
const kSlow = 30; // ms between two pictures
const kSlowOnes = 2; // of them in a row lower the quality
const kStill = 300; // ms without a new picture

export class Quality {
  private level = 0; // while things move
  private used = 0; // that of the last picture
  private slow = 0;
  private last = 0; // when a picture was drawn; 0: none since all stood still
  private previous = 0; // when the loop came by

  constructor(
    private readonly renderer: THREE.WebGLRenderer,
    private readonly lights: Lights,
    private readonly finest: number, // device pixels for a CSS pixel
    private readonly adapts: boolean,
    private readonly drawCoarsely: (on: boolean) => void,
  ) {}

  /** Another scene costs something else. */
  reset(): void {
    this.level = 0;
    this.slow = 0;
    this.use(0);
  }

  /** Called once a picture of the browser: true where one must be drawn, and it is drawn as fits. */
  due(now: number, stale: boolean): boolean {
    if (!this.adapts) return stale;
    const took = now - this.previous;
    const drew = this.last !== 0 && this.last === this.previous;
    this.previous = now;
    if (stale) {
      if (drew) this.judge(took);
      this.last = now;
      this.use(this.level);
      return true;
    }
    if (this.last === 0 || now < this.last + kStill) return false;
    this.last = 0;
    if (this.used === 0) return false;
    this.use(0);
    return true;
  }

  /** The next picture is drawn in full. */
  full(): void {
    this.use(0);
  }
  get lowered(): number {
    return this.level;
  }

  private judge(took: number): void {
    this.slow = took > kSlow ? this.slow + 1 : 0;
    if (this.slow < kSlowOnes || this.level + 1 >= kLevels.length) return;
    this.level += 1;
    this.slow = 0;
  }

  private use(level: number): void {
    if (level === this.used) return;
    this.used = level;
    this.lights.castShadows(kLevels[level].shadows);
    this.drawCoarsely(level > 0);
    this.renderer.setPixelRatio(this.finest * kLevels[level].pixels);
  }
}
