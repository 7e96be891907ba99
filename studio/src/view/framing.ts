// Where the scene lies and where to stand to see it.
import * as THREE from "three";
import type { DrawnShape, FrameSource } from "../source/frame_source";

export interface Ball {
  readonly center: THREE.Vector3;
  readonly radius: number;
}

const kViewFrom = new THREE.Vector3(0.62, -1, 0.52).normalize();
const kMargin = 1.12;

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

/** The corners of a box about the points: long bodies take no more room than they have. */
function corners(points: Float32Array): Ball[] {
  const { min, max } = new THREE.Box3().setFromArray(points);
  return Array.from({ length: 8 }, (_, k) => ({
    center: new THREE.Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z),
    radius: 0,
  }));
}

/** Balls about each body in its own frame; none for endless ground. */
function bodyBalls(source: FrameSource): Ball[][] {
  const ofShape = source.shapes.map((shape): Ball[] => {
    switch (shape.kind) {
      case "ball":
        return [{ center: new THREE.Vector3(), radius: shape.radius }];
      case "half_space":
        return [];
      case "mesh":
        // of a run under way nobody knows yet how far it turns
        return source.live ? [boundingBall(shape.points, null)] : corners(shape.points);
      case "spheres":
        return [boundingBall(shape.points, shape.radii)];
      case "surfels":
        return [boundingBall(shape.surfacePoints, null)];
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
    balls.forEach((parts, i) => {
      const body = source.bodies[i];
      if (!parts.length || index < body.firstFrame || index > body.lastFrame) return;
      if (body.pointCount) {
        const shape = source.shapes[body.shape];
        const from = 3 * body.firstPoint;
        const points = frame.points.subarray(from, from + 3 * body.pointCount);
        const inner = boundingBall(points, shape.kind === "spheres" ? shape.radii : null);
        out.push({ center: inner.center, radius: inner.radius + surfaceBeyond(shape) });
        return;
      }
      const turn = new THREE.Quaternion().fromArray(frame.orientations, 4 * i);
      const place = new THREE.Vector3().fromArray(frame.positions, 3 * i);
      for (const { center, radius } of parts) out.push({ center: center.clone().applyQuaternion(turn).add(place), radius });
    });
  }
  return out.length ? out : [{ center: new THREE.Vector3(), radius: 1 }];
}

/** Farther from the middle of the first frame than this, in its radii, a body has left the scene. */
const kAstray = 4;

/** The first frame is shown with the last, where the picture need not be wider than so many times for it. */
const kWiderForStart = 1.35;

/**
 * World balls of a frame without the few that have left the scene since the first (fell off an edge): the view is not
 * made small for them. Those of the first frame come with them where they are near.
 */
export function stayingBalls(source: FrameSource, index: number): Ball[] {
  const all = sceneBalls(source, [index]);
  const start = sceneBalls(source, [0]);
  const first = surround(start);
  const near = all.filter(({ center }) => center.distanceTo(first.center) <= kAstray * first.radius);
  const staying = 2 * near.length >= all.length ? near : all;
  const both = index > 0 ? [...staying, ...start] : staying;
  return surround(both).radius <= kWiderForStart * surround(staying).radius ? both : staying;
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
  share: number, // of the picture's height that nothing lies over
  along?: THREE.Vector3, // another direction than the usual one
): THREE.Vector3 {
  const whole = Math.tan(THREE.MathUtils.degToRad(camera.fov / 2));
  const [tall, wide] = [share * whole, whole * camera.aspect];
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

/** What lies over the picture at its top and at its bottom, CSS pixels. */
export interface Covered {
  readonly top: number;
  readonly bottom: number;
}

const kMostCovered = 0.3; // of the picture's height, at each end

/** Of elements that lie over a picture of that height. */
export function coveredBy(height: number, above: HTMLElement, below: HTMLElement): Covered {
  const most = kMostCovered * height;
  const to = above.offsetTop + above.offsetHeight;
  return { top: Math.min(most, to), bottom: Math.min(most, height - below.offsetTop) };
}

/** From the eye through what a pointer is over. */
export function rayAt(event: MouseEvent, canvas: HTMLCanvasElement, camera: THREE.Camera): THREE.Raycaster {
  const box = canvas.getBoundingClientRect();
  const at = new THREE.Vector2(
    (2 * (event.clientX - box.left)) / box.width - 1,
    1 - (2 * (event.clientY - box.top)) / box.height,
  );
  const ray = new THREE.Raycaster();
  ray.setFromCamera(at, camera);
  return ray;
}
