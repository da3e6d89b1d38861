import { ClipmillError } from "#contract/errors.ts";
import { exitCodeOf } from "../exit-codes.ts";

type Progress = {
  label: string;
  /** From 0 to 1. */
  share: number;
  detail: string;
};

export type Terminal = {
  isJson: boolean;
  /** Prints nothing with --json. */
  data: (line: string) => void;
  /** Prints one JSON line, only with --json. */
  event: (event: { event: string } & Record<string, unknown>) => void;
  /** Prints even with --json. */
  note: (sentence: string) => void;
  /** Draws a bar on a terminal, else prints occasional lines. */
  progress: (progress: Progress) => void;
  clear: () => void;
  fail: (error: unknown) => void;
};

const BAR_CELLS = 24;
/** Without a terminal, prints a line per label and tenth. */
const LINES_PER_LABEL = 10;

type TerminalStreams = {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown; isTTY?: boolean; columns?: number };
};

export function openTerminal(isJson: boolean, { stdout, stderr }: TerminalStreams = process): Terminal {
  const hasBar = stderr.isTTY === true && !isJson;
  let drawn = "";
  let lastLine = "";
  const erase = (): void => {
    if (drawn !== "") stderr.write("\r\u001B[K");
  };
  const note = (sentence: string): void => {
    erase();
    stderr.write(`${printable(sentence)}\n`);
    if (drawn !== "") stderr.write(drawn);
  };
  const clear = (): void => {
    erase();
    drawn = "";
  };
  return {
    isJson,
    note,
    clear,
    data(line) {
      if (isJson) return;
      clear();
      stdout.write(`${printable(line)}\n`);
    },
    event(event) {
      if (isJson) stdout.write(`${JSON.stringify(event)}\n`);
    },
    progress({ label, share, detail }) {
      const percent = Math.floor(Math.min(1, Math.max(0, share)) * 100);
      if (hasBar) {
        const full = Math.round((percent / 100) * BAR_CELLS);
        const bar = "█".repeat(full) + "░".repeat(BAR_CELLS - full);
        const line = `${label.padEnd(11)} ${bar} ${String(percent).padStart(3)}%  ${oneLine(detail)}`;
        erase();
        // A longer line would wrap and could not be erased.
        drawn = line.slice(0, Math.max(20, (stderr.columns ?? 80) - 1));
        stderr.write(drawn);
        return;
      }
      if (isJson) return;
      const line = `${label} ${Math.floor(percent / LINES_PER_LABEL)}`;
      if (line === lastLine) return;
      lastLine = line;
      stderr.write(`${label}: ${percent}%, ${oneLine(detail)}\n`);
    },
    fail(error) {
      clear();
      const sentence = error instanceof ClipmillError ? error.message : `Unexpected error: ${describe(error)}`;
      stderr.write(`${printable(sentence)}\n`);
      if (isJson) {
        const code = error instanceof ClipmillError ? error.code : "internal";
        stdout.write(`${JSON.stringify({ event: "error", error: sentence, code, exit: exitCodeOf(error) })}\n`);
      }
    },
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, place) => Math.max(...rows.map((row) => row[place]!.length)));
  return rows.map((row) =>
    row
      .map((cell, place) => cell.padEnd(widths[place]!))
      .join("  ")
      .trimEnd(),
  );
}

/** Control characters and bidirectional marks would move the cursor or change colors. */
// oxlint-disable-next-line no-control-regex -- they are what is removed
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

function printable(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(CONTROLS, "\uFFFD");
}

export function oneLine(text: string): string {
  return printable(text).replaceAll(/\s+/g, " ").trim();
}
