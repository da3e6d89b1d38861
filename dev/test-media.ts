/**
 * npm run test:media: renders the media corpus in every mode, writes the measurements to test-results/media.md, and
 * runs the rows of tests/media that npm test omits. Arguments limit it to corpus clips whose names contain one of them.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Row } from "#tests/media/corpus/findings.ts";

const PAGE = "test-results/media.md";

const clips = process.argv.slice(2);
const tests = clips.length > 0 ? "tests/media/corpus" : "tests/media";
const folder = mkdtempSync(path.join(os.tmpdir(), "clipmill-media-"));
const resultsFile = path.join(folder, "results.jsonl");
const run = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", tests], {
  stdio: "inherit",
  env: { ...process.env, MEDIA_RESULTS: resultsFile, MEDIA_CLIPS: clips.join(",") },
});
const lines = existsSync(resultsFile) ? readFileSync(resultsFile, "utf8").split("\n") : [];
const rows = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Row);
rmSync(folder, { recursive: true });
mkdirSync(path.dirname(PAGE), { recursive: true });
writeFileSync(PAGE, toPage(rows));
console.log(`Wrote ${rows.length} rows to ${PAGE}.`);
process.exit(run.status ?? 1);

function toPage(rows: Row[]): string {
  const clips = new Set(rows.map(({ clip }) => clip));
  const held = rows.filter(({ problems }) => problems.length === 0).length;
  const cells = rows.map((row) => [
    ...[row.clip, row.about, row.mode, row.frames, row.firstAndLast, row.seconds, row.offsets, row.bars, row.letters],
    ...[row.roundness, row.problems.length === 0 ? "passed" : row.problems.join("; ")],
  ]);
  return `# Media corpus results

${clips.size} clips; ${held} of ${rows.length} renders match what players show for the clip. Offsets are the delay of the sound in
milliseconds at the start, in the middle and at the end; bars are the largest color difference, of 255; letters are frames with
the caption, with the watermark, and with both expected.

| clip | kind | mode | frames | first, last | seconds | offsets | bars | letters | disc | result |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
${cells.map((row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`).join("\n")}
`;
}
