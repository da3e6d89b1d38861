/** CPU seconds (user and system) of this process and its children. Linux only: reads /proc. */
import { readFileSync } from "node:fs";

/** Clock ticks of /proc: hundredths of a second on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

export type Cost = { cpuSeconds: number; wallSeconds: number };

/** Measures the cost of `work`. Child processes, including nested ones, count once they exit. */
export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [cpuBefore, wallBefore] = [cpuSeconds(), performance.now()];
  await work();
  return { cpuSeconds: cpuSeconds() - cpuBefore, wallSeconds: (performance.now() - wallBefore) / 1_000 };
}

function cpuSeconds(): number {
  const own = process.cpuUsage();
  return (own.user + own.system) / 1e6 + childrenSeconds();
}

/** Reads the times of ended children. Skips the name in parentheses, which may contain anything. */
function childrenSeconds(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}
