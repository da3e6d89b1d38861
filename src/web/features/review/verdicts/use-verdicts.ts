import { notifyManager, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState, useSyncExternalStore } from "react";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import type { Review, Verdict } from "#contract/jobs/outputs/review.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { reviewOutputs } from "../../../api/functions/job-files.ts";
import { jobKeys } from "../../../jobs/cache/job-keys.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { showToast } from "../../../ui/toasts/toast-list.ts";
import { applyReviewed } from "../review-changes.ts";
import { createVerdictQueue, type VerdictQueue } from "./verdict-queue.ts";

type Step = { before: Review; after: Review }[];

/** Includes verdicts still being sent. */
export function useVerdicts(jobId: string, saved: readonly JobOutput[]) {
  const queue = verdictsOf(useQueryClient(), jobId);
  const { unsaved, isStuck } = useSyncExternalStore(queue.subscribe, queue.read);
  const [done, setDone] = useState<readonly Step[]>([]);
  const outputs = useMemo(
    () => (unsaved.size === 0 ? saved : saved.map((row) => withVerdict(row, unsaved))),
    [saved, unsaved],
  );

  function give(targets: readonly JobOutput[], verdict: Verdict | null, reason: string | null = null) {
    const step = targets.map((output) => ({
      before: reviewOf(output),
      after: { outputId: output.id, verdict, reason },
    }));
    queue.add(step.map(({ after }) => after));
    setDone([...done, step]);
  }

  /** Undoes the last step, except where someone else has decided since. Returns its first file's ID, or null. */
  function undo(): string | null {
    const step = done.at(-1);
    if (!step) return null;
    setDone(done.slice(0, -1));
    const byId = new Map(outputs.map((output) => [output.id, output]));
    const own = step.filter(({ after }) => {
      const output = byId.get(after.outputId);
      return output && output.verdict === after.verdict && output.reason === after.reason;
    });
    if (own.length > 0) queue.add(own.map(({ before }) => before));
    else showToast({ title: "Nothing to undo", description: "Someone else has changed this verdict." });
    return step[0]?.after.outputId ?? null;
  }
  return { outputs, unsavedCount: unsaved.size, isStuck, canUndo: done.length > 0, give, undo };
}

function reviewOf({ id, verdict, reason }: JobOutput): Review {
  return { outputId: id, verdict, reason };
}

function withVerdict(output: JobOutput, unsaved: ReadonlyMap<string, Review>): JobOutput {
  const review = unsaved.get(output.id);
  return review ? { ...output, verdict: review.verdict, reason: review.reason } : output;
}

// One verdict queue per job; it continues after the reviewer leaves the screen.

const RETRY_MS = 3_000;

const queues = new Map<string, VerdictQueue>();

function verdictsOf(client: QueryClient, jobId: string): VerdictQueue {
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
    onDropped(reviews, error) {
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
