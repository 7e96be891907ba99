// Few triangles for shapes that are small on the screen: edges are drawn together where that moves the surface least
// (Garland and Heckbert 1997, quadrics; half edges, so that every corner left is one of the old ones). Rings stay rings.
import * as THREE from "three";

const kGrain = 1e-5; // of the shape's radius: corners nearer than that are one
const kLeastTurn = 0.2; // cosine between a triangle's normals before and after
const kBorderWeight = 10; // of an open edge against the triangles at it
const kShorter = 1e-6; // of two edges that move the surface alike, the shorter one: its length^4 by this weight

/** Ten numbers a corner: the upper half of the sum of n n^T, row by row, over planes n = (x, y, z, -n.p). */
type Quadrics = Float64Array;
const kQuadric = 10;

function addPlane(to: Quadrics, at: number, n: THREE.Vector3, p: THREE.Vector3, weight: number): void {
  const d = -n.dot(p);
  const plane = [n.x, n.y, n.z, d];
  for (let row = 0, k = at; row < 4; ++row)
    for (let column = row; column < 4; ++column) to[k++] += weight * plane[row] * plane[column];
}

/** Sum of weighted squared distances of a point from the planes of two corners. */
function errorAt(all: Quadrics, a: number, b: number, p: THREE.Vector3): number {
  const q = (k: number) => all[kQuadric * a + k] + all[kQuadric * b + k];
  return (
    q(0) * p.x * p.x + 2 * q(1) * p.x * p.y + 2 * q(2) * p.x * p.z + 2 * q(3) * p.x +
    q(4) * p.y * p.y + 2 * q(5) * p.y * p.z + 2 * q(6) * p.y +
    q(7) * p.z * p.z + 2 * q(8) * p.z + q(9)
  );
}

/** A surface by its corners, each in one place once, with the normals that it has there. */
class Surface {
  readonly places: THREE.Vector3[] = [];
  readonly normals: THREE.Vector3[][] = [];
  triangles: [number, number, number][] = [];

  constructor(geometry: THREE.BufferGeometry) {
    const points = geometry.getAttribute("position");
    const turns = geometry.getAttribute("normal");
    geometry.computeBoundingSphere();
    const grain = kGrain * geometry.boundingSphere!.radius || 1;
    const names = new Map<string, number>();
    const cornerOf = Array.from({ length: points.count }, (_, i) => {
      const name = [points.getX(i), points.getY(i), points.getZ(i)].map((x) => Math.round(x / grain)).join();
      if (!names.has(name)) {
        names.set(name, this.places.length);
        this.places.push(new THREE.Vector3().fromBufferAttribute(points, i));
        this.normals.push([]);
      }
      const corner = names.get(name)!;
      const normal = new THREE.Vector3().fromBufferAttribute(turns, i);
      if (!this.normals[corner].some((n) => n.equals(normal))) this.normals[corner].push(normal);
      return corner;
    });
    const corners = geometry.index?.array ?? Uint32Array.from({ length: points.count }, (_, i) => i);
    for (let k = 0; k + 2 < corners.length; k += 3) {
      const [a, b, c] = [cornerOf[corners[k]], cornerOf[corners[k + 1]], cornerOf[corners[k + 2]]];
      if (a !== b && b !== c && a !== c) this.triangles.push([a, b, c]);
    }
  }

  /** Twice its area, along its outward side. */
  across([a, b, c]: readonly [number, number, number]): THREE.Vector3 {
    const from = this.places[a];
    return this.places[b].clone().sub(from).cross(this.places[c].clone().sub(from));
  }

  /** Corners take the old normal that is nearest to their triangle's. */
  geometry(): THREE.BufferGeometry {
    const made = new Map<string, number>();
    const places: number[] = [];
    const turns: number[] = [];
    const index = this.triangles.flatMap((triangle) => {
      const across = this.across(triangle);
      return triangle.map((corner) => {
        const all = this.normals[corner];
        const best = all.reduce((found, n, k) => (n.dot(across) > all[found].dot(across) ? k : found), 0);
        const name = `${corner} ${best}`;
        if (!made.has(name)) {
          made.set(name, places.length / 3);
          places.push(...this.places[corner].toArray());
          turns.push(...all[best].toArray());
        }
        return made.get(name)!;
      });
    });
    const out = new THREE.BufferGeometry();
    out.setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
    out.setAttribute("normal", new THREE.Float32BufferAttribute(turns, 3));
    out.setIndex(index);
    return out;
  }
}

/** What costs least comes first. */
class Heap<Item> {
  private readonly rows: { cost: number; item: Item }[] = [];

