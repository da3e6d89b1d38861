import { findSoundLosses } from "./find-losses.ts";
import { chooseFrameGrid, findLongFrames, placeEnd } from "../health/frame-timing.ts";
import type { InputReport, ReportedStream } from "./input-report.ts";
import { hasClockOfStreams } from "../plan/arguments/source-arguments.ts";
import { openInput, type Use } from "./open-input.ts";
import { requireWithinLimits } from "./probe-limits.ts";
import { applyShapes, type DescribedAudio, type DescribedVideo, type Probe, type VideoStream } from "./probe-report.ts";
import { type PacketFacts, readPackets } from "./read-packets.ts";
import { headerFilterOf, readShapes } from "./read-shapes.ts";
import { findSoundError, requireDecodable } from "../ffmpeg/required-codecs.ts";
import type { MediaTools } from "../ffmpeg/tools.ts";
import { readStatedLength, type StatedLength } from "./stated-length.ts";
import { tryDecoding } from "./try-decoding.ts";

export type { Use } from "./open-input.ts";
export type { Probe } from "./probe-report.ts";

/** Reads streams and timing. Throws like `openInput`. */
export async function probe(
  tools: MediaTools,
  path: string,
  options: { signal?: AbortSignal; use?: Use } = {},
): Promise<Probe> {
  const { use = "video", signal } = options;
  const { report, described, stream, errors } = await openInput(tools, path, { use, signal });
  const { formatName, video, audio } = described;
  // A clock that depends on the streams in use must match the render's.
  const others = hasClockOfStreams(formatName)
    ? video && audio
      ? [audio.index]
      : []
    : othersThan(stream.index, report);
  const decoded = [video, audio].filter((one) => one !== null).map(({ index }) => index);
  const shaped = use === "video" ? video : null;
  const headerFilter = shaped ? headerFilterOf(shaped) : undefined;
  const wanted = { formatName, stream: stream.index, others, headerFilter, decoded };
  const reading = readPackets(tools, path, wanted, signal);
  const [packets, stated, shapes] = await Promise.all([
    reading,
    readStatedLength(path, report, decoded),
    shaped && readShapes(tools, path, { ...shaped, formatName }, { headers: reading, signal }),
  ]);
  const decodability = packets.areDecodable
    ? decoded.map(() => "decodable" as const)
    : await tryDecoding(tools, path, decoded, { signal });
  requireDecodable(described, decodability, use, tools.codecs);
  // A video whose own sound is damaged can still have outputs with other sound.
  const needed = use === "video" ? decodability[0] : decodability.at(-1);
  if (needed === "damaged") throw errors.damaged();
  const found = video
    ? measureVideo(comparable(stated, report), shapes ? applyShapes(video, shapes) : video, audio, packets)
    : { durationSeconds: Math.max(0, packets.endSeconds ?? 0), video: null };
  if (found.durationSeconds === 0) throw errors.damaged();
  // A still picture.
  if (/^(?:gif|apng)$/.test(formatName) && packets.times.length === 1) throw errors.unfit();
  requireWithinLimits(found);
  const hasSeveralClocks = findSeveralClocks(report, { ...packets, readSeconds: found.durationSeconds });
  const sound = audio && (audio.index === stream.index ? packets : packets.others.get(audio.index));
  return {
    ...{ ...found, formatName, hasSeveralClocks },
    soundError: video && findSoundError(described, audio ? decodability.at(-1) : undefined, tools.codecs),
    audio: audio && {
      ...audio,
      // Encoder padding may start before the first sample.
      durationSeconds: sound?.endSeconds ? sound.endSeconds - Math.max(0, sound.startSeconds) : found.durationSeconds,
      losses: sound ? findSoundLosses(sound.losses, video ? packets.losses : undefined) : [],
    },
  };
}

/** A file is truncated if its streams end this long before the stated end, and no frame lasts that long. */
const CUT_OFF_SECONDS = 0.5;
/** The decoder fills longer gaps in sound. */
const FILLED_GAP_SECONDS = 0.1;

