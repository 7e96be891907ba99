// The pictures of docs/studio.md: what a user does with mouse and keys, pictured. Run it in the studio's folder:
// node test/make_pictures.mjs [WORD of a series ...]
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, until } from "./browser.mjs";
import { ask, findBody, openStudio, placeOf, select, status, untilStatus } from "./studio_page.mjs";

const kPictures = process.env.REPOSE_PICTURES ?? join(dirname(fileURLToPath(import.meta.url)), "../../docs/pictures");
const kView = { viewport: { width: 1280, height: 800 } };

/** Pauses a run for a picture. */
async function shootRunning(page, name) {
  await ask(page, "pause");
  await untilStatus(page, "(s) => !s.running");
  await page.waitForTimeout(600);
  await shoot(page, name);
  await ask(page, "run");
}

/** Draws in full what stands still, and writes the whole page. */
async function shoot(page, name) {
  await page.evaluate(() => {
    const { stage } = window.studio;
    stage.quality.full();
    stage.draw();
  });
  await page.waitForTimeout(600);
  await page.evaluate(() => (document.querySelector(".toast").hidden = true));
  await page.screenshot({ path: join(kPictures, `studio-${name}.png`) });
  const { step, time, result } = await status(page);
  console.log(`studio-${name}.png: step ${step}, ${time} s, ${result}`);
}

/** Where a point of the world is seen. */
const seenAt = (page, place) =>
  page.evaluate((at) => {
    const { stage } = window.studio;
    const box = stage.canvas.getBoundingClientRect();
    const seen = stage.camera.position.clone().set(...at).project(stage.camera);
    return { x: box.left + (0.5 + 0.5 * seen.x) * box.width, y: box.top + (0.5 - 0.5 * seen.y) * box.height };
  }, place);

const fill = async (page, name, value) => {
  const field = page.locator(`.placing [name=${name}]`);
  await field.fill(String(value));
  await field.press("Tab");
};

async function judged(page) {
  await ask(page, "check");
  await untilStatus(page, "(s) => s.verdict !== null");
  const { verdict } = await status(page);
  assert.equal(verdict.overlap, "proven", verdict.why);
}

/** A spoon is set into the bowl by hand. */
async function spoon(page) {
  await ask(page, "pace", { pace: 0 });
  await ask(page, "run");
  await untilStatus(page, "(s) => !s.running && s.step > 3");
  // looked at from above
  await page.mouse.move(120, 440);
  await page.mouse.down();
  await page.mouse.move(120, 510, { steps: 6 });
  await page.mouse.up();
  await page.waitForTimeout(1500);
  const at = await findBody(page, "spoon");
  await select(page, at);
  await page.keyboard.press("g");
  await until(page, () => window.studio.place.holding >= 0);
  const [x, y, z] = await placeOf(page, at.body);
  await fill(page, "z", (z + 0.03).toFixed(4));
  await fill(page, "pitch", 10);
  await until(page, () => window.studio.place.meets.length === 0);
  await shoot(page, "place-1");
  await fill(page, "x", (x + 0.045).toFixed(4));
  await fill(page, "z", (z + 0.008).toFixed(4));
  await until(page, () => window.studio.place.meets.some(({ overlaps }) => overlaps));
  await shoot(page, "place-2");
  await fill(page, "x", x.toFixed(4));
  await fill(page, "z", (z + 0.03).toFixed(4));
  await fill(page, "yaw", 70);
  await until(page, () => window.studio.place.meets.length === 0);
  const before = await status(page);
  await page.locator(".placing button", { hasText: "Let go" }).click();
  await untilStatus(page, `(s) => !s.running && s.step > ${before.step}`);
  await judged(page);
  await shoot(page, "place-3");
}

/** Leads the mouse to a point of the world as the run goes on, in simulated seconds. */
async function lead(page, place, seconds) {
  const { x, y } = await seenAt(page, place);
  await page.mouse.move(x, y);
  const { time } = await status(page);
  await untilStatus(page, `(s) => s.time >= ${time + seconds} || !s.running`);
}

