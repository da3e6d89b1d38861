/** CPU seconds, user and system, of this process and of all processes it started. Linux: reads /proc. */
import { readFileSync } from "node:fs";

/** The kernel counts the time of ended children in hundredths of a second on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

export type Cost = { cpuSeconds: number; wallSeconds: number };

/** What `work` costs. Programs it starts count once they have ended, and theirs with them. */
export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [cpuBefore, wallBefore] = [cpuSeconds(), performance.now()];
  await work();
  return { cpuSeconds: cpuSeconds() - cpuBefore, wallSeconds: (performance.now() - wallBefore) / 1_000 };
}

function cpuSeconds(): number {
  const own = process.cpuUsage();
  return (own.user + own.system) / 1e6 + childrenSeconds();
}

/** The two fields after the program's own times; its name, in brackets, may hold anything. */
function childrenSeconds(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}
