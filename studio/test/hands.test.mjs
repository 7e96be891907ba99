// What hands put in, change, branch, save and open; what the text, the judge and the gallery show of it; and how fast.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch, until } from "./browser.mjs";
import { ask, choose, findBody, openStudio as openWith, placeOf, select, status, untilStatus } from "./studio_page.mjs";

let browser;

before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Closed with the test, however that ends. */
async function openStudio(t, scene, options = {}) {
  const studio = await openWith(browser, scene, [], options);
  t.after(async () => {
    await studio.context.close();
    await studio.server.stop();
  });
  return studio;
}

test("joints and springs are put in by two clicks, drawn, listed, undone and removed", async (t) => {
  const studio = await openStudio(t, "mechanism/moving-boxes");
  const { page } = studio;
  const at = await findBody(page);
  await select(page, at);
  const ties = () => page.evaluate(() => window.studio.source.ties.map(({ kind, name }) => `${kind} ${name}`));
  const before = (await ties()).length;
  const put = async (kind, dx, dy) => {
    await page.locator(".tying select").selectOption(kind);
    if (kind === "spring") await page.locator(".tying [name=length]").fill("0.1");
    await page.locator(".tying button").click();
    const now = await findBody(page, at.name);
    await page.mouse.click(now.x, now.y);
    await page.mouse.move(now.x + dx / 2, now.y + dy / 2);
    await page.mouse.click(now.x + dx, now.y + dy);
  };
  await put("spring", 0, -150);
  await until(page, (n) => window.studio.source.ties.length === n, 120, before + 1);
  assert.ok((await ties()).includes("spring spring-1"));
  await put("pin", 0, -150);
  await until(page, (n) => window.studio.source.ties.length === n, 120, before + 2);
  await page.keyboard.press("Control+z");
  await until(page, (n) => window.studio.source.ties.length === n, 120, before + 1);
  // the spring pulls, and nothing overlaps
  const from = await placeOf(page, at.body);
  await ask(page, "step", { count: 30 });
  await until(page, () => window.studio.source.frame(0).step >= 30);
  const to = await placeOf(page, at.body);
  assert.ok(Math.hypot(...to.map((x, c) => x - from[c])) > 0);
  await ask(page, "check");
  await untilStatus(page, "(s) => s.verdict?.overlap === 'proven'");
  await page.locator("summary", { hasText: "Joints and forces" }).click();
  await page.locator(".ties button").last().click();
  await until(page, (n) => window.studio.source.ties.length === n, 120, before);
  assert.deepEqual(studio.complaints, []);
});

test("place: forces, frozen axes, nudges, copies, matter and sticking by hand, and the text follows", async (t) => {
  const studio = await openStudio(t, "place/torus-on-cone");
  const { page } = studio;
  await page.locator("summary", { hasText: "Scene text" }).click();
  await until(page, () => window.studio.text.text.includes("torus"));
  const at = await findBody(page, "torus");
  await select(page, at);
  await page.locator(".freeze label", { hasText: "turn z" }).click();
  await until(page, () => window.studio.text.text.includes("turn_z"));
  await page.locator(".bodies .row button", { hasText: "+z" }).click();
  await until(page, () => /"nudge"/.test(window.studio.text.text));
  await page.locator(".bodies summary", { hasText: "Material" }).click();
  await page.locator("[name=matter-density]").fill("2500");
  await page.locator("[name=matter-density]").blur();
  await until(page, () => window.studio.source.head.bodies.find(({ name }) => name === "torus").matter.density === 2500);
  await page.locator(".tying select").selectOption("connect");
  await page.locator(".tying button").click();
  const now = await findBody(page, "torus");
  await page.mouse.click(now.x, now.y);
  await page.mouse.click(now.x + 120, now.y - 200);
  await until(page, () => window.studio.source.ties.some(({ kind }) => kind === "connect"));
  await until(page, () => /connect-1/.test(window.studio.text.text));
  await page.keyboard.press("Control+d");
  await until(page, () => window.studio.source.bodies.some(({ name }) => name === "torus-2"));
  // what the text says is what stands there
  const bodies = await page.evaluate(() => window.studio.source.bodies.length);
  await until(page, () => /torus-2/.test(window.studio.text.text));
  await page.locator("button", { hasText: "Open this text" }).click();
  await until(page, () => document.querySelector(".fault").textContent === "" && !window.studio.status.edits);
  await ask(page, "step", { count: 2 });
  await until(page, (n) => window.studio.source.bodies.length === n, 120, bodies);
  assert.deepEqual(studio.complaints, []);
});

