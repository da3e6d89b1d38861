import { expect, it } from "vitest";
import { holdClaims } from "./hold-claims.ts";

const ATTEMPT = { queue: "videos", id: "a video", retryCount: 0 };
/** After this another worker may start. */
const LEASE_MS = 10_000;

function untilAborted(signal: AbortSignal): Promise<number> {
  const beganMs = performance.now();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(performance.now() - beganMs)));
}

it.concurrent.each([
  ["fail", () => Promise.reject(new Error("no connection"))],
  ["are swallowed", () => new Promise<never>(() => {})],
])(
  "gives a claim up well before it ends when its heartbeats %s, but not at the first one",
  async (_, beat) => {
    const claims = holdClaims(beat, { canBeTakenOver: true });
    const claim = claims.hold(ATTEMPT);
    const tookMs = await untilAborted(claim.signal);
    expect(claim.isGivenUp()).toBe(true);
    expect(tookMs).toBeGreaterThan(LEASE_MS / 2 - 100);
    expect(tookMs).toBeLessThan(LEASE_MS - 2_000);
    claims.stop();
  },
  20_000,
);

it.concurrent("keeps a claim while heartbeats fail briefly", async ({ expect }) => {
  let beats = 0;
  const beat = async () => {
    beats += 1;
    if (beats > 1 && beats < 5) throw new Error("no connection");
    return [ATTEMPT];
  };
  const claims = holdClaims(beat, { canBeTakenOver: true });
  const { signal } = claims.hold(ATTEMPT);
  await expect.poll(() => beats, { timeout: 15_000 }).toBe(8);
  expect(signal.aborted).toBe(false);
  claims.stop();
}, 20_000);

it.concurrent.for([
  ["another task's", { ...ATTEMPT, id: "another video" }],
  ["a later one's of the same task", { ...ATTEMPT, retryCount: 1 }],
] as const)("aborts a claim taken over by another worker, and keeps %s", async ([, attempt], { expect }) => {
  const claims = holdClaims(async () => [attempt], { canBeTakenOver: false });
  const lost = claims.hold(ATTEMPT);
  const kept = claims.hold(attempt);
  await expect.poll(() => lost.signal.aborted).toBe(true);
  expect(lost.isGivenUp()).toBe(false);
  expect(kept.signal.aborted).toBe(false);
  claims.stop();
});

it.concurrent("keeps claims that no other worker can take over, even if heartbeats fail", async ({ expect }) => {
  let beats = 0;
  const beat = () => {
    beats += 1;
    return Promise.reject(new Error("the database is busy"));
  };
  const claims = holdClaims(beat, { canBeTakenOver: false });
  const { signal } = claims.hold(ATTEMPT);
  await expect.poll(() => beats, { timeout: 15_000 }).toBe(9);
  expect(signal.aborted).toBe(false);
  claims.stop();
}, 20_000);
