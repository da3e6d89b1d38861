import type { PgBoss } from "pg-boss";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { superviseInTurn } from "./supervise-in-turn.ts";

const PROCESSES = 20;

type Round = { process: number; ms: number };

let rounds: Round[];
let reads: number;
let errors: Error[];
let isReachable: boolean;
let stops: AbortController[];

beforeEach(() => {
  vi.useFakeTimers();
  [rounds, reads, errors, isReachable] = [[], 0, [], true];
  stops = Array.from({ length: PROCESSES }, () => new AbortController());
});
afterEach(() => {
  for (const stop of stops) stop.abort();
  vi.useRealTimers();
});

/** Starts processes a little apart, on a queue whose last round all of them see. */
async function startProcesses(): Promise<void> {
  for (const [process, stop] of stops.entries()) {
    const executeSql = async () => {
      reads += 1;
      if (!isReachable) throw new Error("The connection was lost.");
      return { rows: [{ isDue: performance.now() - (rounds.at(-1)?.ms ?? -Infinity) >= 1_000 }] };
    };
    const supervise = async () => void rounds.push({ process, ms: performance.now() });
    const boss = { getDb: () => ({ executeSql }), supervise } as unknown as PgBoss;
    superviseInTurn(boss, { seconds: 1, signal: stop.signal, onError: (error) => void errors.push(error) });
    await vi.advanceTimersByTimeAsync(70);
  }
}

function longestGapMs(): number {
  return Math.max(...rounds.slice(1).map(({ ms }, i) => ms - rounds[i]!.ms));
}

it("supervises once a second among all processes, and reads half as often in the others", async () => {
  await startProcesses();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(rounds.length).toBeGreaterThanOrEqual(60);
  expect(rounds.length).toBeLessThanOrEqual(63);
  expect(reads).toBeLessThan(62 * (1 + PROCESSES / 2) * 1.1);
});

it("goes on within two more seconds when the process that did it has ended", async () => {
  await startProcesses();
  for (let left = PROCESSES; left > 1; left--) {
    await vi.advanceTimersByTimeAsync(5_000);
    stops[rounds.at(-1)!.process]!.abort();
  }
  await vi.advanceTimersByTimeAsync(5_000);
  expect(new Set(rounds.map(({ process }) => process)).size).toBe(PROCESSES);
  expect(longestGapMs()).toBeLessThanOrEqual(3_000);
});

it("goes on after an outage of the database", async () => {
  await startProcesses();
  isReachable = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(errors.length).toBeGreaterThan(0);
  isReachable = true;
  const before = rounds.length;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(rounds.length).toBeGreaterThanOrEqual(before + 4);
});