test("the scene text completes names and values and explains them", async (t) => {
  const studio = await openStudio(t, "place/torus-on-cone");
  const { page } = studio;
  await page.locator("summary", { hasText: "Scene text" }).click();
  await until(page, () => window.studio.text.help !== null && window.studio.text.text !== "");
  const told = await page.evaluate(() => {
    const { editor, help } = window.studio.text;
    const at = editor.state.doc.toString().indexOf('"gravity"');
    return help.wordsAt(editor.state, at < 0 ? editor.state.doc.toString().indexOf('"bodies"') + 2 : at + 2);
  });
  assert.ok(told && told.text.length > 5, JSON.stringify(told));
  // a new member of a body: what is typed brings the list of fields
  await page.evaluate(() => {
    const { editor } = window.studio.text;
    const text = editor.state.doc.toString();
    const at = text.indexOf("{", text.indexOf('"bodies"')) + 1;
    editor.dispatch({ changes: { from: at, insert: '\n"lay' }, selection: { anchor: at + 5 } });
    editor.focus();
  });
  await page.keyboard.type("e");
  await until(page, () => [...document.querySelectorAll(".cm-tooltip-autocomplete li")].some((row) => row.textContent.includes('"layer"')));
  assert.deepEqual(studio.complaints, []);
});

test("branches, saved runs and gallery pictures", async (t) => {
  const studio = await openStudio(t, "mechanism/four-bar");
  const { page } = studio;
  await ask(page, "step", { count: 4 });
  await untilStatus(page, "(s) => s.step === 4");
  const here = (await status(page)).hash;
  const menu = (button, row) => choose(page, button, row);
  await menu("Branch", "New branch");
  await untilStatus(page, "(s) => s.branches === 2 && s.branch === 1");
  await ask(page, "step", { count: 4 });
  await menu("Branch", "Branch 1");
  await untilStatus(page, `(s) => s.branch === 0 && s.hash === ${JSON.stringify(here)}`);
  await menu("Export", "Recording");
  await until(page, () => /recording.repose/.test(document.querySelector(".toast").textContent));
  await ask(page, "reset");
  await page.locator("button", { hasText: "Gallery" }).click();
  await until(page, () => [...document.querySelectorAll(".pictured img")].some(({ naturalWidth }) => naturalWidth > 100));
  await page.locator("[data-saved]").first().click();
  await untilStatus(page, `(s) => !s.running && s.hash === ${JSON.stringify(here)}`);
  assert.deepEqual(studio.complaints, []);
});

test("a body that does not stand firmly is shown moving", async (t) => {
  const text = JSON.stringify({
    repose: 1,
    bodies: [
      { name: "ground", shape: { kind: "half_space" }, fixed: true },
      { name: "egg", shape: { kind: "ellipsoid", radii: [0.1, 0.1, 0.2] }, position: [0, 0, 0.2] },
    ],
    method: { kind: "place" },
  });
  const studio = await openStudio(t, "place/torus-on-cone");
  const { page } = studio;
  await ask(page, "open_text", { text });
  await until(page, () => window.studio.source.bodies.some(({ name }) => name === "egg"));
  await ask(page, "step", { count: 3 });
  await ask(page, "check");
  await untilStatus(page, "(s) => s.verdict !== null");
  await page.locator("button", { hasText: "Show how it would move" }).click();
  assert.equal(await page.evaluate(() => window.studio.witness.playing), true);
  await page.locator("button", { hasText: "Stop showing it" }).click();
  assert.equal(await page.evaluate(() => window.studio.witness.playing), false);
  assert.deepEqual(studio.complaints, []);
});

