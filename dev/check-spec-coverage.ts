/**
 * Fails, naming each fault, unless every sentence of docs/spec-coverage.md names a test that exists (or says why there
 * is none), and every text listed there stands verbatim and whole in its file.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { holdsText, namedTests, readRows, testTitles } from "./spec-coverage.ts";

const DOCUMENT = "docs/spec-coverage.md";

const root = path.resolve(import.meta.dirname, "..");
const sources = new Map<string, string | null>();
const titles = new Map<string, Set<string>>();
const counts = { sentences: 0, unshown: 0, texts: 0 };
const faults: string[] = [];

for (const { line, heads, cells } of readRows(readSource(DOCUMENT) ?? "")) {
  const [kind] = heads;
  const found = kind === "text" ? faultsOfText(cells) : heads[1] === "why" ? faultsOfGap(cells) : faultsOfRow(cells);
  faults.push(...found.map((fault) => `${DOCUMENT}:${line}: ${fault}`));
}

if (counts.sentences === 0 || counts.texts === 0) faults.push(`${DOCUMENT} holds no sentences, or no texts.`);
for (const fault of faults) console.error(fault);
console.log(
  `${counts.sentences} sentences shown by tests, ${counts.unshown} not shown, ${counts.texts} texts; ${faults.length} faults.`,
);
if (faults.length > 0) process.exitCode = 1;

function faultsOfRow([sentence, cell]: [string, string]): string[] {
  // A row without a sentence names one more test of the sentence above.
  if (sentence !== "") counts.sentences += 1;
  const tests = namedTests(cell);
  if (tests.length === 0) return [`no test is named for: ${sentence || "the sentence above"}`];
  return tests.flatMap(({ path: file, title }) => {
    if (readSource(file) === null) return [`${file} does not exist.`];
    return titlesOf(file).has(title) ? [] : [`${file} holds no test "${title}".`];
  });
}

function faultsOfGap([sentence, why]: [string, string]): string[] {
  counts.unshown += 1;
  return why === "" ? [`it is not said why no test shows: ${sentence}`] : [];
}

function faultsOfText([cell, fileCell]: [string, string]): string[] {
  counts.texts += 1;
  const [text, file] = [cell.replaceAll("`", ""), fileCell.replaceAll("`", "")];
  if (!file.startsWith("src/") || /\.test\.tsx?$/.test(file)) return [`${file} is no file of the product.`];
  const source = readSource(file);
  if (source === null) return [`${file} does not exist.`];
  return holdsText(source, text) ? [] : [`${file} does not hold "${text}" whole.`];
}

function readSource(file: string): string | null {
  if (!sources.has(file)) {
    const absolute = path.join(root, file);
    sources.set(file, existsSync(absolute) ? readFileSync(absolute, "utf8") : null);
  }
  return sources.get(file)!;
}

function titlesOf(file: string): Set<string> {
  if (!titles.has(file)) titles.set(file, testTitles(readSource(file)!));
  return titles.get(file)!;
}
