// Models stepped by MuJoCo: node mujoco.mjs SECONDS FILE...
// Prints for each: file, bodies, deepest contact at the start (m), farthest way of a body over its
// size, its fastest speed at the end over its size (1/s).
import { readFileSync } from "node:fs";
import loadMujoco from "@mujoco/mujoco";

const [seconds, ...files] = process.argv.slice(2);
const mujoco = await loadMujoco();

function deepest(data) {
  let depth = 0;
  const contacts = data.contact;
  for (let i = 0; i < data.ncon; ++i) depth = Math.max(depth, -contacts.get(i).dist);
  return depth;
}

function freeBodies(model) {
  const out = [];
  for (let j = 0; j < model.njnt; ++j) {
    if (model.jnt_type[j] !== 0) continue;
    const body = model.jnt_bodyid[j];
    let reach = 0;
    for (let g = 0; g < model.ngeom; ++g)
      if (model.geom_bodyid[g] === body) reach = Math.max(reach, model.geom_rbound[g]);
    out.push({ qpos: model.jnt_qposadr[j], qvel: model.jnt_dofadr[j], size: 2 * reach });
  }
  return out;
}

for (const file of files) {
  const model = mujoco.MjModel.from_xml_string(readFileSync(file, "utf8"));
  const data = new mujoco.MjData(model);
  if (model.nkey > 0) mujoco.mj_resetDataKeyframe(model, data, model.nkey - 1);
  mujoco.mj_forward(model, data);
  const depth = deepest(data);
  const bodies = freeBodies(model);
  const start = Float64Array.from(data.qpos);
  const way = (b) => {
    const move = [0, 1, 2].map((k) => data.qpos[b.qpos + k] - start[b.qpos + k]);
    const same = [3, 4, 5, 6].reduce((s, k) => s + data.qpos[b.qpos + k] * start[b.qpos + k], 0);
    const turn = 2 * Math.acos(Math.min(1, Math.abs(same)));
    // a turn moves the far end of a body by half its size
    return Math.hypot(...move) / b.size + 0.5 * turn;
  };
  let farthest = 0;
  let which = -1;
  const steps = Math.round(Number(seconds) / model.opt.timestep);
  for (let s = 0; s < steps; ++s) {
    mujoco.mj_step(model, data);
    if (s % 10 === 9 || s === steps - 1)
      bodies.forEach((b, i) => {
        const w = way(b);
        if (w > farthest) [farthest, which] = [w, i];
      });
  }
  const speed = (b) => Math.hypot(...[0, 1, 2].map((k) => data.qvel[b.qvel + k])) / b.size;
  const fastest = Math.max(0, ...bodies.map(speed));
  console.log(file, bodies.length, depth, farthest, fastest, which);
  data.delete();
  model.delete();
}
