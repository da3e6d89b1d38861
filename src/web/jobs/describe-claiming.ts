import type { ClaimingResponse } from "#contract/system.ts";
import { formatShortDate } from "./short-date.ts";

/** Why jobs wait although nothing is wrong with them; null while somebody takes them. */
export function describeClaiming(
  { isPaused, pausedAt, pausedBy, workers, takingWorkers }: ClaimingResponse,
  now: Date = new Date(),
): { title: string; text: string } | null {
  if (isPaused) {
    const when = pausedAt ? ` on ${formatShortDate(pausedAt, now)}` : "";
    return {
      title: "The queue is paused.",
      text: `${pausedBy ?? "Somebody"} paused it${when}. Videos at work are finished, no more are begun.`,
    };
  }
  if (workers === 0) return { title: "No worker is running.", text: "Jobs wait until one is started." };
  if (takingWorkers > 0) return null;
  return {
    title: workers === 1 ? "The worker takes no more videos." : "No worker takes any more videos.",
    text: "Jobs wait; Settings, System says why.",
  };
}
