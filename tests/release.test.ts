import { readFileSync } from "node:fs";
import path from "node:path";
import { execa } from "execa";
import { expect, it } from "vitest";
import { parse } from "yaml";
import packageJson from "../package.json" with { type: "json" };

const ROOT = path.resolve(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");
const release = read(".github/workflows/release.yml");
/** From `npm run test:servers`. */
const actionlint = process.env["TEST_ACTIONLINT"];

type Job = { needs?: string | string[]; steps?: { uses?: string }[]; permissions?: Record<string, string> };
const { jobs } = parse(release) as { jobs: Record<string, Job> };

it("pins actions to a commit, and runs only scripts that exist", () => {
  const actions = Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ uses }) => uses ?? []));
  expect(actions.length).toBeGreaterThan(10);
  for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  const scripts = [...release.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!);
  expect(scripts).toEqual(["build:cli", "build:n8n"]);
  for (const script of scripts) expect(packageJson.scripts).toHaveProperty([script]);
});

it("publishes nothing before the tests have passed", () => {
  const needs = (name: string): string[] => {
    const own = [jobs[name]!.needs ?? []].flat();
    return [...own, ...own.flatMap(needs)];
  };
  const publishing = Object.keys(jobs).filter((name) => !["version", "test"].includes(name));
  expect(publishing).toEqual(["build", "image", "chart", "packages", "notes"]);
  for (const name of publishing) expect(needs(name)).toContain("test");
});

it.skipIf(actionlint === undefined)("actionlint accepts the workflows", async () => {
  const { exitCode, all } = await execa(process.execPath, [actionlint!, ".github/workflows/*.yml"], {
    cwd: ROOT,
    reject: false,
    all: true,
  });
  expect([exitCode, all]).toEqual([0, expect.stringContaining("2 workflow file(s)")]);
});
