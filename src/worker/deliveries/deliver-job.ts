import { claimDelivery, failDelivery, postponeDelivery } from "#operations/deliveries/claim-delivery.ts";
import type { ClaimedDeliveryTask } from "#queue/open-queue.ts";
import { OWN_WAITS } from "../hosts/own-wait.ts";
import { runAttempt } from "../run-attempt.ts";
import type { WorkerContext } from "../worker-context.ts";
import { deliverFiles } from "./deliver-files.ts";

/** Rejects like runAttempt. */
export async function deliverJob(
  worker: WorkerContext,
  task: ClaimedDeliveryTask,
  cancelSignal: AbortSignal,
): Promise<void> {
  const { context } = worker;
  const { deliveryId, jobId, attempt } = task;
  const attemptRef = { taskId: deliveryId, attempt };
  // A destination with a limit rests, and a full one ends the delivery: this worker's own disk remains.
  const ownWaits = { no_space: worker.ownWaits?.no_space ?? OWN_WAITS.no_space };
  await runAttempt({ ...worker, ownWaits }, task, cancelSignal, {
    taskId: deliveryId,
    facts: { jobId, deliveryId },
    noun: "delivery",
    claim: () => claimDelivery(context, task, attempt),
    waitingSince: ({ delivery }) => delivery.waiting_since,
    make: (claim, { signal, contact }) => deliverFiles(worker, claim, { attempt, signal, cancelSignal, contact }),
    complete: async (end) => {
      if ("reason" in end) await failDelivery(context, attemptRef, end.reason);
      return end;
    },
    // The cancel has already ended the delivery.
    cancel: async () => {},
    postpone: (failure, wait) => postponeDelivery(context, { ...task, taskId: deliveryId }, failure, wait),
    fail: ({ message }) => failDelivery(context, attemptRef, message),
  });
}
