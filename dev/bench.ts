/** npm run bench [name …]: runs the named benches one after the other; without a name, lists them. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

const NAMES = [
  "backup",
  "captions",
  "jobs-list",
  "lighthouse",
  "live-updates",
  "memory",
  "quality",
  "redirector",
  "rerun",
  "second-start",
  "segments",
  "start-to-processing",
  "tiny-clips",
  "tracks",
  "workers",
];

const root = path.resolve(import.meta.dirname, "..");
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !NAMES.includes(name));

if (wanted.length === 0 || unknown.length > 0) {
  if (unknown.length > 0) console.error(`There is no bench named ${unknown.join(", ")}.\n`);
  console.log("npm run bench <name>\n");
  for (const name of NAMES) console.log(`  ${name.padEnd(20)} ${firstSentence(name)}`);
  process.exitCode = unknown.length > 0 ? 1 : 0;
} else {
  for (const name of wanted) {
    const { status } = spawnSync(process.execPath, [fileOf(name)], { cwd: root, stdio: "inherit" });
    if (status !== 0) process.exitCode = 1;
  }
}

function fileOf(name: string): string {
  return path.join(root, "bench", `${name}.ts`);
}

/** Returns the first sentence of the bench's opening comment. */
function firstSentence(name: string): string {
  const [, comment = ""] = /^\/\*\*([^]*?)\*\//.exec(readFileSync(fileOf(name), "utf8")) ?? [];
  const text = comment.replaceAll(/\s*\n \* ?/g, " ").trim();
  return /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
}
