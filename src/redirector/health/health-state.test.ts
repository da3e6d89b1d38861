import { describe, expect, it } from "vitest";
import { type Check, newCheck, recordFailure, recordInternal, recordCheckSuccess } from "./health-state.ts";

const REASON = "It returned 503.";
const hostsOf = (count: number): Check[] =>
  Array.from({ length: count }, (_, i) => newCheck(`https://host-${i}.test/`));

/** A second apart. */
function fail(check: Check, all: Check[], times: number, fromMs: number): void {
  for (let i = 0; i < times; i += 1) recordFailure(check, REASON, all, fromMs + i * 1000);
}

function succeed(checks: Check[], nowMs: number): void {
  for (const check of checks) recordCheckSuccess(check, nowMs);
}

describe("a primary", () => {
  it("is down after three failures in a row, and up after two successes in a row", () => {
    const check = newCheck("https://one.test/");
    expect(check.state).toBe("unknown");
    recordCheckSuccess(check, 0);
    expect(check.state).toBe("up");
    fail(check, [check], 2, 1000);
    recordCheckSuccess(check, 3000);
    fail(check, [check], 2, 4000);
    expect(check.state).toBe("up");
    fail(check, [check], 1, 6000);
    expect(check).toMatchObject({ state: "down", reason: REASON, checkedAtMs: 6000 });
    recordCheckSuccess(check, 7000);
    fail(check, [check], 1, 8000);
    recordCheckSuccess(check, 9000);
    expect(check.state).toBe("down");
    recordCheckSuccess(check, 10_000);
    expect(check).toMatchObject({ state: "up", reason: null });
  });

  it("goes down only after other hosts have been checked since its first failure", () => {
    const [suspect, ...others] = hostsOf(4) as [Check, ...Check[]];
    const all = [suspect, ...others];
    succeed(all, 0);
    for (const other of others) other.dueAtMs = 60_000;
    fail(suspect, all, 3, 1000);
    expect(suspect.state).toBe("up");
    expect(others.map((other) => other.dueAtMs)).toEqual([3000, 3000, 3000]);
    succeed(others, 3500);
    fail(suspect, all, 1, 4000);
    expect(suspect.state).toBe("down");
  });

  it("keeps its state while most hosts fail, which points to our own network", () => {
    const all = hostsOf(5);
    succeed(all, 0);
    for (let round = 1; round <= 10; round += 1)
      for (const check of all) recordFailure(check, REASON, all, round * 1000);
    expect(all.map((check) => check.state)).toEqual(Array(5).fill("up"));
    // The network is back, but one host is really down.
    const [broken, ...healthy] = all as [Check, ...Check[]];
    succeed(healthy, 11_000);
    fail(broken, all, 1, 12_000);
    expect(broken.state).toBe("down");
  });

  it("goes down regardless of hosts that were already down", () => {
    const all = hostsOf(6);
    succeed(all, 0);
    for (const [i, check] of all.slice(0, 4).entries()) {
      const nowMs = (i + 1) * 10_000;
      fail(check, all, 3, nowMs);
      succeed(all.slice(i + 1), nowMs + 3000);
      fail(check, all, 1, nowMs + 4000);
    }
    expect(all.map((check) => check.state)).toEqual(["down", "down", "down", "down", "up", "up"]);
  });

  it("goes down with fewer than two other hosts to compare with", () => {
    const all = hostsOf(2);
    succeed(all, 0);
    for (const check of all) fail(check, all, 3, 1000);
    expect(all.map((check) => check.state)).toEqual(["down", "down"]);
  });

  it("counts each host once, regardless of its number of URLs", () => {
    const one = Array.from({ length: 9 }, (_, i) => newCheck(`https://one.test/${i}`));
    const others = hostsOf(2);
    const all = [...one, ...others];
    succeed(all, 0);
    for (const check of one) fail(check, all, 3, 1000);
    succeed(others, 4000);
    for (const check of one) fail(check, all, 1, 5000);
    expect(new Set(one.map((check) => check.state))).toEqual(new Set(["down"]));
  });

  it("is neither up nor down at an internal address", () => {
    const check = newCheck("http://10.0.0.1/");
    recordInternal(check, 1000);
    expect(check).toMatchObject({ state: "unknown", reason: "Internal addresses are not checked." });
  });
});
