import { ClipmillError, detailsOf } from "#contract/errors.ts";
import { describeCooldown, type HostName, isHostFailure } from "#contract/sources/cooldowns.ts";
import type { Cooldown } from "./find-cooldown.ts";
import type { HostRecords } from "./host-records.ts";
import { retryUntilWritten } from "../attempts/retry-until-written.ts";

/** The video waits without using an attempt. */
export class HostCoolsDown extends ClipmillError {
  readonly host: HostName;

  constructor({ host, reason }: Cooldown, cause?: ClipmillError) {
    super(cause?.code ?? "unavailable", reason, { ...(cause && detailsOf(cause)), facts: { host, ...cause?.facts } });
    this.name = "HostCoolsDown";
    this.host = host;
  }
}

/** The server through which a worker reaches a host did not respond. Says nothing about the host. */
export class ServerUnreachable extends ClipmillError {
  constructor(message: string, options?: ConstructorParameters<typeof ClipmillError>[2]) {
    super("unavailable", message, options);
    this.name = "ServerUnreachable";
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
export function createContact(records: HostRecords, signal: AbortSignal): Contact {
  const write = <Result>(act: () => Promise<Result>): Promise<Result> => retryUntilWritten(signal, act);

  const recordError = async (host: HostName, error: unknown): Promise<void> => {
    if (!(error instanceof ClipmillError) || signal.aborted || error.code === "cancelled") return;
    if (error instanceof ServerUnreachable) return;
    // A rejection is a response: the host works.
    if (!isHostFailure(host, error.code)) return write(() => records.recordHostResponse(host));
    const { retryAfterSeconds } = error;
    const failure = { host, reason: describeCooldown(host, error), retryAfterSeconds };
    const cooldown = await write(() => records.recordHostFailure(failure));
    if (cooldown) throw new HostCoolsDown(cooldown, error);
  };

  return async (host, act) => {
    const { cooldown, hasFailed } = await write(() => records.readHost(host));
    if (cooldown) throw new HostCoolsDown(cooldown);
    let responded: Promise<void> | null = null;
    try {
      const result = await act(() => {
        // Nothing to reset. Saves statements, because each output contacts the storage.
        if (!hasFailed) return;
        responded ??= write(() => records.recordHostResponse(host));
        // Awaited below; may reject earlier.
        responded.catch(() => {});
      });
      if (hasFailed) await (responded ?? write(() => records.releaseProbe(host)));
      return result;
    } catch (error) {
      await recordError(host, error);
      throw error;
    }
  };
}
