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

it("is the version of the packages for other machines, and of the Helm chart", () => {
  for (const client of ["cli", "n8n"]) {
    expect((JSON.parse(read(`clients/${client}/package.json`)) as { version: string }).version).toBe(VERSION);
  }
  const chart = read("deploy/helm/clipmill/Chart.yaml");
  expect([...chart.matchAll(/^(?:appV|v)ersion: (.+)$/gm)].map(([, version]) => version)).toEqual([VERSION, VERSION]);
});

it("is what `clipmill --version` prints", async () => {
  const { stdout } = await execa(process.execPath, [
    fileURLToPath(new URL("../bin/clipmill.js", import.meta.url)),
    "--version",
  ]);
  expect(stdout).toBe(VERSION);
});
