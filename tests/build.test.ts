import { cp, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { execa } from "execa";
import { beforeAll, expect, it } from "vitest";
import { makeScratchFolder } from "./support/scratch-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const FILES = ["bin", "package.json", "package-lock.json", "tsconfig.json", "vite.programs.config.ts"];
const LONG_AGO = new Date("2026-01-01T00:00:00Z");
/** Where the redirector throws without its token. */
const SOURCE = "src/programs/start/start-redirector-program.ts";

const root = await makeScratchFolder();
const dist = path.join(root, "dist");

beforeAll(async () => {
  for (const file of FILES) await cp(path.join(ROOT, file), path.join(root, file), { recursive: true });
  const isNeeded = (file: string): boolean => !file.startsWith(path.join(ROOT, "src/web"));
  await cp(path.join(ROOT, "src"), path.join(root, "src"), { recursive: true, filter: isNeeded });
  await mkdir(path.join(root, "node_modules"));
  for (const name of await readdir(path.join(ROOT, "node_modules"))) {
    await symlink(path.join(ROOT, "node_modules", name), path.join(root, "node_modules", name));
  }
});

/** Lets the redirector throw another error than a sentence, which is printed with its stack. */
async function change(message: string): Promise<void> {
  const text = await readFile(path.join(root, SOURCE), "utf8");
  await writeFile(
    path.join(root, SOURCE),
    text.replace(/throw new \w+\([^]*?\);/, `throw new TypeError("${message}");`),
  );
}

async function runRedirector(): Promise<string> {
  const env = { PATH: process.env["PATH"] ?? "", DATA_DIR: path.join(root, "data") };
  const line = [path.join(root, "bin/clipmill.js"), "redirector"];
  const { stderr } = await execa(process.execPath, line, { env, extendEnv: false, reject: false });
  return stderr;
}

it("builds changed sources at the next start, keeps the previous build, and names sources in stack traces", async () => {
  expect(await runRedirector()).toContain("Set VPS_PUBLISH_TOKEN");
  const [first, ...others] = await readdir(dist);
  expect(others).toEqual([]);
  await change("a second build");
  const stderr = await runRedirector();
  expect(stderr).toContain("TypeError: a second build");
  expect(stderr).toMatch(new RegExp(`at startLoneRedirector \\(.*${SOURCE}:15:\\d+\\)`));
  expect(await readdir(dist)).toContain(first);
  expect(await readdir(dist)).toHaveLength(2);
});

it("removes old builds after a new one, except the previous one", async () => {
  const previous = path.join(dist, "programs-previous");
  const old = ["programs-old", "part-old"].map((name) => path.join(dist, name));
  for (const name of await readdir(dist)) await rm(path.join(dist, name), { recursive: true });
  for (const folder of [previous, ...old]) {
    await mkdir(folder);
    await utimes(folder, LONG_AGO, LONG_AGO);
  }
  await utimes(previous, LONG_AGO, new Date(LONG_AGO.getTime() + 1_000));
  await change("a third build");
  expect(await runRedirector()).toContain("a third build");
  expect(await readdir(dist)).toHaveLength(2);
  expect(await readdir(dist)).toContain("programs-previous");
});

it("runs the sources if nothing can be built", async () => {
  await rm(path.join(root, "node_modules/vite"));
  await change("from the sources");
  expect(await runRedirector()).toMatch(new RegExp(`^TypeError: from the sources\n.*${SOURCE}:15`));
  expect(await readdir(dist)).toHaveLength(2);
});
