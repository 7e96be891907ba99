// Many copies of a closed shape while they move, without a graphics card. Corners are moved and lit here: a renderer in
// software takes several times as long for each. They cast and take no shadows.
import * as THREE from "three";
import type { Copies } from "./copies";
import { LightUniforms, lightUniforms, takeLights } from "./scene_lights";
import { shownBytes } from "./tone";

const kRow = 12; // numbers of a copy: three rows of its matrix
const kColors = 4; // bytes of a corner

const kVertex = `
#include <clipping_planes_pars_vertex>
attribute vec4 tone;
varying vec3 shown;
void main() {
  shown = tone.rgb;
  vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * mvPosition;
#if NUM_CLIPPING_PLANES > 0
  vClipPosition = -mvPosition.xyz;
#endif
}`;
const kFragment = `
#include <clipping_planes_pars_fragment>
varying vec3 shown;
void main() {
#include <clipping_planes_fragment>
  gl_FragColor = vec4(shown, 1.0);
}`;

export class QuickCopies implements Copies {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;
  private readonly rows: Float32Array; // x = rows . (point, 1), copy by copy
  private readonly colors: Float32Array; // linear, copy by copy
  private readonly points: Float32Array; // of one copy
  private readonly normals: Float32Array;
  private readonly places: THREE.BufferAttribute;
  private readonly tones: THREE.BufferAttribute;
  private readonly lights = lightUniforms();
  private lit = ""; // by what light
  private moved = true;
  private readonly one: THREE.Mesh; // stands in for each copy where a ray asks

  /** `closed`: its inside is seen only where it is cut. */
  constructor(geometry: THREE.BufferGeometry, closed: boolean, private readonly count: number) {
    this.points = geometry.getAttribute("position").array as Float32Array;
    this.normals = geometry.getAttribute("normal").array as Float32Array;
    const size = this.points.length / 3;
    this.rows = new Float32Array(kRow * count);
    this.colors = new Float32Array(3 * count);
    this.places = new THREE.BufferAttribute(new Float32Array(3 * size * count), 3);
    this.tones = new THREE.BufferAttribute(new Uint8Array(kColors * size * count), kColors, true);
    for (const column of [this.places, this.tones]) column.setUsage(THREE.DynamicDrawUsage);
    const side = closed ? THREE.FrontSide : THREE.DoubleSide;
    const surface = new THREE.ShaderMaterial({ vertexShader: kVertex, fragmentShader: kFragment, clipping: true, side });
    const all = new THREE.BufferGeometry();
    all.setAttribute("position", this.places);
    all.setAttribute("tone", this.tones);
    all.setIndex(new THREE.BufferAttribute(repeated(geometry, count), 1));
    this.mesh = new THREE.Mesh(all, surface);
    this.mesh.frustumCulled = false;
    this.mesh.onBeforeRender = (renderer) => {
      surface.side = renderer.clippingPlanes.length ? THREE.DoubleSide : side;
    };
    this.one = new THREE.Mesh(geometry, surface);
    this.one.matrixAutoUpdate = false;
    this.mesh.raycast = (caster, hits) => this.meet(caster, hits);
  }

  setMatrix(copy: number, { elements: m }: THREE.Matrix4): void {
    const { rows } = this;
    const at = kRow * copy;
    for (let row = 0; row < 3; ++row)
      for (let column = 0; column < 4; ++column) rows[at + 4 * row + column] = m[4 * column + row];
    this.moved = true;
  }
  setColor(copy: number, color: THREE.Color): void {
    color.toArray(this.colors, 3 * copy);
    this.moved = true;
  }
  flush(): void {
    this.moved = true;
  }
  copyHit(hit: THREE.Intersection): number {
    return hit.instanceId ?? -1;
  }
  dispose(): void {
    this.one.geometry.dispose();
  }

  /** Moves and lights the corners where something has changed; before each picture. */
  prepare(scene: THREE.Object3D): void {
    takeLights(scene, null, this.lights);
    // a colour in JSON is cut at 1
    const light = Object.values(this.lights).map(({ value }) => value.toArray().join()).join();
    if (!this.moved && light === this.lit) return;
    this.moved = false;
    this.lit = light;
    for (let copy = 0; copy < this.count; ++copy) this.light(copy, this.lights);
    this.places.needsUpdate = this.tones.needsUpdate = true;
  }

  private light(copy: number, lights: LightUniforms): void {
    const { points, normals } = this;
    const places = this.places.array as Float32Array;
    const tones = this.tones.array as Uint8Array;
    const [ax, ay, az, aw, bx, by, bz, bw, cx, cy, cz, cw] = this.rows.subarray(kRow * copy, kRow * (copy + 1));
    // the ways of the lights as the body sees them
    const seen = ({ value: w }: { value: THREE.Vector3 }) => [
      ax * w.x + bx * w.y + cx * w.z, ay * w.x + by * w.y + cy * w.z, az * w.x + bz * w.y + cz * w.z,
    ];
    const [kx, ky, kz] = seen(lights.keyWay);
    const [fx, fy, fz] = seen(lights.fillWay);
    const [ux, uy, uz] = seen(lights.upWay);
    const [r, g, b] = this.colors.subarray(3 * copy, 3 * copy + 3);
    const { value: key } = lights.keyLight;
    const { value: fill } = lights.fillLight;
    const { value: sky } = lights.skyLight;
    const { value: ground } = lights.groundLight;
    const share = 1 / Math.PI;
    let to = copy * points.length;
    let tone = (kColors * to) / 3;
    for (let i = 0; i < points.length; i += 3, to += 3, tone += kColors) {
      const [x, y, z] = [points[i], points[i + 1], points[i + 2]];
      places[to] = ax * x + ay * y + az * z + aw;
      places[to + 1] = bx * x + by * y + bz * z + bw;
      places[to + 2] = cx * x + cy * y + cz * z + cw;
      const [u, v, w] = [normals[i], normals[i + 1], normals[i + 2]];
      const k = Math.max(0, kx * u + ky * v + kz * w);
      const f = Math.max(0, fx * u + fy * v + fz * w);
      const up = 0.5 * (ux * u + uy * v + uz * w) + 0.5;
      shownBytes(
        share * r * (k * key.r + f * fill.r + up * sky.r + (1 - up) * ground.r),
        share * g * (k * key.g + f * fill.g + up * sky.g + (1 - up) * ground.g),
        share * b * (k * key.b + f * fill.b + up * sky.b + (1 - up) * ground.b),
        tones,
        tone,
      );
    }
  }

  private meet(caster: THREE.Raycaster, hits: THREE.Intersection[]): void {
    const met: THREE.Intersection[] = [];
    for (let copy = 0; copy < this.count; ++copy) {
      const r = this.rows.subarray(kRow * copy, kRow * (copy + 1));
      this.one.matrixWorld.set(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9], r[10], r[11], 0, 0, 0, 1);
      if (this.one.matrixWorld.determinant() === 0) continue; // not there
      this.one.raycast(caster, met);
      for (const hit of met) hits.push({ ...hit, object: this.mesh, instanceId: copy });
      met.length = 0;
    }
  }
}

/** The corners of the triangles, so many times. */
function repeated(geometry: THREE.BufferGeometry, count: number): Uint32Array {
  const size = geometry.getAttribute("position").count;
  const corners = geometry.index?.array ?? Uint32Array.from({ length: size }, (_, i) => i);
  const out = new Uint32Array(count * corners.length);
  for (let copy = 0; copy < count; ++copy)
    for (let k = 0; k < corners.length; ++k) out[copy * corners.length + k] = copy * size + corners[k];
  return out;
}