/**
 * Players hold the last frame while sound continues, so the longer stream counts. A truncated file keeps its stated
 * length, so that the render detects the missing part.
 */
function measureVideo(
  stated: StatedLength,
  described: DescribedVideo,
  audio: DescribedAudio | null,
  { times, endSeconds, others, startsWithKeyFrame, hidesFrames, losses }: PacketFacts,
): Pick<Probe, "durationSeconds"> & { video: VideoStream } {
  const { framesPerSecond, offsetSeconds } = chooseFrameGrid(times, described.framesPerSecond);
  const lastFrame = times.at(-1) ?? 0;
  // Sound and headers are rounded, so differences below a frame do not count.
  const isLonger = (seconds: number, thanSeconds: number) => seconds - thanSeconds >= 1 / framesPerSecond;
  const longestFrame = times.reduce((longest, time, i) => Math.max(longest, time - (times[i - 1] ?? time)), 0);
  // Some containers omit the last frame's duration.
  const statedEnd =
    endSeconds !== null && endSeconds > lastFrame ? endSeconds : lastFrame + 1 / Math.max(1, framesPerSecond);
  const packetEnd = Math.max(statedEnd, placeEnd(lastFrame, { framesPerSecond, offsetSeconds }));
  const sound = audio ? others.get(audio.index) : undefined;
  const soundEnd = sound?.endSeconds ?? 0;
  const otherEnds = stated.isOfStreams ? [soundEnd] : [...others.values()].map((other) => other.endSeconds ?? 0);
  const readEnd = Math.max(packetEnd, ...otherEnds);
  const isCutOff = readEnd < stated.seconds - Math.max(CUT_OFF_SECONDS, longestFrame);
  const gap = sound?.firstGapSeconds ?? 0;
  const isStated = isLonger(stated.seconds, readEnd) && stated.seconds - packetEnd <= longestFrame;
  const ownEnd = isStated ? stated.seconds : packetEnd;
  const heldSeconds = isLonger(soundEnd, ownEnd) ? soundEnd - ownEnd : 0;
  const playedEnd = ownEnd + heldSeconds;
  const timing = {
    ...{ offsetSeconds, heldSeconds, firstFrameSeconds: times[0] ?? 0, lastFrameLasts: playedEnd - lastFrame },
    longFrames: findLongFrames(times, playedEnd),
    soundGapSeconds: gap > 0 && gap < FILLED_GAP_SECONDS ? gap : 0,
  };
  return {
    durationSeconds: times.length === 0 ? 0 : isCutOff ? stated.seconds : playedEnd,
    video: {
      ...{ ...described, framesPerSecond, startsWithKeyFrame, hidesFrames, timing },
      losses: [...losses.gaps, ...losses.damaged],
    },
  };
}

/** Larger differences between lengths mean a clock reset. */
const CLOCK_RESET_SECONDS = 1;

/**
 * True for streams joined without adjusting timestamps. ffmpeg continues the time at each reset and, since version 6,
 * warns about it. The stated length comes from the first and last timestamps.
 */
function findSeveralClocks(
  { formatName, durationSeconds }: InputReport,
  { isClockReset, readSeconds }: { isClockReset: boolean; readSeconds: number },
): boolean {
  if (!/^mpeg(ts)?$/.test(formatName)) return false;
  return isClockReset || Math.abs(readSeconds - (durationSeconds ?? 0)) > CLOCK_RESET_SECONDS;
}

/** A length that belongs to a stream whose packets are not listed would make an intact file look truncated. */
function comparable(stated: StatedLength, { formatName, streams }: InputReport): StatedLength {
  // Timestamps of data may be out of order, which ends a run.
  const isCertain = !hasClockOfStreams(formatName) && streams.every(({ type }) => type !== "data");
  return stated.isOfStreams || isCertain ? stated : { ...stated, seconds: 0 };
}

function othersThan(index: number, { streams }: InputReport): number[] {
  return streams.filter((stream) => stream.index !== index && isListed(stream)).map((stream) => stream.index);
}

function isListed({ type, width, sampleRate }: ReportedStream): boolean {
  return width > 0 || sampleRate > 0 || type === "subtitle";
}
