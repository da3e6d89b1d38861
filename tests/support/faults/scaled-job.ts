/** Simulates KEDA's ScaledJob controller. */
import { setTimeout as delay } from "node:timers/promises";
import type { FleetProgram } from "../servers/fleet.ts";

/** Shorter than in a cluster (deploy/helm/clipmill/templates/worker.yaml), to scale more often in a run. */
const POLL_MS = 1_000;

export type ScaledJob = {
  running(): FleetProgram[];
  peak(): number;
  /** Null for a killed worker. */
  exitCodes(): (number | null)[];
  /** Rejects if the load could not be read or a worker did not start. */
  stop(): Promise<void>;
};

type Options = {
  readLoad: () => Promise<number>;
  startWorker: () => Promise<FleetProgram>;
  /** `maxReplicaCount`. */
  most: number;
};

/**
 * Starts workers by KEDA's default strategy: at each poll, as many as the load needs at one task per worker, minus
 * those that run. Never stops a worker. Source: https://keda.sh/docs/latest/reference/scaledjob-spec (scalingStrategy).
 */
export function startScaledJob({ readLoad, startWorker, most }: Options): ScaledJob {
  const ready = new Set<FleetProgram>();
  const codes: (number | null)[] = [];
  const stopping = new AbortController();
  let starting = 0;
  let peak = 0;

  async function runWorker(): Promise<void> {
    starting += 1;
    const worker = await startWorker().finally(() => (starting -= 1));
    ready.add(worker);
    codes.push(await worker.ended());
    ready.delete(worker);
  }
  async function control(): Promise<void> {
    const faults: unknown[] = [];
    while (!stopping.signal.aborted && faults.length === 0) {
      const wanted = Math.min(await readLoad(), most) - ready.size - starting;
      for (let i = 0; i < wanted; i += 1) void runWorker().catch((error: unknown) => faults.push(error));
      peak = Math.max(peak, ready.size + starting);
      await delay(POLL_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
    if (faults.length > 0) throw new AggregateError(faults, `A worker did not start: ${faults.map(String).join("; ")}`);
  }
  const controlling = control();
  // Reported by `stop`.
  controlling.catch(() => {});
  return {
    running: () => [...ready],
    peak: () => peak,
    exitCodes: () => codes,
    stop: () => {
      stopping.abort();
      return controlling;
    },
  };
}
