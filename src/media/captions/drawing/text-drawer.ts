/** Draws captions and watermarks in a separate thread: a hostile one takes long to lay out and would block the server. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { ClipmillError } from "#contract/errors.ts";
import { DISK_FULL_CODES } from "#ground/disk-space.ts";
import type { CaptionLook } from "../layout/caption-look.ts";
import type { DrawnText } from "./draw-text.ts";
import type { TooLong } from "../layout/find-too-long.ts";
import type { Answer, CaptionsToCheck, TextToDraw } from "./draw-text-thread.ts";

/** A hundred times the worst caption on an 8K picture; beyond this, the thread hangs. */
const LONGEST_DRAWING_MS = 60_000;

/** Drawings in between wait no longer than for these. */
const CHECKED_AT_ONCE = 100;

export type TextDrawer = {
  /**
   * Draws a text to a PNG at its path, in request order. Resolves without a drawing if nothing in it can be drawn. An
   * aborted drawing rejects once the thread no longer writes to its path. Throws ClipmillError "cancelled", "no_space" or
   * "render_failed", with the code of a system error and the length of the text in its facts, and what the drawing code throws.
   */
  draw(request: TextToDraw, signal: AbortSignal): Promise<DrawnText>;
  /** Finds the captions that do not fit on an upright video; null when all do. Throws as `draw` does. */
  findTooLong(captions: readonly string[], look: CaptionLook, signal: AbortSignal): Promise<TooLong | null>;
} & AsyncDisposable;

/** Opens a drawer for a whole process. Its thread starts with the first drawing, and again after a crash. */
export function openTextDrawer(threadFile = new URL("./draw-text-thread.ts", import.meta.url)): TextDrawer {
  let thread: Worker | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  const startThread = (): Worker => {
    const started = new Worker(threadFile, { name: "texts" });
    // A crash is reported to the drawing in progress; without one, the next starts another thread.
    started.on("error", () => {});
    started.on("exit", () => thread === started && (thread = null));
    return started;
  };

  /** Ends a thread that hangs, without making the next drawing wait for it. */
  const giveUp = (hung: Worker): void => {
    if (thread === hung) thread = null;
    void hung.terminate();
  };

  const askNow = async <Result>(request: TextToDraw | CaptionsToCheck): Promise<Result> => {
    const worker = (thread ??= startThread());
    const done = new AbortController();
    const limit = AbortSignal.timeout(LONGEST_DRAWING_MS);
    const signal = AbortSignal.any([done.signal, limit]);
    worker.ref();
    try {
      worker.postMessage(request, []);
      const answer = await Promise.race([
        once(worker, "message", { signal }).then(([message]) => message as Answer<Result>),
        once(worker, "exit", { signal }).then(([exitCode]) => ({ error: `exit code ${exitCode}`, code: null })),
      ]);
      if ("result" in answer) return answer.result;
      // An error without a code is a fault in the drawing code, not in the machine: it keeps its class and its stack.
      throw answer.error instanceof Error && answer.code === null ? answer.error : failed(request, answer);
    } catch (error) {
      if (limit.aborted) giveUp(worker);
      if (limit.aborted) throw failed(request, { error, code: null });
      throw error;
    } finally {
      done.abort();
      // An idle thread does not keep the process alive.
      worker.unref();
    }
  };

  const ask = <Result>(request: TextToDraw | CaptionsToCheck, signal: AbortSignal): Promise<Result> => {
    const answered = turn.then(async () => {
      if (signal.aborted) throw cancelled();
      const answer = await askNow<Result>(request);
      if (signal.aborted) throw cancelled();
      return answer;
    });
    turn = answered.catch(() => {});
    return answered;
  };

  return {
    draw: (request, signal) => ask<DrawnText>(request, signal),
    async findTooLong(captions, look, signal) {
      let [count, first]: [number, TooLong["first"] | null] = [0, null];
      for (let start = 0; start < captions.length; start += CHECKED_AT_ONCE) {
        const some = captions.slice(start, start + CHECKED_AT_ONCE);
        const found = await ask<TooLong | null>({ captions: some, look }, signal);
        if (!found) continue;
        first ??= { ...found.first, index: found.first.index + start };
        count += found.count;
      }
      return first && { count, first };
    },
    async [Symbol.asyncDispose]() {
      await turn;
      await thread?.terminate();
    },
  };
}

function cancelled(): ClipmillError {
  return new ClipmillError("cancelled", "Drawing was cancelled.", { facts: { step: "drawing", cancelled: true } });
}

function failed(
  request: TextToDraw | CaptionsToCheck,
  { error, code }: { error: unknown; code: string | null },
): ClipmillError {
  const facts = { step: "drawing", code, ...describeRequest(request) };
  if (code !== null && DISK_FULL_CODES.includes(code))
    return new ClipmillError("no_space", "There is no space left on the disk.", { facts });
  return new ClipmillError("render_failed", "The caption or watermark could not be drawn.", { facts, cause: error });
}

function describeRequest(request: TextToDraw | CaptionsToCheck): Record<string, unknown> {
  if ("captions" in request) return { kind: "check", captions: request.captions.length };
  return { kind: request.look ? "caption" : "watermark", characters: request.text.length };
}
