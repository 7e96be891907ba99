// The surface of surfel bodies as it goes with the phyxels beneath: include/repose/shape/surfel_surface.h.
import * as THREE from "three";
import type { DrawnShape } from "../source/frame_source";

export type SurfelShape = Extract<DrawnShape, { kind: "surfels" }>;

// phyxels within so many of their mean distances carry a point; twice as far where they are fewer
const kCarryReach = 2;
const kFewest = 6;
const kFlat = 0.02; // of the mean spread, cubed
const kWidenings = 6;
const kLookedAt = 48; // phyxels whose nearest neighbour is looked for
const kStiffen = 1e-9; // of the trace

/** m; mean distance of some phyxels to the next one. */
export function phyxelDistance(phyxels: ArrayLike<number>): number {
  const count = phyxels.length / 3;
  const stride = Math.max(1, Math.floor(count / kLookedAt));
  let sum = 0;
  let known = 0;
  for (let i = 0; i < count; i += stride) {
    let least = Number.POSITIVE_INFINITY;
    for (let j = 0; j < count; ++j) if (j !== i) least = Math.min(least, squared(phyxels, j, phyxels, i));
    if (!Number.isFinite(least) || least === 0) continue;
    sum += Math.sqrt(least);
    ++known;
  }
  return known ? sum / known : 1;
}

