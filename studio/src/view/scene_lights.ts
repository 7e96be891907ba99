// The lights of a scene as numbers, for shaders of our own.
import * as THREE from "three";

export interface LightUniforms {
  readonly keyWay: { value: THREE.Vector3 }; // unit, view frame, towards the light
  readonly fillWay: { value: THREE.Vector3 };
  readonly upWay: { value: THREE.Vector3 };
  readonly keyLight: { value: THREE.Color };
  readonly fillLight: { value: THREE.Color };
  readonly skyLight: { value: THREE.Color };
  readonly groundLight: { value: THREE.Color };
}

export function lightUniforms(): LightUniforms {
  const way = () => ({ value: new THREE.Vector3(0, 0, 1) });
  const color = () => ({ value: new THREE.Color(0, 0, 0) });
  return { keyWay: way(), fillWay: way(), upWay: way(), keyLight: color(), fillLight: color(), skyLight: color(), groundLight: color() };
}

/** Declares them, and `lit`: the light that a surface with this unit normal (view frame) sends back, over pi. */
export const kLightCode = `
uniform vec3 keyWay, fillWay, upWay;
uniform vec3 keyLight, fillLight, skyLight, groundLight;
vec3 lit(vec3 normal) {
  return RECIPROCAL_PI * (keyLight * max(dot(normal, keyWay), 0.0) + fillLight * max(dot(normal, fillWay), 0.0) +
    mix(groundLight, skyLight, 0.5 * dot(normal, upWay) + 0.5));
}`;

/** As the scene has them: two suns and a sky; ways as the camera sees them, or in the world. */
export function takeLights(scene: THREE.Object3D, camera: THREE.Camera | null, to: LightUniforms): void {
  const seen = (way: THREE.Vector3) => (camera ? way.transformDirection(camera.matrixWorldInverse) : way.normalize());
  const suns: THREE.DirectionalLight[] = [];
  let sky: THREE.HemisphereLight | null = null as THREE.HemisphereLight | null;
  scene.traverseVisible((part) => {
    if (part instanceof THREE.DirectionalLight) suns.push(part);
    if (part instanceof THREE.HemisphereLight) sky = part;
  });
  suns.slice(0, 2).forEach((light, k) => {
    const [way, color] = k === 0 ? [to.keyWay, to.keyLight] : [to.fillWay, to.fillLight];
    seen(way.value.copy(light.position).sub(light.target.position));
    color.value.copy(light.color).multiplyScalar(light.intensity);
  });
  to.skyLight.value.set(0);
  to.groundLight.value.set(0);
  if (!sky) return;
  to.skyLight.value.copy(sky.color).multiplyScalar(sky.intensity);
  to.groundLight.value.copy(sky.groundColor).multiplyScalar(sky.intensity);
  seen(to.upWay.value.copy(sky.position));
}
