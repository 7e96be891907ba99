// A studio in a browser, and what tests ask of it.
import assert from "node:assert/strict";
import { ready, until, visit } from "./browser.mjs";
import { startStudio } from "./server.mjs";

/** A page of a studio of its own. */
export async function openStudio(browser, scene, more = [], options = {}) {
  const server = await startStudio(scene, more);
  const origin = new URL(server.address).origin;
  const opened = await visit(browser, server.address, new RegExp(`^(${origin}|data:|blob:)`), options);
  await ready(opened.page);
  return { ...opened, server };
}

export const status = (page) => page.evaluate(() => window.studio.status);
export const ask = (page, what, more = {}) =>
  page.evaluate(([w, m]) => window.studio.link.ask(w, m), [what, more]);

/** Waits until the engine's status is as asked. */
export const untilStatus = (page, question, seconds = 120) =>
  until(page, `(${question})(window.studio.status)`, seconds);

/** Colours of the drawing and a coarse fingerprint of it. */
export function picture(page) {
  return page.evaluate(() => {
    const { stage } = window.studio;
    stage.draw();
    const copy = document.createElement("canvas");
    copy.width = 320;
    copy.height = 200;
    const pen = copy.getContext("2d", { willReadFrequently: true });
    pen.drawImage(stage.canvas, 0, 0, copy.width, copy.height);
    const { data } = pen.getImageData(0, 0, copy.width, copy.height);
    const seen = new Set();
    const cells = [];
    for (let i = 0; i < data.length; i += 4) {
      const cell = ((data[i] >> 4) << 8) | ((data[i + 1] >> 4) << 4) | (data[i + 2] >> 4);
      seen.add(cell);
      cells.push(cell);
    }
    return { colours: seen.size, cells };
  });
}
export const changedCells = (a, b) => a.cells.filter((cell, i) => cell !== b.cells[i]).length;

/** Waits until nothing moves: no run, no scene on its way, and two pictures later the same frame from the same eye. */
export async function untilStill(page) {
  await until(page, async () => {
    const { studio } = window;
    const { source, stage } = studio;
    const seen = () => JSON.stringify([source.head.serial, source.frames, stage.eye, stage.canvas.clientWidth, stage.canvas.clientHeight]);
    const before = seen();
    for (let k = 0; k < 2; ++k) await new Promise((done) => requestAnimationFrame(done));
    return !studio.status.running && studio.status.serial === source.head.serial && seen() === before;
  });
}

/** Clicks a body and waits until it is selected. */
export async function select(page, at) {
  await page.mouse.click(at.x, at.y);
  await until(page, (body) => window.studio.selected === body, 120, at.body);
}

/** Where on the page a movable body can be clicked: near its middle, at a point at which a ray meets it first. */
export async function findBody(page, name = null) {
  await untilStill(page);
  const at = await page.evaluate((wanted) => {
    const { stage, source } = window.studio;
    const box = stage.canvas.getBoundingClientRect();
    const frame = source.frame(0);
    const middle = (i) => {
      const { firstPoint, pointCount } = source.bodies[i];
      const place = stage.camera.position.clone().set(0, 0, 0);
      if (!pointCount) return place.fromArray(frame.positions, 3 * i);
      for (let k = 0; k < 3 * pointCount; ++k)
        place.setComponent(k % 3, place.getComponent(k % 3) + frame.points[3 * firstPoint + k] / pointCount);
      return place;
    };
    for (let i = 0; i < source.bodies.length; ++i) {
      const body = source.bodies[i];
      if (body.fixed || (wanted && body.name !== wanted)) continue;
      const seen = middle(i).project(stage.camera);
      for (let k = 0; k < 60; ++k) {
        // outward on a spiral: a ring's middle is a hole; a mouse stands on whole pixels
        const clientX = Math.round(box.left + (0.5 + 0.5 * seen.x) * box.width + 2.5 * k * Math.cos(2.4 * k));
        const clientY = Math.round(box.top + (0.5 - 0.5 * seen.y) * box.height + 2.5 * k * Math.sin(2.4 * k));
        if (document.elementFromPoint(clientX, clientY) !== stage.canvas) continue;
        if (stage.pickAt({ clientX, clientY })?.body !== i) continue;
        return { x: clientX, y: clientY, body: i, name: body.name };
      }
    }
    return null;
  }, name);
  assert.ok(at, "a body to take hold of");
  return at;
}

/** A row of a menu of the toolbar, by its whole name or by how it begins. */
export async function choose(page, button, row) {
  await page.locator(".toolbar .menu > button", { hasText: button }).click();
  const rows = page.locator(".choices:not([hidden]) button");
  await rows.first().waitFor();
  const names = (await rows.allInnerTexts()).map((text) => text.split("\n")[0]);
  const at = names.includes(row) ? names.indexOf(row) : names.findIndex((name) => name.startsWith(row));
  assert.ok(at >= 0, `${row} among ${names.join(", ")}`);
  await rows.nth(at).click();
}

export const placeOf = (page, body) =>
  page.evaluate((i) => {
    const { source } = window.studio;
    const { firstPoint, pointCount } = source.bodies[i];
    const frame = source.frame(0);
    return pointCount
      ? Array.from(frame.points.slice(3 * firstPoint, 3 * firstPoint + 3))
      : Array.from(frame.positions.slice(3 * i, 3 * i + 3));
  }, body);
