import { createInterface } from "node:readline";
import { execa } from "execa";
import { launchCommand } from "./launch.ts";
import { allowDecoders } from "./plan/source-arguments.ts";
import type { FfmpegTools } from "./run-ffmpeg.ts";

const SECONDS_AT_MOST = 60;

/** Runs ffmpeg and hands the lines of one of its outputs to `read`. Returns whether it read the whole file. */
export async function readLines(
  tools: FfmpegTools,
  args: readonly string[],
  output: "stdout" | "stderr",
  read: (line: string) => void,
  signal?: AbortSignal,
): Promise<boolean> {
  const all = ["-nostdin", "-hide_banner", "-nostats", ...args];
  const command = launchCommand(tools.ffmpeg, allowDecoders(all, tools.codecs), tools.encoder);
  const child = execa(command.file, command.args, {
    ...command.options,
    stdin: "ignore",
    [output === "stdout" ? "stderr" : "stdout"]: "ignore",
    buffer: false,
    reject: false,
    timeout: SECONDS_AT_MOST * 1_000,
    forceKillAfterDelay: 500,
    ...(signal ? { cancelSignal: signal } : {}),
  });
  for await (const line of createInterface({ input: child[output] })) read(line);
  return (await child).exitCode === 0;
}
