// Files that Repose writes, read by three.js in a browser: glTF and USD, settled and moving.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { launch } from "./browser.mjs";
import { ownFolder } from "./own_folder.mjs";

const kPoseError = 1e-5; // m; three.js keeps single precision
const kTool = process.env.REPOSE_TOOL ?? "../build/release/apps/repose/repose";
const kHere = dirname(fileURLToPath(import.meta.url));
const kFiles = join(kHere, "../../tests/handover/files");

// what runs in the page: reads a file, answers where its nodes stand, with z up
const kReader = `
import { AnimationMixer, Quaternion, Vector3 } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { USDLoader } from "three/examples/jsm/loaders/USDLoader.js";

const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

window.readGltf = (base64) =>
  new Promise((done, failed) => new GLTFLoader().parse(bytesOf(base64).buffer, "", done, failed))
    .then((file) => places(file.scene, file.animations));
window.readUsd = (base64) => {
  const scene = new USDLoader().parse(bytesOf(base64).buffer);
  return places(scene, scene.animations ?? []);
};

function places(scene, animations) {
  const mixer = new AnimationMixer(scene);
  for (const clip of animations) mixer.clipAction(clip).play();
  const duration = Math.max(0, ...animations.map((clip) => clip.duration));
  const look = (time) => {
    // the last moment of a clip is also the first of its next round
    if (animations.length) mixer.setTime(Math.min(time, duration * (1 - 1e-9)));
    scene.updateMatrixWorld(true);
    const out = {};
    scene.traverse((node) => {
      const p = node.getWorldPosition(new Vector3());
      const q = node.getWorldQuaternion(new Quaternion());
      out[node.name] = { position: [p.x, -p.z, p.y], turn: [q.x, q.y, q.z, q.w] };
    });
    return out;
  };
  window.look = look;
  let triangles = 0;
  scene.traverse((node) => {
    if (node.geometry) triangles += (node.geometry.index ?? node.geometry.attributes.position).count / 3;
  });
  return { duration, triangles, now: look(0) };
}
`;

let browser;
let page;
let folder;

before(async () => {
  folder = ownFolder("repose-written-");
  const bundled = await build({
    stdin: { contents: kReader, resolveDir: kHere },
    bundle: true,
    format: "iife",
    write: false,
    logLevel: "silent",
  });
  browser = await launch();
  page = await browser.newPage();
  await page.setContent("<!doctype html><title>reader</title>");
  await page.addScriptTag({ content: bundled.outputFiles[0].text });
});
after(() => browser?.close());

const tool = (...words) => execFileSync(kTool, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
const read = (how, file) =>
  page.evaluate(([name, text]) => window[name](text), [how, readFileSync(join(folder, file)).toString("base64")]);

/** three.js takes dots and blanks out of names. */
const nameThere = (name) => name.replace(/\s/g, "_").replace(/[[\].:/]/g, "");

function near(got, want, what) {
  for (let k = 0; k < 3; ++k)
    assert.ok(Math.abs(got[k] - want[k]) < kPoseError, `${what}: ${got} is not ${want}`);
}

for (const [name, how] of [["shelf.gltf", "readGltf"], ["kitchen.usda", "readUsd"]])
  test(`three.js finds the settled bodies of ${name} where they rest`, async () => {
    const ending = name.split(".")[1];
    execFileSync("cp", ["-r", kFiles, join(folder, `files-${ending}`)]);
    const told = JSON.parse(tool("settle", `files-${ending}/${name}`, "--out", `files-${ending}/settled.${ending}`, "--json"));
    assert.equal(told.exit_code, 0);
    const seen = await read(how, `files-${ending}/settled.${ending}`);
    let found = 0;
    for (const pose of told.poses) {
      const there = seen.now[nameThere(pose.body)];
      if (!there) continue;
      near(there.position, pose.position, pose.body);
      ++found;
    }
    assert.ok(found >= 3, `${found} of ${told.poses.length} bodies were found`);
  });

test("three.js plays a run as it was recorded, from glTF and from USD", async () => {
  writeFileSync(
    join(folder, "scene.json"),
    JSON.stringify({
      repose: 1,
      about: "A ball and an egg above a table.",
      method: { kind: "pile" },
      bodies: [
        { name: "table", shape: { kind: "half_space" }, fixed: true },
        { name: "ball", shape: { kind: "ball", radius: 0.04 }, position: [0, 0, 0.3] },
        { name: "egg", shape: { kind: "ellipsoid", radii: [0.05, 0.04, 0.03] }, position: [-0.2, 0.1, 0.2], axis_angle_deg: [1, 0, 0, 50] },
      ],
    }),
  );
  tool("run", "scene.json", "--out", "run", "--quiet");
  tool("export", "run", "--gltf", "run.glb", "--usda", "run.usda", "--csv", "run.csv");
  const rows = readFileSync(join(folder, "run-poses.csv"), "utf8").split("\n");
  const head = rows.findIndex((row) => row.startsWith("frame,step,time,body"));
  const poses = rows.slice(head + 1).map((row) => row.split(",")).filter((row) => row.length > 6 && row[3] !== "table");
  const times = [...new Set(poses.map((row) => Number(row[2])))];
  const frames = [...new Set(poses.map((row) => Number(row[0])))];
  const timed = times.length === frames.length && times.every((t, k) => k === 0 || t > times[k - 1]);
  for (const [how, file] of [["readGltf", "run.glb"], ["readUsd", "run.usda"]]) {
    const seen = await read(how, file);
    // of USD three.js follows no references within a file, by which shapes are written once
    if (how === "readGltf") assert.ok(seen.triangles > 100, `${file}: ${seen.triangles} triangles`);
    assert.ok(seen.duration > 0, `${file} does not move`);
    for (const frame of frames) {
      const row = poses.find((pose) => Number(pose[0]) === frame);
      const time = timed ? Number(row[2]) : frame / 24;
      const there = await page.evaluate((at) => window.look(at), time);
      for (const pose of poses.filter((p) => Number(p[0]) === frame))
        near(there[pose[3]].position, pose.slice(4, 7).map(Number), `${file}, frame ${frame}, ${pose[3]}`);
    }
  }
});
