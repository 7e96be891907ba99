// What bodies can be coloured by: speed, the force of their contacts, their smallest gap.
import * as THREE from "three";
import type { FrameSource } from "../source/frame_source";

export type Quantity = "own" | "speed" | "force" | "gap";
export const kQuantities: readonly (readonly [Quantity, string])[] = [
  ["own", "own colours"],
  ["speed", "speed"],
  ["force", "contact force"],
  ["gap", "smallest gap"],
];

/** Dark blue to yellow, even to the eye (after viridis). */
export const kScale: readonly number[] = [0x46327e, 0x365c8d, 0x277f8e, 0x1fa187, 0x4ac16d, 0xa0da39, 0xfde725];

export interface Coloured {
  readonly values: Float64Array; // of each body; NaN where there is none
  readonly low: number;
  readonly high: number;
  readonly unit: string;
  readonly name?: string; // where it is none of kQuantities
}

/** Ways between two frames over the time between them. */
function fillSpeeds(source: FrameSource, from: Float64Array, to: Float64Array, span: number, values: Float64Array): void {
  source.bodies.forEach(({ fixed }, i) => {
    const way = Math.hypot(...[0, 1, 2].map((c) => to[3 * i + c] - from[3 * i + c]));
    values[i] = fixed ? Number.NaN : way / Math.abs(span);
  });
}

function speeds(source: FrameSource, index: number, values: Float64Array): string {
  const unit = source.hasTime ? "m/s" : "m a frame";
  if (source.live) {
    const now = source.frame(index);
    const before = source.before ?? now;
    fillSpeeds(source, before.positions, now.positions, source.hasTime ? now.time - before.time || 1 : 1, values);
    return unit;
  }
  const at = Math.min(Math.floor(index), source.frameCount - 1);
  const before = Math.max(0, at - 1);
  const last = source.frame(before).positions.slice();
  const now = source.frame(before === at ? Math.min(at + 1, source.frameCount - 1) : at).positions;
  const span = source.hasTime
    ? Math.abs(source.timeOf(Math.min(before + 1, source.frameCount - 1)) - source.timeOf(before)) || 1
    : 1;
  fillSpeeds(source, last, now, span, values);
  return unit;
}

/** The quantity of every body in a frame. */
export function quantityOf(source: FrameSource, index: number, quantity: Quantity): Coloured {
  const values = new Float64Array(source.bodies.length).fill(Number.NaN);
  let unit = "m";
  if (quantity === "speed") unit = speeds(source, index, values);
  else {
    const contacts = source.contacts(Math.floor(index));
    for (let k = 0; k < contacts.count; ++k)
      for (const body of [contacts.bodyA[k], contacts.bodyB[k]]) {
        if (quantity === "gap") {
          values[body] = Math.min(contacts.gaps[k], Number.isNaN(values[body]) ? Infinity : values[body]);
          continue;
        }
        const force = Math.hypot(...contacts.forces.subarray(3 * k, 3 * k + 3));
        values[body] = force + (Number.isNaN(values[body]) ? 0 : values[body]);
      }
    if (quantity === "force") unit = "N";
  }
  const known = values.filter((value, i) => Number.isFinite(value) && !source.bodies[i].fixed);
  const low = known.length ? Math.min(...known) : 0;
  const high = known.length ? Math.max(...known) : 1;
  return { values, low: quantity === "gap" ? low : 0, high: high > low ? high : low + (Math.abs(low) || 1), unit };
}

/** Of a share of the largest value, [0, 1]. */
export function colourAt(share: number): THREE.Color {
  const place = Math.min(1, Math.max(0, share)) * (kScale.length - 1);
  const step = Math.min(kScale.length - 2, Math.floor(place));
  return new THREE.Color(kScale[step]).lerp(new THREE.Color(kScale[step + 1]), place - step);
}

/** Colours of all bodies; null where the body keeps its own. */
export function coloursOf(source: FrameSource, { values, low, high }: Coloured): (THREE.Color | null)[] {
  return source.bodies.map(({ fixed }, i) => {
    if (fixed || !Number.isFinite(values[i])) return null;
    return colourAt((values[i] - low) / (high - low));
  });
}
