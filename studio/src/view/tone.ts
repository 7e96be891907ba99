// From light to what a screen shows, as stills do it (src/output/render/tone.cpp): a film-like curve (Narkowicz 2016, a
// rational fit of the ACES reference rendering), then sRGB. One curve for the renderer and for what is lit here.
import * as THREE from "three";

/** Scale before the curve. */
export const kExposure = 0.7;
/** Light too strong for one channel spills into the others, so that highlights turn white. */
const kSpill = 0.06;
const kSteps = 4096;

const kBytes = Uint8Array.from({ length: kSteps + 1 }, (_, i) => {
  const x = i / kSteps;
  return Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
});
const byteOf = (x: number): number => kBytes[Math.min(kSteps, Math.max(0, (kSteps * x + 0.5) | 0))];
const film = (x: number): number => (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14);

const kCurve = `vec3 CustomToneMapping(vec3 color) {
  color *= toneMappingExposure;
  color = mix(color, vec3(dot(color, vec3(0.2126, 0.7152, 0.0722))), ${kSpill});
  return clamp(color * (2.51 * color + 0.03) / (color * (2.43 * color + 0.59) + 0.14), 0.0, 1.0);
}`;

/** The renderer develops as stills do; what is drawn in colours of the page alone (`toneMapped: false`) stays as it is. */
export function useFilm(renderer: THREE.WebGLRenderer): void {
  const own = /vec3 CustomToneMapping\( vec3 color \) \{ return color; \}/;
  THREE.ShaderChunk.tonemapping_pars_fragment = THREE.ShaderChunk.tonemapping_pars_fragment.replace(own, kCurve);
  renderer.toneMapping = THREE.CustomToneMapping;
  renderer.toneMappingExposure = kExposure;
}

/** Linear light to three bytes. */
export function shownBytes(r: number, g: number, b: number, out: Uint8Array, at: number): void {
  const grey = kSpill * (0.2126 * r + 0.7152 * g + 0.0722 * b);
  const kept = 1 - kSpill;
  out[at] = byteOf(film(kExposure * (kept * r + grey)));
  out[at + 1] = byteOf(film(kExposure * (kept * g + grey)));
  out[at + 2] = byteOf(film(kExposure * (kept * b + grey)));
}
