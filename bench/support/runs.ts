import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { medianOf } from "./times.ts";

/** RUNS and SECONDS shorten a bench during development. Published figures use neither. */
export const RUNS = Number(process.env["RUNS"] ?? 5);

export function clipSeconds(seconds: number): number {
  return Number(process.env["SECONDS"] ?? seconds);
}

export async function openBenchFolder(): Promise<AsyncDisposable & { file: (name: string) => string }> {
  const folder = await mkdtemp(path.join(tmpdir(), "clipmill-bench-"));
  return {
    file: (name) => path.join(folder, name),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Only ratios are comparable between machines, and wall times only on idle ones. */
export function describeMachine(): string {
  const load = `load ${loadavg()[0]?.toFixed(1)}`;
  return `${availableParallelism()} cores, ${cpus()[0]?.model ?? "unknown"}, ${load}, Node ${process.version}, ${RUNS} runs`;
}

/** Pairs the series' elements. Returns median, minimum, maximum, and whether the target is met. */
export function describeRatio(
  above: number[],
  below: number[],
  aim: { atLeast: number } | { atMost: number } | null = null,
): string {
  const ratios = above.map((value, i) => value / below[i]!);
  const median = medianOf(ratios);
  const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  return `${median.toFixed(2)} (${spread})${aim ? describeAim(median, aim) : ""}`;
}

function describeAim(value: number, aim: { atLeast: number } | { atMost: number }): string {
  const isMet = "atLeast" in aim ? value >= aim.atLeast : value <= aim.atMost;
  const words = "atLeast" in aim ? `at least ${aim.atLeast}` : `at most ${aim.atMost}`;
  return `, target ${words}: ${isMet ? "met" : "NOT met"}`;
}
