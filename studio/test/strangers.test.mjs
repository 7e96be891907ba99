// What people do who have read nothing: they delete what they hold, turn their tablet, type nonsense, start the server anew.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, ready, until, visit } from "./browser.mjs";
import { startStudio } from "./server.mjs";
import { ask, choose, findBody, openStudio as openWith, picture, select, status, untilStatus } from "./studio_page.mjs";

let browser;

before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const openStudio = (scene, more = []) => openWith(browser, scene, more);

async function close({ context, server, complaints }) {
  assert.deepEqual(complaints, []);
  await context.close();
  await server.stop();
}

test("a body that is deleted while a hand holds it is let go, and comes back by undo", async () => {
  const studio = await openStudio("mechanism/block-feeder");
  const { page } = studio;
  const there = (name) => page.evaluate((n) => window.studio.source.bodies.some((b) => b.name === n), name);
  const at = await findBody(page);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 30, at.y - 40, { steps: 5 });
  await until(page, () => window.studio.pull.holding !== null);
  await ask(page, "edit", { kind: "remove", target: at.name });
  await until(page, (n) => !window.studio.source.bodies.some((b) => b.name === n), 120, at.name);
  await page.mouse.move(at.x + 60, at.y - 40, { steps: 5 });
  await until(page, () => window.studio.pull.holding === null);
  await page.mouse.up();
  await ask(page, "pause");
  for (let k = 0; k < 4 && !(await there(at.name)); ++k) await ask(page, "undo");
  await until(page, (n) => window.studio.source.bodies.some((b) => b.name === n), 120, at.name);
  await close(studio);

  const placing = await openStudio("pile/box-27");
  const ball = await findBody(placing.page);
  await select(placing.page, ball);
  await placing.page.keyboard.press("g");
  await until(placing.page, () => window.studio.place.holding >= 0);
  await placing.page.keyboard.press("Delete");
  await until(placing.page, (n) => !window.studio.source.bodies.some(({ name }) => name === n), 120, ball.name);
  assert.equal(await placing.page.evaluate(() => window.studio.place.holding), -1);
  await placing.page.keyboard.press("Control+z");
  await until(placing.page, (n) => window.studio.source.bodies.some(({ name }) => name === n), 120, ball.name);
  await close(placing);
});

test("a tablet that is turned still shows everything, until somebody has moved the eye", async () => {
  const studio = await openStudio("mechanism/block-feeder");
  const { page } = studio;
  // how far the outermost body lies from the middle of the picture, 1 at its edge
  const outermost = () =>
    page.evaluate(() => {
      const { stage, source } = window.studio;
      const { positions } = source.frame(0);
      const place = stage.camera.position.clone();
      stage.camera.updateMatrixWorld();
      return Math.max(...source.bodies.map((_, i) => Math.abs(place.fromArray(positions, 3 * i).project(stage.camera).x)));
    });
  const turnTo = async (width, height) => {
    await page.setViewportSize({ width, height });
    await until(page, (w) => innerWidth === w && window.studio.stage.camera.aspect < 1.3, 120, width);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  };
  assert.ok((await outermost()) < 1);
  await turnTo(600, 1000);
  await until(page, () => window.studio.stage.camera.aspect < 1);
  assert.ok((await outermost()) < 1, `${await outermost()}`);
  await page.locator("canvas").first().press("+");
  const stood = await page.evaluate(() => window.studio.stage.eye);
  await turnTo(500, 1000);
  assert.deepEqual(await page.evaluate(() => window.studio.stage.eye), stood);
  await close(studio);
});

test("fields in which nonsense was typed show again what holds, and say why", async () => {
  const studio = await openStudio("place/torus-on-cone");
  const { page } = studio;
  await page.locator("summary", { hasText: "Settings" }).click();
  const steps = page.locator(".settings-form [name=max_steps]");
  const held = await steps.inputValue();
  for (const text of ["abc", "1e999", "", "-5"]) {
    await steps.fill(text);
    await steps.blur();
    await until(page, (was) => document.querySelector(".settings-form [name=max_steps]").value === was, 120, held);
  }
  await steps.fill("abc");
  await steps.blur();
  assert.match(await page.locator(".settings-form .hint").innerText(), /max_steps: not a number \(got abc\)/);

  await select(page, await findBody(page, "torus"));
  await page.keyboard.press("g");
  await until(page, () => window.studio.place.holding >= 0);
  const z = page.locator(".placing [name=z]");
  const height = await z.inputValue();
  for (const text of ["", "high", "1e300"]) {
    await z.fill(text);
    await z.press("Tab");
    assert.equal(await z.inputValue(), height, `after "${text}"`);
  }
  await page.keyboard.press("Escape");
  await close(studio);
});

test("a run is saved under a name with blanks and opened again as it stood", async () => {
  const studio = await openStudio("place/torus-on-cone");
  const { page } = studio;
  await ask(page, "step", { count: 4 });
  await untilStatus(page, "(s) => s.step === 4");
  const { hash } = await status(page);
  await choose(page, "Export", "Recording as");
  await page.locator("dialog.ask input").pressSequentially("my first try");
  await page.keyboard.press("Enter");
  await until(page, () => /my-first-try/.test(document.querySelector(".toast").textContent));
  await ask(page, "reset");
  await page.locator("button", { hasText: "Gallery" }).click();
  await page.locator("[data-saved='my-first-try']").click();
  await untilStatus(page, `(s) => s.hash === ${JSON.stringify(hash)}`);
  await close(studio);
});

