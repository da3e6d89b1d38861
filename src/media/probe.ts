import { execa } from "execa";
import { ClipmillError } from "#contract/errors.ts";
import { looksLikeVideoContainer } from "./container-signature.ts";
import { launchCommand } from "./launch.ts";
import { type InputReport, readInputReport } from "./input-report.ts";
import { allowDecoders, openSource, READ_SAFELY } from "./plan/source-arguments.ts";
import { nameRefusedFormat } from "./refused-formats.ts";
import { requireWithinLimits, tooManyStreams } from "./probe-limits.ts";
import { applyShapes, describeInput, type Probe } from "./probe-report.ts";
import { type PacketFacts, readPackets } from "./read-packets.ts";
import { readShapes } from "./read-shapes.ts";
import { requireAllowedCodecs, requireDecodable, unsupportedFormat } from "./required-codecs.ts";
import { endedFromOutside, runFfmpeg } from "./run-ffmpeg.ts";
import { lengthOfSeveralClocks } from "./several-clocks.ts";
import type { MediaTools } from "./tools.ts";
import { tryDecoding } from "./try-decoding.ts";

export type { Probe } from "./probe-report.ts";

const PROBE_SECONDS_AT_MOST = 30;
/** Enough for tags of any reasonable size. */
const MOST_REPORT_BYTES = 16 * 1024 ** 2;

/** What a file is wanted for; it decides the words of a refusal. */
export type Use = "video" | "music";

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
 * anything but media), "unsupported_codec", "damaged" (begins as media but cannot be read), "too_large", "render_failed"
 * (ffmpeg was killed) or "cancelled".
 */
export async function probe(
  tools: MediaTools,
  path: string,
  options: { signal?: AbortSignal; use?: Use } = {},
): Promise<Probe> {
  const { use = "video", signal } = options;
  const { lines, facts } = await readInput(tools, path, use, signal);
  const report = readInputReport(lines);
  const refusedFormat = report ? null : await nameRefusedFormat(path, facts.stderr);
  if (refusedFormat !== null) {
    throw unsupportedFormat(refusedFormat, `Convert it to ${use === "video" ? "MP4" : "MP3 or M4A"}`, facts);
  }
  // it opened, but has too many streams or a forged report
  if (!report) throw (await looksLikeVideoContainer(path)) ? damaged(use, facts) : unfit(use, facts);
  const described = describeInput(report);
  requireAllowedCodecs(described, use, tools.codecs);
  const { formatName, video, audio } = described;
  const stream = video ?? audio;
  if (!stream) throw unfit(use, facts);
  if (video) requireWithinLimits({ video, durationSeconds: 0 });
  const others = othersThan(stream.index, report);
  const wanted = { index: stream.index, others, readEnd: statesItsEnd(report), signal };
  const decoded = [video, audio].filter((one) => one !== null).map(({ index }) => index);
  const [packets, shapes, decodability, severalClocksSeconds] = await Promise.all([
    readPackets(tools, path, wanted),
    video && use === "video" ? readShapes(tools, path, { ...video, formatName }, signal) : null,
    tryDecoding(tools, path, decoded, { signal }),
    lengthOfSeveralClocks(tools, path, report, { streams: decoded, signal }),
  ]);
  const shaped = video && shapes ? applyShapes(video, shapes) : video;
  if (signal?.aborted) throw cancelled();
  requireDecodable(described, decodability, use, tools.codecs);
  // of a video, outputs with other sound can be made
  const needed = use === "video" ? decodability[0] : decodability.at(-1);
  if (needed === "damaged") throw damaged(use, facts);
  const hasSeveralClocks = severalClocksSeconds !== null;
  const found = {
    ...{ formatName, audio, hasSeveralClocks, durationSeconds: severalClocksSeconds ?? durationOf(report, packets) },
    video: shaped && { ...shaped, startsWithKeyFrame: packets.startsWithKeyFrame },
  };
  const seconds = found.durationSeconds > 0 ? found.durationSeconds : await measureDuration(tools, path, found, signal);
  if (!seconds) throw damaged(use, facts);
  if (isStillPicture(found, seconds)) throw unfit(use, facts);
  const measured = { ...found, durationSeconds: seconds };
  requireWithinLimits(measured);
  return measured;
}

