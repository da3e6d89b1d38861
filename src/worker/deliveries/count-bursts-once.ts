import type { HostName } from "#contract/sources/cooldowns.ts";
import type { Contact } from "#operations/hosts/contact-host.ts";

/** Files in flight share a connection and fail together within this time. */
const BURST_MS = 1_000;

class Counted extends Error {
  readonly original: unknown;

  constructor(original: unknown) {
    super("This failure has been counted.");
    this.original = original;
  }
}

/**
 * Counts simultaneous failures of `ofHost` as one, so that one broken connection with several transfers does not pause
 * the host.
 */
export function countBurstsOnce(contact: Contact, ofHost: HostName): Contact {
  let countedMs = -Infinity;
  return async (host, act) => {
    if (host !== ofHost) return await contact(host, act);
    try {
      return await contact(host, async (onResponse) => {
        try {
          return await act(onResponse);
        } catch (error) {
          const nowMs = performance.now();
          if (nowMs - countedMs < BURST_MS) throw new Counted(error);
          countedMs = nowMs;
          throw error;
        }
      });
    } catch (error) {
      throw error instanceof Counted ? error.original : error;
    }
  };
}
