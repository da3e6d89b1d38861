import type { PgBoss } from "pg-boss";
import { isSupervisionDue } from "../task-table.ts";

/** A process that was not needed checks less often. */
const OTHERS_FACTOR = 2;

/**
 * Lets one process per queue check for dead workers and delete ended tasks once per interval, until `signal` aborts.
 * pg-boss's own timer does so in every process: with 100 workers, a third of all statements. Here the last one
 * continues, and the others check half as often whether it still does.
 */
export function superviseInTurn(
  boss: PgBoss,
  { seconds, signal, onError }: { seconds: number; signal: AbortSignal; onError: (fault: Error) => void },
): void {
  const supervise = async (): Promise<void> => {
    let isOurs = true;
    try {
      isOurs = await isSupervisionDue(boss.getDb(), seconds);
      if (isOurs) await boss.supervise();
    } catch (error) {
      if (!signal.aborted) onError(error as Error);
    }
    if (!signal.aborted) superviseIn((isOurs ? seconds : seconds * OTHERS_FACTOR) * 1_000);
  };
  const superviseIn = (ms: number): void => {
    timer = setTimeout(() => void supervise(), ms).unref();
  };
  let timer: NodeJS.Timeout;
  superviseIn(seconds * 1_000);
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
}
