/** Linux only: reads /proc. */
import { readdirSync, readFileSync } from "node:fs";

/** Hundredths of a second on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

export type Cost = { cpuSeconds: number; wallSeconds: number };

/** Includes child processes, running or ended. */
export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [cpuBefore, wallBefore] = [cpuSecondsOf(process.pid).all, performance.now()];
  await work();
  return {
    cpuSeconds: cpuSecondsOf(process.pid).all - cpuBefore,
    wallSeconds: (performance.now() - wallBefore) / 1_000,
  };
}

/** User and system time; `all` includes children, running or ended. 0 if the process has ended. */
export function cpuSecondsOf(pid: number): { own: number; all: number } {
  try {
    // The name in parentheses may contain anything.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [user, system, endedUser, endedSystem] = fields
      .slice(11, 15)
      .map((ticks) => Number(ticks) / TICKS_PER_SECOND);
    const ended = endedUser! + endedSystem!;
    const running = childrenOf(pid).reduce((sum, child) => sum + cpuSecondsOf(child).all, 0);
    return { own: user! + system!, all: user! + system! + ended + running };
  } catch {
    return { own: 0, all: 0 };
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
}
