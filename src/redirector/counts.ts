/** Records no data about visitors. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Logger } from "pino";
import { replaceFile } from "#ground/sync-files.ts";

export type Counter = { redirects: number };

export type Counts = {
  /** Identifies these counts after a reset. */
  source: string;
  counterOf(routeId: string): Counter;
  adopt(counters: ReadonlyMap<string, Counter>): void;
  since(day: string): Record<string, Record<string, number>>;
  close(): Promise<void>;
};

const DAYS_KEPT = 35;
/** A power failure loses at most this much. */
const FLUSH_MS = 10_000;

type Days = Record<string, Record<string, number>>;

/** Starts from zero with a new `source` if the file is unreadable. */
export async function openCounts(file: string, log: Logger): Promise<Counts> {
  const { source, days } = await readCounts(file, log);
  let live: ReadonlyMap<string, Counter> = new Map();
  let day = today();
  let isFlushed = true;

  const drain = (): void => {
    const ofDay = (days[day] ??= {});
    for (const [id, counter] of live) {
      if (counter.redirects === 0) continue;
      ofDay[id] = (ofDay[id] ?? 0) + counter.redirects;
      counter.redirects = 0;
      isFlushed = false;
    }
    if (Object.keys(ofDay).length === 0) delete days[day];
    day = today();
  };
  let writing = Promise.resolve();
  const flush = (): Promise<void> => {
    drain();
    if (isFlushed) return writing;
    isFlushed = true;
    for (const old of Object.keys(days).toSorted().slice(0, -DAYS_KEPT)) delete days[old];
    const text = JSON.stringify({ source, days });
    writing = writing
      .then(() => replaceFile(file, Buffer.from(text)))
      .catch((error: unknown) => {
        isFlushed = false;
        log.error({ err: error }, "could not write the redirect counts");
      });
    return writing;
  };
  const flushing = setInterval(() => void flush(), FLUSH_MS);
  // Later redirects count for the new day.
  let midnight = setTimeout(turnDay, untilMidnightMs());
  function turnDay(): void {
    drain();
    midnight = setTimeout(turnDay, untilMidnightMs());
  }
  return {
    source,
    counterOf: (routeId) => live.get(routeId) ?? { redirects: 0 },
    adopt(counters) {
      drain();
      live = counters;
    },
    since(from) {
      drain();
      return Object.fromEntries(Object.entries(days).filter(([each]) => each >= from));
    },
    async close() {
      clearInterval(flushing);
      clearTimeout(midnight);
      await flush();
    },
  };
}

async function readCounts(file: string, log: Logger): Promise<{ source: string; days: Days }> {
  try {
    const kept: unknown = JSON.parse(await readFile(file, "utf8"));
    if (isKept(kept)) return kept;
    log.error("could not read the redirect counts: the file has unexpected content; starting from zero");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      log.error({ err: error }, "could not read the redirect counts; starting from zero");
  }
  return { source: randomUUID(), days: {} };
}

function isKept(value: unknown): value is { source: string; days: Days } {
  if (!isObject(value) || typeof value.source !== "string" || !isObject(value.days)) return false;
  return Object.values(value.days).every(
    (ofDay) => isObject(ofDay) && Object.values(ofDay).every((redirects) => Number.isSafeInteger(redirects)),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function untilMidnightMs(): number {
  const dayMs = 24 * 60 * 60 * 1000;
  return dayMs - (Date.now() % dayMs) + 1;
}
