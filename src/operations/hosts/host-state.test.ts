import { describe, expect, it } from "vitest";
import { afterFailure, type HostState, isDue, isOver } from "./host-state.ts";

const MINUTE_MS = 60_000;
const failure = { nowMs: 0, isProbe: false, retryAfterSeconds: null, random: 0.5 };

function failTimes(count: number, nowMs = 0): HostState {
  let state: HostState | null = null;
  for (let i = 0; i < count; i += 1) state = afterFailure(state, { ...failure, nowMs });
  return state!;
}

/** The end of the rest after the third failure. */
function restOf(random: number, retryAfterSeconds: number | null = null): number | null {
  return afterFailure(failTimes(2), { ...failure, random, retryAfterSeconds }).coolsUntilMs;
}

describe("a host that fails", () => {
  it("cools down after three failures in a row, not before", () => {
    expect([1, 2, 3].map((count) => failTimes(count).coolsUntilMs)).toEqual([null, null, 15_000]);
    expect(failTimes(3).coolingSinceMs).toBe(0);
  });

  it("does not rest for failures that are far apart", () => {
    const two = failTimes(2);
    const later = afterFailure(two, { ...failure, nowMs: 11 * MINUTE_MS });
    expect(later).toMatchObject({ failures: 1, coolsUntilMs: null });
    expect([isOver(two, 9 * MINUTE_MS), isOver(two, 11 * MINUTE_MS)]).toEqual([false, true]);
  });

  it("cools down longer after each failed try, up to five minutes, and immediately if it asks for a cooldown", () => {
    const waits: number[] = [];
    let state = failTimes(3);
    for (let i = 0; i < 7; i += 1) {
      const nowMs = state.coolsUntilMs!;
      state = afterFailure(state, { ...failure, nowMs, isProbe: true });
      waits.push((state.coolsUntilMs! - nowMs) / 1000);
    }
    expect(waits).toEqual([30, 60, 120, 240, 300, 300, 300]);
    expect(state).toMatchObject({ coolingSinceMs: 0, failures: 10 });
    expect(afterFailure(null, { ...failure, retryAfterSeconds: 120 }).coolsUntilMs).toBe(120_000);
    expect(afterFailure(null, { ...failure, retryAfterSeconds: 86_400 }).coolsUntilMs).toBe(60 * MINUTE_MS);
  });

  it("does not rest longer for requests that were sent before the rest", () => {
    const cooling = failTimes(3);
    expect(failTimes(20)).toEqual(cooling);
    expect(afterFailure(cooling, { ...failure, retryAfterSeconds: 100 }).coolsUntilMs).toBe(100_000);
  });

  it("cools down with a jitter of up to a fifth, and never shorter than it asked for", () => {
    expect([restOf(0), restOf(0.5), restOf(1)]).toEqual([12_000, 15_000, 18_000]);
    expect(restOf(0, 14)).toBe(14_000);
  });

  it("keeps its invariants for any order of failures", () => {
    for (let round = 0; round < 500; round += 1) {
      let state: HostState | null = null;
      let nowMs = 0;
      for (let step = 0; step < 30; step += 1) {
        nowMs += Math.random() * 4 * MINUTE_MS;
        const before: HostState | null = state;
        const isProbe = before !== null && isDue(before, nowMs) && Math.random() < 0.7;
        const next: HostState = afterFailure(before, { ...failure, nowMs, isProbe, random: Math.random() });
        const isCoolingDown = next.coolsUntilMs !== null;
        expect(isCoolingDown).toBe(next.coolingSinceMs !== null);
        expect(isCoolingDown || next.failures < 3).toBe(true);
        // A host cools down until it responds, at most six minutes between probes.
        expect(next.coolsUntilMs ?? 0).toBeGreaterThanOrEqual(before?.coolsUntilMs ?? 0);
        expect((next.coolsUntilMs ?? 0) - nowMs).toBeLessThanOrEqual(6 * MINUTE_MS);
        state = next;
      }
    }
  });
});

it("is due at the end of its cooldown, or if the clock was set back", () => {
  const state = { coolsUntilMs: 100 * MINUTE_MS };
  expect([99, 100, 101].map((minute) => isDue(state, minute * MINUTE_MS))).toEqual([false, true, true]);
  expect(isDue(state, 39 * MINUTE_MS)).toBe(true);
  expect(isDue({ coolsUntilMs: null }, 0)).toBe(false);
});