/** The crank is turned by hand, which feeds a block; another is pulled into a wall, which keeps it. */
async function feeder(page) {
  await page.locator("summary", { hasText: "Scene text" }).click();
  await until(page, () => window.studio.text.text.includes("hopper"));
  await page.evaluate(() => {
    const { text } = window.studio;
    const scene = JSON.parse(text.text);
    delete scene.events; // the scene's own hand
    scene.about = "A linkage and a pusher feed eight blocks: turn the crank.";
    text.text = JSON.stringify(scene);
  });
  await page.locator("button", { hasText: "Open this text" }).click();
  await until(page, () => window.studio.source.head.about.includes("turn the crank"));
  await page.locator("summary", { hasText: "Scene text" }).click();
  await page.locator("summary", { hasText: "Settings" }).click();
  await page.locator("[name=pull-limit]").fill("3000");
  await page.locator("[name=pull-limit]").press("Tab");
  await page.locator("summary", { hasText: "Settings" }).click();
  await page.locator(".panel").evaluate((panel) => panel.scrollTo(0, 0));
  // nearer to the linkage
  const near = await seenAt(page, [-1.0, 0.3, 0.2]);
  await page.mouse.move(near.x, near.y);
  for (let k = 0; k < 4; ++k) await page.mouse.wheel(0, -200), await page.waitForTimeout(200);
  await page.waitForTimeout(1500);
  const [px, py] = [-1.75, 0.5];
  const crank = await page.evaluate(([x, y]) => {
    const { stage, source } = window.studio;
    const box = stage.canvas.getBoundingClientRect();
    for (let k = 0; k < 4000; ++k) {
      const at = { clientX: Math.round(box.left + 40 + 3 * (k % 80)), clientY: Math.round(box.top + 200 + 3 * Math.floor(k / 80) * 3) };
      const hit = stage.pickAt(at);
      if (hit && source.bodies[hit.body].name === "crank" && Math.hypot(hit.point.x - x, hit.point.y - y) > 0.08)
        return { x: at.clientX, y: at.clientY, end: hit.point.toArray() };
    }
    return null;
  }, [px, py]);
  const { end } = crank;
  const [dx, dy] = [end[0] - px, end[1] - py];
  const reach = Math.hypot(dx, dy);
  const begin = Math.atan2(dy, dx);
  const on = (turn) => [px + reach * Math.cos(begin + turn), py + reach * Math.sin(begin + turn), end[2]];
  await page.mouse.move(crank.x, crank.y);
  await page.mouse.down();
  const turns = 48;
  for (let k = 1; k <= turns; ++k) {
    await lead(page, on((2 * Math.PI * k) / 24), 0.25);
    if (k === 1) assert.equal(await page.evaluate(() => window.studio.pull.holding), "crank");
    if (k === 6) await shootRunning(page, "crank-1");
    if (k === 38) await shootRunning(page, "crank-2");
  }
  await page.mouse.up();
  await ask(page, "pause");
  await judged(page);
  const block = await findBody(page, "block-5");
  await page.mouse.move(block.x, block.y);
  await page.mouse.down();
  const [bx, by] = await placeOf(page, block.body);
  for (let k = 1; k <= 8; ++k) await lead(page, [bx + 0.12 * k, by + 0.02 * k, 0.1], 0.1);
  await page.evaluate(() => {
    for (const label of document.querySelectorAll(".switches label"))
      if (label.textContent === "Forces") label.querySelector("input").click();
  });
  await lead(page, [bx + 0.96, by + 0.16, 0.1], 0.4);
  await ask(page, "pause");
  await judged(page);
  await shoot(page, "pull");
  await page.mouse.up();
}

