// Fails when what a page loads before its first paint has grown past its budget. Run after a build.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const LIMIT_KB = 190;

const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));

/** A module and everything it imports statically. */
function initialScripts(name, seen = new Set()) {
  const chunk = manifest[name];
  if (!chunk || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const imported of chunk.imports ?? []) initialScripts(imported, seen);
  return seen;
}

// The entry fetches the rest of the page as soon as it runs.
const files = new Set();
for (const name of ["index.html", ...(manifest["index.html"].dynamicImports ?? [])]) initialScripts(name, files);
const bytes = [...files]
  .map((file) => gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length)
  .reduce((sum, size) => sum + size, 0);

console.log(`initial script: ${(bytes / 1000).toFixed(1)} KB gzip, at most ${LIMIT_KB} KB`);
if (bytes > LIMIT_KB * 1000) process.exit(1);
