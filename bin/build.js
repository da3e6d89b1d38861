/**
 * Bundles the programs and the web app into folders of dist/, each named after a hash of its sources, so that a build
 * changes nothing under running programs. `npm run build` builds both.
 */
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DIST = path.join(ROOT, "dist");
const VITE = path.join(ROOT, "node_modules/vite/bin/vite.js");
const SRC = path.join(ROOT, "src");
const BUILDS = {
  programs: { folders: /^(?!web$)/, configs: ["vite.programs.config.ts"] },
  // In order: the second adds to the output of the first.
  web: { folders: /^(?:web|contract)$/, configs: ["vite.config.ts", "vite.guest.config.ts"] },
};
const SOURCE = /(?<!\.test)\.(?!mp4$|m4a$)\w+$/;
const HOUR_MS = 3_600_000;
/** Another program may remove a folder at the same time. */
const QUIETLY = { throwIfNoEntry: false };

/**
 * Returns the folder with the build of the current sources. Calls `onBuild` before a build, which takes seconds. Returns
 * null if nothing can be built here: without the development packages, or in a read-only folder.
 *
 * @param {"programs" | "web"} kind
 * @param {() => void} onBuild
 * @returns {Promise<string | null>}
 */
export async function findBuild(kind, onBuild = () => {}) {
  const name = nameOf(kind);
  const folder = path.join(DIST, name);
  if (existsSync(folder)) return folder;
  const part = path.join(DIST, `part-${randomUUID()}`);
  if (!existsSync(VITE) || !canMake(part)) return null;
  try {
    onBuild();
    const { execa } = await import("execa");
    for (const config of BUILDS[kind].configs) {
      const args = [VITE, "build", "--config", config, "--outDir", part, "--logLevel", "warn"];
      await execa(process.execPath, args, { cwd: ROOT, stdout: "ignore", stderr: "inherit" });
    }
    // A source has changed during the build.
    if (nameOf(kind) !== name) return await findBuild(kind);
    // Its name would otherwise promise a complete build after a power failure.
    const { syncTree } = await import("#ground/sync-files.ts");
    await syncTree(part);
    putInPlace(part, folder);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  removeOld(kind, name);
  return folder;
}

/** Includes a hash of the sources. Reading them at each start takes 25 ms; modification times do not survive copies. */
function nameOf(kind) {
  const { folders, configs } = BUILDS[kind];
  const files = readdirSync(SRC)
    .filter((name) => folders.test(name))
    .flatMap((name) => (name.includes(".") ? name : listFiles(name)))
    .filter((file) => SOURCE.test(file))
    .map((file) => path.join(SRC, file));
  const others = [...configs, "package.json", "package-lock.json"].map((file) => path.join(ROOT, file));
  const hash = createHash("sha256");
  for (const file of [...files.toSorted(), ...others]) {
    hash.update(path.relative(ROOT, file)).update(readFileSync(file));
  }
  return `${kind}-${hash.digest("hex").slice(0, 16)}`;
}

/** Relative to src/. Includes folders, whose names have no extension. */
function listFiles(folder) {
  return readdirSync(path.join(SRC, folder), { recursive: true }).map((file) => path.join(folder, file));
}

function canMake(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    return true;
  } catch {
    return false;
  }
}

/** Of programs starting together, the first keeps its build. */
function putInPlace(part, folder) {
  try {
    renameSync(part, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** Keeps the previous build, which a program may still run, and builds in progress. */
function removeOld(kind, current) {
  const names = readdirSync(DIST).map((name) => ({
    name,
    madeMs: statSync(path.join(DIST, name), QUIETLY)?.mtimeMs ?? 0,
  }));
  const isOther = ({ name }) => name.startsWith(kind) && name !== current;
  const [, ...old] = names.filter(isOther).toSorted((a, b) => b.madeMs - a.madeMs);
  for (const { name, madeMs } of [...old, ...names.filter(({ name }) => name.startsWith("part-"))]) {
    if (madeMs < Date.now() - HOUR_MS) rmSync(path.join(DIST, name), { recursive: true, force: true });
  }
}

if (import.meta.main) {
  for (const kind of ["programs", "web"]) {
    const folder = await findBuild(kind, () => console.log(`Building the ${kind === "web" ? "web app" : kind}.`));
    if (folder !== null) continue;
    console.error("Nothing was built. Run `npm ci` first, as a user who can write to Clipmill's folder.");
    process.exit(1);
  }
}
