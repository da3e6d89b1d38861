/** Keeps the claims of running tasks alive in the database, and gives them up in time when that cannot be done. */
import { answersInTime } from "#database/answers-in-time.ts";

const BEAT_MS = 1_000;
/** A beat that takes longer counts as failed. */
const LONGEST_BEAT_MS = 2_000;
/**
 * A claim whose beats failed for so long is given up. What works on it has to be dead before somebody else may begin, 10 s
 * after the last beat that arrived; the rest is for the beat under way and for the killing.
 */
const GIVEN_UP_AFTER_MS = 5_000;

/** One attempt at one task, as pg-boss tells it from others. */
export type Attempt = { queue: string; id: string; retryCount: number };

type Claim = {
  /** Aborts when the claim is lost, or might soon be. */
  signal: AbortSignal;
  /** True when it was given up here, because it could not be kept. */
  isGivenUp(): boolean;
  release(): void;
};

type Held = { attempt: Attempt; heldMs: number; isGivenUp: boolean; controller: AbortController };

export type HeldClaims = {
  /** Begins to keep the claim of an attempt that was handed out just now. */
  hold(attempt: Attempt): Claim;
  stop(): void;
};

/**
 * `beat` refreshes the claims of these attempts at once, and answers those that still are the claimed ones. What
 * nobody else can take over is not given up. Times are those of a clock that nobody sets.
 */
export function holdClaims(
  beat: (attempts: Attempt[]) => Promise<Attempt[]>,
  { canBeTakenOver }: { canBeTakenOver: boolean },
): HeldClaims {
  const held = new Set<Held>();
  let timer: NodeJS.Timeout | undefined;
  let isBeating = false;

  const beatOnce = async (): Promise<void> => {
    const beaten = [...held];
    const sentMs = performance.now();
    const kept = await beatWithin(beaten.map((claim) => claim.attempt));
    for (const claim of beaten) {
      if (kept?.some((attempt) => isSame(attempt, claim.attempt))) claim.heldMs = sentMs;
      else if (kept) claim.controller.abort(new Error("This claim has been lost."));
      else if (canBeTakenOver && performance.now() - claim.heldMs >= GIVEN_UP_AFTER_MS) {
        claim.isGivenUp = true;
        claim.controller.abort(new Error("This claim could not be kept."));
      }
      if (claim.controller.signal.aborted) held.delete(claim);
    }
  };
  /** Null when the beat fails. */
  const beatWithin = async (attempts: Attempt[]): Promise<Attempt[] | null> => {
    const answer = beat(attempts).catch(() => null);
    return (await answersInTime(answer, LONGEST_BEAT_MS)) ? answer : null;
  };
  const beatOn = async (): Promise<void> => {
    if (isBeating) return;
    isBeating = true;
    clearTimeout(timer);
    await beatOnce();
    isBeating = false;
    if (held.size > 0) timer = setTimeout(() => void beatOn(), BEAT_MS);
  };

  return {
    hold(attempt) {
      const claim: Held = { attempt, heldMs: performance.now(), isGivenUp: false, controller: new AbortController() };
      held.add(claim);
      // At once: how long the claim was on its way here is not known.
      void beatOn();
      return {
        signal: claim.controller.signal,
        isGivenUp: () => claim.isGivenUp,
        release: () => void held.delete(claim),
      };
    },
    stop() {
      held.clear();
      clearTimeout(timer);
    },
  };
}

/** A process may work on a task while it still holds an earlier claim of it, which is lost. */
function isSame(a: Attempt, b: Attempt): boolean {
  return a.id === b.id && a.retryCount === b.retryCount;
}