test("a finger pulls a body or orbits, two fingers zoom and pan", async (t) => {
  const studio = await openStudio(t, "mechanism/moving-boxes", { hasTouch: true, viewport: { width: 820, height: 1180 } });
  const { page, context } = studio;
  const hand = await context.newCDPSession(page);
  const touch = (type, ...points) =>
    hand.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const eye = () => page.evaluate(() => window.studio.stage.eye);
  const away = ([x, y, z, a, b, c]) => Math.hypot(x - a, y - b, z - c);
  const at = await findBody(page);
  const before = await eye();
  await touch("touchStart", [at.x, at.y]);
  await touch("touchMove", [at.x + 60, at.y - 60]);
  await until(page, (name) => window.studio.pull.holding === name, 120, at.name);
  await untilStatus(page, "(s) => s.running && s.hands.length === 1");
  await touch("touchEnd");
  await until(page, () => window.studio.pull.holding === null);
  await untilStatus(page, "(s) => s.hands.length === 0");
  assert.deepEqual(await eye(), before, "a pull does not turn the view");
  await ask(page, "pause");

  const [x, y] = await page.evaluate(() => {
    const { stage } = window.studio;
    const box = stage.canvas.getBoundingClientRect();
    for (let k = 0; k < 400; ++k) {
      const [clientX, clientY] = [box.left + 90 + (k % 20) * 30, box.top + 90 + Math.floor(k / 20) * 20];
      if (document.elementFromPoint(clientX, clientY) === stage.canvas && !stage.pickAt({ clientX, clientY })) return [clientX, clientY];
    }
    return [0, 0];
  });
  await touch("touchStart", [x, y]);
  await touch("touchMove", [x + 40, y + 10]);
  await touch("touchMove", [x + 80, y + 20]);
  await touch("touchEnd");
  await until(page, (old) => window.studio.stage.eye.some((c, k) => c !== old[k]), 120, before);
  const turned = await eye();
  assert.ok(Math.abs(away(turned) / away(before) - 1) < 1e-3, "one finger orbits");
  await touch("touchStart", [x, y], [x + 40, y]);
  await touch("touchMove", [x, y], [x + 90, y]);
  await touch("touchMove", [x, y], [x + 160, y]);
  await touch("touchEnd");
  await until(
    page,
    (old) => {
      const [px, py, pz, tx, ty, tz] = window.studio.stage.eye;
      return Math.hypot(px - tx, py - ty, pz - tz) < 0.9 * old;
    },
    120,
    away(turned),
  );
  assert.deepEqual(studio.complaints, []);
});

for (const scene of ["place/spoon-in-bowl", "mechanism/moving-boxes"])
  test(`${scene}: the mouse turns the eye about what is up`, async (t) => {
    const studio = await openStudio(t, scene);
    const { page } = studio;
    // where the eye stands from its target: how high, and in which direction over ground
    const stands = () =>
      page.evaluate(() => {
        const { eye, camera } = window.studio.stage;
        const away = camera.position.clone().fromArray(eye).sub(camera.position.clone().fromArray(eye, 3)).normalize();
        const height = away.dot(camera.up);
        return { height, ground: away.addScaledVector(camera.up, -height).normalize().toArray() };
      });
    const drag = async (dx, dy) => {
      const from = await stands();
      await page.mouse.move(120, 560);
      await page.mouse.down();
      await page.mouse.move(120 + dx, 560 + dy, { steps: 5 });
      await page.mouse.up();
      // until the last of its swing is over
      for (let before = "", now = "-"; now !== before; ) {
        before = now;
        await page.waitForTimeout(200);
        now = await page.evaluate(() => JSON.stringify(window.studio.stage.eye));
      }
      const to = await stands();
      const turned = from.ground.reduce((sum, x, k) => sum + x * to.ground[k], 0);
      return { rose: to.height - from.height, turned: Math.acos(Math.min(1, turned)) };
    };
    const up = await drag(0, 60);
    assert.ok(up.rose > 0.05, JSON.stringify(up));
    const across = await drag(150, 0);
    assert.ok(Math.abs(across.rose) < 1e-3 && across.turned > 0.3, JSON.stringify(across));
    const down = await drag(0, -30);
    assert.ok(down.rose < -0.03 && down.turned < 1e-3, JSON.stringify(down));
    assert.deepEqual(studio.complaints, []);
  });

