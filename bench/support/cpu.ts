/** CPU seconds (user and system) of this process and its children. Linux only: reads /proc. */
import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks of /proc: hundredths of a second on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

export type Cost = { cpuSeconds: number; wallSeconds: number };

/** Measures the cost of `work`, with that of child processes, running or ended. */
export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [cpuBefore, wallBefore] = [ticksOf(process.pid), performance.now()];
  await work();
  return {
    cpuSeconds: (ticksOf(process.pid) - cpuBefore) / TICKS_PER_SECOND,
    wallSeconds: (performance.now() - wallBefore) / 1_000,
  };
}

/** Returns the ticks of a process, its ended children and its running ones; 0 if it has ended. */
function ticksOf(pid: number): number {
  try {
    // The name in parentheses may contain anything.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
    return user! + system! + endedUser! + endedSystem! + sumOf(childrenOf(pid).map(ticksOf));
  } catch {
    return 0;
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
}

function sumOf(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
