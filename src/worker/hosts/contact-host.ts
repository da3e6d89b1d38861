import { ClipmillError, detailsOf } from "#contract/errors.ts";
import { describeCooldown, type HostName, isHostFailure } from "#contract/sources/cooldowns.ts";
import { readHostRecord, type Cooldown } from "#operations/hosts/find-cooldown.ts";
import { recordHostResponse, releaseProbe, recordHostFailure } from "#operations/hosts/record-host-failure.ts";
import { retryUntilWritten } from "../fleet/retry-until-written.ts";
import type { WorkerContext } from "../worker-context.ts";

/** The video waits without using an attempt. */
export class HostCoolsDown extends ClipmillError {
  readonly host: HostName;

  constructor({ host, reason }: Cooldown, cause?: ClipmillError) {
    super(cause?.code ?? "unavailable", reason, { ...(cause && detailsOf(cause)), facts: { host, ...cause?.facts } });
    this.name = "HostCoolsDown";
    this.host = host;
  }
}

export function wasNotContacted(error: ClipmillError): boolean {
  return error instanceof HostCoolsDown && error.cause === undefined;
}

/**
 * Runs `act`. Throws HostCoolsDown if the host cools down before or after that, otherwise what `act` throws. `act` calls
 * `onResponse` at the first response, because the transfer may then take hours. Without that call or an error, nothing
 * is recorded.
 */
export type Contact = <Result>(host: HostName, act: (onResponse: () => void) => Promise<Result>) => Promise<Result>;

/** Ignores cooldowns, for requests that an operator is waiting for. */
export const contactUnconditionally: Contact = (_host, act) => act(() => {});

/**
 * Calls a cooling host only as its probe. While the database is unreachable or full, retries its writes until `signal`
 * aborts.
 */
export function createContact(
  { context, readNow }: Pick<WorkerContext, "context" | "readNow">,
  { taskId, signal }: { taskId: string; signal: AbortSignal },
): Contact {
  const write = <Result>(act: () => Promise<Result>): Promise<Result> => retryUntilWritten(signal, act);

  const recordError = async (host: HostName, error: unknown): Promise<void> => {
    if (!(error instanceof ClipmillError) || signal.aborted || error.code === "cancelled") return;
    // A rejection is a response: the host works.
    if (!isHostFailure(host, error.code)) return write(() => recordHostResponse(context, host, taskId));
    const { retryAfterSeconds } = error;
    const failure = { host, taskId, reason: describeCooldown(host, error), retryAfterSeconds };
    const nowMs = await write(readNow);
    const cooldown = await write(() => recordHostFailure(context, failure, nowMs));
    if (cooldown) throw new HostCoolsDown(cooldown, error);
  };

  return async (host, act) => {
    const { cooldown, hasFailed } = await write(() => readHostRecord(context, host, taskId));
    if (cooldown) throw new HostCoolsDown(cooldown);
    let responded: Promise<void> | null = null;
    try {
      const result = await act(() => {
        // Nothing to reset. Saves statements, because each output contacts the storage.
        if (!hasFailed) return;
        responded ??= write(() => recordHostResponse(context, host, taskId));
        // Awaited below; may reject earlier.
        responded.catch(() => {});
      });
      if (hasFailed) await (responded ?? write(() => releaseProbe(context, host, taskId)));
      return result;
    } catch (error) {
      await recordError(host, error);
      throw error;
    }
  };
}