test("every control has a name, and the keyboard reaches them", async (t) => {
  const studio = await openStudio(t, "mechanism/four-bar");
  const { page } = studio;
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button, input, select, [tabindex='0']")]
      .filter((part) => part.offsetParent !== null)
      .filter((part) => !(part.getAttribute("aria-label") || part.textContent.trim() || part.title || part.closest("label")?.textContent.trim() || part.placeholder))
      .map((part) => part.outerHTML.slice(0, 120)),
  );
  assert.deepEqual(nameless, []);
  await page.locator("button.play").focus();
  // along the bar in the order in which it is read, then into the panel
  const wanted = await page.evaluate(() =>
    [...document.querySelectorAll(".toolbar :is(button, select)")]
      .filter((part) => part.offsetParent !== null && !part.disabled)
      .map((part) => part.getAttribute("aria-label") ?? part.textContent),
  );
  const reached = [];
  const here = () =>
    page.evaluate(() => {
      const part = document.activeElement;
      return { name: part.getAttribute("aria-label") ?? part.textContent, bar: part.closest(".toolbar") !== null, panel: part.closest(".panel") !== null };
    });
  for (let at = await here(); at.bar && reached.length < 30; at = await here()) {
    reached.push(at.name);
    await page.keyboard.press("Tab");
  }
  assert.deepEqual(reached, wanted);
  assert.equal((await here()).panel, true);
  assert.deepEqual(studio.complaints, []);
});

test("an input is seen within a tenth of a second", async (t) => {
  const studio = await openStudio(t, "mechanism/moving-boxes");
  const { page } = studio;
  const waits = await page.evaluate(async () => {
    const { link, source } = window.studio;
    const out = [];
    for (let k = 0; k < 15; ++k) {
      const frames = source.frames;
      const begun = performance.now();
      await link.ask("step");
      while (source.frames === frames) await new Promise((done) => requestAnimationFrame(done));
      await new Promise((done) => requestAnimationFrame(done));
      out.push(performance.now() - begun);
    }
    return out.sort((a, b) => a - b);
  });
  const half = waits[Math.floor(waits.length / 2)];
  console.log(`input to picture: median ${half.toFixed(0)} ms, worst ${waits.at(-1).toFixed(0)} ms`);
  // a machine that does other work beside the test is given more; REPOSE_STUDIO_STRICT asks for what is promised
  assert.ok(half < (process.env.REPOSE_STUDIO_STRICT ? 100 : 20000), `${half} ms`);
  assert.deepEqual(studio.complaints, []);
});

/** Moves every body a little at each picture: pictures a second, once it has found its quality. */
async function drawMoving(page) {
  const run = (ms) =>
    page.evaluate(async (time) => {
      const { stage, source } = window.studio;
      const { positions } = source.frame(0);
      const begun = performance.now();
      let pictures = 0;
      await new Promise((done) => {
        const go = () => {
          for (let i = 2; i < positions.length; i += 3) positions[i] += 1e-4 * Math.sin(pictures + i);
          stage.show(0);
          ++pictures;
          if (performance.now() - begun > time) done();
          else requestAnimationFrame(go);
        };
        requestAnimationFrame(go);
      });
      const { calls, triangles } = stage.renderer.info.render;
      return { rate: (1000 * pictures) / (performance.now() - begun), calls, triangles };
    }, ms);
  await run(2000);
  const { rate, calls, triangles } = await run(3000);
  console.log(`${rate.toFixed(1)} pictures a second, ${calls} drawings and ${triangles} triangles each`);
  assert.ok(calls < 20, `${calls} drawings`);
  assert.ok(triangles < 40000, `${triangles} triangles while they move`);
  assert.ok(rate > (process.env.REPOSE_STUDIO_STRICT ? 30 : 0), `${rate} pictures a second`);
}

test("a thousand moving balls are drawn as one drawing, smoothly", async (t) => {
  const studio = await openStudio(t, "still/thousand-balls", { viewport: { width: 1280, height: 720 } });
  await drawMoving(studio.page);
  assert.deepEqual(studio.complaints, []);
});

