// A closed surface over balls, for drawing: the field and the polygons of include/repose/shape/skin.h.

export interface SkinMesh {
  readonly points: Float32Array;
  readonly triangles: Uint32Array;
}

// no point of the skin is farther from the balls than this share of their radius
const kReach = 0.5;
const kMostSamples = 1 << 22;
const kOffCorner = 1e-3; // of an edge: cuts stay so far from its ends
const kMiddle = 12; // corners of a triangle from here on: the middle of a polygon

interface CellCase {
  readonly triangles: readonly number[]; // edges, three for each triangle
  readonly polygons: readonly (readonly number[])[]; // those that need a middle
}

const edgeCorners = (edge: number): [number, number] => {
  const axis = edge >> 2;
  const place = edge & 3;
  const low = ((place & 1) << (axis + 1) % 3) | ((place >> 1) << (axis + 2) % 3);
  return [low, low | (1 << axis)];
};
const kEdgeCorners = Array.from({ length: 12 }, (_, e) => edgeCorners(e));
const edgeOf = (a: number, b: number) =>
  kEdgeCorners.findIndex(([p, q]) => (p === a && q === b) || (p === b && q === a));

/** Counter-clockwise seen from outside the cube. */
function faceCorners(face: number): number[] {
  const axis = face >> 1;
  const high = face & 1;
  const corner = (a: number, b: number) =>
    (high << axis) | (a << (axis + 1) % 3) | (b << (axis + 2) % 3);
  const out = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
  return high ? out : out.reverse();
}

function shareFace(a: number, b: number): boolean {
  for (let face = 0; face < 6; ++face) {
    const corners = faceCorners(face);
    const onIt = (edge: number) => kEdgeCorners[edge].every((c) => corners.includes(c));
    if (onIt(a) && onIt(b)) return true;
  }
  return false;
}

function polygonsOf(inside: number): number[][] {
  const isIn = (corner: number) => ((inside >> corner) & 1) === 1;
  const next = new Array<number>(12).fill(-1);
  for (let face = 0; face < 6; ++face) {
    const c = faceCorners(face);
    if (c.every(isIn)) continue;
    for (let k = 0; k < 4; ++k) {
      const before = c[(k + 3) % 4];
      if (!isIn(c[k]) || isIn(before)) continue;
      let last = k;
      while (isIn(c[(last + 1) % 4])) ++last;
      next[edgeOf(before, c[k])] = edgeOf(c[last % 4], c[(last + 1) % 4]);
    }
  }
  const done = new Array<boolean>(12).fill(false);
  const out: number[][] = [];
  for (let first = 0; first < 12; ++first) {
    if (next[first] < 0 || done[first]) continue;
    const polygon: number[] = [];
    for (let e = first; !done[e]; e = next[e]) {
      done[e] = true;
      polygon.push(e);
    }
    out.push(polygon);
  }
  return out;
}

function caseOf(inside: number): CellCase {
  const triangles: number[] = [];
  const polygons: number[][] = [];
  for (const polygon of polygonsOf(inside)) {
    const n = polygon.length;
    const apex = polygon.findIndex((edge, k) =>
      polygon.every((other, j) => {
        const apart = (j - k + n) % n;
        return apart < 2 || apart > n - 2 || !shareFace(edge, other);
      }),
    );
    if (apex >= 0)
      for (let k = 1; k + 1 < n; ++k)
        triangles.push(polygon[apex], polygon[(apex + k) % n], polygon[(apex + k + 1) % n]);
    else {
      for (let k = 0; k < n; ++k)
        triangles.push(polygon[k], polygon[(k + 1) % n], kMiddle + polygons.length);
      polygons.push(polygon);
    }
  }
  return { triangles, polygons };
}
const kCases = Array.from({ length: 256 }, (_, inside) => caseOf(inside));

/** Samples of the field on a cubic grid. */
class Grid {
  readonly low = [0, 0, 0];
  readonly count = [0, 0, 0];
  readonly spacing: number;
  readonly values: Float32Array;

