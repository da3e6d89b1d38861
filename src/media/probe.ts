import { execa } from "execa";
import { ClipmillError } from "#contract/errors.ts";
import { looksLikeVideoContainer } from "./container-signature.ts";
import { launchCommand } from "./launch.ts";
import { openSource, READ_SAFELY } from "./plan/source-arguments.ts";
import { requireWithinLimits, tooManyStreams } from "./probe-limits.ts";
import { readProbeReport, type Probe } from "./probe-report.ts";
import { endedFromOutside, runFfmpeg } from "./run-ffmpeg.ts";
import type { MediaTools } from "./tools.ts";

export type { Probe } from "./probe-report.ts";

const PROBE_SECONDS_AT_MOST = 30;
/** Enough to meet the first frame behind a second of interleaved sound. */
const PACKETS_LOOKED_AT = 100;

/** What a file is wanted for; it decides the words of a refusal. */
type Use = "video" | "music";

const REFUSALS = {
  video: {
    code: "not_a_video",
    unfit: "This file is not a video.",
    damaged: "The video file is damaged or incomplete.",
  },
  music: {
    code: "not_audio",
    unfit: "This file has no sound that can be used as music.",
    damaged: "The music file is damaged or incomplete.",
  },
} as const;

/**
 * Says what a media file holds. Throws ClipmillError "not_a_video" or, for music, "not_audio" (a picture, a text, a playlist,
 * anything but media), "damaged" (begins as media but cannot be read), "too_large", "render_failed" (ffprobe was killed) or "cancelled".
 */
export async function probe(
  tools: MediaTools,
  path: string,
  options: { signal?: AbortSignal; use?: Use } = {},
): Promise<Probe> {
  const { use = "video", signal } = options;
  const command = launchCommand(tools.ffprobe, [
    ...["-v", "error", "-hide_banner", ...READ_SAFELY, "-show_format", "-show_streams", "-of", "json"],
    ...["-show_entries", "packet=stream_index,flags", "-read_intervals", `%+#${PACKETS_LOOKED_AT}`],
    ...["-i", `file:${path}`],
  ]);
  const result = await execa(command.file, command.args, {
    stdin: "ignore",
    reject: false,
    timeout: PROBE_SECONDS_AT_MOST * 1_000,
    forceKillAfterDelay: 500,
    // a statically linked ffprobe (the bundled one is) crashes on MPEG-TS when it loads the system's character sets
    env: { GCONV_PATH: "/nonexistent" },
    ...(signal ? { cancelSignal: signal } : {}),
  });
  if (signal?.aborted) throw new ClipmillError("cancelled", "Reading the file was cancelled.");
  const facts = { step: "probe", exitCode: result.exitCode ?? null, stderr: result.stderr.slice(-4_096) };
  if (result.signal === "SIGKILL" && !result.timedOut) {
    throw new ClipmillError("render_failed", endedFromOutside("Reading the file"), { facts });
  }
  // no exit code: it crashed, or took too long
  if (result.exitCode === undefined) throw damaged(use, facts);
  // ffprobe's exit code does not tell this from damage
  if (result.exitCode !== 0 && result.stderr.includes("max_streams")) throw tooManyStreams(facts);
  if (result.exitCode !== 0) throw (await looksLikeVideoContainer(path)) ? damaged(use, facts) : unfit(use, facts);
  const found = readProbeReport(JSON.parse(result.stdout));
  if (!found.video && !found.audio) throw unfit(use, facts);
  const seconds = found.durationSeconds > 0 ? found.durationSeconds : await measureDuration(tools, path, found, signal);
  if (!seconds) throw damaged(use, facts);
  const measured = { ...found, durationSeconds: seconds };
  requireWithinLimits(measured);
  return measured;
}

/** Reads through a file whose header gives no duration (Matroska from a browser's recorder, for one). */
async function measureDuration(tools: MediaTools, path: string, found: Probe, signal?: AbortSignal) {
  const stream = found.video ?? found.audio;
  const args = [...openSource(path), "-map", `0:${stream?.index}`, "-c", "copy", "-f", "null", "-"];
  const seconds = await runFfmpeg(tools, { step: "measure duration", args, signal });
  // ffmpeg names the time at which the last frame begins
  return seconds === null || !found.video ? seconds : seconds + 1 / found.video.framesPerSecond;
}

function unfit(use: Use, facts: Record<string, unknown>): ClipmillError {
  return new ClipmillError(REFUSALS[use].code, REFUSALS[use].unfit, { facts });
}

function damaged(use: Use, facts: Record<string, unknown>): ClipmillError {
  return new ClipmillError("damaged", REFUSALS[use].damaged, { facts });
}
