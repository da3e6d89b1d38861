import type { Job } from "#contract/jobs/jobs.ts";
import { isOnHold } from "../../../jobs/order/order-in-queue.ts";
import { elapsedSeconds, formatElapsed, type Timed } from "../../../jobs/time/elapsed.ts";
import { formatShortDate } from "../../../jobs/time/short-date.ts";
import { describeSeconds } from "../../../jobs/time/time-words.ts";

const clock = new Intl.DateTimeFormat("en-US", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

type TimeWords = { label: string; text: string; note: string | null };

/** `text` is a time; `note` says why there is no end to announce, or when it is. */
export function describeTime(
  job: Timed & Pick<Job, "held_at" | "proof_state" | "seconds_left">,
  nowMs: number,
): TimeWords {
  const elapsed = elapsedSeconds(job, nowMs);
  const soFar = (note: string): TimeWords => ({ label: "Elapsed", text: formatElapsed(elapsed), note });
  const ended = (label: string): TimeWords => ({ label, text: formatElapsed(elapsed), note: null });
  if (isOnHold(job)) return soFar("On hold");
  switch (job.status) {
    case "Processing":
      if (job.proof_state === "making") return soFar("Making samples");
      if (job.proof_state === "waiting") return soFar("Needs approval. Waiting does not count.");
      if (job.seconds_left === null) return soFar("Estimating the time left…");
      return { label: "Time left", text: describeSeconds(job.seconds_left), note: describeEnd(job, nowMs) };
    case "Cancelling":
      return soFar("Stopping");
    case "Completed":
      return ended("Finished in");
    case "Failed":
      return ended("Failed after");
    case "Cancelled":
      return elapsed === null
        ? { label: "Cancelled", text: "Before it started", note: null }
        : ended("Cancelled after");
    case "Queued":
      return soFar("Waiting in the queue");
  }
}

/** Counts from the measurement, so that the time stands still between two. */
function describeEnd(job: Pick<Job, "seconds_left" | "updated_at">, nowMs: number): string {
  const end = new Date(Date.parse(job.updated_at) + (job.seconds_left ?? 0) * 1000);
  const isToday = end.toDateString() === new Date(nowMs).toDateString();
  return `Done at about ${isToday ? clock.format(end) : formatShortDate(end.toISOString(), new Date(nowMs))}`;
}
