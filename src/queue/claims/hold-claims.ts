import { respondsWithin } from "#database/server/responds-within.ts";
import { repeat } from "#ground/repeat.ts";
import type { ClaimRef } from "../task-table.ts";

const BEAT_MS = 1_000;
/** A slower heartbeat counts as failed. */
const MAX_BEAT_MS = 2_000;
/**
 * A claim's work must be dead 10 s after its last successful heartbeat, when another worker may start; the rest is for
 * the heartbeat in flight and the kill. Below 5 s, when the second of two heartbeats without a response times out:
 * timers fire a little early, and a third would take until 8 s.
 */
const GIVEN_UP_AFTER_MS = 4_950;

type Claim = {
  /** Aborts when the claim is lost or might soon be. */
  signal: AbortSignal;
  /** True if the lease could not be renewed. */
  isGivenUp(): boolean;
  release(): void;
};

type Held = { ref: ClaimRef; heldMs: number; isGivenUp: boolean; controller: AbortController };

export type HeldClaims = {
  hold(ref: ClaimRef): Claim;
  /** Aborts the task's claim, which is then undone. */
  handBack(taskId: string): void;
  stop(): void;
};

/**
 * `renew` renews leases together and returns the claims that still have their task. Claims that no other worker can
 * take over are never given up. Uses a monotonic clock.
 */
export function holdClaims(
  renew: (claims: ClaimRef[]) => Promise<ClaimRef[]>,
  { canBeTakenOver }: { canBeTakenOver: boolean },
): HeldClaims {
  const held = new Set<Held>();

  const beatOnce = async (): Promise<number> => {
    const beaten = [...held];
    const sentMs = performance.now();
    const kept = await renewInTime(beaten.map((claim) => claim.ref));
    for (const claim of beaten) {
      if (kept?.some((ref) => isSame(ref, claim.ref))) claim.heldMs = sentMs;
      else if (kept) claim.controller.abort(new DOMException("This claim has been lost.", "AbortError"));
      else if (canBeTakenOver && performance.now() - claim.heldMs >= GIVEN_UP_AFTER_MS) {
        claim.isGivenUp = true;
        claim.controller.abort(new DOMException("This claim could not be renewed.", "AbortError"));
      }
      if (claim.controller.signal.aborted) held.delete(claim);
    }
    return held.size > 0 ? BEAT_MS : Infinity;
  };
  const renewInTime = async (claims: ClaimRef[]): Promise<ClaimRef[] | null> => {
    const response = renew(claims).catch(() => null);
    return (await respondsWithin(response, MAX_BEAT_MS)) ? response : null;
  };
  const beating = repeat(beatOnce, {
    everyMs: BEAT_MS,
    firstMs: Infinity,
    // A failed heartbeat is a missed one.
    onError: () => {},
  });

  return {
    hold(ref) {
      const claim: Held = { ref, heldMs: performance.now(), isGivenUp: false, controller: new AbortController() };
      held.add(claim);
      // Immediately: the claim's age is unknown.
      beating.notify();
      return {
        signal: claim.controller.signal,
        isGivenUp: () => claim.isGivenUp,
        release: () => void held.delete(claim),
      };
    },
    handBack(taskId) {
      for (const claim of held) {
        if (claim.ref.id === taskId)
          claim.controller.abort(new DOMException("This task is handed back.", "AbortError"));
      }
    },
    stop() {
      held.clear();
      void beating.stop();
    },
  };
}

/** A process may hold a lost and a later claim of one task. */
function isSame(a: ClaimRef, b: ClaimRef): boolean {
  return a.id === b.id && a.retryCount === b.retryCount;
}