test("a thousand moving boxes, cylinders and rings are drawn quickly, and look as when they stand", async (t) => {
  const shapes = [
    { kind: "box", size: [0.1, 0.1, 0.1] },
    { kind: "cylinder", radius: 0.05, height: 0.1 },
    { kind: "torus", ring_radius: 0.05, tube_radius: 0.02 },
  ];
  const bodies = Array.from({ length: 1000 }, (_, n) => ({
    name: `body-${n}`,
    shape: shapes[n % 3],
    position: [0.2 * (n % 10), 0.2 * (Math.floor(n / 10) % 10), 0.2 + 0.2 * Math.floor(n / 100)],
  }));
  const text = JSON.stringify({
    repose: 1,
    bodies: [{ name: "ground", shape: { kind: "half_space" }, fixed: true }, ...bodies],
    method: { kind: "still" },
  });
  const studio = await openStudio(t, "still/torus-on-cone", { viewport: { width: 1280, height: 720 } });
  const { page } = studio;
  await ask(page, "open_text", { text, name: "mixed" });
  await until(page, () => window.studio.source.bodies.length === 1001);
  await drawMoving(page);
  const [apart, colours] = await page.evaluate(() => {
    const { stage } = window.studio;
    const seen = (quick) => {
      stage.quality.full();
      stage.bodies.coarse(quick);
      stage.draw();
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [320, 200];
      const pen = copy.getContext("2d", { willReadFrequently: true });
      pen.drawImage(stage.canvas, 0, 0, 320, 200);
      return pen.getImageData(0, 0, 320, 200).data;
    };
    const [still, moving] = [seen(false), seen(true)];
    let sum = 0;
    for (let i = 0; i < still.length; ++i) sum += Math.abs(still[i] - moving[i]);
    return [sum / still.length, new Set(moving).size];
  });
  assert.ok(apart < 6, `${apart} of 255 apart in the mean`);
  assert.ok(colours > 15);
  // corners less edges and triangles: 2 of what has no hole, 0 of a ring
  const around = await page.evaluate(() => {
    const { stage } = window.studio;
    return stage.bodies.levels.map(({ moving }) => {
      const { position } = moving.mesh.geometry.attributes;
      const ofOne = moving.points.length / 3; // corners
      const corner = (i) => [0, 1, 2].map((c) => position.getComponent(i, c).toFixed(6)).join();
      const corners = new Set();
      const edges = new Set();
      let triangles = 0;
      const index = moving.mesh.geometry.index.array;
      for (let k = 0; index[k] < ofOne; k += 3, ++triangles)
        for (let c = 0; c < 3; ++c) {
          const [a, b] = [corner(index[k + c]), corner(index[k + ((c + 1) % 3)])];
          corners.add(a);
          edges.add([a, b].sort().join());
        }
      return corners.size - edges.size + triangles;
    });
  });
  assert.deepEqual(around, [2, 2, 0]);
  // another light, another picture
  const repainted = await page.evaluate(() => {
    const { stage } = window.studio;
    stage.bodies.coarse(true);
    stage.draw();
    const [{ moving }] = stage.bodies.levels;
    const before = moving.tones.array.slice();
    stage.lights.key.intensity *= 0.5;
    stage.draw();
    return before.some((tone, i) => tone !== moving.tones.array[i]);
  });
  assert.ok(repainted);
  // a body is met where it is drawn, moving or not
  const met = await page.evaluate(() => {
    const { stage, source } = window.studio;
    const box = stage.canvas.getBoundingClientRect();
    const place = stage.camera.position.clone();
    return ["body-0", "body-999"].map((name) => {
      const body = source.bodies.findIndex((b) => b.name === name);
      place.fromArray(source.frame(0).positions, 3 * body).project(stage.camera);
      const at = { clientX: box.left + (0.5 + 0.5 * place.x) * box.width, clientY: box.top + (0.5 - 0.5 * place.y) * box.height };
      return [false, true].map((quick) => {
        stage.bodies.coarse(quick);
        return stage.pickAt(at)?.body ?? -1;
      });
    });
  });
  for (const [still, moving] of met) assert.equal(moving, still);
  assert.ok(met.some(([still]) => still >= 0));
  assert.deepEqual(studio.complaints, []);
});

test("a film of what is seen is handed over", async (t) => {
  const studio = await openStudio(t, "mechanism/four-bar");
  const { page } = studio;
  const coming = page.waitForEvent("download");
  await choose(page, "Export", "Film");
  while ((await page.evaluate(() => window.studio.bring.filmed)) === 0) await ask(page, "step");
  await choose(page, "Export", "End the film");
  const film = await coming;
  assert.match(film.suggestedFilename(), /\.webm$/);
  const bytes = readFileSync(await film.path());
  assert.equal(bytes.readUInt32BE(0), 0x1a45dfa3, "it is WebM");
  // a browser plays it, elsewhere: the studio's own page may load no films
  const other = await studio.context.newPage();
  const [width, height] = await other.evaluate(async (base64) => {
    const video = document.createElement("video");
    video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], { type: "video/webm" }));
    await new Promise((done, fail) => {
      video.onloadeddata = done;
      video.onerror = () => fail(new Error("no film"));
    });
    return [video.videoWidth, video.videoHeight];
  }, bytes.toString("base64"));
  assert.ok(width > 200 && height > 200, `${width} x ${height}`);
  assert.deepEqual(studio.complaints, []);
});
