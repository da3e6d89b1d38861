/**
 * npm run test:ffmpegs: runs the tests of probing and rendering with the bundled ffmpeg and with Debian's, and writes the
 * table to test-results/ffmpegs.md. Arguments limit it to some ffmpegs. --probe runs only the tests of probing, and skips
 * an ffmpeg that cannot be downloaded.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { execa } from "execa";
import { findBundledFfmpeg } from "#media/ffmpeg/bundled-ffmpeg.ts";
import { findMediaTools } from "#media/ffmpeg/tools.ts";
import type { TestLine } from "./ffmpegs/collect-results.ts";
import { renderTable, type Tested } from "./ffmpegs/render-table.ts";
import { unpackFfmpeg } from "./ffmpegs/unpack-ffmpeg.ts";

const PAGE = "test-results/ffmpegs.md";
const SUITES = { "debian-12": "bookworm", "debian-13": "trixie", "debian-unstable": "sid" } as const;
const NAMES = ["bundled", ...Object.keys(SUITES)] as (keyof typeof SUITES | "bundled")[];
const PROBE_TESTS = ["src/media/probe"];
const TESTS = [
  ...PROBE_TESTS,
  ...["ffmpeg", "render", "plan", "joining", "stills", "excerpt", "conformance"].map((name) => `src/media/${name}`),
  "tests/media",
];

const args = process.argv.slice(2);
const isProbeOnly = args.includes("--probe");
const wanted = args.filter((arg) => arg !== "--probe");
const unknown = wanted.filter((name) => !(NAMES as string[]).includes(name));
if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(", ")}. Choose from ${NAMES.join(", ")}.`);

const tested: Tested[] = [];
let isFailed = false;
for (const name of wanted.length > 0 ? NAMES.filter((one) => wanted.includes(one)) : NAMES) {
  const file = await obtain(name).catch((error: Error) => {
    console.log(`${isProbeOnly ? "Skipped" : "Failed"}: ${name} could not be downloaded. ${error.message}`);
    return null;
  });
  if (file === null) isFailed ||= !isProbeOnly;
  else tested.push(await run(name, file));
}
isFailed ||= tested.some(({ hasFailed }) => hasFailed);
if (tested.length > 0) {
  const table = renderTable(tested);
  mkdirSync(path.dirname(PAGE), { recursive: true });
  writeFileSync(PAGE, table);
  console.log(`\n${table}\nWritten to ${PAGE}.`);
}
process.exitCode = isFailed ? 1 : 0;

async function obtain(name: (typeof NAMES)[number]): Promise<string> {
  if (name !== "bundled") return await unpackFfmpeg(SUITES[name]);
  const file = findBundledFfmpeg();
  if (file === null) throw new Error("No ffmpeg is bundled for this system.");
  return file;
}

async function run(name: string, file: string): Promise<Tested> {
  const { version } = await findMediaTools({ ffmpegPath: file });
  console.log(`\n${name}: ffmpeg ${version}`);
  const folder = mkdtempSync(path.join(os.tmpdir(), "clipmill-ffmpegs-"));
  const results = path.join(folder, "results.jsonl");
  const reporters = ["--reporter=dot", `--reporter=${path.resolve("dev/ffmpegs/collect-results.ts")}`];
  const { exitCode } = await execa("vitest", ["run", ...(isProbeOnly ? PROBE_TESTS : TESTS), ...reporters], {
    ...{ stdio: "inherit", reject: false, preferLocal: true },
    env: { TEST_FFMPEG: file, FFMPEG_RESULTS: results },
  });
  const lines = existsSync(results) ? readFileSync(results, "utf8").split("\n").slice(0, -1) : [];
  rmSync(folder, { recursive: true });
  return { name, version, hasFailed: exitCode !== 0, tests: lines.map((line) => JSON.parse(line) as TestLine) };
}