test("a page whose server was started anew says where to go", async () => {
  const first = await startStudio("mechanism/four-bar");
  const { port } = new URL(first.address);
  const { page, context } = await visit(browser, first.address, /./);
  await ready(page);
  await first.stop("SIGKILL");
  const second = await startStudio("mechanism/four-bar", ["--port", port]);
  await until(page, () => /Another studio runs here/.test(document.querySelector(".banner").textContent));
  assert.ok(await page.locator(".banner").isVisible());
  await context.close();
  await second.stop();
});

test("a browser that draws nothing is told so, and so is a drawing that is taken away", async () => {
  const blind = await launch(["--disable-3d-apis"]);
  const server = await startStudio("mechanism/four-bar");
  const page = await blind.newPage();
  await page.goto(server.address);
  await page.locator(".failed").waitFor();
  assert.match(await page.locator(".failed").innerText(), /This browser draws nothing: it has no WebGL\./);
  await blind.close();
  await server.stop();

  const studio = await openWith(browser, "mechanism/four-bar");
  const seen = () => studio.page.locator(".undrawn").isVisible();
  assert.equal(await seen(), false);
  await studio.page.evaluate(() => {
    window.card = window.studio.stage.canvas.getContext("webgl2").getExtension("WEBGL_lose_context");
    window.card.loseContext();
  });
  await studio.page.locator(".undrawn").waitFor();
  assert.match(await studio.page.locator(".undrawn").innerText(), /has taken the drawing away/);
  const { step } = await status(studio.page);
  await ask(studio.page, "step");
  await untilStatus(studio.page, `(s) => s.step === ${step + 1}`);
  await studio.page.evaluate(() => window.card.restoreContext());
  await studio.page.locator(".undrawn").waitFor({ state: "hidden" });
  const { colours } = await picture(studio.page);
  assert.ok(colours > 15, `${colours} colours`);
  // what three.js says of it is no complaint of ours
  studio.complaints.splice(0, studio.complaints.length, ...studio.complaints.filter((text) => !/context (lost|restored)/i.test(text)));
  await close(studio);
});

test("a picture that stays black is told of", async () => {
  const studio = await openStudio("mechanism/four-bar");
  assert.equal(await studio.page.locator(".undrawn").isVisible(), false);
  // pictures in which nothing has a colour, as some browsers make them
  await studio.page.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (...asked) {
      const out = getContext.apply(this, asked);
      if (asked[0] === "webgl2" && out) out.colorMask(false, false, false, false), (out.colorMask = () => undefined);
      return out;
    };
  });
  await studio.page.reload();
  await studio.page.locator(".undrawn").waitFor();
  assert.match(await studio.page.locator(".undrawn").innerText(), /leaves every picture black/);
  await close(studio);
});

test("a mesh in millimetres comes in as large as what moves, and is said to be so; undo in mid-pull leaves a hand that pulls on", async () => {
  const dropping = await openStudio("pile/box-27");
  await dropping.page.evaluate(() => {
    const corners = [[0, 0, 0], [0, 50, 0], [50, 0, 0], [0, 0, 50]];
    const sides = [[0, 1, 2], [0, 2, 3], [2, 1, 3], [0, 3, 1]];
    const bytes = new DataView(new ArrayBuffer(84 + 50 * sides.length));
    bytes.setUint32(80, sides.length, true);
    sides.forEach((side, t) =>
      side.forEach((corner, c) => corners[corner].forEach((x, k) => bytes.setFloat32(96 + 50 * t + 12 * c + 4 * k, x, true))),
    );
    const data = new DataTransfer();
    data.items.add(new File([bytes.buffer], "part (1).STL"));
    document.querySelector(".studio").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
  });
  await until(dropping.page, () => window.studio.place.holding >= 0);
  assert.match(await dropping.page.locator(".toast").innerText(), /Added part-1-: its file names no unit and was taken in mm/);
  await dropping.page.keyboard.press("Enter");
  await until(dropping.page, () => window.studio.place.holding < 0);
  await untilStatus(dropping.page, "(s) => s.step > 0");
  await close(dropping);

  const pulling = await openStudio("mechanism/moving-boxes");
  const { page } = pulling;
  const at = await findBody(page);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 20, at.y - 60, { steps: 4 });
  await untilStatus(page, "(s) => s.hands?.length === 1 && s.step > 5");
  await page.keyboard.press("Control+z");
  await untilStatus(page, "(s) => !s.running && s.step === 0 && s.hands.length === 0");
  await page.mouse.move(at.x + 60, at.y - 90, { steps: 4 });
  await untilStatus(page, "(s) => s.hands.length === 1 && s.step > 2");
  await page.mouse.up();
  await untilStatus(page, "(s) => s.hands.length === 0");
  await ask(page, "check");
  await untilStatus(page, "(s) => s.verdict?.overlap === 'proven'");
  await close(pulling);
});
