/** Reads the numbered sentences of docs/spec, the tags of the tests that show them, and the texts to the letter. Pure. */

type Sentence = { number: string; text: string; untested: string | null };
type Tag = { line: number; numbers: string[]; title: string | null };
type FolderText = { line: number; folder: string; text: string };

/** Stands in a title or a text for a part that is filled in: `${name}`, `{name}`, `%s`, `$name`. */
const FILLED_IN = "…";

/** Returns the sentences: list items or table rows that start with a bold number, with their "No test:" line if they have one. */
export function readSentences(document: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const line of document.split("\n")) {
    const item = /^(?:- |\| )\*\*(\d+(?:\.\d+)+)\*\*(.*)$/.exec(line);
    if (item) sentences.push({ number: item[1]!, text: plainText(item[2]!), untested: null });
    const reason = /^ +No test: *(.*)$/.exec(line);
    if (reason && sentences.length > 0) sentences.at(-1)!.untested = reason[1]!;
  }
  return sentences;
}

function plainText(cells: string): string {
  return cells
    .split("|")
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "")
    .join(": ");
}

/** Returns the `// spec 1.2.3, 9.1` comments of a test file, each with the title of the test directly below, or null if there is none. */
export function readTags(source: string): Tag[] {
  const lines = source.split("\n");
  return lines.flatMap((text, index) => {
    const tag = /^\s*\/\/ spec ([\d., ]+)$/.exec(text);
    if (!tag) return [];
    const isTest = /^\s*(?:test|it)\b/.test(lines[index + 1] ?? "");
    const title = isTest ? firstTitle(lines.slice(index + 1).join("\n")) : null;
    return [{ line: index + 1, numbers: tag[1]!.split(",").map((number) => number.trim()), title }];
  });
}

function firstTitle(source: string): string | null {
  // A title is the first argument of test and it, or of what their `each` and `for` return.
  const call = /(?:\b(?:test|it)(?:\.\w+)*|\))\(\s*("(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)\s*,/.exec(source);
  if (!call) return null;
  const text = call[1]!.slice(1, -1).replaceAll(/\\(.)/g, "$1");
  return text.replaceAll(/\$\{[^}]*\}|%[sdifjo]|\$[a-z]\w*/gi, FILLED_IN);
}

/** Returns the texts of docs/spec/texts.md, each with the folder that must contain it. */
export function readTexts(document: string): FolderText[] {
  let folder = "";
  return document.split("\n").flatMap((line, index) => {
    const heading = /^## (\S+\/)$/.exec(line);
    if (heading) folder = heading[1]!;
    const item = /^- `(.+)`$/.exec(line);
    return item ? [{ line: index + 1, folder, text: item[1]! }] : [];
  });
}

/**
 * Returns true when the source contains the text verbatim, with any expression for each …, and whole: as all of a string, or
 * of a text between tags. (\x60 is the backtick.)
 */
export function holdsText(source: string, text: string): boolean {
  const pieces = text.split(FILLED_IN).map((piece) => RegExp.escape(piece));
  const whole = pieces.join(String.raw`\$?\{[^\n]*?\}`);
  return new RegExp(String.raw`(?:^|["\x60>}])\s*${whole}\s*(?:["\x60<{]|$)`, "m").test(source);
}

/** Returns the table of sentences and the tests that show them, as Markdown. */
export function coverageTable(sentences: Sentence[], tests: Map<string, string[]>): string {
  const rows = sentences.map(({ number, text, untested }) => {
    const named = (tests.get(number) ?? []).map((test) => `\`${test}\``).join("<br>");
    return `| ${number} | ${text} | ${named || `No test: ${untested}`} |`;
  });
  return `# Sentences of the specification and their tests\n\n| No. | Sentence | Tests |\n|---|---|---|\n${rows.join("\n")}\n`;
}
