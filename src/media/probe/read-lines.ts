import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { ClipmillError } from "#contract/errors.ts";
import { launch } from "../launch/launch.ts";
import { allowDecoders } from "../plan/arguments/source-arguments.ts";
import { describeExternalKill, type FfmpegTools } from "../ffmpeg/run-ffmpeg.ts";

const BASE_SECONDS_AT_MOST = 60;
/** Slower than any disk. */
const BYTES_PER_SECOND_AT_LEAST = 20_000_000;
/** Only a file's own tags can be longer. */
const MAX_LINE_CHARACTERS = 65_536;

export type LineReader = (line: string) => void;

type ByOutput<T> = Readonly<Record<number, T>>;

/**
 * `readers` is by output: 1 is stdout, 2 is stderr; 3, 4 and so on are pipes named in `args`. Returns and throws like
 * `readOutputs`, and throws what a reader throws.
 */
export async function readLines(
  tools: FfmpegTools,
  path: string,
  args: readonly string[],
  readers: ByOutput<LineReader>,
  signal?: AbortSignal,
): Promise<number | null> {
  const byLine = Object.entries(readers).map(([number, read]) => {
    const take = (output: Readable): Promise<void> => splitLines(output, read);
    return [number, take] as const;
  });
  return await readOutputs(tools, path, args, Object.fromEntries(byLine), signal);
}

/**
 * Streams ffmpeg's outputs to `takers`. Returns the exit code; null if it crashed or took too long for the file's size.
 * Throws ClipmillError "cancelled" or "render_failed" (ffmpeg was killed), and what a taker throws.
 */
export async function readOutputs(
  tools: FfmpegTools,
  path: string,
  args: readonly string[],
  takers: ByOutput<(output: Readable) => Promise<void>>,
  signal?: AbortSignal,
): Promise<number | null> {
  const all = allowDecoders(["-nostdin", "-hide_banner", "-nostats", ...args], tools.codecs);
  const rejection = new AbortController();
  const deadline = AbortSignal.timeout(await findMostMilliseconds(path));
  const { outputs, ended } = launch(tools.ffmpeg, {
    args: all,
    outputs: Object.keys(takers).map(Number),
    signal: AbortSignal.any([rejection.signal, deadline, ...(signal ? [signal] : [])]),
  });
  try {
    await Promise.all(Object.entries(takers).map(([number, take]) => take(outputs[Number(number)]!)));
  } catch (error) {
    rejection.abort();
    for (const output of Object.values(outputs)) output.destroy();
    await ended;
    throw error;
  }
  const { exitCode, signal: endedBy } = await ended;
  if (signal?.aborted) throw new ClipmillError("cancelled", "Reading the file was canceled.");
  if (endedBy === "SIGKILL" && !deadline.aborted) {
    throw new ClipmillError("render_failed", describeExternalKill("Reading the file"), { facts: { step: "read" } });
  }
  return exitCode;
}

async function findMostMilliseconds(path: string): Promise<number> {
  const sizeBytes = await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
  return Math.ceil((BASE_SECONDS_AT_MOST + sizeBytes / BYTES_PER_SECOND_AT_LEAST) * 1_000);
}

/**
 * Cuts lines to 65,536 characters to bound memory. Only line feeds end a line, because tags may contain other
 * separators.
 */
export async function splitLines(output: Readable, read: LineReader): Promise<void> {
  let rest = "";
  for await (const chunk of output.setEncoding("utf8")) {
    const lines = (rest + String(chunk)).split("\n").map((line) => line.slice(0, MAX_LINE_CHARACTERS));
    rest = lines.pop()!;
    for (const line of lines) read(line);
  }
  if (rest !== "") read(rest);
}
