/** Fails for folders with so many files that their names no longer show how the parts belong together. */
import { globSync } from "node:fs";
import path from "node:path";

const MAX_FILES = 15;

/** Excludes the root, where tools expect their settings. */
const PROJECT = "{bench,bin,clients,deploy,dev,docs,src,tests}/**";

/** One file per decision and per migration, in chronological order. */
const EXEMPT = new Set(["docs/decisions", "src/database/migrations"]);

process.chdir(path.resolve(import.meta.dirname, "../.."));
const counts = new Map<string, number>();
for (const entry of globSync(PROJECT, { withFileTypes: true })) {
  // Tests are found with the files beside them.
  if (!entry.isFile() || /\.test\.tsx?$/.test(entry.name)) continue;
  const folder = path.relative(".", entry.parentPath);
  counts.set(folder, (counts.get(folder) ?? 0) + 1);
}
for (const [folder, count] of counts) {
  if (count <= MAX_FILES || EXEMPT.has(folder)) continue;
  console.error(
    `${folder} has ${count} files besides tests; at most ${MAX_FILES} are allowed. Group some in a folder.`,
  );
  process.exitCode = 1;
}
