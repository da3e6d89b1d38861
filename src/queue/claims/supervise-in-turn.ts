import type { PgBoss } from "pg-boss";
import { repeat } from "#ground/repeat.ts";
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
  { seconds, signal, onError }: { seconds: number; signal: AbortSignal; onError: (error: Error) => void },
): void {
  const supervise = async (): Promise<number> => {
    const isOurs = await isSupervisionDue(boss.getDb(), seconds);
    if (isOurs) await boss.supervise();
    return everyMs * (isOurs ? 1 : OTHERS_FACTOR);
  };
  const everyMs = seconds * 1_000;
  repeat(supervise, { everyMs, firstMs: everyMs, signal, onError });
}