const kBouncing = {
  repose: 1,
  about: "A box bounces on a floor.",
  gravity: [0, -9.81, 0],
  method: { kind: "mechanism", end_at_rest: false },
  materials: { box: { density: 1000, restitution: 0.9, color: [0.09, 0.24, 0.58] }, floor: { density: 1000, restitution: 0, color: [0.1, 0.1, 0.11] } },
  bodies: [
    { name: "floor", shape: { kind: "plane_region", thickness: 0.2, polygons: [{ outer: [[-1.5, -0.2], [1.5, -0.2], [1.5, 0], [-1.5, 0]] }] }, material: "floor", fixed: true },
    { name: "box", shape: { kind: "plane_region", thickness: 0.1, polygons: [{ outer: [[-0.12, -0.12], [0.12, -0.12], [0.12, 0.12], [-0.12, 0.12]] }] }, material: "box", position: [0, 1.2, 0] },
  ],
  limits: { duration: 30 },
};

/** Its elasticity is changed while a box bounces. */
async function bounce(page) {
  await ask(page, "open_text", { text: JSON.stringify(kBouncing), name: "bouncing-box" });
  await until(page, () => window.studio.source.bodies.some(({ name }) => name === "box"));
  const at = await findBody(page, "box");
  await select(page, at);
  await page.locator(".bodies summary", { hasText: "Material" }).click();
  await ask(page, "pace", { pace: 0.25 }); // plots have the states that were shown
  await page.locator("button.play").click();
  await untilStatus(page, "(s) => s.time >= 2.2");
  const field = page.locator("[name=matter-restitution]");
  await shoot(page, "bounce-1");
  await field.fill("0.4");
  await field.press("Tab");
  await until(page, () => window.studio.source.head.bodies.find(({ name }) => name === "box").matter.restitution === 0.4);
  console.log(`changed at ${(await status(page)).time} s`);
  await untilStatus(page, "(s) => s.time >= 4.4");
  await ask(page, "pause");
  await judged(page);
  await page.evaluate(() => [...document.querySelectorAll(".plots > *")].find((row) => row.textContent.startsWith("place of")).scrollIntoView({ block: "end" }));
  await shoot(page, "bounce-2");
}

/** A thousand balls run through the neck. */
async function hourglass(page) {
  await ask(page, "pace", { pace: 0 });
  await ask(page, "step", { count: 6 });
  await untilStatus(page, "(s) => s.step >= 6");
  await shoot(page, "hourglass-1");
  await ask(page, "run");
  await untilStatus(page, "(s) => s.step >= 60 || !s.running", 500);
  await ask(page, "pause");
  await judged(page);
  await shoot(page, "hourglass-2");
}

/** A soft ball between plates that close. */
async function squeeze(page) {
  await ask(page, "pace", { pace: 0 });
  await ask(page, "run");
  await untilStatus(page, "(s) => s.time >= 0.05");
  await ask(page, "pause");
  await page.locator(".view-tools button", { hasText: "Front" }).click();
  await shoot(page, "squeeze-1");
  await ask(page, "run");
  await untilStatus(page, `(s) => s.time >= ${process.env.SQUEEZE ?? 1.2} || !s.running`, 500);
  await ask(page, "pause");
  await judged(page);
  await shoot(page, "squeeze-2");
}

const kSeries = [
  ["spoon", "place/spoon-in-bowl", spoon],
  ["feeder", "mechanism/block-feeder", feeder],
  ["bounce", "mechanism/four-bar", bounce],
  ["hourglass", "pile/hourglass", hourglass],
  ["squeeze", "molecule/squeezed-ball", squeeze],
];

const asked = process.argv.slice(2);
const browser = await launch();
for (const [word, scene, act] of kSeries) {
  if (asked.length && !asked.includes(word)) continue;
  const { page, complaints, context, server } = await openStudio(browser, scene, [], kView);
  await act(page);
  assert.deepEqual(complaints, []);
  await context.close();
  await server.stop();
}
await browser.close();
