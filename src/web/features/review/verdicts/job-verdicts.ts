/** One verdict queue per job; it continues after the reviewer leaves the screen. */
import { notifyManager, type QueryClient } from "@tanstack/react-query";
import type { Review } from "#contract/jobs/outputs/review.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { reviewOutputs } from "../../../api/functions/job-files.ts";
import { jobKeys } from "../../../jobs/cache/job-keys.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { showToast } from "../../../ui/toasts/toast-list.ts";
import { applyReviewed } from "../review-changes.ts";
import { createVerdictQueue, type VerdictQueue } from "./verdict-queue.ts";

const RETRY_MS = 3_000;

const queues = new Map<string, VerdictQueue>();

export function verdictsOf(client: QueryClient, jobId: string): VerdictQueue {
  const known = queues.get(jobId);
  if (known) return known;
  const queue = createVerdictQueue({
    send: reviewOutputs,
    isTransient: (error) =>
      error instanceof CallError && (error.status < 400 || error.status === 429 || error.status >= 500),
    wait: () => new Promise((resolve) => setTimeout(resolve, RETRY_MS)),
    onSaved: (rows) => {
      applyReviewed(client, jobId, rows);
      // Cache changes reach the screens in a later task.
      return new Promise((resolve) => notifyManager.schedule(() => resolve()));
    },
    onRefused(reviews, error) {
      void client.invalidateQueries({ queryKey: jobKeys.review(jobId) });
      showToast({ title: "Couldn't save the verdict", description: explain(reviews, error), variant: "destructive" });
    },
  });
  queue.subscribe(() => {
    if (queue.read().unsaved.size > 0) window.addEventListener("beforeunload", warnBeforeLeaving);
    else if ([...queues.values()].every((other) => other.read().unsaved.size === 0)) {
      window.removeEventListener("beforeunload", warnBeforeLeaving);
    }
  });
  queues.set(jobId, queue);
  return queue;
}

function explain(reviews: readonly Review[], error: unknown): string {
  if (error === null) return `${pluralize(reviews.length, "file")} no longer exist or are being made again.`;
  return error instanceof CallError ? error.message : "Try again.";
}

function warnBeforeLeaving(event: BeforeUnloadEvent) {
  event.preventDefault();
}
