/**
 * Checks that each sentence of docs/spec/specification.md has a tagged test (or a reason for none), and that each text
 * of docs/spec/texts.md appears verbatim and complete in its folder. --write also writes the coverage table.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { coverageTable, containsText, readSentences, readTags, readTexts } from "./spec-coverage.ts";

const SPECIFICATION = "docs/spec/specification.md";
const TEXTS = "docs/spec/texts.md";
const TABLE = "test-results/spec-coverage.md";

process.chdir(path.resolve(import.meta.dirname, "../.."));
const problems: string[] = [];
const sentences = readSentences(readFileSync(SPECIFICATION, "utf8"));
const texts = readTexts(readFileSync(TEXTS, "utf8"));
const known = new Set(sentences.map(({ number }) => number));
const tests = new Map<string, string[]>();

if (known.size === 0 || texts.length === 0) problems.push(`${SPECIFICATION} or ${TEXTS} has no entries.`);
if (known.size < sentences.length) problems.push(`${SPECIFICATION} uses a number twice.`);
for (const file of globSync(["{src,tests}/**/*.test.{ts,tsx}", "tests/e2e/**/*.e2e.ts"]).toSorted()) collectTags(file);
for (const { number, untested } of sentences) {
  if (untested === null && !tests.has(number)) problems.push(`${SPECIFICATION}: no test is tagged with ${number}.`);
  if (untested !== null && tests.has(number))
    problems.push(`${SPECIFICATION}: ${number} has a test; remove "No test".`);
  if (untested === "") problems.push(`${SPECIFICATION}: ${number} gives no reason for having no test.`);
}
for (const { line, folder, text } of texts)
  if (!sourcesOf(folder).some((source) => containsText(source, text)))
    problems.push(`${TEXTS}:${line}: no file in ${folder} contains the complete text "${text}".`);

if (process.argv.includes("--write")) {
  mkdirSync(path.dirname(TABLE), { recursive: true });
  writeFileSync(TABLE, coverageTable(sentences, tests));
  console.log(`Wrote ${TABLE}.`);
}
for (const problem of problems) console.error(problem);
const untested = sentences.filter((sentence) => sentence.untested !== null).length;
console.log(
  `${sentences.length - untested} sentences with tests, ${untested} without, ${texts.length} texts; ${problems.length} problems.`,
);
if (problems.length > 0) process.exitCode = 1;

function collectTags(file: string): void {
  for (const { line, numbers, title } of readTags(readFileSync(file, "utf8"))) {
    if (title === null) problems.push(`${file}:${line}: no test follows the tag.`);
    for (const number of numbers) {
      if (!known.has(number)) problems.push(`${file}:${line}: the specification has no sentence ${number}.`);
      tests.set(number, [...(tests.get(number) ?? []), `${file} › ${title}`]);
    }
  }
}

function sourcesOf(folder: string): string[] {
  const files = globSync(`${folder}**/*.{ts,tsx}`).filter((file) => !/\.test\.tsx?$/.test(file));
  return files.map((file) => readFileSync(file, "utf8"));
}
