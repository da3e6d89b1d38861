import type { ClipmillError } from "#contract/errors.ts";
import type { Failure } from "#contract/jobs/failures.ts";
import type { Wait } from "#operations/hosts/find-cooldown.ts";
import type { HostRecords } from "#operations/hosts/host-records.ts";
import type { Claimed } from "#queue/open-queue.ts";
import { currentSpan, inSpan } from "#ground/tracing/tracing.ts";
import { type Contact, createContact } from "#operations/hosts/contact-host.ts";
import { describeError, toFailure } from "#ground/describe-error.ts";
import { findWait } from "./hosts/own-wait.ts";
import { retryUntilWritten } from "#operations/attempts/retry-until-written.ts";
import type { WorkerContext } from "./worker-context.ts";

/** Every write must be idempotent: it is retried while the database is unavailable. */
type Attempt<Claim, Result> = {
  hosts: HostRecords;
  facts: Record<string, unknown>;
  noun: string;
  /** Limits `make`; unlimited if absent. */
  limit?: { ms: number; exceeded: ClipmillError };
  /** Returns null if the task has ended, waits, or belongs to a later attempt. */
  claim(): Promise<Claim | null>;
  waitingSince(claim: Claim): string | null;
  make(claim: Claim, tools: { signal: AbortSignal; contact: Contact }): Promise<Result>;
  complete(result: Result): Promise<object | void>;
  cancel(): Promise<unknown>;
  onError?(error: ClipmillError): void;
  /** Returns the task to the queue, or false if it has nothing left to wait for. */
  postpone(failure: Failure, wait: Wait | null): Promise<boolean>;
  fail(failure: Failure): Promise<unknown>;
};

/**
 * Rejects when the queue should retry the task: after a transient error with attempts left, or when the worker stops. A
 * task that has to wait is back in the queue by then, and its attempt does not count.
 */
export async function runAttempt<Claim, Result>(
  worker: Pick<WorkerContext, "log" | "ownWaits">,
  task: Pick<Claimed<unknown>, "attempt" | "isRetried" | "signal">,
  cancelSignal: AbortSignal,
  attempt: Attempt<Claim, Result>,
): Promise<void> {
  const write = <Written>(act: () => Promise<Written>): Promise<Written> => retryUntilWritten(task.signal, act);
  const claim = await write(() => attempt.claim());
  if (claim === null) return;
  const report = <Written>(act: () => Promise<Written>): Promise<Written> => inSpan("report", () => write(act));
  const log = worker.log.child({ ...attempt.facts, attempt: task.attempt });
  const deadline = attempt.limit && AbortSignal.timeout(attempt.limit.ms);
  const signal = AbortSignal.any([task.signal, cancelSignal, ...(deadline ? [deadline] : [])]);
  const contact = createContact(attempt.hosts, signal);
  try {
    const result = await attempt.make(claim, { signal, contact });
    const facts = await report(() => attempt.complete(result));
    log.info({ ...facts }, `${attempt.noun} completed`);
  } catch (error) {
    if (task.signal.aborted) throw error;
    if (cancelSignal.aborted) {
      currentSpan()?.fail("cancelled", false);
      await report(() => attempt.cancel());
      log.info(`${attempt.noun} canceled`);
      return;
    }
    const described = deadline?.aborted ? attempt.limit!.exceeded : describeError(error);
    const { code, step, facts } = described;
    const nowMs = await write(() => attempt.hosts.readNow());
    const wait = findWait(described, attempt.waitingSince(claim), nowMs, worker.ownWaits);
    // Only an internal error is a bug in Clipmill; others concern the video or its host.
    const level = wait ? "info" : code === "internal" ? "error" : "warn";
    log[level]({ err: error, code, step, facts }, `${attempt.noun} ${wait ? "postponed" : "failed"}`);
    attempt.onError?.(described);
    currentSpan()?.fail(code, wait === null);
    if (step !== null) currentSpan()?.addFacts({ error_step: step });
    const isOver = !wait && !(described.isRetryable && task.isRetried);
    if (!isOver && (await report(() => attempt.postpone(toFailure(described), wait)))) {
      if (wait) return;
      throw described;
    }
    await report(() => attempt.fail(toFailure(described)));
  }
}
