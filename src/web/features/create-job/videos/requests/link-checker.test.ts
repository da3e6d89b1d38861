import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { PreflightVideo } from "#contract/sources/preflight.ts";
import { CallError } from "../../../../api/functions/call-error.ts";
import { createLinkChecker, type CheckerState } from "./link-checker.ts";
import { pendingVideo, readyVideo } from "../test-video.ts";

type Check = (links: readonly string[], signal: AbortSignal) => Promise<PreflightVideo[]>;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(check: Check) {
  const sent: string[][] = [];
  const states: CheckerState[] = [];
  const known = new Map<string, PreflightVideo>();
  const checker = createLinkChecker({
    check: (links, signal) => {
      sent.push([...links]);
      return check(links, signal);
    },
    isKnown: (link) => known.has(link),
    onResponse: (videos) => videos.forEach((video) => video.state !== "pending" && known.set(video.link, video)),
    onState: (state) => states.push(state),
  });
  return { checker, sent, states, known };
}

const ready: Check = async (links) => links.map((link) => readyVideo(link));

it("checks a link that has stood for half a second, and each link once", async () => {
  const { checker, sent, known } = start(ready);
  for (const typed of ["a", "ab", "abc"]) {
    checker.want([typed]);
    await vi.advanceTimersByTimeAsync(300);
  }
  await vi.advanceTimersByTimeAsync(500);
  checker.want(["abc", "d"]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent).toEqual([["abc"], ["d"]]);
  expect([...known.keys()]).toEqual(["abc", "d"]);
});

it("sends 100 links a call, two calls at a time", async () => {
  let open = 0;
  let most = 0;
  const { checker, sent } = start(async (links, signal) => {
    most = Math.max(most, (open += 1));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    open -= 1;
    return ready(links, signal);
  });
  checker.want(Array.from({ length: 250 }, (_, index) => `v${index}`));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent.map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(most).toBe(2);
});

it("asks again about pending links, less and less often, until they are gone", async () => {
  const { checker, sent } = start(async (links) =>
    links.map((link) => (link === "slow" ? pendingVideo(link) : readyVideo(link))),
  );
  checker.want(["slow", "quick"]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent.slice(0, 3)).toEqual([["slow", "quick"], ["slow"], ["slow"]]);
  expect(sent.length).toBeLessThan(8);
  checker.want(["quick"]);
  const before = sent.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(before);
});

it("aborts a call when all its links are gone, and when it stops", async () => {
  const signals: AbortSignal[] = [];
  const { checker } = start((_, signal) => {
    signals.push(signal);
    return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  });
  checker.want(["a", "b"]);
  await vi.advanceTimersByTimeAsync(500);
  checker.want(["b"]);
  expect(signals[0]!.aborted).toBe(false);
  checker.want(["c"]);
  expect(signals[0]!.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(500);
  checker.stop();
  expect(signals[1]!.aborted).toBe(true);
});

it("repeats a failed call twice, then waits to be asked", async () => {
  let isDown = true;
  const { checker, sent, states, known } = start(async (links, signal) => {
    if (isDown) throw new CallError(0, "unreachable");
    return ready(links, signal);
  });
  checker.want(["a"]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(3);
  expect(states).toEqual(["failed"]);
  isDown = false;
  checker.retry();
  await vi.advanceTimersByTimeAsync(100);
  expect(states).toEqual(["failed", "on"]);
  expect(known.has("a")).toBe(true);
});

it("stops at a client error at once, and for good at a server without the function", async () => {
  const rejected = start(async () => Promise.reject(new CallError(400, "no")));
  rejected.checker.want(["a"]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([rejected.sent.length, rejected.states]).toEqual([1, ["failed"]]);
  const older = start(async () => Promise.reject(new CallError(404, "no")));
  older.checker.want(["a"]);
  await vi.advanceTimersByTimeAsync(500);
  older.checker.want(["a", "b"]);
  older.checker.retry();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([older.sent.length, older.states]).toEqual([1, ["off"]]);
});

it("checks a link again on request", async () => {
  const { checker, sent } = start(ready);
  checker.want(["a"]);
  await vi.advanceTimersByTimeAsync(500);
  checker.recheck(["a"]);
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual([["a"], ["a"]]);
});
