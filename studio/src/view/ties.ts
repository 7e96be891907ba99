// Joints and springs: pins, sliders, gears, motors, rods, ropes and springs between bodies, as a drawing of a machine has them.
import * as THREE from "three";
import type { FrameSource, Tie } from "../source/frame_source";

const kSize = 0.022; // of signs, scene radii
const kCoils = 9; // of a spring
const kCoilWidth = 0.5; // of the sign's size
const kAround = 24; // corners of a circle
const kMostTies = 4000;
const kPlate = 1; // radius of the pale disc of a round sign, and of its dark middle: sizes
const kMiddle = 0.3;
const kPale = 0xf4f4f2;
const kDark = 0x1c1e21;
const kRound = ["pin", "motor", "gear"];

/** Points of line segments, two each, in the tie's own frame: x from one end to the other, 0 to 1; y in sign sizes. */
function zigzag(): number[] {
  const out: number[] = [];
  const corner = (k: number): [number, number] =>
    k <= 0 ? [0, 0] : k > 2 * kCoils ? [1, 0] : [0.1 + (0.8 * (k - 0.5)) / (2 * kCoils), k % 2 ? kCoilWidth : -kCoilWidth];
  for (let k = 0; k <= 2 * kCoils; ++k) out.push(...corner(k), ...corner(k + 1));
  return out;
}

function circle(radius: number, share = 1): number[] {
  const out: number[] = [];
  for (let k = 0; k < kAround * share; ++k)
    for (const at of [k, k + 1]) {
      const angle = (2 * Math.PI * at) / kAround;
      out.push(radius * Math.cos(angle), radius * Math.sin(angle));
    }
  return out;
}

// signs about a point, in sign sizes, x and y of segments
const kSigns: Record<string, number[]> = {
  pin: circle(1),
  weld: [-0.8, -0.8, 0.8, 0.8, -0.8, 0.8, 0.8, -0.8],
  motor: [...circle(1.6, 0.75), 0, -1.6, -0.5, -1.2, 0, -1.6, -0.5, -2.0],
  gear: [...circle(1), ...Array.from({ length: 12 }, (_, k) => {
    const [c, s] = [Math.cos((k * Math.PI) / 6), Math.sin((k * Math.PI) / 6)];
    return [c, s, 1.3 * c, 1.3 * s];
  }).flat()],
  slider: [-2.5, 0.8, 2.5, 0.8, -2.5, -0.8, 2.5, -0.8],
  push: [-7, 0, 0, 0, -2, 0.9, 0, 0, -2, -0.9, 0, 0],
  point_on_line: [-2.5, 0, 2.5, 0, ...circle(0.6)],
};
const kSpan: Record<string, number[]> = { spring: zigzag(), rod: [0, 0, 1, 0], rope: [0, 0, 1, 0], connect: [0, 0, 1, 0] };

/** A pale disc with a dark middle, seen from in front. */
function plate(size: number): THREE.Group {
  const disc = (radius: number, color: number, order: number) => {
    const paint = new THREE.MeshBasicMaterial({ color, toneMapped: false, transparent: true, depthTest: false });
    const out = new THREE.Mesh(new THREE.CircleGeometry(radius * size, kAround), paint);
    out.renderOrder = order;
    out.raycast = () => undefined;
    return out;
  };
  return new THREE.Group().add(disc(kPlate, kPale, 8), disc(kMiddle, kDark, 10));
}

/** An end of a rod, a rope or a spring in the world or in a fixed body is seen to be held there. */
function held(tie: Tie, source: FrameSource): Tie[] {
  if (!(tie.kind in kSpan)) return [];
  const fixed = (body: number) => body < 0 || source.bodies[body].fixed;
  const out: Tie[] = [];
  if (fixed(tie.a)) out.push({ ...tie, kind: "pin" });
  if (fixed(tie.b)) out.push({ ...tie, kind: "pin", a: tie.b, pointA: tie.pointB });
  return out;
}

/** In the plane drawn over the bodies, since joints lie inside them. */
export class Ties extends THREE.Group {
  private readonly lines: THREE.LineSegments;
  private readonly plates: readonly { readonly tie: Tie; readonly group: THREE.Group }[];
  private readonly known: readonly Tie[];
  private readonly ties: readonly Tie[]; // with the held ends of those known
  private readonly size: number;

  constructor(source: FrameSource, sceneRadius: number) {
    super();
    this.known = source.ties.slice(0, kMostTies).filter((tie) => tie.kind in kSigns || tie.kind in kSpan);
    this.ties = [...this.known, ...this.known.flatMap((tie) => held(tie, source))];
    this.size = kSize * sceneRadius;
    this.plates = source.about.plane ? this.ties.filter(({ kind }) => kRound.includes(kind)).map((tie) => ({ tie, group: plate(this.size) })) : [];
    for (const { group } of this.plates) this.add(group);
    const count = this.ties.reduce((sum, { kind }) => sum + (kSigns[kind] ?? kSpan[kind]).length / 2, 0);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * count), 3));
    this.lines = new THREE.LineSegments(
      geometry,
      new THREE.LineBasicMaterial({ toneMapped: false, transparent: true, opacity: 0.9, depthTest: !source.about.plane }),
    );
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 9;
    this.add(this.lines);
    this.visible = this.ties.length > 0;
  }

  /** What they are called. */
  get word(): string {
    const springs = this.known.every(({ kind }) => kind === "spring");
    const forces = this.known.every(({ kind }) => kind === "push" || kind === "connect" || kind === "spring");
    return springs ? "Springs" : forces ? "Forces by hand" : "Joints";
  }

  get any(): boolean {
    return this.ties.length > 0;
  }

  apply(color: number): void {
    (this.lines.material as THREE.LineBasicMaterial).color.set(color);
  }

  /** `matrices`: where the bodies are. */
  show(matrices: readonly THREE.Matrix4[]): void {
    if (!this.visible) return;
    const positions = this.lines.geometry.getAttribute("position") as THREE.BufferAttribute;
    const out = positions.array as Float32Array;
    const [a, b, along, side, point] = Array.from({ length: 5 }, () => new THREE.Vector3());
    let at = 0;
    for (const tie of this.ties) {
      a.set(...tie.pointA);
      if (tie.a >= 0) a.applyMatrix4(matrices[tie.a]);
      b.set(...tie.pointB);
      if (tie.b >= 0) b.applyMatrix4(matrices[tie.b]);
      const span = kSpan[tie.kind];
      if (span) along.copy(b).sub(a);
      else if (tie.kind === "slider" || tie.kind === "point_on_line") {
        along.set(...tie.axis);
        if (tie.a >= 0) along.transformDirection(matrices[tie.a]);
      } else if (tie.kind === "push") along.set(...tie.axis); // of the world
      else along.set(1, 0, 0);
      // across it, in the plane of drawing where there is one
      side.set(-along.y, along.x, 0);
      if (side.lengthSq() < 1e-12) side.set(1, 0, 0);
      side.normalize().multiplyScalar(this.size);
      if (!span) along.normalize().multiplyScalar(this.size);
      const sign = span ?? kSigns[tie.kind];
      for (let k = 0; k < sign.length; k += 2) {
        point.copy(a).addScaledVector(along, sign[k]).addScaledVector(side, sign[k + 1]);
        point.toArray(out, at);
        at += 3;
      }
    }
    positions.needsUpdate = true;
    for (const { tie, group } of this.plates) {
      group.position.set(...tie.pointA);
      if (tie.a >= 0) group.position.applyMatrix4(matrices[tie.a]);
    }
  }
}
