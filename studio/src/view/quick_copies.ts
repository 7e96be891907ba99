// Many copies of a closed shape while they move, without a graphics card: corners stay as they were built, light is
// worked out at corners and not at pixels, and a picture hands over a few numbers a body. They cast and take no shadows.
import * as THREE from "three";
import type { Copies } from "./copies";
import { kLightCode, lightUniforms, takeLights } from "./scene_lights";

const kTexels = 4; // of a body in the table: three rows of its matrix, and its colour
const kBodiesAcross = 256; // of the table

const kVertex = `
#include <common>
#include <tonemapping_pars_fragment>
#include <colorspace_pars_fragment>
#include <clipping_planes_pars_vertex>
${kLightCode}
uniform highp sampler2D bodies;
attribute float copy;
varying vec3 shown;
void main() {
  int n = int(copy);
  ivec2 at = ivec2(${kTexels} * (n % ${kBodiesAcross}), n / ${kBodiesAcross});
  vec4 x = texelFetch(bodies, at, 0);
  vec4 y = texelFetch(bodies, at + ivec2(1, 0), 0);
  vec4 z = texelFetch(bodies, at + ivec2(2, 0), 0);
  vec3 paint = texelFetch(bodies, at + ivec2(3, 0), 0).rgb;
  vec4 place = vec4(position, 1.0);
  vec4 mvPosition = viewMatrix * vec4(dot(x, place), dot(y, place), dot(z, place), 1.0);
  vec3 turned = vec3(dot(x.xyz, normal), dot(y.xyz, normal), dot(z.xyz, normal));
  vec3 light = lit(normalize(mat3(viewMatrix) * turned));
  shown = sRGBTransferOETF(vec4(NeutralToneMapping(paint * light), 1.0)).rgb;
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
  private readonly table: THREE.DataTexture;
  private readonly rows: Float32Array; // of the table
  private readonly one: THREE.Mesh; // stands in for each copy where a ray asks

  /** `closed`: its inside is seen only where it is cut. */
  constructor(geometry: THREE.BufferGeometry, closed: boolean, private readonly count: number) {
    const height = Math.max(1, Math.ceil(count / kBodiesAcross));
    this.rows = new Float32Array(4 * kTexels * kBodiesAcross * height);
    this.table = new THREE.DataTexture(this.rows, kTexels * kBodiesAcross, height, THREE.RGBAFormat, THREE.FloatType);
    const lights = lightUniforms();
    const side = closed ? THREE.FrontSide : THREE.DoubleSide;
    const surface = new THREE.ShaderMaterial({
      uniforms: { ...lights, bodies: { value: this.table } },
      vertexShader: kVertex,
      fragmentShader: kFragment,
      clipping: true,
      side,
    });
    this.mesh = new THREE.Mesh(repeated(geometry, count), surface);
    this.mesh.frustumCulled = false;
    this.mesh.onBeforeRender = (renderer, scene, camera) => {
      takeLights(scene, camera, lights);
      surface.side = renderer.clippingPlanes.length ? THREE.DoubleSide : side;
      surface.uniformsNeedUpdate = true;
    };
    this.one = new THREE.Mesh(geometry, surface);
    this.one.matrixAutoUpdate = false;
    this.mesh.raycast = (caster, hits) => this.meet(caster, hits);
  }

  setMatrix(copy: number, { elements: m }: THREE.Matrix4): void {
    const { rows } = this;
    const at = 4 * kTexels * copy;
    for (let row = 0; row < 3; ++row)
      for (let column = 0; column < 4; ++column) rows[at + 4 * row + column] = m[4 * column + row];
  }
  setColor(copy: number, color: THREE.Color): void {
    color.toArray(this.rows, 4 * (kTexels * copy + 3));
    this.table.needsUpdate = true;
  }
  flush(): void {
    this.table.needsUpdate = true;
  }
  copyHit(hit: THREE.Intersection): number {
    return hit.instanceId ?? -1;
  }
  dispose(): void {
    this.table.dispose();
    this.one.geometry.dispose();
  }

  private meet(caster: THREE.Raycaster, hits: THREE.Intersection[]): void {
    const met: THREE.Intersection[] = [];
    for (let copy = 0; copy < this.count; ++copy) {
      const r = this.rows.subarray(4 * kTexels * copy, 4 * kTexels * (copy + 1));
      this.one.matrixWorld.set(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9], r[10], r[11], 0, 0, 0, 1);
      if (this.one.matrixWorld.determinant() === 0) continue; // not there
      this.one.raycast(caster, met);
      for (const hit of met) hits.push({ ...hit, object: this.mesh, instanceId: copy });
      met.length = 0;
    }
  }
}

/** So many times the same, each corner with the number of its copy. */
function repeated(geometry: THREE.BufferGeometry, count: number): THREE.BufferGeometry {
  const points = geometry.getAttribute("position").array as Float32Array;
  const normals = geometry.getAttribute("normal").array as Float32Array;
  const size = points.length / 3;
  const corners = geometry.index?.array ?? Uint32Array.from({ length: size }, (_, i) => i);
  const index = new Uint32Array(count * corners.length);
  const copies = new Float32Array(count * size);
  const all = { position: new Float32Array(count * points.length), normal: new Float32Array(count * points.length) };
  for (let copy = 0; copy < count; ++copy) {
    for (let k = 0; k < corners.length; ++k) index[copy * corners.length + k] = copy * size + corners[k];
    all.position.set(points, copy * points.length);
    all.normal.set(normals, copy * points.length);
    copies.fill(copy, copy * size, (copy + 1) * size);
  }
  const out = new THREE.BufferGeometry();
  out.setAttribute("position", new THREE.BufferAttribute(all.position, 3));
  out.setAttribute("normal", new THREE.BufferAttribute(all.normal, 3));
  out.setAttribute("copy", new THREE.BufferAttribute(copies, 1));
  out.setIndex(new THREE.BufferAttribute(index, 1));
  return out;
}
