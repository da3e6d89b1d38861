import type { ClaimingResponse } from "#contract/settings/system.ts";
import { formatShortDate } from "../time/short-date.ts";

/** Explains why jobs wait although nothing failed; null while a worker claims them. */
export function describeClaiming(
  { isPaused, pausedAt, pausedBy, workers, takingWorkers }: ClaimingResponse,
  now: Date = new Date(),
): { title: string; text: string } | null {
  if (isPaused) {
    const when = pausedAt ? ` on ${formatShortDate(pausedAt, now)}` : "";
    return {
      title: "The queue is paused.",
      text: `${pausedBy ?? "Someone"} paused it${when}. Videos in progress will finish; no new ones will start.`,
    };
  }
  if (workers === 0) return { title: "No worker is running.", text: "Jobs will start when a worker is running." };
  if (takingWorkers > 0) return null;
  return {
    title: workers === 1 ? "The worker isn't taking new videos." : "No worker is taking new videos.",
    text: "Jobs are waiting. The System tab of Settings shows why.",
  };
}
