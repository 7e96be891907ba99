// A body drawn once more, transparent: one that is in the hand, or one that shows how it would move.
import * as THREE from "three";
import type { FrameSource } from "../source/frame_source";
import { ballGeometry, meshGeometry } from "./bodies";

const kOpacity = 0.55;

/** In the body's own frame. */
export function ghostOf(source: FrameSource, body: number): THREE.Object3D {
  const info = source.bodies[body];
  const shape = source.shapes[info.shape];
  const [r, g, b] = source.materials[info.material].color;
  const material = new THREE.MeshStandardMaterial({
    color: new THREE.Color().setRGB(r, g, b),
    transparent: true,
    opacity: kOpacity,
    depthWrite: false,
    side: THREE.DoubleSide,
  });
  if (shape.kind === "mesh") return new THREE.Mesh(meshGeometry(shape), material);
  const out = new THREE.Group();
  if (shape.kind === "half_space") return out;
  const ball = (at: THREE.Vector3, radius: number) => {
    const mesh = new THREE.Mesh(ballGeometry(1), material);
    mesh.position.copy(at);
    mesh.scale.setScalar(radius);
    out.add(mesh);
  };
  if (shape.kind === "ball") ball(new THREE.Vector3(), shape.radius);
  else
    shape.radii.forEach((radius, k) =>
      ball(new THREE.Vector3().fromArray(shape.points, 3 * k), radius),
    );
  return out;
}

/** Half the length of a shape, m. */
export function reachOf(source: FrameSource, body: number): number {
  const shape = source.shapes[source.bodies[body].shape];
  if (shape.kind === "ball") return shape.radius;
  if (shape.kind === "half_space") return 0;
  let out = 0;
  for (let k = 0; k < shape.points.length; k += 3)
    out = Math.max(out, Math.hypot(shape.points[k], shape.points[k + 1], shape.points[k + 2]));
  return out;
}
