// Scenes stepped by Rapier: node rapier.mjs SECONDS FILE..., files as repose convert writes them.
// Prints for each: file, bodies, farthest way of a body over its size.
import { readFileSync } from "node:fs";
import RAPIER from "@dimforge/rapier3d-compat";

const [seconds, ...files] = process.argv.slice(2);
await RAPIER.init();
const kStep = 1 / 1000; // s
// Contacts are springs in Rapier: of 30 Hz between bodies that move, of 60 Hz on fixed ones, where a body sinks by
// g / (2 pi 60 Hz)^2 = 6.9e-5 m. The second is not to be set in this package, so what stands is a body that could move but
// is locked, and the first counts everywhere: 1000 Hz, 2.5e-7 m.
const kContactFrequency = 1000; // Hz
const kAllowed = 1e-6; // m, overlap that Rapier leaves
// 1/s. Rapier has no rolling friction: normals of single precision let capsules roll on, ever faster.
const kAngularDamping = 50;
const kUpright = { w: Math.SQRT1_2, x: Math.SQRT1_2, y: 0, z: 0 }; // its axes are y, ours z

function times(a, b) {
  return {
    w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
    y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
    z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
  };
}

const placeOf = (body) => body.position ?? [0, 0, 0];
// Places are held in single precision: the world's origin lies among what moves, so that they are small numbers.
// Far from it (0.75 m) rounding alone carries bodies sideways, by 1e-3 of their size in 5 s.
const middle = (bodies) => [0, 1, 2].map((k) => bodies.reduce((sum, body) => sum + placeOf(body)[k], 0) / bodies.length);

// the collider of a shape and the size of it; null: Rapier has none
function collider(shape) {
  const D = RAPIER.ColliderDesc;
  switch (shape.kind) {
    case "ball":
      return [D.ball(shape.radius), 2 * shape.radius];
    case "box":
      return [D.cuboid(...shape.size.map((s) => s / 2)), Math.hypot(...shape.size)];
    case "cylinder":
      return [
        D.cylinder(shape.height / 2, shape.radius).setRotation(kUpright),
        Math.hypot(shape.height, 2 * shape.radius),
      ];
    case "capsule":
      return [
        D.capsule(shape.height / 2, shape.radius).setRotation(kUpright),
        shape.height + 2 * shape.radius,
      ];
    case "mesh": // those of the tables are convex
    case "convex": {
      const reach = Math.max(...shape.points.map((p) => Math.hypot(...p)));
      return [D.convexHull(Float32Array.from(shape.points.flat())), 2 * reach];
    }
    default:
      return null;
  }
}

for (const file of files) {
  const scene = JSON.parse(readFileSync(file, "utf8"));
  const world = new RAPIER.World({ x: 0, y: 0, z: -9.81 });
  world.timestep = kStep;
  world.integrationParameters.normalizedAllowedLinearError = kAllowed;
  world.integrationParameters.contact_natural_frequency = kContactFrequency;
  const moving = [];
  const origin = middle(scene.bodies.filter((body) => !body.fixed));
  for (const body of scene.bodies) {
    const shape = typeof body.shape === "string" ? scene.shapes[body.shape] : body.shape;
    const made = collider(shape);
    if (!made) continue; // endless ground lies far below
    const [w, x, y, z] = body.orientation_wxyz ?? [1, 0, 0, 0];
    const desc = RAPIER.RigidBodyDesc.dynamic()
      .setTranslation(...placeOf(body).map((x, k) => x - origin[k]))
      .setRotation({ w, x, y, z })
      .setAngularDamping(kAngularDamping)
      .setCanSleep(false);
    if (body.fixed) desc.lockTranslations().lockRotations();
    const rigid = world.createRigidBody(desc);
    world.createCollider(made[0].setFriction(0.8).setRestitution(0).setDensity(800), rigid);
    if (!body.fixed)
      moving.push({ rigid, size: made[1], name: body.name, from: rigid.translation(), turned: rigid.rotation() });
  }
  let farthest = 0;
  let which = "";
  const way = ({ rigid, size, from, turned }) => {
    const at = rigid.translation();
    const q = rigid.rotation();
    const move = Math.hypot(at.x - from.x, at.y - from.y, at.z - from.z);
    const off = times(q, { w: turned.w, x: -turned.x, y: -turned.y, z: -turned.z });
    const turn = 2 * Math.asin(Math.min(1, Math.hypot(off.x, off.y, off.z)));
    return move / size + 0.5 * turn;
  };
  const steps = Math.round(Number(seconds) / kStep);
  for (let s = 0; s < steps; ++s) {
    world.step();
    if (s % 10 !== 9 && s !== steps - 1) continue;
    for (const body of moving) {
      const w = way(body);
      if (w > farthest) [farthest, which] = [w, body.name];
    }
  }
  console.log(file, moving.length, farthest, which);
  world.free();
}