  push(cost: number, item: Item): void {
    const { rows } = this;
    let at = rows.push({ cost, item }) - 1;
    for (let up = (at - 1) >> 1; at > 0 && rows[up].cost > cost; at = up, up = (at - 1) >> 1)
      [rows[at], rows[up]] = [rows[up], rows[at]];
  }
  pop(): Item | undefined {
    const { rows } = this;
    const first = rows[0];
    const last = rows.pop();
    if (!first || !last || rows.length === 0) return first?.item;
    rows[0] = last;
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < rows.length && rows[left].cost < rows[least].cost) least = left;
      if (right < rows.length && rows[right].cost < rows[least].cost) least = right;
      if (least === at) return first.item;
      [rows[at], rows[least]] = [rows[least], rows[at]];
      at = least;
    }
  }
}

/** An edge of it belongs to two triangles at most. */
export function isOneSheet(geometry: THREE.BufferGeometry): boolean {
  const edges = new Map<string, number>();
  for (const triangle of new Surface(geometry).triangles)
    triangle.forEach((a, k) => {
      const b = triangle[(k + 1) % 3];
      const name = a < b ? `${a} ${b}` : `${b} ${a}`;
      edges.set(name, (edges.get(name) ?? 0) + 1);
    });
  return [...edges.values()].every((count) => count <= 2);
}

/** At most so many triangles, or as few as leave holes and rings what they are. */
export function collapsed(geometry: THREE.BufferGeometry, most: number): THREE.BufferGeometry {
  const surface = new Surface(geometry);
  const { places } = surface;
  const at: Set<number>[] = places.map(() => new Set()); // triangles at a corner
  const triangles: ([number, number, number] | null)[] = surface.triangles.map((t) => [...t]);
  triangles.forEach((triangle, t) => triangle!.forEach((corner) => at[corner].add(t)));
  let left = triangles.length;

  const neighbours = (corner: number) => new Set([...at[corner]].flatMap((t) => triangles[t]!).filter((c) => c !== corner));
  const shared = (a: number, b: number) => [...at[a]].filter((t) => at[b].has(t));
  const quadrics: Quadrics = new Float64Array(kQuadric * places.length);
  triangles.forEach((triangle) => {
    const across = surface.across(triangle!);
    const area = across.length() / 2;
    const normal = across.normalize();
    for (const corner of triangle!) addPlane(quadrics, kQuadric * corner, normal, places[corner], area);
    // an open edge stays where it is
    triangle!.forEach((a, k) => {
      const b = triangle![(k + 1) % 3];
      if (shared(a, b).length !== 1) return;
      const along = places[b].clone().sub(places[a]);
      const wall = along.clone().cross(normal).normalize();
      for (const corner of [a, b]) addPlane(quadrics, kQuadric * corner, wall, places[corner], kBorderWeight * along.lengthSq());
    });
  });

  /** Corner `from` may be drawn to `to`: no hole closes, no triangle turns over. */
  const may = (from: number, to: number) => {
    const common = shared(from, to);
    const others = neighbours(to);
    const both = [...neighbours(from)].filter((c) => others.has(c));
    if (both.length !== common.length || common.length > 2) return false;
    const open = (corner: number) => [...neighbours(corner)].some((c) => shared(corner, c).length === 1);
    if (open(from) && common.length === 2) return false;
    return [...at[from]].every((t) => {
      const triangle = triangles[t]!;
      if (triangle.includes(to)) return true;
      const before = surface.across(triangle);
      const after = surface.across(triangle.map((c) => (c === from ? to : c)) as [number, number, number]);
      return before.dot(after) > kLeastTurn * before.length() * after.length();
    });
  };

  const heap = new Heap<{ from: number; to: number; age: number }>();
  const age = new Int32Array(places.length); // what was said of a corner before it took another in is past
  const waiting: number[][] = places.map(() => []); // to whom a corner may not be drawn until something changes beside it
  const offer = (from: number, to: number) => {
    const error = errorAt(quadrics, from, to, places[to]) + kShorter * places[from].distanceToSquared(places[to]) ** 2;
    heap.push(error, { from, to, age: age[from] + age[to] });
  };
  places.forEach((_, corner) => neighbours(corner).forEach((other) => offer(corner, other)));
  for (let next = heap.pop(); next && left > most; next = heap.pop()) {
    const { from, to } = next;
    if (next.age !== age[from] + age[to] || shared(from, to).length === 0) continue;
    if (!may(from, to)) {
      waiting[from].push(to);
      continue;
    }
    for (const t of [...at[from]]) {
      const triangle = triangles[t]!;
      if (triangle.includes(to)) {
        triangle.forEach((corner) => at[corner].delete(t));
        triangles[t] = null;
        --left;
        continue;
      }
      triangle[triangle.indexOf(from)] = to;
      at[to].add(t);
    }
    at[from].clear();
    for (let k = 0; k < kQuadric; ++k) quadrics[kQuadric * to + k] += quadrics[kQuadric * from + k];
    ++age[to];
    waiting[to] = [];
    for (const corner of neighbours(to)) {
      offer(corner, to);
      offer(to, corner);
      for (const other of waiting[corner].splice(0)) if (other !== to) offer(corner, other);
    }
  }
  surface.triangles = triangles.filter((triangle) => triangle !== null);
  return surface.geometry();
}
