/** Draws captions and watermarks in a separate thread: a hostile one takes long to lay out and would block the server. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { ClipmillError } from "#contract/errors.ts";
import type { DrawnText } from "./captions/draw-text.ts";
import type { DrawnAnswer, TextToDraw } from "./captions/draw-text-thread.ts";

/** A hundred times the worst caption on an 8K picture; beyond this, the thread hangs. */
const LONGEST_DRAWING_MS = 60_000;

export type TextDrawer = {
  /**
   * Draws a text to a PNG at its path, in request order. Resolves without a drawing if nothing in it can be drawn. An
   * aborted drawing rejects once the thread no longer writes to its path. Throws ClipmillError "cancelled", "no_space" or
   * "render_failed"; the facts hold the step, the code of a system error and the length of the text.
   */
  draw(text: TextToDraw, signal: AbortSignal): Promise<DrawnText>;
} & AsyncDisposable;

/** Opens a drawer for a whole process. Its thread starts with the first drawing, and again after a crash. */
export function openTextDrawer(threadFile = new URL("./captions/draw-text-thread.ts", import.meta.url)): TextDrawer {
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

  const drawNow = async (text: TextToDraw): Promise<DrawnText> => {
    const asked = (thread ??= startThread());
    const done = new AbortController();
    const limit = AbortSignal.timeout(LONGEST_DRAWING_MS);
    const signal = AbortSignal.any([done.signal, limit]);
    asked.ref();
    try {
      asked.postMessage(text, []);
      const answer = await Promise.race([
        once(asked, "message", { signal }).then(([message]) => message as DrawnAnswer),
        once(asked, "exit", { signal }).then(([exitCode]) => ({ error: `exit code ${exitCode}`, code: null })),
      ]);
      if ("drawing" in answer) return answer;
      throw failed(text, answer);
    } catch (error) {
      if (limit.aborted) giveUp(asked);
      throw error instanceof ClipmillError ? error : failed(text, { error, code: null });
    } finally {
      done.abort();
      // An idle thread does not keep the process alive.
      asked.unref();
    }
  };

  return {
    draw(text, signal) {
      const drawn = turn.then(async () => {
        if (signal.aborted) throw cancelled();
        const answer = await drawNow(text);
        if (signal.aborted) throw cancelled();
        return answer;
      });
      turn = drawn.catch(() => {});
      return drawn;
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

function failed({ text, look }: TextToDraw, { error, code }: { error: unknown; code: string | null }): ClipmillError {
  const facts = { step: "drawing", code, kind: look ? "caption" : "watermark", characters: text.length };
  if (code === "ENOSPC") return new ClipmillError("no_space", "There is no space left on the disk.", { facts });
  return new ClipmillError("render_failed", "The caption or watermark could not be drawn.", { facts, cause: error });
}
