// A surface that costs little without a graphics card: light is worked out at corners, not at pixels. For bodies that
// move; it casts and takes no shadows.
import * as THREE from "three";
import { kLightCode, lightUniforms, takeLights } from "./scene_lights";

const kVertex = `
#include <common>
#include <tonemapping_pars_fragment>
#include <colorspace_pars_fragment>
#include <clipping_planes_pars_vertex>
${kLightCode}
varying vec3 shown;
void main() {
  vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
  vec3 light = lit(normalize(normalMatrix * normal));
  shown = sRGBTransferOETF(vec4(NeutralToneMapping(color * light), 1.0)).rgb;
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

/** `closed`: its inside is seen only where it is cut. */
export function quickSurface(closed: boolean): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    uniforms: { ...lightUniforms() },
    vertexShader: kVertex,
    fragmentShader: kFragment,
    vertexColors: true,
    clipping: true,
    side: closed ? THREE.FrontSide : THREE.DoubleSide,
  });
}

/** Makes a mesh of such a surface follow the scene's lights; a cut shows the insides. */
export function followLights(mesh: THREE.Object3D, surface: THREE.ShaderMaterial): void {
  const { side } = surface;
  mesh.onBeforeRender = (renderer, scene, camera) => {
    takeLights(scene, camera, surface.uniforms as unknown as ReturnType<typeof lightUniforms>);
    surface.side = renderer.clippingPlanes.length ? THREE.DoubleSide : side;
    surface.uniformsNeedUpdate = true;
  };
}
