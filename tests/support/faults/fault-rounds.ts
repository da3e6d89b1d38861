/** The rows of the fault table: each breaks something on purpose, a few times in `npm test`, often in `npm run test:faults`. */
import { appendFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { it } from "vitest";
import { type Figure, type Measured, summarise } from "./fault-figures.ts";

/** Where a full run leaves a line per row, for docs/RELIABILITY.md; unset in the short form. */
const resultsFile = process.env["FAULT_RESULTS"];
/** True in `npm run test:faults`: rows may then do at full size what the short form does in small. */
export const isFullRun = resultsFile !== undefined;
/** Instead of each row's own number: to look for a rare fault, or to try a row. */
const askedRounds = process.env["FAULT_ROUNDS"];

export type FaultRow = {
  /** Unique, in kebab-case: the row's key in docs/reliability.json. */
  id: string;
  /** What is broken, as the table says it. */
  fault: string;
  /** What has to hold every time. */
  expected: string;
  /** Rounds in `npm test` and in the full run. */
  rounds: { short: number; full: number };
  /** What a round may take at most, in seconds, on a slow machine. */
  secondsPerRound: number;
  /** Says why this row cannot be tried on this machine; it is then skipped. */
  skip?: string | false;
};

export type FaultResult = {
  id: string;
  fault: string;
  expected: string;
  date: string;
  rounds: number;
  failed: number;
  figures: Record<string, Figure>;
};

/**
 * Makes a test of a row. `breakIt` is one round: it throws where the expectation does not hold, and may return what it
 * measured, named with its unit ("seconds until noticed"), and what was so or not. All rounds run, also after one that failed.
 */
export function testFault(row: FaultRow, breakIt: (round: number) => Promise<Measured | void>): void {
  const rounds = Number(askedRounds ?? (resultsFile ? row.rounds.full : row.rounds.short));
  const test = row.skip ? it.skip : it;
  const reason = row.skip ? ` (${row.skip})` : "";
  test(`${row.fault}: ${row.expected}${reason}`, { timeout: rounds * row.secondsPerRound * 1_000 }, async () => {
    const measured: Measured[] = [];
    const faults: Error[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const name = `round ${round + 1} of ${rounds}`;
      try {
        measured.push((await breakIt(round)) ?? {});
        tell(`${row.id}, ${name}: held`);
      } catch (cause) {
        faults.push(new Error(`${name}: ${String(cause)}`, { cause }));
        tell(`${row.id}, ${name}: ${String(cause)}`);
      }
    }
    if (resultsFile) {
      const { id, fault, expected } = row;
      const date = new Date().toISOString().slice(0, 10);
      const figures = summarise(measured);
      await record(resultsFile, { id, fault, expected, date, rounds, failed: faults.length, figures });
    }
    if (faults.length > 0) throw new AggregateError(faults, faults.map((fault) => fault.message).join("\n"));
  });
}

/** A full run takes hours: whoever watches it should not learn of a fault at its end. */
function tell(words: string): void {
  if (resultsFile) process.stderr.write(`${new Date().toISOString()} ${words}\n`);
}

async function record(file: string, result: FaultResult): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await appendFile(file, `${JSON.stringify(result)}\n`);
}
