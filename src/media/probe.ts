import { execa } from "execa";
import { ClipmillError } from "#contract/errors.ts";
import { looksLikeVideoContainer } from "./container-signature.ts";
import { launchCommand } from "./launch.ts";
import { openSource, READ_SAFELY } from "./plan/source-arguments.ts";
import { readProbeReport, type Probe } from "./probe-report.ts";
import { runFfmpeg } from "./run-ffmpeg.ts";
import type { MediaTools } from "./tools.ts";

export type { Probe } from "./probe-report.ts";
export { requireAudio, requireVideo } from "./required-streams.ts";

const PROBE_SECONDS_AT_MOST = 30;

/**
 * Says what a media file holds. Throws ClipmillError "not_a_video" (a picture, a text, a playlist, anything but media),
 * "damaged" (begins as a video but cannot be read) or "cancelled".
 */
export async function probe(tools: MediaTools, path: string, options: { signal?: AbortSignal } = {}): Promise<Probe> {
  const command = launchCommand(tools.ffprobe, [
    ...["-v", "error", "-hide_banner", ...READ_SAFELY, "-show_format", "-show_streams", "-of", "json"],
    ...["-i", `file:${path}`],
  ]);
  const result = await execa(command.file, command.args, {
    stdin: "ignore",
    reject: false,
    timeout: PROBE_SECONDS_AT_MOST * 1_000,
    forceKillAfterDelay: 500,
    // a statically linked ffprobe (the bundled one is) crashes on MPEG-TS when it loads the system's character sets
    env: { GCONV_PATH: "/nonexistent" },
    ...(options.signal ? { cancelSignal: options.signal } : {}),
  });
  if (options.signal?.aborted) throw new ClipmillError("cancelled", "Reading the video was cancelled.");
  const facts = { step: "probe", exitCode: result.exitCode ?? null, stderr: result.stderr.slice(-4_096) };
  // no exit code: it crashed, or took too long
  if (result.exitCode === undefined) throw damaged(facts);
  if (result.exitCode !== 0) {
    throw (await looksLikeVideoContainer(path)) ? damaged(facts) : notAVideo("This file is not a video.", facts);
  }
  const found = readProbeReport(JSON.parse(result.stdout));
  if (!found.video && !found.audio) throw notAVideo("This file is not a video.", facts);
  if (found.durationSeconds > 0) return found;
  return { ...found, durationSeconds: await measureDuration(tools, path, found, options.signal) };
}

/** Reads through a file whose header gives no duration (Matroska from a browser's recorder, for one). */
async function measureDuration(tools: MediaTools, path: string, found: Probe, signal?: AbortSignal): Promise<number> {
  const stream = found.video ?? found.audio;
  const args = [...openSource(path), "-map", `0:${stream?.index}`, "-c", "copy", "-f", "null", "-"];
  const seconds = await runFfmpeg(tools, { step: "measure duration", args, signal });
  if (seconds === null || seconds === 0) throw damaged({ step: "measure duration" });
  return seconds;
}

function notAVideo(sentence: string, facts: Record<string, unknown>): ClipmillError {
  return new ClipmillError("not_a_video", sentence, { facts });
}

function damaged(facts: Record<string, unknown>): ClipmillError {
  return new ClipmillError("damaged", "The video file is damaged or incomplete.", { facts });
}
