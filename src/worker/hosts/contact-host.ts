import { ClipmillError, detailsOf } from "#contract/errors.ts";
import { describeRest, type HostName, isHostFault } from "#contract/sources/resting-hosts.ts";
import { readHostRecord, type Rest } from "#operations/hosts/find-rest.ts";
import { recordHostAnswer, releaseProbe, recordHostFailure } from "#operations/hosts/record-host-failure.ts";
import { retryUntilWritten } from "../fleet/retry-until-written.ts";
import type { WorkerContext } from "../worker-context.ts";

/** The video waits without using an attempt. */
export class HostRests extends ClipmillError {
  readonly host: HostName;

  constructor({ host, reason }: Rest, cause?: ClipmillError) {
    super(cause?.code ?? "unavailable", reason, { ...(cause && detailsOf(cause)), facts: { host, ...cause?.facts } });
    this.name = "HostRests";
    this.host = host;
  }
}

export function isRefusedContact(fault: ClipmillError): boolean {
  return fault instanceof HostRests && fault.cause === undefined;
}

/**
 * Runs `act`. Throws HostRests if the host rests before or after that, otherwise what `act` throws. `act` calls
 * `onAnswer` at the first response, because the transfer may then take hours. Without that call or an error, nothing is
 * recorded.
 */
export type Contact = <Result>(host: HostName, act: (onAnswer: () => void) => Promise<Result>) => Promise<Result>;

/** Ignores rests, for requests that an operator is waiting for. */
export const contactUnconditionally: Contact = (_host, act) => act(() => {});

/**
 * Calls a resting host only as its probe. While the database is unreachable or full, retries its writes until `signal`
 * aborts.
 */
export function createContact(
  { context, readNow }: Pick<WorkerContext, "context" | "readNow">,
  { taskId, signal }: { taskId: string; signal: AbortSignal },
): Contact {
  const write = <Result>(act: () => Promise<Result>): Promise<Result> => retryUntilWritten(signal, act);

  const noteFault = async (host: HostName, error: unknown): Promise<void> => {
    if (!(error instanceof ClipmillError) || signal.aborted || error.code === "cancelled") return;
    // A refusal is a response: the host works.
    if (!isHostFault(host, error.code)) return write(() => recordHostAnswer(context, host, taskId));
    const { retryAfterSeconds } = error;
    const failure = { host, taskId, reason: describeRest(host, error), retryAfterSeconds };
    const nowMs = await write(readNow);
    const rest = await write(() => recordHostFailure(context, failure, nowMs));
    if (rest) throw new HostRests(rest, error);
  };

  return async (host, act) => {
    const { rest, hasFailed } = await write(() => readHostRecord(context, host, taskId));
    if (rest) throw new HostRests(rest);
    let answered: Promise<void> | null = null;
    try {
      const result = await act(() => {
        // Nothing to reset. Saves statements, because each output contacts the storage.
        if (!hasFailed) return;
        answered ??= write(() => recordHostAnswer(context, host, taskId));
        // Awaited below; may reject earlier.
        answered.catch(() => {});
      });
      if (hasFailed) await (answered ?? write(() => releaseProbe(context, host, taskId)));
      return result;
    } catch (error) {
      await noteFault(host, error);
      throw error;
    }
  };
}
