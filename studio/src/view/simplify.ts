// Fewer triangles for shapes of which many are drawn: points of one cell of a grid become one point of the surface,
// normals stay apart where an edge is sharp.
import * as THREE from "three";

const kSides = 6; // a normal's nearest axis tells on which side of a sharp edge it lies
const kLeastCells = 4; // along the longest edge of the shape: rings stay rings
const kFiner = 1.25; // from one grid to the next

function clustered(geometry: THREE.BufferGeometry, cells: number): THREE.BufferGeometry {
  const points = geometry.getAttribute("position");
  const normals = geometry.getAttribute("normal");
  const corners = geometry.index?.array ?? Uint32Array.from({ length: points.count }, (_, i) => i);
  geometry.computeBoundingBox();
  const { min, max } = geometry.boundingBox!;
  const width = Math.max(max.x - min.x, max.y - min.y, max.z - min.z) / cells || 1;
  const point = new THREE.Vector3();
  const normal = new THREE.Vector3();
  // the point of each cell that lies nearest to the middle of them all
  const cellOf = new Int32Array(points.count);
  const names = new Map<number, number>();
  const sums: THREE.Vector4[] = [];
  for (let i = 0; i < points.count; ++i) {
    point.fromBufferAttribute(points, i).sub(min).divideScalar(width).floor();
    const name = point.x + (cells + 2) * (point.y + (cells + 2) * point.z);
    if (!names.has(name)) {
      names.set(name, sums.length);
      sums.push(new THREE.Vector4(0, 0, 0, 0));
    }
    cellOf[i] = names.get(name)!;
    const sum = sums[cellOf[i]];
    point.fromBufferAttribute(points, i);
    sum.set(sum.x + point.x, sum.y + point.y, sum.z + point.z, sum.w + 1);
  }
  const chosen = new Int32Array(sums.length).fill(-1);
  const nearest = new Float64Array(sums.length).fill(Number.POSITIVE_INFINITY);
  const middle = new THREE.Vector3();
  for (let i = 0; i < points.count; ++i) {
    const cell = cellOf[i];
    const { x, y, z, w } = sums[cell];
    const away = point.fromBufferAttribute(points, i).distanceToSquared(middle.set(x / w, y / w, z / w));
    if (away >= nearest[cell]) continue;
    nearest[cell] = away;
    chosen[cell] = i;
  }
  // a new vertex for each cell and side
  const made = new Map<number, number>();
  const places: number[] = [];
  const turns: number[] = [];
  const vertexOf = new Int32Array(points.count);
  for (let i = 0; i < points.count; ++i) {
    normal.fromBufferAttribute(normals, i);
    const size = [Math.abs(normal.x), Math.abs(normal.y), Math.abs(normal.z)];
    const axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
    const key = kSides * cellOf[i] + 2 * axis + (normal.getComponent(axis) < 0 ? 1 : 0);
    if (!made.has(key)) {
      made.set(key, places.length / 3);
      point.fromBufferAttribute(points, chosen[cellOf[i]]);
      places.push(point.x, point.y, point.z);
      turns.push(0, 0, 0);
    }
    const to = (vertexOf[i] = made.get(key)!);
    for (let c = 0; c < 3; ++c) turns[3 * to + c] += normal.getComponent(c);
  }
  for (let i = 0; i < turns.length; i += 3) normal.fromArray(turns, i).normalize().toArray(turns, i);
  const index: number[] = [];
  const seen = new Set<string>();
  for (let k = 0; k + 2 < corners.length; k += 3) {
    const cell = [0, 1, 2].map((c) => cellOf[corners[k + c]]);
    if (cell[0] === cell[1] || cell[1] === cell[2] || cell[0] === cell[2]) continue;
    const triangle = [0, 1, 2].map((c) => vertexOf[corners[k + c]]);
    const first = triangle.indexOf(Math.min(...triangle));
    const name = [0, 1, 2].map((c) => triangle[(first + c) % 3]).join();
    if (seen.has(name)) continue;
    seen.add(name);
    index.push(...triangle);
  }
  const out = new THREE.BufferGeometry();
  out.setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
  out.setAttribute("normal", new THREE.Float32BufferAttribute(turns, 3));
  out.setIndex(index);
  return out;
}

const trianglesOf = (geometry: THREE.BufferGeometry): number =>
  (geometry.index?.count ?? geometry.getAttribute("position").count) / 3;

/** The finest grid's geometry of at most so many triangles, or the coarsest there is; itself where it has no more. */
export function simplified(geometry: THREE.BufferGeometry, most: number): THREE.BufferGeometry {
  if (trianglesOf(geometry) <= most) return geometry;
  let best = clustered(geometry, kLeastCells);
  for (let cells = kLeastCells * kFiner; ; cells *= kFiner) {
    const finer = clustered(geometry, Math.round(cells));
    if (trianglesOf(finer) > most || trianglesOf(finer) >= trianglesOf(geometry)) return best;
    best = finer;
  }
}

/** How many triangles each copy may have, so that all together stay within `all`: small shapes stay whole, and what they
 * leave is for the others. */
export function fairShare(copies: readonly { triangles: number; count: number }[], all: number): number {
  let left = all;
  let bodies = copies.reduce((sum, { count }) => sum + count, 0);
  for (const { triangles, count } of [...copies].sort((a, b) => a.triangles - b.triangles)) {
    if (triangles * bodies > left) return Math.max(1, left / bodies);
    left -= triangles * count;
    bodies -= count;
  }
  return Number.POSITIVE_INFINITY;
}

/** Each edge of it belongs to two triangles that run along it in opposite ways; points in one place count as one. */
export function isClosed(geometry: THREE.BufferGeometry): boolean {
  const points = geometry.getAttribute("position");
  const corners = geometry.index?.array ?? Uint32Array.from({ length: points.count }, (_, i) => i);
  const names = new Map<string, number>();
  const place = Array.from({ length: points.count }, (_, i) => {
    const name = `${points.getX(i)},${points.getY(i)},${points.getZ(i)}`;
    if (!names.has(name)) names.set(name, names.size);
    return names.get(name)!;
  });
  const open = new Map<number, number>(); // how often an edge runs up, less how often down
  for (let k = 0; k + 2 < corners.length; k += 3)
    for (let c = 0; c < 3; ++c) {
      const [a, b] = [place[corners[k + c]], place[corners[k + ((c + 1) % 3)]]];
      if (a === b) continue;
      const edge = Math.min(a, b) * names.size + Math.max(a, b);
      open.set(edge, (open.get(edge) ?? 0) + (a < b ? 1 : -1));
    }
  return [...open.values()].every((count) => count === 0);
}
