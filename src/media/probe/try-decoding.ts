import { lastLines } from "#contract/last-lines.ts";
import { EXIT_CODES, readExitCode, type FfmpegTools } from "../ffmpeg/run-ffmpeg.ts";
import { openSource } from "../plan/arguments/source-arguments.ts";
import { type LineReader, readLines } from "./read-lines.ts";

/** No decoder, or one without the stream's profile. */
const UNSUPPORTED_EXIT_CODES = new Set<number>([
  EXIT_CODES.noDecoder,
  EXIT_CODES.notImplemented,
  EXIT_CODES.notInLibrary,
]);

export const FIRST_PIPE = 3;
const MAX_TAIL_CHARACTERS = 4_096;

/** "unknown" if ffmpeg timed out or crashed: the render decides. */
export type Decodability = "decodable" | "unsupported" | "damaged" | "unknown";

type Options = { signal?: AbortSignal | undefined };

/** ffmpeg also names codecs and profiles that it cannot decode. Throws what `readLines` throws. */
export async function tryDecoding(
  tools: FfmpegTools,
  path: string,
  streams: readonly number[],
  options: Options,
): Promise<Decodability[]> {
  const together = await decodeFirstFrames(tools, path, streams, options);
  if (streams.length === 1 || together.every((one) => one === "decodable")) return together;
  // A stream that cannot be opened ends the run for all, so each gets its own run.
  return (await Promise.all(streams.map((stream) => decodeFirstFrames(tools, path, [stream], options)))).flat();
}

async function decodeFirstFrames(
  tools: FfmpegTools,
  path: string,
  streams: readonly number[],
  { signal }: Options,
): Promise<Decodability[]> {
  const first = listFirstFrames(streams);
  const args = [
    ...["-loglevel", "error", "-max_error_rate", "1"],
    // More threads would read ahead.
    ...["-threads", "1", ...openSource(path)],
    ...first.outputs,
  ];
  let errors = "";
  const readErrors = (line: string): void => void (errors = lastLines(`${errors}${line}\n`, MAX_TAIL_CHARACTERS));
  const ended = await readLines(tools, path, args, { ...first.readers, 2: readErrors }, signal);
  const exitCode = readExitCode(ended, errors);
  return first.hasFrame.map((has) => {
    if (has) return "decodable";
    if (exitCode === null) return "unknown";
    return UNSUPPORTED_EXIT_CODES.has(exitCode) ? "unsupported" : "damaged";
  });
}

/** Outputs are pipes from `FIRST_PIPE` on. */
export function listFirstFrames(streams: readonly number[]): {
  outputs: string[];
  readers: Record<number, LineReader>;
  hasFrame: readonly boolean[];
} {
  const hasFrame = streams.map(() => false);
  const outputs = streams.flatMap((stream, i) => {
    return ["-map", `0:${stream}`, "-frames", "1", "-f", "framecrc", `pipe:${FIRST_PIPE + i}`];
  });
  const readers = streams.map((_, i) => {
    // Skips comment lines.
    const read: LineReader = (line) => void (hasFrame[i] ||= /^\d/.test(line));
    return [FIRST_PIPE + i, read] as const;
  });
  return { outputs, readers: Object.fromEntries(readers), hasFrame };
}