  constructor(centers: Float64Array, radii: Float32Array) {
    const high = [0, 0, 0];
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < 3; ++k) {
      this.low[k] = Number.POSITIVE_INFINITY;
      high[k] = Number.NEGATIVE_INFINITY;
      radii.forEach((r, i) => {
        this.low[k] = Math.min(this.low[k], centers[3 * i + k] - (1 + kReach) * r);
        high[k] = Math.max(high[k], centers[3 * i + k] + (1 + kReach) * r);
        least = Math.min(least, r);
      });
    }
    let spacing = 0.5 * least;
    const cells = (k: number) => Math.ceil((high[k] - this.low[k]) / spacing) + 3;
    while (cells(0) * cells(1) * cells(2) > kMostSamples) spacing *= 1.25;
    for (let k = 0; k < 3; ++k) {
      this.count[k] = cells(k);
      this.low[k] -= spacing;
    }
    this.spacing = spacing;
    this.values = new Float32Array(this.count[0] * this.count[1] * this.count[2]);
    radii.forEach((r, i) => this.splat(centers[3 * i], centers[3 * i + 1], centers[3 * i + 2], r));
  }

  private splat(x: number, y: number, z: number, radius: number): void {
    const reach = (1 + kReach) * radius;
    const { low, spacing, count, values } = this;
    const at = [x, y, z];
    const from = at.map((c, k) => Math.max(0, Math.ceil((c - reach - low[k]) / spacing)));
    const to = at.map((c, k) => Math.min(count[k] - 1, Math.floor((c + reach - low[k]) / spacing)));
    const scale = 1 / (1 - (radius * radius) / (reach * reach));
    for (let c = from[2]; c <= to[2]; ++c)
      for (let b = from[1]; b <= to[1]; ++b) {
        const across = (low[1] + spacing * b - y) ** 2 + (low[2] + spacing * c - z) ** 2;
        const row = (c * count[1] + b) * count[0];
        for (let a = from[0]; a <= to[0]; ++a) {
          const t =
            scale * (1 - (across + (low[0] + spacing * a - x) ** 2) / (reach * reach));
          if (t > 0) values[row + a] += t * t * t;
        }
      }
  }
}

/** `centers`: x, y, z of each ball in turn. */
export function skinOf(centers: Float64Array, radii: Float32Array): SkinMesh {
  const grid = new Grid(centers, radii);
  const { count, values, low, spacing } = grid;
  const [nx, ny, nz] = count;
  const points: number[] = [];
  const triangles: number[] = [];
  const cuts = new Map<number, number>();
  const corner = [0, 1, nx, nx + 1, nx * ny, nx * ny + 1, nx * ny + nx, nx * ny + nx + 1];
  const cut = (cell: number, edge: number): number => {
    const [p, q] = kEdgeCorners[edge];
    const a = cell + corner[p];
    const key = 3 * a + (edge >> 2);
    const known = cuts.get(key);
    if (known !== undefined) return known;
    const fa = values[a];
    const level = (1 - fa) / (values[cell + corner[q]] - fa);
    const share = Math.min(1 - kOffCorner, Math.max(kOffCorner, level));
    const at = [a % nx, Math.floor(a / nx) % ny, Math.floor(a / (nx * ny))];
    at[edge >> 2] += share;
    const made = points.length / 3;
    for (let k = 0; k < 3; ++k) points.push(low[k] + spacing * at[k]);
    cuts.set(key, made);
    return made;
  };
  for (let z = 0; z + 1 < nz; ++z)
    for (let y = 0; y + 1 < ny; ++y)
      for (let x = 0; x + 1 < nx; ++x) {
        const cell = (z * ny + y) * nx + x;
        let inside = 0;
        for (let k = 0; k < 8; ++k) if (values[cell + corner[k]] >= 1) inside |= 1 << k;
        if (inside === 0 || inside === 255) continue;
        const of = kCases[inside];
        const middles = of.polygons.map((polygon) => {
          const edges = polygon.map((edge) => cut(cell, edge));
          const made = points.length / 3;
          for (let k = 0; k < 3; ++k)
            points.push(edges.reduce((sum, i) => sum + points[3 * i + k], 0) / edges.length);
          return made;
        });
        for (const c of of.triangles)
          triangles.push(c >= kMiddle ? middles[c - kMiddle] : cut(cell, c));
      }
  return { points: new Float32Array(points), triangles: new Uint32Array(triangles) };
}
