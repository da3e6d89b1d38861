type Sentence = { number: string; text: string; untested: string | null };
type Tag = { line: number; numbers: string[]; title: string | null };
type FolderText = { line: number; folder: string; text: string };

/** Replaces `${name}`, `{name}`, `%s` and `$name`. */
const FILLED_IN = "…";

/** Returns list items and table rows that start with a bold number, with their "No test:" line. */
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

/** Reads `// spec 1.2.3, 9.1`, with the title of the test directly below, or null. */
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
  // The first argument of test or it, or of the function that their `each` or `for` returns.
  const call = /(?:\b(?:test|it)(?:\.\w+)*|\))\(\s*("(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)\s*,/.exec(source);
  if (!call) return null;
  const text = call[1]!.slice(1, -1).replaceAll(/\\(.)/g, "$1");
  return text.replaceAll(/\$\{[^}]*\}|%[sdifjo]|\$[a-z]\w*/gi, FILLED_IN);
}

export function readTexts(document: string): FolderText[] {
  let folder = "";
  return document.split("\n").flatMap((line, index) => {
    const heading = /^## (\S+\/)$/.exec(line);
    if (heading) folder = heading[1]!;
    const item = /^- `(.+)`$/.exec(line);
    return item ? [{ line: index + 1, folder, text: item[1]! }] : [];
  });
}

/** Requires a complete string or the text between tags, with any expression for each …. (\x60 is the backtick.) */
export function containsText(source: string, text: string): boolean {
  const pieces = text.split(FILLED_IN).map((piece) => RegExp.escape(piece));
  const pattern = pieces.join(String.raw`\$?\{[^\n]*?\}`);
  return new RegExp(String.raw`(?:^|["\x60>}])\s*${pattern}\s*(?:["\x60<{]|$)`, "m").test(source);
}

export function coverageTable(sentences: Sentence[], tests: Map<string, string[]>): string {
  const rows = sentences.map(({ number, text, untested }) => {
    const named = (tests.get(number) ?? []).map((test) => `\`${test}\``).join("<br>");
    return `| ${number} | ${text} | ${named || `No test: ${untested}`} |`;
  });
  return `# Sentences of the specification and their tests\n\n| No. | Sentence | Tests |\n|---|---|---|\n${rows.join("\n")}\n`;
}