function squared(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number {
  const [x, y, z] = [a[3 * i] - b[3 * j], a[3 * i + 1] - b[3 * j + 1], a[3 * i + 2] - b[3 * j + 2]];
  return x * x + y * y + z * z;
}

/** Points in cells of a width, to find those near a place. */
class Cells {
  private readonly cells = new Map<string, number[]>();
  private readonly points: ArrayLike<number>;
  private readonly width: number;

  constructor(points: ArrayLike<number>, width: number) {
    this.points = points;
    this.width = width;
    for (let i = 0; 3 * i < points.length; ++i) {
      const key = this.cell(points, i).join();
      if (!this.cells.has(key)) this.cells.set(key, []);
      this.cells.get(key)!.push(i);
    }
  }

  private cell(points: ArrayLike<number>, i: number): number[] {
    return [0, 1, 2].map((k) => Math.floor(points[3 * i + k] / this.width));
  }

  /** Those nearer than the width. */
  near(points: ArrayLike<number>, at: number): number[] {
    const [x, y, z] = this.cell(points, at);
    const out: number[] = [];
    for (let n = 0; n < 27; ++n)
      for (const i of this.cells.get([x + (n % 3) - 1, y + (Math.floor(n / 3) % 3) - 1, z + Math.floor(n / 9) - 1].join()) ?? [])
        if (squared(this.points, i, points, at) <= this.width * this.width) out.push(i);
    return out;
  }
}

/** Phyxels about a point, by weights that end at a reach. */
interface Cloud {
  readonly near: readonly number[];
  readonly weights: readonly number[];
  readonly all: number;
  readonly mean: readonly number[];
  readonly ways: readonly (readonly number[])[]; // from the mean
  readonly spread: number[];
}

function cloudAbout(points: Float32Array, at: number, reach: number, phyxels: Float32Array, about: readonly number[]): Cloud {
  const weightOf = (i: number) => Math.max(0, 1 - squared(phyxels, i, points, at) / (reach * reach)) ** 2;
  const near = about.filter((i) => weightOf(i) > 0);
  const weights = near.map(weightOf);
  const all = weights.reduce((sum, w) => sum + w, 0) || 1;
  const mean = [0, 1, 2].map((k) => near.reduce((sum, i, n) => sum + weights[n] * phyxels[3 * i + k], 0) / all);
  const ways = near.map((i) => [0, 1, 2].map((k) => phyxels[3 * i + k] - mean[k]));
  const spread = new Array<number>(9).fill(0);
  ways.forEach((d, n) => {
    for (let j = 0; j < 9; ++j) spread[j] += weights[n] * d[Math.floor(j / 3)] * d[j % 3];
  });
  return { near, weights, all, mean, ways, spread };
}

/** They lie on all sides of their mean. */
function isFull({ near, spread }: Cloud): boolean {
  const size = (spread[0] + spread[4] + spread[8]) / 3;
  return near.length >= kFewest && new THREE.Matrix3().fromArray(spread).determinant() > kFlat * size ** 3;
}

/** The surface of a shape, as it goes with phyxels; bodies that share the shape share it. */
export class SurfelSurface {
  readonly count: number; // of its points
  readonly triangles: Uint32Array;
  private readonly normals: Float32Array; // at rest
  private readonly first: Uint32Array; // share of each point, and one past the end
  private readonly phyxel: Uint32Array; // of each share
  private readonly share: Float32Array; // weight and slope, four numbers

  constructor(shape: SurfelShape) {
    this.count = shape.surfacePoints.length / 3;
    this.triangles = shape.triangles;
    this.normals = shape.surfaceNormals;
    [this.first, this.phyxel, this.share] = this.attach(shape.surfacePoints, shape.phyxels);
  }

  private attach(middles: Float32Array, phyxels: Float32Array): [Uint32Array, Uint32Array, Float32Array] {
    const width = kCarryReach * phyxelDistance(phyxels);
    const grids: Cells[] = [];
    const first = new Uint32Array(this.count + 1);
    const who: number[] = [];
    const shares: number[] = [];
    for (let s = 0; s < this.count; ++s) {
      let cloud!: Cloud;
      for (let widened = 0; widened <= kWidenings; ++widened) {
        grids[widened] ??= new Cells(phyxels, width * 2 ** widened);
        cloud = cloudAbout(middles, s, width * 2 ** widened, phyxels, grids[widened].near(middles, s));
        if (isFull(cloud)) break;
      }
      const { near, weights, all, mean, ways, spread } = cloud;
      const stiff = Math.max(kStiffen * (spread[0] + spread[4] + spread[8]), Number.MIN_VALUE);
      for (const j of [0, 4, 8]) spread[j] += stiff;
      const inverse = new THREE.Matrix3().fromArray(spread).invert().elements;
      near.forEach((i, n) => {
        const slope = [0, 1, 2].map((k) => weights[n] * [0, 1, 2].reduce((sum, j) => sum + inverse[3 * j + k] * ways[n][j], 0));
        who.push(i);
        shares.push(weights[n] / all + [0, 1, 2].reduce((sum, k) => sum + slope[k] * (middles[3 * s + k] - mean[k]), 0), ...slope);
      });
      first[s + 1] = who.length;
    }
    return [first, Uint32Array.from(who), Float32Array.from(shares)];
  }

  /** `phyxels`: places now; the others are filled, point by point. */
  move(phyxels: ArrayLike<number>, points: Float32Array, normals: Float32Array, strains: Float32Array): void {
    const { first, phyxel, share } = this;
    const F = new Float64Array(9); // rows
    const C = new Float64Array(9); // its cofactors
    for (let s = 0; s < this.count; ++s) {
      let [x, y, z] = [0, 0, 0];
      F.fill(0);
      for (let k = first[s]; k < first[s + 1]; ++k) {
        const p = 3 * phyxel[k];
        const [px, py, pz] = [phyxels[p], phyxels[p + 1], phyxels[p + 2]];
        const [w, gx, gy, gz] = [share[4 * k], share[4 * k + 1], share[4 * k + 2], share[4 * k + 3]];
        x += w * px, y += w * py, z += w * pz;
        F[0] += px * gx, F[1] += px * gy, F[2] += px * gz;
        F[3] += py * gx, F[4] += py * gy, F[5] += py * gz;
        F[6] += pz * gx, F[7] += pz * gy, F[8] += pz * gz;
      }
      for (let i = 0; i < 3; ++i)
        for (let j = 0; j < 3; ++j) {
          const [a, b, c, d] = [(i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3];
          C[3 * i + j] = F[3 * a + c] * F[3 * b + d] - F[3 * a + d] * F[3 * b + c];
        }
      const at = 3 * s;
      const [nx, ny, nz] = [this.normals[at], this.normals[at + 1], this.normals[at + 2]];
      const [ux, uy, uz] = [C[0] * nx + C[1] * ny + C[2] * nz, C[3] * nx + C[4] * ny + C[5] * nz, C[6] * nx + C[7] * ny + C[8] * nz];
      const length = Math.hypot(ux, uy, uz) || 1;
      points[at] = x, points[at + 1] = y, points[at + 2] = z;
      normals[at] = ux / length, normals[at + 1] = uy / length, normals[at + 2] = uz / length;
      strains[s] = greenStrain(F);
    }
  }
}

/** The norm of (F^T F - 1) / 2. */
function greenStrain(F: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < 3; ++i)
    for (let j = 0; j < 3; ++j) {
      const e = 0.5 * (F[i] * F[j] + F[3 + i] * F[3 + j] + F[6 + i] * F[6 + j] - (i === j ? 1 : 0));
      sum += e * e;
    }
  return Math.sqrt(sum);
}
