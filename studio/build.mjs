// Bundles the scripts and styles of report page and studio into dist/: one file each, nothing fetched later.
import { cp } from "node:fs/promises";
import { build } from "esbuild";

await build({
  entryPoints: { report: "src/main.ts", studio: "src/live.ts" },
  outdir: "dist",
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome111", "firefox115", "safari16.4"],
  legalComments: "eof",
  loader: { ".css": "css" },
  logLevel: "warning",
});
await build({
  entryPoints: { page: "src/page.css" },
  outdir: "dist",
  bundle: true,
  minify: true,
  logLevel: "warning",
});
// pictures of the gallery's scenes, for the studio to choose by
await cp("../docs/pictures/gallery", "dist/gallery", { recursive: true });
