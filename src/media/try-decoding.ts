/** Decodes the first frame of streams: ffmpeg names codecs, and profiles of codecs, that it cannot decode. */
import type { Readable } from "node:stream";
import { execa } from "execa";
import { launchCommand } from "./launch.ts";
import { allowDecoders, openSource } from "./plan/source-arguments.ts";
import type { FfmpegTools } from "./run-ffmpeg.ts";

/** Only a stream without a single whole frame is read so far. */
const SECONDS_AT_MOST = 30;
/** No decoder (8), or one that does not implement the stream's profile (176; 218, ENOSYS). */
const UNSUPPORTED_EXIT_CODES = new Set([8, 176, 218]);

/** "unknown" if it took too long, or ffmpeg was killed: rendering will show. */
export type Decodability = "decodable" | "unsupported" | "damaged" | "unknown";

type Options = { signal?: AbortSignal | undefined };

/** Returns for each stream, in their order, whether a frame of it can be decoded. */
export async function tryDecoding(
  tools: FfmpegTools,
  path: string,
  streams: readonly number[],
  options: Options,
): Promise<Decodability[]> {
  const together = await decodeFirstFrames(tools, path, streams, options);
  if (streams.length === 1 || together.every((one) => one === "decodable")) return together;
  // one stream that cannot be opened ends the run of all
  return (await Promise.all(streams.map((stream) => decodeFirstFrames(tools, path, [stream], options)))).flat();
}

async function decodeFirstFrames(
  tools: FfmpegTools,
  path: string,
  streams: readonly number[],
  { signal }: Options,
): Promise<Decodability[]> {
  const args = [
    ...["-nostdin", "-hide_banner", "-loglevel", "quiet", "-max_error_rate", "1"],
    // threads would read ahead
    ...["-threads", "1", ...openSource(path)],
    ...streams.flatMap((stream, i) => ["-map", `0:${stream}`, "-frames", "1", "-f", "framecrc", `pipe:${3 + i}`]),
  ];
  const command = launchCommand(tools.ffmpeg, allowDecoders(args, tools.codecs), tools.encoder);
  const child = execa(command.file, command.args, {
    ...command.options,
    stdio: ["ignore", "ignore", "ignore", ...streams.map(() => "pipe" as const)],
    buffer: false,
    reject: false,
    timeout: SECONDS_AT_MOST * 1_000,
    forceKillAfterDelay: 500,
    ...(signal ? { cancelSignal: signal } : {}),
  });
  const lists = streams.map((_, i) => hasFrame(child.stdio[3 + i] as Readable));
  const [{ exitCode }, ...found] = await Promise.all([child, ...lists]);
  return found.map((has) => {
    if (has) return "decodable";
    if (exitCode === undefined) return "unknown";
    return UNSUPPORTED_EXIT_CODES.has(exitCode) ? "unsupported" : "damaged";
  });
}

/** Returns whether a list of frames has one: a line that is not a comment. */
async function hasFrame(list: Readable): Promise<boolean> {
  let text = "";
  for await (const chunk of list.setEncoding("utf8")) text += String(chunk);
  return /^\d/m.test(text);
}
