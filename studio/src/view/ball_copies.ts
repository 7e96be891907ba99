// Many balls, each drawn as one square whose pixels ask where their ray meets the ball: without a graphics card a
// thousand balls cost what one large surface does. They are round at any size, and cast and take no shadows.
import * as THREE from "three";
import type { Copies } from "./copies";
import { kLightCode, lightUniforms, takeLights } from "./scene_lights";

const kVertex = `
#include <common>
#include <clipping_planes_pars_vertex>
attribute float radius;
attribute vec3 color;
uniform float pixels; // of the picture's height
varying vec3 center;
varying float size;
varying vec3 paint;
void main() {
  vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
  center = mvPosition.xyz;
  size = radius;
  paint = color;
  gl_Position = projectionMatrix * mvPosition;
  // a ball beside the middle of the picture looks longer than it is wide
  float away = max(length(center) - radius, 1e-6);
  gl_PointSize = radius > 0.0 ? 1.1 * pixels * projectionMatrix[1][1] * radius * length(center) / (-center.z * away) + 2.0 : 0.0;
#if NUM_CLIPPING_PLANES > 0
  vClipPosition = -center;
#endif
}`;
const kFragment = `
#include <common>
#include <clipping_planes_pars_fragment>
uniform vec2 extent; // of the picture, pixels
uniform mat4 projection;
${kLightCode}
uniform float opacity;
varying vec3 center;
varying float size;
varying vec3 paint;
void main() {
  vec2 seen = 2.0 * gl_FragCoord.xy / extent - 1.0;
  vec3 ray = vec3((seen.x + projection[2][0]) / projection[0][0], (seen.y + projection[2][1]) / projection[1][1], -1.0);
  float a = dot(ray, ray), b = dot(ray, center), c = dot(center, center) - size * size;
  float inside = b * b - a * c;
  if (inside < 0.0) discard;
  vec3 point = ray * ((b - sqrt(inside)) / a);
#if NUM_CLIPPING_PLANES > 0
  for (int i = 0; i < NUM_CLIPPING_PLANES; ++i)
    if (dot(-point, clippingPlanes[i].xyz) > clippingPlanes[i].w) discard;
#endif
  vec3 normal = (point - center) / size;
  gl_FragColor = vec4(paint * lit(normal), opacity);
  gl_FragDepth = 0.5 - 0.5 * (projection[2][2] * point.z + projection[3][2]) / point.z;
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`;

export class BallCopies implements Copies {
  readonly mesh: THREE.Points;
  private readonly places: THREE.BufferAttribute;
  private readonly radii: THREE.BufferAttribute;
  private readonly colors: THREE.BufferAttribute;

  constructor(opacity: number, count: number) {
    const column = (width: number) => {
      const out = new THREE.BufferAttribute(new Float32Array(width * count), width);
      out.setUsage(THREE.DynamicDrawUsage);
      return out;
    };
    [this.places, this.radii, this.colors] = [column(3), column(1), column(3)];
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", this.places);
    geometry.setAttribute("radius", this.radii);
    geometry.setAttribute("color", this.colors);
    const lights = lightUniforms();
    const uniforms = {
      pixels: { value: 1 },
      extent: { value: new THREE.Vector2(1, 1) },
      projection: { value: new THREE.Matrix4() },
      ...lights,
      opacity: { value: opacity },
    };
    const material = new THREE.ShaderMaterial({
      uniforms,
      vertexShader: kVertex,
      fragmentShader: kFragment,
      transparent: opacity < 1,
      depthWrite: opacity >= 1,
      clipping: true,
    });
    this.mesh = new THREE.Points(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.onBeforeRender = (renderer, scene, camera) => {
      renderer.getDrawingBufferSize(uniforms.extent.value);
      uniforms.pixels.value = uniforms.extent.value.y;
      uniforms.projection.value.copy(camera.projectionMatrix);
      takeLights(scene, camera, lights);
      material.uniformsNeedUpdate = true;
    };
    this.mesh.raycast = (caster, hits) => this.meet(caster, hits);
  }

  setMatrix(copy: number, { elements: m }: THREE.Matrix4): void {
    this.places.setXYZ(copy, m[12], m[13], m[14]);
    this.radii.setX(copy, Math.hypot(m[0], m[1], m[2]));
  }
  setColor(copy: number, color: THREE.Color): void {
    color.toArray(this.colors.array, 3 * copy);
    this.colors.needsUpdate = true;
  }
  flush(): void {
    this.places.needsUpdate = this.radii.needsUpdate = true;
  }
  copyHit(hit: THREE.Intersection): number {
    return hit.index ?? -1;
  }

  private meet(caster: THREE.Raycaster, hits: THREE.Intersection[]): void {
    const ball = new THREE.Sphere();
    const point = new THREE.Vector3();
    for (let i = 0; i < this.radii.count; ++i) {
      ball.set(point.fromBufferAttribute(this.places, i), this.radii.getX(i));
      const met = ball.radius > 0 ? caster.ray.intersectSphere(ball, new THREE.Vector3()) : null;
      if (met) hits.push({ distance: met.distanceTo(caster.ray.origin), point: met, index: i, object: this.mesh });
    }
  }
}
