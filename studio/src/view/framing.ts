// Where the scene lies and where to stand to see it.
import * as THREE from "three";
import type { DrawnShape, FrameSource } from "../source/frame_source";

export interface Ball {
  readonly center: THREE.Vector3;
  readonly radius: number;
}

const kViewFrom = new THREE.Vector3(0.62, -1, 0.52).normalize();
const kMargin = 1.2;

function boundingBall(points: ArrayLike<number>, radii: Float32Array | null): Ball {
  const box = new THREE.Box3();
  const point = new THREE.Vector3();
  for (let k = 0; 3 * k < points.length; ++k) box.expandByPoint(point.set(points[3 * k], points[3 * k + 1], points[3 * k + 2]));
  const center = box.getCenter(new THREE.Vector3());
  let radius = 0;
  for (let k = 0; 3 * k < points.length; ++k)
    radius = Math.max(radius, point.set(points[3 * k], points[3 * k + 1], points[3 * k + 2]).distanceTo(center) + (radii?.[k] ?? 0));
  return { center, radius };
}

/** Each body's ball in its own frame; null for endless ground. */
function bodyBalls(source: FrameSource): (Ball | null)[] {
  const ofShape = source.shapes.map((shape): Ball | null => {
    switch (shape.kind) {
      case "ball":
        return { center: new THREE.Vector3(), radius: shape.radius };
      case "half_space":
        return null;
      case "mesh":
        return boundingBall(shape.points, null);
      case "spheres":
        return boundingBall(shape.points, shape.radii);
      case "surfels":
        return boundingBall(shape.surfacePoints, null);
    }
  });
  return source.bodies.map((body) => ofShape[body.shape]);
}

/** How far the surface of a body of surfels lies outside the points that carry it, at rest. */
function surfaceBeyond(shape: DrawnShape): number {
  if (shape.kind !== "surfels") return 0;
  return Math.max(0, boundingBall(shape.surfacePoints, null).radius - boundingBall(shape.phyxels, null).radius);
}

/** World balls around every body in the frames given. */
export function sceneBalls(source: FrameSource, frames: readonly number[]): Ball[] {
  const balls = bodyBalls(source);
  const out: Ball[] = [];
  for (const index of new Set(frames)) {
    const frame = source.frame(index);
    balls.forEach((ball, i) => {
      const body = source.bodies[i];
      if (!ball || index < body.firstFrame || index > body.lastFrame) return;
      if (body.pointCount) {
        const shape = source.shapes[body.shape];
        const from = 3 * body.firstPoint;
        const points = frame.points.subarray(from, from + 3 * body.pointCount);
        const inner = boundingBall(points, shape.kind === "spheres" ? shape.radii : null);
        out.push({ center: inner.center, radius: inner.radius + surfaceBeyond(shape) });
        return;
      }
      const turn = new THREE.Quaternion().fromArray(frame.orientations, 4 * i);
      const center = ball.center
        .clone()
        .applyQuaternion(turn)
        .add(new THREE.Vector3().fromArray(frame.positions, 3 * i));
      out.push({ center, radius: ball.radius });
    });
  }
  return out.length ? out : [{ center: new THREE.Vector3(), radius: 1 }];
}

/** Farther from the middle of the first frame than this, in its radii, a body has left the scene. */
const kAstray = 4;

/**
 * World balls of a frame without the few that have left the scene since the first (fell off an edge): the view is not
 * made small for them.
 */
export function stayingBalls(source: FrameSource, index: number): Ball[] {
  const all = sceneBalls(source, [index]);
  const first = surround(sceneBalls(source, [0]));
  const near = all.filter(({ center }) => center.distanceTo(first.center) <= kAstray * first.radius);
  return 2 * near.length >= all.length ? near : all;
}

/** A ball around them all, not far from the smallest. */
export function surround(balls: readonly Ball[]): Ball {
  const box = new THREE.Box3();
  for (const { center, radius } of balls)
    box.union(new THREE.Box3().setFromCenterAndSize(center, new THREE.Vector3().setScalar(2 * radius)));
  const center = box.getCenter(new THREE.Vector3());
  const radius = Math.max(...balls.map((ball) => ball.center.distanceTo(center) + ball.radius));
  return { center, radius: radius || 1 };
}

/** A scene's own vertical field of view, degrees, in a picture of that aspect: one taller than wide sees as far to its sides as a square one. */
export function fieldFor(vertical: number, aspect: number): number {
  const slope = Math.tan(THREE.MathUtils.degToRad(vertical / 2));
  return THREE.MathUtils.radToDeg(2 * Math.atan(slope / Math.min(1, aspect)));
}

/** The nearest eye along the usual direction from which all balls are inside the picture. */
export function eyeToSee(
  balls: readonly Ball[],
  target: THREE.Vector3,
  camera: THREE.PerspectiveCamera,
  turn: THREE.Quaternion, // of z to what is up
  along?: THREE.Vector3, // another direction than the usual one
): THREE.Vector3 {
  const tall = Math.tan(THREE.MathUtils.degToRad(camera.fov / 2));
  const wide = tall * camera.aspect;
  const from = along ?? kViewFrom.clone().applyQuaternion(turn);
  const right = new THREE.Vector3().crossVectors(camera.up, from).normalize();
  const up = new THREE.Vector3().crossVectors(from, right);
  let distance = 0;
  for (const { center, radius } of balls) {
    const away = center.clone().sub(target);
    const near = away.dot(from);
    const sides: [number, number][] = [
      [Math.abs(away.dot(right)), wide],
      [Math.abs(away.dot(up)), tall],
    ];
    for (const [side, slope] of sides)
      distance = Math.max(distance, near + side / slope + radius * Math.hypot(1, 1 / slope));
  }
  return target.clone().addScaledVector(from, kMargin * distance);
}
