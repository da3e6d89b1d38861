import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState, useSyncExternalStore } from "react";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import type { Review, Verdict } from "#contract/jobs/outputs/review.ts";
import { showToast } from "../../../ui/toasts/toast-list.ts";
import { verdictsOf } from "./job-verdicts.ts";

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
