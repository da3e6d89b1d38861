import type { TestLine } from "./collect-results.ts";

export type Tested = { name: string; version: string; hasFailed: boolean; tests: TestLine[] };

/** Returns a Markdown page: test files by ffmpeg, then every test that failed or was skipped, with its reason. */
export function renderTable(tested: readonly Tested[]): string {
  const files = [...new Set(tested.flatMap(({ tests }) => tests.map(({ file }) => file)))].toSorted();
  const head = ["tests", ...tested.map(({ name, version }) => `${name}: ${version}`)];
  const rows = files.map((file) =>
    [file].concat(tested.map(({ tests }) => summarize(tests.filter((test) => test.file === file)))),
  );
  const total = ["**all**", ...tested.map(({ tests }) => summarize(tests))];
  const others = tested.flatMap(({ name, tests }) =>
    tests
      .filter(({ state }) => state !== "passed")
      .map(({ file, title, state, note }) => [name, state, `${file}: ${title}`, note || "no reason given"]),
  );
  const details = others.length === 0 ? "" : `\n${toTable(["ffmpeg", "result", "test", "reason"], others)}`;
  return `# Tests by ffmpeg\n\n${toTable(head, [...rows, total])}${details}`;
}

function summarize(tests: readonly TestLine[]): string {
  const counts = ["failed", "skipped", "passed"].map((state) => {
    const { length } = tests.filter((test) => test.state === state);
    return length > 0 ? `${length} ${state}` : "";
  });
  return counts.filter((count) => count !== "").join(", ") || "not run";
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => {
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  });
  return lines.join("");
}
