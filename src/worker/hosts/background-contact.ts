import { ClipmillError } from "#contract/errors.ts";
import { type HostName, isHostFailure } from "#contract/sources/cooldowns.ts";
import { findCooldown } from "#operations/hosts/find-cooldown.ts";
import type { Context } from "#operations/context.ts";
import { type Contact, HostCoolsDown } from "#operations/hosts/contact-host.ts";

/** After an error, unless the host requests longer. */
const QUIET_SECONDS = 15;
const MAX_QUIET_SECONDS = 60 * 60;

const QUIET = "The host reported an error a moment ago.";

/**
 * For prefetches: calls no cooling host, not even as its probe, and skips a host for a while after its error. Records
 * nothing, because the claimed video would count the same error again.
 */
export function createBackgroundContact(context: Pick<Context, "db">): Contact {
  const quietUntilMs = new Map<HostName, number>();
  return async (host, act) => {
    const cooldown = await findCooldown(context.db, [host], null);
    if (cooldown) throw new HostCoolsDown(cooldown);
    if (performance.now() < (quietUntilMs.get(host) ?? 0)) throw new HostCoolsDown({ host, reason: QUIET });
    try {
      return await act(() => {});
    } catch (error) {
      if (error instanceof ClipmillError && isHostFailure(host, error.code)) {
        const seconds = Math.min(Math.max(error.retryAfterSeconds ?? 0, QUIET_SECONDS), MAX_QUIET_SECONDS);
        for (const [other, untilMs] of quietUntilMs) if (untilMs < performance.now()) quietUntilMs.delete(other);
        quietUntilMs.set(host, performance.now() + seconds * 1_000);
      }
      throw error;
    }
  };
}
