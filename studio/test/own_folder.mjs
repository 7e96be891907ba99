// Folders that a test file needs: they go when it ends, however it ends.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders = [];

/** A folder in which nothing stands yet. */
export function ownFolder(beginning) {
  // so late, that programs that a test has started are ended before
  if (folders.length === 0) process.on("exit", clear);
  const folder = mkdtempSync(join(tmpdir(), beginning));
  folders.push(folder);
  return folder;
}

function clear() {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
// a test that is stopped, as when its time is over
for (const [signal, number] of [["SIGINT", 2], ["SIGTERM", 15]]) process.once(signal, () => process.exit(128 + number));
