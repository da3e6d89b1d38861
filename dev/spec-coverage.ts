/** Reads docs/spec-coverage.md: its tables, and what their cells name. Pure. */

/** A row of a table, with the first word of each of the table's two column heads. */
type CoverageRow = { line: number; heads: [string, string]; cells: [string, string] };

/** Stands in a title or a text for a part that is filled in: `${name}`, `{name}`, `%s`, `$name`. */
const FILLED_IN = "…";

/** The rows of all tables of two columns. */
export function readRows(document: string): CoverageRow[] {
  const rows: CoverageRow[] = [];
  let heads: [string, string] | null = null;
  for (const [index, text] of document.split("\n").entries()) {
    const cells = cellsOf(text);
    if (!cells) heads = null;
    else if (!heads) heads = [cells[0].toLowerCase(), cells[1].toLowerCase()];
    else if (!/^:?-+:?$/.test(cells[0])) rows.push({ line: index + 1, heads, cells });
  }
  return rows;
}

function cellsOf(line: string): [string, string] | null {
  if (!line.startsWith("|")) return null;
  const [first = "", second = ""] = line
    .slice(1)
    .replace(/\|\s*$/, "")
    .split("|")
    .map((cell) => cell.trim());
  return [first, second];
}

/** The tests that a cell names: `path › title`, each in backticks of its own. */
export function namedTests(cell: string): { path: string; title: string }[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => {
    const [path = "", title = ""] = name.split(" › ", 2);
    return { path, title };
  });
}

/** The titles of a file's tests, with … for every part that is filled in. */
export function testTitles(source: string): Set<string> {
  // A title is the first argument of test and it, or of what their `each` and `for` answer.
  const calls = source.matchAll(/(?:\b(?:test|it)(?:\.\w+)*|\))\(\s*("(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)\s*,/g);
  return new Set([...calls].map(([, literal = '""']) => titleOf(literal)));
}

function titleOf(literal: string): string {
  const text = literal.slice(1, -1).replaceAll(/\\(.)/g, "$1");
  return text.replaceAll(/\$\{[^}]*\}|%[sdifjo]|\$[a-z]\w*/gi, FILLED_IN);
}

/**
 * True when the source holds the text verbatim, with any expression for each …, and whole: as all of a string, or of a
 * text between tags. (\x60 is the backtick.)
 */
export function holdsText(source: string, text: string): boolean {
  const pieces = text.split(FILLED_IN).map((piece) => RegExp.escape(piece));
  const whole = pieces.join(String.raw`\$?\{[^\n]*?\}`);
  return new RegExp(String.raw`(?:^|["\x60>}])\s*${whole}\s*(?:["\x60<{]|$)`, "m").test(source);
}
