// What a scene stands on or before: a plate for each endless ground; where there is none, shadows alone, or the pale
// grid behind a machine of the plane.
import * as THREE from "three";
import type { FrameSource } from "../source/frame_source";
import { Floor } from "./floor";
import type { Ball } from "./framing";

function grounds(source: FrameSource, whole: Ball): Floor[] {
  const frame = source.frame(0);
  const out: Floor[] = [];
  source.bodies.forEach((body, i) => {
    if (source.shapes[body.shape].kind !== "half_space") return;
    const turn = new THREE.Quaternion().fromArray(frame.orientations, 4 * i);
    const position = new THREE.Vector3().fromArray(frame.positions, 3 * i);
    const middle = whole.center.clone().sub(position).applyQuaternion(turn.clone().invert());
    const floor = new Floor(whole.radius, new THREE.Vector2(middle.x, middle.y), true);
    floor.position.copy(position);
    floor.quaternion.copy(turn);
    out.push(floor);
  });
  return out;
}

function shadowsBelow(balls: readonly Ball[], { center, radius }: Ball, up: THREE.Vector3, turn: THREE.Quaternion): Floor {
  const lowest = Math.min(...balls.map((ball) => ball.center.dot(up) - ball.radius));
  const under = center.clone().addScaledVector(up, -center.dot(up));
  const middle = under.clone().applyQuaternion(turn.clone().invert());
  const floor = new Floor(radius, new THREE.Vector2(middle.x, middle.y), false);
  floor.position.copy(up).multiplyScalar(lowest);
  floor.quaternion.copy(turn);
  return floor;
}

function paperBehind({ center, radius }: Ball): Floor {
  const paper = new Floor(radius, new THREE.Vector2(center.x, center.y), true);
  paper.asPaper();
  paper.position.set(0, 0, center.z - 1.01 * radius);
  return paper;
}

/** `turn` is that of z to what is up. */
export function layFloors(
  source: FrameSource,
  balls: readonly Ball[],
  whole: Ball,
  up: THREE.Vector3,
  turn: THREE.Quaternion,
): Floor[] {
  const laid = grounds(source, whole);
  if (laid.length) return laid;
  const shadows = shadowsBelow(balls, whole, up, turn);
  if (!source.about.plane) return [shadows];
  shadows.visible = false;
  return [shadows, paperBehind(whole)];
}
