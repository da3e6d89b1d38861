import { buffer, text } from "node:stream/consumers";
import { ClipmillError } from "#contract/errors.ts";
import { describeExternalKill } from "../ffmpeg/run-ffmpeg.ts";
import { launch } from "../launch/launch.ts";

/**
 * Compiling for speed, V8's default, takes longer than it saves for videos of less than 3 min, and twice the memory.
 * Measured by `npm run bench speech`.
 */
const FLAGS = ["--liftoff-only"];
const BASE_LIMIT_MS = 60_000;

/**
 * Runs a model in a separate process, isolated like ffmpeg: `entry` is its module. Returns what it writes. A process
 * that takes a minute more than `limitMs` is stuck. Throws ClipmillError "cancelled" or "render_failed".
 */
export async function runModel(
  entry: string,
  args: readonly string[],
  { step, work, limitMs, signal }: { step: string; work: string; limitMs: number; signal: AbortSignal },
): Promise<Buffer> {
  const limit = AbortSignal.timeout(BASE_LIMIT_MS + Math.ceil(limitMs));
  const { outputs, ended } = launch(process.execPath, {
    args: [...FLAGS, entry, ...args],
    outputs: [1, 2],
    signal: AbortSignal.any([signal, limit]),
  });
  const [written, tail] = await Promise.all([buffer(outputs[1]!), text(outputs[2]!)]);
  const { exitCode, signal: killedBy } = await ended;
  if (signal.aborted) throw new ClipmillError("cancelled", "Rendering was canceled.");
  if (exitCode === 0) return written;
  const isKilled = killedBy === "SIGKILL" && !limit.aborted;
  const message = isKilled ? describeExternalKill(work) : `${work} failed.`;
  const facts = { step, exitCode, signal: killedBy, stalled: limit.aborted };
  throw new ClipmillError("render_failed", message, { facts, tail });
}
