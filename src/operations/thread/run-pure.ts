/** Runs functions without side effects on large inputs in a thread, so that the server responds to others meanwhile. */
import { Worker } from "node:worker_threads";
import { ClipmillError } from "#contract/errors.ts";
import { entryBeside } from "#ground/find-program.ts";
import { createTurns } from "#ground/slots.ts";
import { PURE_FUNCTIONS, type PureFunctions } from "./pure-functions.ts";

/** The worst allowed input takes about 2 s of CPU time. */
const MAX_MS = 30_000;
const MAX_MEMORY_MB = 1_024;
/** A restart takes about 0.3 s. */
const IDLE_MS = 60_000;

/** An input with less takes at most about 20 ms, unless it combines clips. */
const SMALL = { values: 5_000, characters: 256 * 1024, bytes: 16 * 1024 ** 2 };

let current: Worker | null = null;
let idle: NodeJS.Timeout | undefined;
const inTurn = createTurns();

/**
 * Runs a small input immediately, without the thread. Moves bytes to the thread, so the caller can no longer use them.
 * Throws ClipmillError "too_large" for an input that takes longer than 30 seconds or more than 1 GB of memory.
 */
export async function runPure<Name extends keyof PureFunctions>(
  name: Name,
  ...input: Parameters<PureFunctions[Name]>
): Promise<ReturnType<PureFunctions[Name]>> {
  type Result = ReturnType<PureFunctions[Name]>;
  const run = PURE_FUNCTIONS[name] as unknown as (...given: typeof input) => Result;
  if (isSmall(input) && !combines(name, input)) return run(...input);
  return inTurn(() => runInThread<Result>({ name, input }));
}

async function runInThread<Result>(call: { name: string; input: unknown[] }): Promise<Result> {
  clearTimeout(idle);
  const thread = (current ??= start());
  thread.ref();
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const limit = setTimeout(() => reject(tooLarge()), MAX_MS);
  // An error ends the thread.
  thread.once("message", resolve).once("error", reject);
  try {
    const bytes = call.input.filter((value) => value instanceof Uint8Array);
    thread.postMessage(
      call,
      bytes.map(({ buffer }) => buffer as ArrayBuffer),
    );
    const result = await promise;
    thread.unref();
    idle = setTimeout(end, IDLE_MS).unref();
    return result;
  } catch (error) {
    end();
    throw isOutOfMemory(error) ? tooLarge() : error;
  } finally {
    clearTimeout(limit);
    thread.off("message", resolve).off("error", reject);
  }
}

function start(): Worker {
  return new Worker(entryBeside(import.meta, "pure-thread"), {
    execArgv: ["--enable-source-maps"],
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
}

function end(): void {
  void current?.terminate();
  current = null;
}

function tooLarge(): ClipmillError {
  return new ClipmillError("too_large", "This took too long to check. Split it into several smaller ones.");
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

/** A few clips can have thousands of combinations. */
function combines(name: keyof PureFunctions, [first]: readonly unknown[]): boolean {
  const slots =
    name === "combineClips" ? first : name === "parseCreateJob" ? (first as { slots?: unknown } | null)?.slots : [];
  return Array.isArray(slots) && slots.length > 0;
}

function isSmall(input: unknown): boolean {
  const left = { ...SMALL };
  const waiting = [input];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    left.values--;
    if (typeof value === "string") left.characters -= value.length;
    if (value instanceof Uint8Array) return value.length < left.bytes;
    if (left.values < 0 || left.characters < 0) return false;
    if (typeof value !== "object" || value === null) continue;
    const inner: unknown[] = Object.values(value);
    if (inner.length > left.values) return false;
    for (const each of inner) if (each !== undefined) waiting.push(each);
  }
  return true;
}
