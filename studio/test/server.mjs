// The studio's server for a test: started on a free port, ended with it.
import { execFileSync, spawn } from "node:child_process";
import { ownFolder } from "./own_folder.mjs";

const kProgram = process.env.REPOSE_TOOL ?? "../build/release/apps/repose/repose";
const kPatience = 180000; // ms: a machine with other work is given time

// what a failed test left running
const running = new Set();
process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")));

/** Starts it and answers its address, and how to end it. */
export function startStudio(scene, more = []) {
  const out = ownFolder("repose-studio-");
  const child = spawn(kProgram, ["studio", ...(scene ? [scene] : []), "--no-open", "--out", out, ...more], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, OPENBLAS_NUM_THREADS: "1" },
  });
  running.add(child);
  const ended = new Promise((done) => child.once("exit", done)).finally(() => running.delete(child));
  const stop = (signal = "SIGTERM") => {
    child.ref();
    child.kill(signal);
    return ended;
  };
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("no address")), kPatience);
    let said = "";
    child.stdout.on("data", (bytes) => {
      said += bytes;
      const address = /http:\/\/\S+/.exec(said)?.[0];
      if (!address) return;
      clearTimeout(timer);
      // a test that fails before it stops the server must not keep all tests waiting
      child.unref();
      child.stdout.unref();
      resolve({ address, out, stop });
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
}

/** Another command of the tool, with what it says; throws where it fails. */
export function runTool(words) {
  return execFileSync(kProgram, words, { stdio: "pipe", encoding: "utf8" });
}
