/** Draws captions and watermarks in a separate thread: laying out a hostile text is slow and would block the server. */
import { createTurns } from "#ground/in-turn.ts";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { ClipmillError } from "#contract/errors.ts";
import { DISK_FULL_CODES } from "#ground/disk-space.ts";
import type { CaptionLook } from "../layout/caption-look.ts";
import type { Frame } from "../layout/frame-areas.ts";
import type { DrawnText } from "./draw-text.ts";
import type { TooLong } from "../layout/find-too-long.ts";
import type { Answer, CaptionsToCheck, TextToDraw } from "./draw-text-thread.ts";

/** A hundred times the duration of the worst caption on an 8K picture. A thread that takes longer has hung. */
const MAX_DRAWING_MS = 60_000;

/** Frees the memory of the thread and its fonts. It starts again in about 0.2 s. */
const IDLE_MS = 60_000;

/** Captions per check request, so that a drawing never waits long behind one. */
const CAPTIONS_PER_CHECK = 100;

export type TextDrawer = {
  /**
   * Draws a text to a PNG, in request order. Resolves with a null drawing if no part can be drawn. An aborted drawing
   * rejects once the thread no longer writes to its path. Throws ClipmillError "cancelled", "no_space" or
   * "render_failed" (facts: system error code, text length), and any error of the drawing code.
   */
  draw(request: TextToDraw, signal: AbortSignal): Promise<DrawnText>;
  /** Finds captions that do not fit on a frame; null if all fit. Throws as `draw` does. */
  findTooLong(
    captions: readonly string[],
    look: CaptionLook,
    frame: Frame,
    signal: AbortSignal,
  ): Promise<TooLong | null>;
} & AsyncDisposable;

/** Creates a drawer. Its thread starts with the first drawing, and again after a crash or a minute without drawings. */
export function openTextDrawer(
  threadFile = new URL("./draw-text-thread.ts", import.meta.url),
  idleMs = IDLE_MS,
): TextDrawer {
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  const inTurn = createTurns();

  const startThread = (): Worker => {
    const started = new Worker(threadFile, { name: "texts" });
    // A crash rejects the drawing in progress; the next drawing starts another thread.
    started.on("error", () => {});
    started.on("exit", () => thread === started && (thread = null));
    return started;
  };

  /** Terminates a hung or idle thread without delaying the next drawing. */
  const terminate = (unused: Worker): void => {
    if (thread === unused) thread = null;
    void unused.terminate();
  };

  const sendRequest = async <Result>(request: TextToDraw | CaptionsToCheck): Promise<Result> => {
    clearTimeout(idle);
    const worker = (thread ??= startThread());
    const done = new AbortController();
    const limit = AbortSignal.timeout(MAX_DRAWING_MS);
    const signal = AbortSignal.any([done.signal, limit]);
    worker.ref();
    try {
      worker.postMessage(request, []);
      const answer = await Promise.race([
        once(worker, "message", { signal }).then(([message]) => message as Answer<Result>),
        once(worker, "exit", { signal }).then(([exitCode]) => ({ error: `exit code ${exitCode}`, code: null })),
      ]);
      if ("result" in answer) return answer.result;
      // No system code means a bug in the drawing code: rethrow it with its class and stack.
      throw answer.error instanceof Error && answer.code === null ? answer.error : failed(request, answer);
    } catch (error) {
      if (limit.aborted) terminate(worker);
      if (limit.aborted) throw failed(request, { error, code: null });
      throw error;
    } finally {
      done.abort();
      // An idle thread does not keep the process alive.
      worker.unref();
      idle = setTimeout(() => terminate(worker), idleMs).unref();
    }
  };

  const ask = <Result>(request: TextToDraw | CaptionsToCheck, signal: AbortSignal): Promise<Result> =>
    inTurn(async () => {
      if (signal.aborted) throw cancelled();
      const answer = await sendRequest<Result>(request);
      if (signal.aborted) throw cancelled();
      return answer;
    });

  return {
    draw: (request, signal) => ask<DrawnText>(request, signal),
    async findTooLong(captions, look, frame, signal) {
      let [count, first]: [number, TooLong["first"] | null] = [0, null];
      for (let start = 0; start < captions.length; start += CAPTIONS_PER_CHECK) {
        const some = captions.slice(start, start + CAPTIONS_PER_CHECK);
        const found = await ask<TooLong | null>({ captions: some, look, frame }, signal);
        if (!found) continue;
        first ??= { ...found.first, index: found.first.index + start };
        count += found.count;
      }
      return first && { count, first };
    },
    async [Symbol.asyncDispose]() {
      await inTurn(async () => {});
      clearTimeout(idle);
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
