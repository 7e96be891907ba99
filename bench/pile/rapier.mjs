// One scene of balls in an open box, run by Rapier until it rests or its steps are spent.
// Prints a line a window of time: steps, CPU seconds, all coordinates of the centres; then a line
// with "end" and the unbalanced force (weights). The judge in peer.cpp measures the rest.
import { readFileSync } from "node:fs";
import RAPIER from "@dimforge/rapier3d-compat";

const scene = JSON.parse(readFileSync(process.argv[2], "utf8"));
await RAPIER.init();
const world = new RAPIER.World({ x: 0, y: 0, z: -scene.gravity });
world.timestep = scene.step;
if (scene.iterations > 0) world.integrationParameters.numSolverIterations = scene.iterations;
if (scene.slop >= 0) world.integrationParameters.normalizedAllowedLinearError = scene.slop;

const smooth = (shape) => shape.setFriction(0).setRestitution(0);
const side = 400; // half the width of a wall, far beyond the box
const thick = 20;
const wallColliders = scene.walls.map(({ point, normal }) => {
  const axis = normal.findIndex((n) => n !== 0);
  const half = [side, side, side];
  half[axis] = thick;
  const center = point.map((p, i) => p - thick * normal[i]);
  const body = world.createRigidBody(RAPIER.RigidBodyDesc.fixed().setTranslation(...center));
  return world.createCollider(smooth(RAPIER.ColliderDesc.cuboid(...half)), body);
});
const balls = scene.balls.map((center) => {
  const body = world.createRigidBody(
    RAPIER.RigidBodyDesc.dynamic().setTranslation(...center)
      .setLinearDamping(scene.damping).setAngularDamping(scene.damping).setCanSleep(scene.sleeps),
  );
  const collider = world.createCollider(smooth(RAPIER.ColliderDesc.ball(1)).setMass(1), body);
  return { body, collider };
});

const centers = () => balls.map(({ body }) => body.translation());
const cpu = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;
const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);

// the largest sum of weight and contact impulses per step on any ball
function unbalancedForce() {
  const index = new Map(balls.map(({ collider }, i) => [collider.handle, i]));
  const force = balls.map(() => [0, 0, -scene.gravity]);
  balls.forEach(({ collider }, i) => {
    world.contactPairsWith(collider, (other) => {
      const j = index.get(other.handle);
      if (j !== undefined && j < i) return;
      world.contactPair(collider, other, (manifold, flipped) => {
        const n = manifold.normal();
        let impulse = 0;
        for (let c = 0; c < manifold.numContacts(); ++c) impulse += manifold.contactImpulse(c);
        const push = ((flipped ? 1 : -1) * impulse) / scene.step;
        [n.x, n.y, n.z].forEach((e, axis) => {
          force[i][axis] += push * e;
          if (j !== undefined) force[j][axis] -= push * e;
        });
      });
    });
  });
  return Math.max(...force.map((f) => Math.hypot(...f))) / scene.gravity;
}

const window = Math.round(scene.rest_window / scene.step);
const tell = (steps, seconds, at) =>
  console.log(steps, seconds, at.map(({ x, y, z }) => `${x} ${y} ${z}`).join(" "));
let [steps, looking] = [0, 0];
let last = centers();
const start = cpu();
while (steps < scene.most_steps) {
  world.step();
  if (++steps % window !== 0) continue;
  const before = cpu();
  const now = centers();
  const fastest = Math.max(...now.map((p, i) => distance(p, last[i]))) / scene.rest_window;
  last = now;
  tell(steps, before - start - looking, now);
  looking += cpu() - before;
  if (fastest <= scene.rest_speed) break;
}
console.log("end", unbalancedForce());
