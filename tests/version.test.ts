/** Requires the same version everywhere (CONTRIBUTING.md, "Release"). */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { expect, it } from "vitest";
import { VERSION } from "#operations/fleet/list-workers.ts";

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");

it("is the newest version of the changelog, and the lockfile's", () => {
  expect(/^## \[(\d+\.\d+\.\d+)\]/m.exec(read("CHANGELOG.md"))?.[1]).toBe(VERSION);
  const lockfile = JSON.parse(read("package-lock.json")) as { version: string; packages: { "": { version: string } } };
  expect([lockfile.version, lockfile.packages[""].version]).toEqual([VERSION, VERSION]);
});

it("is what `clipmill --version` prints", async () => {
  const { stdout } = await execa(process.execPath, [
    fileURLToPath(new URL("../bin/clipmill.js", import.meta.url)),
    "--version",
  ]);
  expect(stdout).toBe(VERSION);
});
