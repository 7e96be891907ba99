import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, ready, until, writePages } from "./browser.mjs";

const kLargestPage = 20e6; // bytes
const kPoseError = 1e-6; // of the scene's size

let folder;
let browser;
let expected;

before(async () => {
  folder = writePages();
  expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8"));
  browser = await launch();
});
after(() => browser?.close());

async function openReady(name, options) {
  const opened = await open(browser, join(folder, `${name}.html`), options);
  await ready(opened.page);
  return opened;
}

const frameShown = (page) => page.evaluate(() => window.repose.player.index);

/** Colours of the drawing, coarsely counted, from a picture of the page. */
async function coloursOf(page) {
  return page.evaluate(() => {
    const { stage } = window.repose;
    const copy = document.createElement("canvas");
    copy.width = 320;
    copy.height = 200;
    const pen = copy.getContext("2d", { willReadFrequently: true });
    const drawn = () => {
      stage.draw();
      pen.drawImage(stage.canvas, 0, 0, copy.width, copy.height);
      return pen.getImageData(0, 0, copy.width, copy.height).data;
    };
    // the paper alone, to tell what covers it
    const hidden = stage.scene.children.filter((part) => part.visible && part !== stage.backdrop);
    for (const part of hidden) part.visible = false;
    const paper = drawn();
    for (const part of hidden) part.visible = true;
    const data = drawn();
    const seen = new Set();
    let covered = 0;
    for (let i = 0; i < data.length; i += 4) {
      seen.add(((data[i] >> 4) << 8) | ((data[i + 1] >> 4) << 4) | (data[i + 2] >> 4));
      if ([0, 1, 2].some((c) => Math.abs(data[i + c] - paper[i + c]) > 4)) ++covered;
    }
    return { colours: seen.size, covered: covered / (copy.width * copy.height) };
  });
}

/** Goes to each expected frame by the scrub bar and compares what is drawn with what was recorded. */
async function comparePoses(page, name, size) {
  for (const want of expected.filter((row) => row.page === name)) {
    await page.locator(".scrub").evaluate((scrub, frame) => {
      scrub.value = String(frame);
      scrub.dispatchEvent(new Event("input"));
    }, want.frame);
    const got = await page.evaluate((body) => {
      const { source, player, stage } = window.repose;
      const frame = source.frame(player.index);
      return {
        index: player.index,
        position: Array.from(frame.positions.slice(3 * body, 3 * body + 3)),
        orientation: Array.from(frame.orientations.slice(4 * body, 4 * body + 4)),
        drawn: stage.bodies.matrices[body].elements.slice(12, 15),
      };
    }, want.body);
    assert.equal(got.index, want.frame);
    for (let c = 0; c < 3; ++c) {
      assert.ok(Math.abs(got.position[c] - want.position[c]) < kPoseError * size);
      assert.ok(Math.abs(got.drawn[c] - want.position[c]) < kPoseError * size);
    }
    const [w, x, y, z] = want.orientation_wxyz;
    const [gx, gy, gz, gw] = got.orientation;
    const side = Math.sign(w * gw + x * gx + y * gy + z * gz);
    for (const [a, b] of [[w, gw], [x, gx], [y, gy], [z, gz]])
      assert.ok(Math.abs(a - side * b) < kPoseError);
  }
}

