import type { Job } from "#contract/jobs/jobs.ts";
import { elapsedSeconds, formatElapsed } from "../../../jobs/time/elapsed.ts";
import { isOnHold } from "../../../jobs/order/order-in-queue.ts";
import { describeSeconds } from "../../../jobs/time/time-words.ts";

type Timed = Pick<Job, "status" | "held_at" | "proof_state" | "seconds_left" | "processing_started_at" | "updated_at">;

export function describeTime(job: Timed, nowMs: number): { label: string; text: string } {
  const elapsed = elapsedSeconds(job, nowMs);
  if (isOnHold(job)) return { label: "Time left", text: "On hold" };
  switch (job.status) {
    case "Processing":
      return { label: "Time left", text: describeProof(job.proof_state) ?? describeLeft(job.seconds_left) };
    case "Cancelling":
      return { label: "Time left", text: "Stopping" };
    case "Completed":
      return { label: "Finished in", text: formatElapsed(elapsed) };
    case "Failed":
      return { label: "Failed after", text: formatElapsed(elapsed) };
    case "Cancelled":
      return elapsed === null
        ? { label: "Cancelled", text: "Before it started" }
        : { label: "Cancelled after", text: formatElapsed(elapsed) };
    case "Queued":
      return { label: "Time left", text: "Waiting" };
  }
}

/** Approval time is unpredictable. */
function describeProof(state: Job["proof_state"]): string | null {
  if (state === "making") return "Making samples";
  return state === "waiting" ? "Needs approval" : null;
}

function describeLeft(seconds: number | null): string {
  return seconds === null ? "Estimating…" : describeSeconds(seconds);
}
