/**
 * Laying out hostile text is slow and would block the server, and only a process's exit frees the drawing library's
 * memory.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { ClipmillError } from "#contract/errors.ts";
import { DISK_FULL_CODES } from "#ground/disk-space.ts";
import { entryBeside } from "#ground/find-program.ts";
import { codeOf } from "#ground/error-code.ts";
import { createTurns } from "#ground/slots.ts";
import { mediaEnvironment, ownLimits } from "../../launch/isolation.ts";
import type { CaptionLook } from "../layout/caption-shape.ts";
import type { Frame } from "../layout/frame-areas.ts";
import type { DrawnText } from "./draw-text.ts";
import type { TooLong } from "../layout/find-too-long.ts";
import type { DrawingRequest, Reply, TextToDraw } from "./draw-text-process.ts";
import type { MeasuredWords } from "./draw-subtitle.ts";

const ENTRY = entryBeside(import.meta, "draw-text-process");

/** A hundred times the worst caption on an 8K picture; a slower process is stuck. */
const MAX_DRAWING_MS = 60_000;

/** A restart takes about 0.3 s. */
const IDLE_MS = 60_000;

/** Captions per check request, so that drawings wait briefly. */
const CAPTIONS_PER_CHECK = 100;

export type TextDrawer = {
  /**
   * Resolves in request order, with a null drawing if no part can be drawn. An aborted drawing rejects once the process
   * no longer writes to its path. Throws ClipmillError "cancelled", "no_space" or "render_failed", and any error of the
   * drawing code.
   */
  draw(request: TextToDraw, signal: AbortSignal): Promise<DrawnText>;
  /** Widths are in the order of `words`. Throws like `draw`. */
  measureWords(words: readonly string[], look: CaptionLook, signal: AbortSignal): Promise<MeasuredWords>;
  /** Null if all captions fit. Throws like `draw`. */
  findTooLong(
    captions: readonly string[],
    look: CaptionLook,
    frame: Frame,
    signal: AbortSignal,
  ): Promise<TooLong | null>;
} & AsyncDisposable;

/** The process starts with the first drawing, and again after a crash or an idle minute. */
export function openTextDrawer(entry = ENTRY, idleMs = IDLE_MS): TextDrawer {
  let current: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  const inTurn = createTurns();

  const start = (): ChildProcess => {
    const [file, ...args] = [...ownLimits(), process.execPath, "--enable-source-maps", entry];
    const started = spawn(file, args, {
      env: mediaEnvironment(),
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const leave = () => current === started && (current = null);
    // A crash rejects the drawing in progress; the next drawing starts another process.
    started.on("error", leave);
    started.on("exit", leave);
    return started;
  };

  /** Ends an idle process without delaying the next drawing. */
  const end = (unused: ChildProcess): void => {
    if (current === unused) current = null;
    if (unused.connected) unused.disconnect();
  };

  const sendRequest = async <Result>(request: DrawingRequest): Promise<Result> => {
    clearTimeout(idle);
    const child = (current ??= start());
    const done = new AbortController();
    const limit = AbortSignal.timeout(MAX_DRAWING_MS);
    const signal = AbortSignal.any([done.signal, limit]);
    child.ref();
    child.channel?.ref();
    try {
      child.send(request, () => {});
      const reply = await Promise.race([
        once(child, "message", { signal }).then(([message]) => message as Reply<Result>),
        once(child, "exit", { signal }).then(([code, by]) => ({ error: `exit code ${code ?? by}`, code: null })),
      ]);
      if ("result" in reply) return reply.result;
      // No system code means a bug in the drawing code: rethrown with its class and stack.
      throw reply.error instanceof Error && reply.code === null ? reply.error : failed(request, reply);
    } catch (error) {
      if (limit.aborted) {
        end(child);
        child.kill("SIGKILL");
      }
      // Without a pid, the process could not be started.
      if (limit.aborted || child.pid === undefined) throw failed(request, { error, code: codeOf(error) });
      throw error;
    } finally {
      done.abort();
      // An idle process must not keep this one alive.
      child.unref();
      child.channel?.unref();
      idle = setTimeout(() => end(child), idleMs).unref();
    }
  };

  const ask = <Result>(request: DrawingRequest, signal: AbortSignal): Promise<Result> =>
    inTurn(async () => {
      if (signal.aborted) throw cancelled();
      const reply = await sendRequest<Result>(request);
      if (signal.aborted) throw cancelled();
      return reply;
    });

  return {
    draw: (request, signal) => ask<DrawnText>(request, signal),
    measureWords: (words, look, signal) => ask<MeasuredWords>({ words, look }, signal),
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
      if (current) end(current);
    },
  };
}

function cancelled(): ClipmillError {
  return new ClipmillError("cancelled", "Drawing was canceled.", { facts: { step: "drawing", cancelled: true } });
}

function failed(request: DrawingRequest, { error, code }: { error: unknown; code: string | null }): ClipmillError {
  const facts = { step: "drawing", code, ...describeRequest(request) };
  if (code !== null && DISK_FULL_CODES.includes(code))
    return new ClipmillError("no_space", "There is no space left on the disk.", { facts });
  return new ClipmillError("render_failed", "A text could not be drawn.", { facts, cause: error });
}

function describeRequest(request: DrawingRequest): Record<string, unknown> {
  if ("captions" in request) return { kind: "check", captions: request.captions.length };
  if ("words" in request) return { kind: "measure", words: request.words.length };
  if (request.kind === "subtitle") return { kind: request.kind, words: request.subtitle.rows.flat().length };
  return { kind: request.kind, characters: request.text.length };
}