test("a report of 1000 bodies over 500 frames is small, opens silently and replays", async (t) => {
  const { page, complaints, context } = await openReady("thousand");
  await t.test("it is under 20 MB", () => {
    assert.ok(statSync(join(folder, "thousand.html")).size < kLargestPage);
  });
  await t.test("it holds all bodies and frames and starts at the end", async () => {
    const counts = await page.evaluate(() => {
      const { source } = window.repose;
      return [source.bodies.length, source.frameCount];
    });
    assert.deepEqual(counts, [1001, 500]);
    assert.equal(await frameShown(page), 499);
  });
  await t.test("the drawing is not blank", async () => {
    const { colours, covered } = await coloursOf(page);
    assert.ok(colours > 40, `${colours} colours`);
    assert.ok(covered > 0.2, `${covered} covered`);
  });
  await t.test("scrubbing moves bodies to their recorded places", () =>
    comparePoses(page, "thousand", 2.0));
  await t.test("keys step, leap and play", async () => {
    await page.keyboard.press("Home");
    assert.equal(await frameShown(page), 0);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    assert.equal(await frameShown(page), 11);
    await page.keyboard.press("ArrowLeft");
    assert.equal(await frameShown(page), 10);
    await page.keyboard.press("Space");
    await until(page, () => window.repose.player.index > 14);
    // a slow page may have come to the end by now
    if (await page.evaluate(() => window.repose.player.playing)) await page.keyboard.press("Space");
    assert.equal(await page.evaluate(() => window.repose.player.playing), false);
    const at = await frameShown(page);
    await page.waitForTimeout(150);
    assert.equal(await frameShown(page), at);
    await page.keyboard.press("End");
    assert.equal(await frameShown(page), 499);
  });
  await t.test("every series is plotted and a click on a plot goes there", async () => {
    assert.equal(await page.locator(".plots:not(.state) .plot canvas").count(), 4);
    assert.ok((await page.locator(".plots.state .plot canvas").count()) > 0, "the last state's charts");
    await page.locator(".plot .u-over").first().click(); // in its middle
    assert.ok(Math.abs((await frameShown(page)) - 250) < 12);
  });
  await t.test("the verdict says what was promised and measured", async () => {
    const text = await page.locator(".verdict").innerText();
    assert.match(text, /At rest\. Every promise was kept\./);
    assert.match(text, /no overlap in the last state/i);
    assert.match(text, /measured: proven, at most 2\.5e-09 of the smaller body/);
    assert.equal(await page.locator(".verdict .kept").count(), 2);
  });
  assert.deepEqual(complaints, []);
  await context.close();
});

