import type { ClipmillError } from "#contract/errors.ts";
import type { VideoEnd } from "#operations/jobs/videos/end-video.ts";
import type { ClaimedTask } from "#queue/open-queue.ts";
import { HostCoolsDown, wasNotContacted } from "#operations/hosts/contact-host.ts";
import { toFailure } from "#ground/describe-error.ts";
import { type MadeOutputs, makeOutputs } from "./make-outputs.ts";
import { runAttempt } from "../run-attempt.ts";
import { makeScratch } from "../sources/scratch.ts";
import { AwaitsTranscript } from "../transcripts/awaits-transcript.ts";
import type { VideoWorker } from "../worker-context.ts";

/** Rejects and waits like runAttempt. */
export async function processVideo(worker: VideoWorker, task: ClaimedTask, cancelSignal: AbortSignal): Promise<void> {
  const { jobId, videoId, attempt } = task;
  const records = worker.openRecords(task);
  const end = async (how: VideoEnd): Promise<void> => {
    const hasEnded = await records.end(how);
    if (hasEnded) worker.figures?.videoEnded(how.status);
  };
  let made: MadeOutputs = { failures: new Map(), share: 1 };
  await runAttempt(worker, task, cancelSignal, {
    hosts: records,
    facts: { jobId, videoId },
    noun: "video",
    claim: () => records.claim(),
    waitingSince: ({ video }) => video.waiting_since,
    async make(claim, { signal, contact }) {
      worker.recentLinks?.add(claim.video.link);
      made = await makeInScratch(worker, { ...claim, attempt, records, signal, contact });
      const decisive = findDecisive(made.failures);
      if (decisive) throw decisive;
    },
    complete: () => end(made.share < 1 ? { status: "Sampled", share: made.share } : { status: "Completed" }),
    cancel: () => end({ status: "Cancelled" }),
    onError: (error) => {
      const hasFailed = !wasNotContacted(error) && !(error instanceof AwaitsTranscript);
      if (hasFailed) worker.figures?.attemptFailed(error.code);
    },
    postpone: (failure, wait) => records.postpone(failure, wait),
    async fail(failure) {
      // Failures with the same error are stored as one.
      const { failures } = made;
      const stored = new Map([...new Set(failures.values())].map((error) => [error, toFailure(error)]));
      const outputFailures = new Map([...failures].map(([id, error]) => [id, stored.get(error)!]));
      await end({ status: "Failed", failure, outputFailures });
    },
  });
}

/** Removes the scratch folder before the video's end is written, so that a cancel leaves nothing behind. */
async function makeInScratch(
  worker: VideoWorker,
  attempt: Omit<Parameters<typeof makeOutputs>[1], "folder" | "storedThumbnails">,
): Promise<MadeOutputs> {
  await using scratch = await makeScratch(worker.scratchRoot, attempt.video.id);
  return await makeOutputs(worker, { ...attempt, folder: scratch.folder, storedThumbnails: new Set() });
}

/** Prefers a cooling host, then a retryable error, then the first. */
function findDecisive(failures: MadeOutputs["failures"]): ClipmillError | undefined {
  const all = [...failures.values()];
  return all.find((one) => one instanceof HostCoolsDown) ?? all.find((one) => one.isRetryable) ?? all[0];
}
