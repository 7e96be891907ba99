// Many copies of one geometry. A graphics card draws them by instancing; software renderers take
// every instance as a drawing of its own, so there the copies are merged into one mesh.
import * as THREE from "three";

export interface Copies {
  readonly mesh: THREE.Mesh | THREE.Points;
  setMatrix(copy: number, matrix: THREE.Matrix4): void;
  setColor(copy: number, color: THREE.Color): void;
  /** Hands changed matrices or colours to the renderer. */
  flush(): void;
  /** Which copy a ray has hit. */
  copyHit(hit: THREE.Intersection): number;
}

class InstancedCopies implements Copies {
  readonly mesh: THREE.InstancedMesh;

  constructor(geometry: THREE.BufferGeometry, material: THREE.Material, count: number) {
    this.mesh = new THREE.InstancedMesh(geometry, material, count);
    this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
  }
  setMatrix(copy: number, matrix: THREE.Matrix4): void {
    this.mesh.setMatrixAt(copy, matrix);
  }
  setColor(copy: number, color: THREE.Color): void {
    this.mesh.setColorAt(copy, color);
    this.mesh.instanceColor!.needsUpdate = true;
  }
  flush(): void {
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.boundingSphere = null;
  }
  copyHit(hit: THREE.Intersection): number {
    return hit.instanceId ?? -1;
  }
}

class MergedCopies implements Copies {
  readonly mesh: THREE.Mesh;

  private readonly points: Float32Array; // of one copy
  private readonly normals: Float32Array;
  private readonly triangles: number; // of one copy
  private readonly attributes: Record<"position" | "normal" | "color", THREE.BufferAttribute>;

  constructor(geometry: THREE.BufferGeometry, material: THREE.Material, count: number) {
    this.points = geometry.getAttribute("position").array as Float32Array;
    this.normals = geometry.getAttribute("normal").array as Float32Array;
    const size = this.points.length / 3;
    const corners = geometry.index?.array ?? Uint32Array.from({ length: size }, (_, i) => i);
    this.triangles = corners.length / 3;
    const index = new Uint32Array(count * corners.length);
    for (let copy = 0; copy < count; ++copy)
      for (let k = 0; k < corners.length; ++k)
        index[copy * corners.length + k] = copy * size + corners[k];
    const column = () => new THREE.BufferAttribute(new Float32Array(3 * size * count), 3);
    this.attributes = { position: column(), normal: column(), color: column() };
    const merged = new THREE.BufferGeometry();
    for (const [name, attribute] of Object.entries(this.attributes))
      merged.setAttribute(name, attribute);
    merged.setIndex(new THREE.BufferAttribute(index, 1));
    material.vertexColors = true;
    this.mesh = new THREE.Mesh(merged, material);
  }
  setMatrix(copy: number, { elements: m }: THREE.Matrix4): void {
    const { points, normals } = this;
    const position = this.attributes.position.array;
    const normal = this.attributes.normal.array;
    const [ax, ay, az, , bx, by, bz, , cx, cy, cz, , px, py, pz] = m;
    for (let i = 0, to = copy * points.length; i < points.length; i += 3, to += 3) {
      const [x, y, z] = [points[i], points[i + 1], points[i + 2]];
      position[to] = ax * x + bx * y + cx * z + px;
      position[to + 1] = ay * x + by * y + cy * z + py;
      position[to + 2] = az * x + bz * y + cz * z + pz;
      const [u, v, w] = [normals[i], normals[i + 1], normals[i + 2]];
      normal[to] = ax * u + bx * v + cx * w;
      normal[to + 1] = ay * u + by * v + cy * w;
      normal[to + 2] = az * u + bz * v + cz * w;
    }
  }
  setColor(copy: number, color: THREE.Color): void {
    const { array } = this.attributes.color;
    this.attributes.color.needsUpdate = true;
    for (let i = 0, to = copy * this.points.length; i < this.points.length; i += 3, to += 3)
      color.toArray(array, to);
  }
  flush(): void {
    this.attributes.position.needsUpdate = this.attributes.normal.needsUpdate = true;
    this.mesh.geometry.boundingSphere = null;
  }
  copyHit(hit: THREE.Intersection): number {
    return Math.floor((hit.faceIndex ?? -1) / this.triangles);
  }
}

const kMostMerged = 1e6; // vertices

/** `merge`: draw them as one mesh, as long as that stays of bearable size. */
export function makeCopies(
  geometry: THREE.BufferGeometry,
  material: THREE.Material,
  count: number,
  merge: boolean,
): Copies {
  const vertices = count * geometry.getAttribute("position").count;
  const copies =
    merge && vertices <= kMostMerged
      ? new MergedCopies(geometry, material, count)
      : new InstancedCopies(geometry, material, count);
  copies.mesh.frustumCulled = false;
  return copies;
}
