// Mouse, fingers and keys that lead the eye about the scene: W, A, S and D turn, + and - come nearer and go away.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

const kKeyTurn = 0.12; // radians a key press
const kKeyZoom = 1.15;
const kNoMotion = 1e-9; // of the distance: what rounding does to an eye that stands

/** Turn about what is up, turn up and down, zoom. */
const kTurns: Record<string, readonly [number, number, number]> = {
  a: [-kKeyTurn, 0, 1],
  d: [kKeyTurn, 0, 1],
  w: [0, -kKeyTurn, 1],
  s: [0, kKeyTurn, 1],
  "+": [0, 0, 1 / kKeyZoom],
  "=": [0, 0, 1 / kKeyZoom],
  "-": [0, 0, kKeyZoom],
};

/** True where the key was one of these. */
export function orbitByKey(event: KeyboardEvent, camera: THREE.Camera, controls: OrbitControls): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const turn = kTurns[event.key.toLowerCase()];
  if (!turn) return false;
  event.preventDefault();
  const upright = new THREE.Quaternion().setFromUnitVectors(camera.up, new THREE.Vector3(0, 1, 0));
  const away = camera.position.clone().sub(controls.target);
  const place = new THREE.Spherical().setFromVector3(away.applyQuaternion(upright));
  place.theta += turn[0];
  place.phi = Math.min(Math.PI - 0.01, Math.max(0.01, place.phi + turn[1]));
  place.radius *= turn[2];
  away.setFromSpherical(place).applyQuaternion(upright.invert());
  camera.position.copy(controls.target).add(away);
  controls.update();
  return true;
}

/** Mouse and fingers turn about what is up for the camera; the controls look at it only when they are made. */
export function turnUpright(controls: OrbitControls): void {
  const inner = controls as unknown as { _quat: THREE.Quaternion; _quatInverse: THREE.Quaternion };
  inner._quat.setFromUnitVectors(controls.object.up, new THREE.Vector3(0, 1, 0));
  inner._quatInverse.copy(inner._quat).invert();
}

/** Lets the eye swing on; one that stands stays where it is, to the last bit. */
export function swing(controls: OrbitControls): void {
  const { position } = controls.object;
  const before = position.clone();
  controls.update();
  if (position.distanceTo(before) < kNoMotion * position.distanceTo(controls.target)) position.copy(before);
}

/** `changed`: the eye has moved. */
export function makeControls(camera: THREE.PerspectiveCamera, canvas: HTMLCanvasElement, changed: () => void): OrbitControls {
  const controls = new OrbitControls(camera, canvas);
  controls.enableDamping = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  controls.dampingFactor = 0.12;
  controls.zoomToCursor = true;
  // left and right as in MuJoCo, the middle button (with shift: pan) as in Blender
  controls.mouseButtons.MIDDLE = THREE.MOUSE.ROTATE;
  controls.addEventListener("change", changed);
  return controls;
}
