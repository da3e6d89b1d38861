/** Checks a form's links on the server until all have results. Independent of React. */
import type { PreflightVideo } from "#contract/sources/preflight.ts";
import { CallError } from "../../../../api/functions/call-error.ts";

/** Links that change sooner are still being typed. */
const SETTLED_MS = 500;
/** Delays between polls of a pending link; the last repeats. */
const POLLS_MS = [500, 1_000, 1_500, 2_000, 3_000];
/** Delays between retries of a failed call. After the last, the operator must retry. */
const RETRIES_MS = [1_000, 4_000];
/** Links due within this time share a call. */
const TOGETHER_MS = 50;
/** The server's limit. */
const LINKS_A_CALL = 100;
/** Maximum in flight. */
const CALLS = 2;

/** "off": an older server without this function. */
export type CheckerState = "on" | "failed" | "off";

export type LinkChecker = {
  /** Links already waiting keep their turn; aborts calls whose links were all removed. */
  want(links: readonly string[]): void;
  recheck(links: readonly string[]): void;
  retry(): void;
  stop(): void;
};

type Waiting = { dueMs: number; polls: number; call: AbortController | null };

export function createLinkChecker({
  check,
  isKnown,
  onResponse,
  onState,
}: {
  check: (links: readonly string[], signal: AbortSignal) => Promise<readonly PreflightVideo[]>;
  /** True for links with an earlier result. */
  isKnown: (link: string) => boolean;
  onResponse: (videos: readonly PreflightVideo[]) => void;
  onState: (state: CheckerState) => void;
}): LinkChecker {
  const waiting = new Map<string, Waiting>();
  const calls = new Set<AbortController>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let state: CheckerState = "on";

  function show(next: CheckerState): void {
    if (state === next) return;
    state = next;
    onState(next);
  }
  function schedule(): void {
    clearTimeout(timer);
    const due = [...waiting.values()].filter(({ call }) => !call).map(({ dueMs }) => dueMs);
    if (state !== "on" || calls.size >= CALLS || due.length === 0) return;
    const soonest = due.reduce((least, dueMs) => Math.min(least, dueMs));
    timer = setTimeout(sendDue, Math.max(0, soonest - Date.now()));
  }
  function sendDue(): void {
    const soon = Date.now() + TOGETHER_MS;
    const due = [...waiting].filter(([, { call, dueMs }]) => !call && dueMs <= soon).map(([link]) => link);
    for (let start = 0; start < due.length && calls.size < CALLS; start += LINKS_A_CALL) {
      void send(due.slice(start, start + LINKS_A_CALL));
    }
    schedule();
  }
  async function send(links: readonly string[]): Promise<void> {
    const call = new AbortController();
    calls.add(call);
    for (const link of links) waiting.get(link)!.call = call;
    try {
      const videos = await check(links, call.signal);
      if (!call.signal.aborted) take(links, call, videos);
    } catch (error) {
      if (!call.signal.aborted) fail(links, call, error);
    } finally {
      calls.delete(call);
      schedule();
    }
  }
  function take(links: readonly string[], call: AbortController, videos: readonly PreflightVideo[]): void {
    failures = 0;
    show("on");
    const ended = new Set(videos.filter((video) => video.state !== "pending").map(({ link }) => link));
    for (const link of ofCall(links, call)) {
      const item = waiting.get(link)!;
      if (ended.has(link)) waiting.delete(link);
      else {
        const pause = POLLS_MS[Math.min(item.polls, POLLS_MS.length - 1)]!;
        waiting.set(link, { dueMs: Date.now() + pause, polls: item.polls + 1, call: null });
      }
    }
    onResponse(videos);
  }
  function fail(links: readonly string[], call: AbortController, error: unknown): void {
    const pause = isTransient(error) ? RETRIES_MS[failures] : undefined;
    failures += 1;
    for (const link of ofCall(links, call)) {
      waiting.set(link, { ...waiting.get(link)!, dueMs: Date.now() + (pause ?? 0), call: null });
    }
    if (error instanceof CallError && error.status === 404) show("off");
    else if (pause === undefined) show("failed");
  }
  /** Excludes links that wait for a later call. */
  function ofCall(links: readonly string[], call: AbortController): string[] {
    return links.filter((link) => waiting.get(link)?.call === call);
  }
  function wait(links: readonly string[], pauseMs: number): void {
    const dueMs = Date.now() + pauseMs;
    for (const link of links) waiting.set(link, { dueMs, polls: 0, call: null });
    if (links.length === 0 || state === "off") return;
    failures = 0;
    show("on");
  }
  return {
    want(links) {
      const wanted = new Set(links);
      for (const link of waiting.keys()) if (!wanted.has(link)) waiting.delete(link);
      const needed = new Set([...waiting.values()].map(({ call }) => call));
      for (const call of calls) if (!needed.has(call)) call.abort();
      const added = [...wanted].filter((link) => !waiting.has(link) && !isKnown(link));
      wait(added, SETTLED_MS);
      schedule();
    },
    recheck(links) {
      wait(links, 0);
      schedule();
    },
    retry() {
      failures = 0;
      if (state === "failed") show("on");
      schedule();
    },
    stop() {
      clearTimeout(timer);
      for (const call of calls) call.abort();
      waiting.clear();
    },
  };
}

function isTransient(error: unknown): boolean {
  return !(error instanceof CallError) || error.status === 0 || error.status === 429 || error.status >= 500;
}
