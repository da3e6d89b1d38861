/** npm run bench [name …]: without a name, lists the benches. */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const FILES = new Map(
  globSync("bench/{encoding,fleet,rendering,screens,serving,starting,words}/*.ts", { cwd: root })
    .toSorted()
    .map((file) => [path.basename(file, ".ts"), path.join(root, file)]),
);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !FILES.has(name));

if (wanted.length === 0 || unknown.length > 0) {
  if (unknown.length > 0) console.error(`There is no bench named ${unknown.join(", ")}.\n`);
  console.log("npm run bench <name>\n");
  for (const [name, file] of FILES) console.log(`  ${name.padEnd(20)} ${firstSentence(file)}`);
  process.exitCode = unknown.length > 0 ? 1 : 0;
} else {
  for (const name of wanted) {
    const { status } = spawnSync(process.execPath, [FILES.get(name)!], { cwd: root, stdio: "inherit" });
    if (status !== 0) process.exitCode = 1;
  }
}

function firstSentence(file: string): string {
  const [, comment = ""] = /^\/\*\*([^]*?)\*\//.exec(readFileSync(file, "utf8")) ?? [];
  const text = comment.replaceAll(/\s*\n \* ?/g, " ").trim();
  return /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
}
