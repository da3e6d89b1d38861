/** Defines rows of the fault table: a few rounds in `npm test`, many in `npm run test:faults`. */
import { appendFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { it } from "vitest";
import { type Figure, type Measured, summarize } from "./fault-figures.ts";

/** Set in full runs, which append a line per row, for docs/RELIABILITY.md. */
const resultsFile = process.env["FAULT_RESULTS"];
export const isFullRun = resultsFile !== undefined;
const roundsOverride = process.env["FAULT_ROUNDS"];

export type FaultRow = {
  /** In kebab-case; unique in docs/reliability.json. */
  id: string;
  fault: string;
  expected: string;
  /** `short` (0 skips the row) is for `npm test`, `full` for the full run. */
  rounds: { short: number; full: number };
  secondsPerRound: number;
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
 * Defines a row's test. `breakIt` runs a round, throws on an unexpected result, and may return measurements named with
 * their unit ("seconds until noticed"). All rounds run even if one fails.
 */
export function testFault(row: FaultRow, breakIt: (round: number) => Promise<Measured | void>): void {
  const rounds = Number(roundsOverride ?? (resultsFile ? row.rounds.full : row.rounds.short));
  const skip = row.skip || (rounds === 0 && "only in npm run test:faults");
  const test = skip ? it.skip : it;
  const reason = skip ? ` (${skip})` : "";
  test(`${row.fault}: ${row.expected}${reason}`, { timeout: rounds * row.secondsPerRound * 1_000 }, async () => {
    const measured: Measured[] = [];
    const faults: Error[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const name = `round ${round + 1} of ${rounds}`;
      try {
        measured.push((await breakIt(round)) ?? {});
        logProgress(`${row.id}, ${name}: held`);
      } catch (cause) {
        faults.push(new Error(`${name}: ${String(cause)}`, { cause }));
        logProgress(`${row.id}, ${name}: ${String(cause)}`);
      }
    }
    if (resultsFile) {
      const { id, fault, expected } = row;
      const date = new Date().toISOString().slice(0, 10);
      const figures = summarize(measured);
      await record(resultsFile, { id, fault, expected, date, rounds, failed: faults.length, figures });
    }
    if (faults.length > 0) throw new AggregateError(faults, faults.map((fault) => fault.message).join("\n"));
  });
}

/** A full run takes hours, so it reports each round immediately. */
function logProgress(message: string): void {
  if (resultsFile) process.stderr.write(`${new Date().toISOString()} ${message}\n`);
}

async function record(file: string, result: FaultResult): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await appendFile(file, `${JSON.stringify(result)}\n`);
}
