// A headless browser without a graphics card, and pages that may not complain nor fetch.
import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { ownFolder } from "./own_folder.mjs";

const kArguments = [
  "--no-sandbox",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-gpu-watchdog",
  "--no-first-run",
];

const kPatience = 120000; // ms: a machine with other work is given time

/** Writes the test pages once and answers their folder. */
export function writePages() {
  const folder = process.env.REPOSE_PAGES ?? ownFolder("repose-pages-");
  const program = process.env.REPOSE_WRITE_PAGES ?? "../build/release/tests/write_pages";
  execFileSync(program, [folder], { stdio: "inherit" });
  return folder;
}

export function launch(more = []) {
  return chromium.launch({
    executablePath: process.env.REPOSE_CHROMIUM ?? "/usr/bin/chromium",
    args: [...kArguments, ...more],
    headless: true,
  });
}

/** Opens a page from disk; `complaints` gathers console errors, failures and outside requests. */
export function open(browser, path, options = {}) {
  return visit(browser, pathToFileURL(path).href, /^(file|data|blob):/, options);
}

/** The same of any address; requests that do not look like `allowed` are complaints. */
export async function visit(browser, address, allowed, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(kPatience);
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !isDriverNoise(message.text()))
      complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`thrown: ${error.message}`));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!allowed.test(request.url())) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  return { page, complaints, context };
}

/** What the software driver says about its own speed is not the page's doing. */
function isDriverNoise(text) {
  return /GPU stall due to ReadPixels|software WebGL/i.test(text);
}

/** Asks the page until it says yes; `argument` is handed to a question that is a function. */
export async function until(page, question, seconds = kPatience / 1000, argument = undefined) {
  const end = Date.now() + 1000 * seconds;
  while (!(await page.evaluate(question, argument))) {
    if (Date.now() > end) throw new Error(`still not so after ${seconds} s: ${question}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

export async function ready(page) {
  await until(page, () => document.documentElement.dataset.ready === "true");
  // two pictures later everything has been drawn
  await page.evaluate(() => {
    requestAnimationFrame(() => requestAnimationFrame(() => (document.body.dataset.drawn = "yes")));
  });
  await until(page, () => document.body.dataset.drawn === "yes");
}