/** Returns ffmpeg's report about a file, as lines. */
async function readInput(tools: MediaTools, path: string, use: Use, signal: AbortSignal | undefined) {
  const args = ["-nostdin", "-hide_banner", "-loglevel", "info", ...READ_SAFELY, "-i", `file:${path}`];
  const command = launchCommand(tools.ffmpeg, allowDecoders(args, tools.codecs), tools.encoder);
  const result = await execa(command.file, command.args, {
    ...command.options,
    stdin: "ignore",
    reject: false,
    timeout: PROBE_SECONDS_AT_MOST * 1_000,
    forceKillAfterDelay: 500,
    maxBuffer: MOST_REPORT_BYTES,
    ...(signal ? { cancelSignal: signal } : {}),
  });
  if (signal?.aborted) throw cancelled();
  const facts = { step: "probe", exitCode: result.exitCode ?? null, stderr: result.stderr.slice(-4_096) };
  if (result.signal === "SIGKILL" && !result.timedOut && !result.isMaxBuffer) {
    throw new ClipmillError("render_failed", endedFromOutside("Reading the file"), { facts });
  }
  // no exit code: it crashed, or took too long
  if (result.exitCode === undefined) throw damaged(use, facts);
  // the exit code does not tell this from damage; a file's own tags are indented
  if (/^\[.*max_streams/m.test(result.stderr)) throw tooManyStreams(facts);
  return { lines: result.stderr.split("\n"), facts };
}

/** Returns true for a GIF or PNG of a single frame. */
function isStillPicture({ formatName, video }: Pick<Probe, "formatName" | "video">, seconds: number): boolean {
  return /^(?:gif|apng)$/.test(formatName) && seconds * (video?.framesPerSecond ?? 0) < 1.5;
}

/** Returns whether seeking by length finds a file's last packets. Program streams have too few timestamps for it. */
function statesItsEnd({ formatName, durationSeconds }: InputReport): boolean {
  return durationSeconds !== null && !/\bmpeg\b/.test(formatName);
}

/** A file is truncated if all its streams end this long before the stated end. */
const CUT_OFF_SECONDS = 0.5;

/** Returns the seconds from the file's start time to the stream's end; 0 if only reading the whole file can determine it. */
function durationOf(report: InputReport, { endSeconds, lastSeconds }: PacketFacts): number {
  if (!statesItsEnd(report)) return 0;
  // Matroska states its end time, and may start before zero with the audio encoder's priming samples
  const isMatroska = /\bmatroska\b/.test(report.formatName);
  const start = isMatroska ? Math.max(0, report.startSeconds) : report.startSeconds;
  const statedEnd = (report.durationSeconds ?? 0) + (isMatroska ? 0 : report.startSeconds);
  const hasPicture = report.streams.some(({ type, isAttachedPicture }) => type === "video" && !isAttachedPicture);
  // the end of subtitles is unknown; music often states an estimate
  const isEndCertain = hasPicture && !report.streams.some(({ type }) => type === "subtitle");
  const isCutOff = isEndCertain && (lastSeconds ?? 0) < statedEnd - CUT_OFF_SECONDS;
  // keep the stated length, so that a render detects what is missing
  if (isCutOff) return Math.max(0, statedEnd - start);
  return endSeconds === null ? 0 : Math.max(0, endSeconds - start);
}

/** Returns the other video and audio streams of a file with readable headers. */
function othersThan(index: number, { streams }: InputReport): number[] {
  const others = streams.filter((stream) => stream.index !== index);
  return others.filter(({ width, sampleRate }) => width > 0 || sampleRate > 0).map((stream) => stream.index);
}

/** Reads through a file whose header gives no duration (Matroska from a browser's recorder, for one). */
async function measureDuration(tools: MediaTools, path: string, found: Probe, signal?: AbortSignal) {
  const stream = found.video ?? found.audio;
  const args = [...openSource(path), "-map", `0:${stream?.index}`, "-c", "copy", "-f", "null", "-"];
  const seconds = await runFfmpeg(tools, { step: "measure duration", args, signal });
  // ffmpeg names the time at which the last frame begins
  return seconds === null || !found.video ? seconds : seconds + 1 / found.video.framesPerSecond;
}

function cancelled(): ClipmillError {
  return new ClipmillError("cancelled", "Reading the file was cancelled.");
}

function unfit(use: Use, facts: Record<string, unknown>): ClipmillError {
  return new ClipmillError(REFUSALS[use].code, REFUSALS[use].unfit, { facts });
}

function damaged(use: Use, facts: Record<string, unknown>): ClipmillError {
  return new ClipmillError("damaged", REFUSALS[use].damaged, { facts });
}
