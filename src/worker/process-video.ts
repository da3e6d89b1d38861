import type { ClipmillError } from "#contract/errors.ts";
import { claimVideo } from "#operations/jobs/claim-video.ts";
import { endVideo, type VideoEnd } from "#operations/jobs/end-video.ts";
import { postponeVideo } from "#operations/jobs/postpone-video.ts";
import type { ClaimedTask } from "#queue/open-queue.ts";
import { createContact, HostRests, isRefusedContact } from "./contact-host.ts";
import { describeError, toFailure } from "./describe-error.ts";
import { makeOutputs, type OutputFailures } from "./make-outputs.ts";
import { findWait } from "./own-wait.ts";
import { makeScratch } from "./scratch.ts";
import { untilWritten } from "./until-written.ts";
import type { WorkerContext } from "./worker-context.ts";

/**
 * The life of one attempt at one video, from claim to report. Rejects when the queue should try the video again:
 * a fault that may pass with attempts left, or a worker that is stopping. A video that waits for something is back in the
 * queue by then, without an attempt being counted.
 */
export async function processVideo(worker: WorkerContext, task: ClaimedTask, cancelSignal: AbortSignal): Promise<void> {
  const claim = await untilWritten(task.signal, () => claimVideo(worker.context, task, task.attempt));
  if (!claim) return;
  const log = worker.log.child({ jobId: task.jobId, videoId: task.videoId, attempt: task.attempt });
  const speaker = { jobId: task.jobId, videoId: task.videoId, attempt: task.attempt };
  const signal = AbortSignal.any([task.signal, cancelSignal]);
  const end = async (how: VideoEnd): Promise<void> => {
    const hasEnded = await untilWritten(task.signal, () => endVideo(worker.context, speaker, how));
    if (hasEnded) worker.figures?.videoEnded(how.status);
  };
  const contact = createContact(worker, { taskId: task.videoId, signal });
  let failures: OutputFailures = new Map();
  try {
    failures = await makeInScratch(worker, { ...claim, attempt: task.attempt, signal, contact });
    const decisive = findDecisive(failures);
    if (decisive) throw decisive;
    await end({ status: "Completed" });
    log.info("video completed");
  } catch (error) {
    if (task.signal.aborted) throw error;
    if (cancelSignal.aborted) {
      await end({ status: "Cancelled" });
      log.info("video cancelled");
      return;
    }
    const fault = describeError(error);
    const nowMs = await untilWritten(task.signal, worker.readNow);
    const wait = findWait(fault, claim.video.waiting_since, nowMs, worker.ownWaits);
    const { code, step, facts } = fault;
    // A fault of ours is an error of the program, with its stack; any other is a finding about the video or its host.
    const level = wait ? "info" : code === "internal" ? "error" : "warn";
    log[level]({ err: error, code, step, facts }, wait ? "video waits" : "video failed");
    if (!isRefusedContact(fault)) worker.figures?.attemptFailed(fault.code);
    const postpone = () => postponeVideo(worker.context, task, toFailure(fault), wait);
    if ((wait || (fault.mayPass && task.isRetried)) && (await untilWritten(task.signal, postpone))) {
      if (wait) return;
      throw fault;
    }
    const asStored = new Map([...new Set(failures.values())].map((one) => [one, toFailure(one)]));
    const outputFailures = new Map([...failures].map(([id, one]) => [id, asStored.get(one)!]));
    await end({ status: "Failed", failure: toFailure(fault), outputFailures });
  }
}

/** The scratch folder is gone before the video's end is told: after a cancel nothing is left to clean up. */
async function makeInScratch(
  worker: WorkerContext,
  attempt: Omit<Parameters<typeof makeOutputs>[1], "folder">,
): Promise<OutputFailures> {
  await using scratch = await makeScratch(worker.scratchRoot, attempt.video.id);
  return await makeOutputs(worker, { ...attempt, folder: scratch.folder });
}

/** Returns the failure that decides about another attempt: one that waits for a host, one that may pass, or the first. */
function findDecisive(failures: OutputFailures): ClipmillError | undefined {
  const all = [...failures.values()];
  return all.find((one) => one instanceof HostRests) ?? all.find((one) => one.mayPass) ?? all[0];
}