test("names that look like markup stay text", async () => {
  const { page, complaints, context } = await openReady("small");
  assert.equal(await page.locator(".title h1").innerText(), '</script><b>"small"</b> & more');
  assert.equal(await page.title(), '</script><b>"small"</b> & more · Repose');
  const names = await page.evaluate(() => window.repose.source.bodies.map((body) => body.name));
  assert.deepEqual(names.slice(1), [
    "</script><script>alert('bowl')</script>",
    '<img src=x onerror=alert(1)> & "quotes"',
    "名前 🍎 \\u003c <!-- ",
  ]);
  const verdict = await page.locator(".verdict").innerText();
  assert.match(verdict, /Stuck before it came to rest\. One promise was missed\./);
  assert.match(verdict, /<b>"lid"<\/b> cannot move: <\/script><script>alert\(1\)/);
  assert.match(await page.locator(".verdict .missed").innerText(), /missed, at most 0\.02/);
  await comparePoses(page, "small", 1.0);
  await page.keyboard.press("End");
  const cell = page.locator(".contacts tbody tr").first();
  await page.locator("summary", { hasText: "Contacts" }).click();
  assert.match(await cell.innerText(), /alert\('bowl'\)/);
  await cell.locator("button").last().click();
  assert.match(await page.locator(".selection").innerText(), /<img src=x onerror/);
  assert.ok((await coloursOf(page)).colours > 20);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("soft bodies are drawn as spheres, connections and under a closed skin", async () => {
  const { page, complaints, context } = await openReady("soft");
  const drawn = async (look) => {
    await page.selectOption("select.soft-look", look);
    return page.evaluate(() => {
      const [lines, skin] = window.repose.stage.soft.children;
      const corners = Array.from(skin.geometry.getIndex()?.array ?? []);
      const edges = new Set();
      for (let t = 0; t < corners.length; t += 3)
        for (let k = 0; k < 3; ++k) edges.add(`${corners[t + k]},${corners[t + ((k + 1) % 3)]}`);
      const open = [...edges].filter((edge) => !edges.has(edge.split(",").reverse().join(",")));
      return {
        lines: lines.visible,
        skin: skin.visible,
        triangles: corners.length / 3,
        once: edges.size === corners.length,
        open: open.length,
      };
    });
  };
  assert.deepEqual(await drawn("connections"), {
    lines: true,
    skin: false,
    triangles: 0,
    once: true,
    open: 0,
  });
  for (const look of ["skin", "skin and spheres"]) {
    const now = await drawn(look);
    assert.ok(now.skin && !now.lines, look);
    assert.ok(now.triangles > 500 && now.once && now.open === 0, JSON.stringify(now));
  }
  const balls = await drawn("spheres");
  assert.ok(!balls.skin && !balls.lines);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("soft bodies move point by point", async () => {
  const { page, complaints, context } = await openReady("soft");
  for (const want of expected.filter((row) => row.page === "soft")) {
    const got = await page.evaluate(([frame, point]) => {
      window.repose.player.goTo(frame);
      return Array.from(window.repose.source.frame(frame).points.slice(3 * point, 3 * point + 3));
    }, [want.frame, want.body]);
    for (let c = 0; c < 3; ++c) assert.ok(Math.abs(got[c] - want.position[c]) < kPoseError);
  }
  assert.match(await page.locator(".verdict").innerText(), /no result/);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("dark and narrow pages work too", async () => {
  const { page, complaints, context } = await openReady("small", {
    colorScheme: "dark",
    viewport: { width: 390, height: 800 },
  });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${wide} wide`);
  assert.ok((await coloursOf(page)).colours > 20);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("pages and stills share lamps, sky and tone curve", () => {
  const text = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
  const still = text("../../include/repose/render/picture.h");
  const page = text("../src/view/look.ts");
  const numbers = (words) => words.match(/-?\d+\.?\d*/g).map(Number);
  const ofStill = (name) => numbers(still.match(new RegExp(`${name}(?:\\{| = )([^};]*)`))[1].replaceAll("F", ""));
  const lamp = (name) => [...ofStill(`Color ${name}`), ...ofStill(`${name}_azimuth`), ...ofStill(`${name}_elevation`)];
  const ofPage = (name) => numbers(page.match(new RegExp(`const ${name} = ([^;]*);`))[1]);
  assert.deepEqual(ofPage("kKey"), lamp("key"));
  assert.deepEqual(ofPage("kRim"), lamp("rim"));
  assert.deepEqual(ofPage("kSky"), ofStill("Color sky"));
  const tone = text("../src/view/tone.ts");
  assert.ok(tone.includes(`kExposure = ${ofStill("float exposure")[0]};`));
  const curve = /2\.51F?\s*\*\s*\w+\s*\+\s*0\.03F?\)+\s*\/\s*\(\w+\s*\*\s*\(2\.43F?\s*\*\s*\w+\s*\+\s*0\.59F?\)\s*\+\s*0\.14/;
  for (const source of [tone, text("../../src/output/render/tone.cpp")]) assert.match(source, curve);
});

/** Presses a control that its words name. */
const press = (page, words) => page.locator("button", { hasText: new RegExp(`^${words}$`) }).first().click();
const openPart = (page, name) => page.locator("summary", { hasText: name }).first().click();
const differ = (a, b) => JSON.stringify(a) !== JSON.stringify(b);

test("bodies are found, hidden, shown alone and seen through", async () => {
  const { page, complaints, context } = await openReady("thousand");
  await openPart(page, "Bodies");
  await page.fill(".search", "no such thing");
  assert.equal(await page.locator(".bodies li").count(), 0);
  const name = await page.evaluate(() => window.repose.source.bodies[7].name);
  await page.fill(".search", name);
  const row = page.locator(".bodies li").filter({ has: page.getByRole("button", { name, exact: true }) }).first();
  await row.locator("button.link").click();
  assert.match(await page.locator(".selection").innerText(), new RegExp(name));
  const before = await coloursOf(page);
  await row.locator("button", { hasText: "only" }).click();
  assert.equal(await page.evaluate(() => window.repose.stage.isolates), true);
  assert.ok((await coloursOf(page)).colours < before.colours, "one body has fewer colours than all");
  await press(page, "Show all");
  assert.equal(await page.evaluate(() => window.repose.stage.isolates), false);
  for (const [word, state] of [["hide", "isHidden"], ["glass", "isSeenThrough"]]) {
    await page.locator(".bodies li").first().locator("button", { hasText: word }).click();
    assert.equal(
      await page.evaluate(
        ([asked, body]) => window.repose.stage[asked](Number(body)),
        [state, await page.locator(".bodies li").first().getAttribute("data-body")],
      ),
      true,
      word,
    );
  }
  assert.deepEqual(complaints, []);
  await context.close();
});

test("views, colours, cut, names and trails change the drawing", async () => {
  for (const scheme of ["light", "dark"]) {
    const { page, complaints, context } = await openReady("thousand", { colorScheme: scheme });
    await openPart(page, "View");
    const eye = () => page.evaluate(() => window.repose.stage.eye);
    const start = await eye();
    await press(page, "Front");
    assert.ok(differ(start, await eye()));
    await page.keyboard.press("7");
    const above = await eye();
    assert.ok(above[2] - above[5] > Math.hypot(above[0] - above[3], above[1] - above[4]), "from above");
    await page.locator(".view canvas").first().click({ position: { x: 5, y: 300 } });
    await page.keyboard.press("d");
    assert.ok(differ(above, await eye()), "keys turn the view");
    await press(page, "All");
    const plain = await coloursOf(page);
    await page.selectOption('select[aria-label="Colour by"]', "force");
    assert.match(await page.locator(".legend .scale").innerText(), /contact force, N/);
    assert.ok(differ(plain, await coloursOf(page)), "colours by force");
    await page.selectOption('select[aria-label="Colour by"]', "speed");
    await page.selectOption('select[aria-label="Colour by"]', "own");
    assert.equal(await page.locator(".legend .scale").isHidden(), true);
    await page.selectOption('select[aria-label="Cut across"]', "0");
    assert.ok((await coloursOf(page)).covered <= plain.covered);
    await page.selectOption('select[aria-label="Cut across"]', "");
    await page.locator("label.switch", { hasText: "Names" }).click();
    await until(page, () => [...document.querySelectorAll(".labels span")].some((label) => !label.hidden && label.offsetWidth > 0));
    await page.locator("label.switch", { hasText: "Trails" }).click();
    assert.ok(await page.evaluate(() => window.repose.stage.trails.children.length > 0));
    assert.deepEqual(complaints, []);
    await context.close();
  }
});

test("forces have a legend with their scale, and signs are faint behind bodies", async () => {
  const { page, complaints, context } = await openReady("thousand");
  await page.locator("label.switch", { hasText: "Forces" }).click();
  assert.match(await page.locator(".legend .forces").innerText(), /m stands for .* N/);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("a moment has a link, and pictures and tables can be taken along", async () => {
  const { page, complaints, context } = await openReady("thousand");
  await openPart(page, "View");
  await page.evaluate(() => window.repose.player.goTo(123));
  await press(page, "Front");
  await press(page, "Link");
  const address = page.url();
  assert.match(address, /#frame=123&eye=/);
  const eye = await page.evaluate(() => window.repose.stage.eye);
  for (const [word, name] of [["Picture", /\.png$/], ["CSV", /\.csv$/]]) {
    const [download] = await Promise.all([page.waitForEvent("download"), press(page, word)]);
    assert.match(download.suggestedFilename(), name);
    if (word === "CSV") {
      const text = readFileSync(await download.path(), "utf8");
      assert.match(text, /^step,"time, s"|^step,time, s/);
      assert.equal(text.trim().split("\n").length, 1 + (await page.evaluate(() => window.repose.source.sampleSteps.length)));
    }
  }
  await page.goto("about:blank");
  await page.goto(address);
  await ready(page);
  assert.equal(await frameShown(page), 123);
  const again = await page.evaluate(() => window.repose.stage.eye);
  again.forEach((x, k) => assert.ok(Math.abs(x - eye[k]) < 1e-3));
  assert.deepEqual(complaints, []);
  await context.close();
});

test("a run plays again and again, and the keys are told", async () => {
  const { page, complaints, context } = await openReady("small", { reducedMotion: "reduce" });
  await page.keyboard.press("?");
  assert.match(await page.locator("dialog.help").innerText(), /play, pause/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("l");
  assert.equal(await page.evaluate(() => window.repose.player.looping), true);
  await page.evaluate(() => {
    let last = 0;
    window.returns = 0;
    window.repose.player.onChange((index) => {
      if (index < last) window.returns += 1;
      last = index;
    });
  });
  await page.keyboard.press("End");
  await page.keyboard.press("Space");
  // from the end to the start, and from there round again by itself
  await until(page, () => window.returns > 1);
  await until(page, () => window.repose.player.playing);
  await page.keyboard.press("Space");
  assert.deepEqual(complaints, []);
  await context.close();
});

test("everything is seen between title and bar, at any size", async () => {
  for (const viewport of [{ width: 1400, height: 900 }, { width: 390, height: 844 }]) {
    const { page, complaints, context } = await openReady("thousand", { viewport });
    const [top, bottom, left, right] = await page.evaluate(() => {
      const { stage, source } = window.repose;
      const { clientWidth: width, clientHeight: height } = stage.canvas;
      const { positions } = source.frame(source.frameCount - 1);
      const seen = source.bodies.flatMap((body, i) => {
        if (source.shapes[body.shape].kind === "half_space") return [];
        const place = stage.camera.position.clone().fromArray(positions, 3 * i).project(stage.camera);
        return [[(0.5 + 0.5 * place.x) * width, (0.5 - 0.5 * place.y) * height]];
      });
      const [xs, ys] = [seen.map(([x]) => x), seen.map(([, y]) => y)];
      const above = document.querySelector(".title").getBoundingClientRect().bottom;
      const below = document.querySelector(".timeline").getBoundingClientRect().top;
      const from = stage.canvas.getBoundingClientRect().top;
      return [Math.min(...ys) - (above - from), below - from - Math.max(...ys), Math.min(...xs), width - Math.max(...xs)];
    });
    for (const room of [top, bottom, left, right]) assert.ok(room > 0, `${[top, bottom, left, right]} at ${viewport.width}`);
    assert.deepEqual(complaints, []);
    await context.close();
  }
});

test("a missed promise tells what to try and shows the place", async () => {
  const { page, complaints, context } = await openReady("small");
  const text = await page.locator(".verdict").innerText();
  assert.match(text, /Try: Move one of the two\./);
  assert.match(text, /The judge: Lid and bowl overlap by 0\.02 m or more\./);
  assert.match(text, /what-now/);
  await page.locator(".show-me").click();
  const eye = await page.evaluate(() => window.repose.stage.eye);
  [0.1, 0.2, 0.3].forEach((x, k) => assert.ok(Math.abs(eye[3 + k] - x) < 1e-6));
  assert.deepEqual(complaints, []);
  await context.close();
});

test("the index shows a card for each run", async () => {
  const { page, complaints, context } = await open(browser, join(folder, "index.html"));
  assert.equal(await page.locator("h1").innerText(), "Experiments <today>");
  assert.equal(await page.locator(".card").count(), 3);
  assert.equal(await page.locator(".card .spark").count(), 3);
  assert.equal(await page.locator(".outcome.bad").count(), 1);
  assert.deepEqual(complaints, []);
  await context.close();
});
