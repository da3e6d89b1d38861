/** What goes before each `-i`: a file from outside is read as media and never followed anywhere. */
import type { Codecs } from "../../probe/formats/codecs.ts";

/**
 * Containers a source or a track may have. Playlists (hls, concat, dash), still pictures and anything that opens further
 * files are absent on purpose: a playlist renamed .mp4 is otherwise followed.
 */
const FORMATS = [
  ...["mov", "matroska", "avi", "mpegts", "mpeg", "flv", "asf", "ogg", "mxf", "dv"],
  ...["gif", "apng"],
  ...["mp3", "wav", "w64", "aac", "flac", "aiff", "caf", "amr", "ac3", "eac3"],
].join(",");

/** 8K: above any phone's, and an encoder of it stays below 3 GB. */
export const MAX_PIXELS = 8_192 * 4_320;
export const MAX_STREAMS = 64;

/** Does not include the allowed decoders, which differ by build: `allowDecoders` adds them where ffmpeg is started. */
export const READ_SAFELY = [
  ...["-protocol_whitelist", "file,pipe", "-format_whitelist", FORMATS],
  ...["-max_streams", String(MAX_STREAMS)],
] as const;

/**
 * The arguments that open a file from outside, from `startSeconds` on when given. `keepsFilters` passes frames to the filters
 * as they are: ffmpeg otherwise builds all filters again when the size of frames or the layout of sound changes mid-stream,
 * and what they hold is lost. The first filter must accept such a change.
 */
export function openSource(
  path: string,
  options: { startSeconds?: number; seconds?: number; keepsFilters?: boolean } = {},
): string[] {
  const { startSeconds = 0, seconds, keepsFilters = false } = options;
  return [
    ...READ_SAFELY,
    ...["-max_pixels", String(MAX_PIXELS)],
    ...(keepsFilters ? ["-reinit_filter", "0", "-noautorotate"] : []),
    ...(startSeconds > 0 ? ["-ss", startSeconds.toFixed(6)] : []),
    ...(seconds === undefined ? [] : ["-t", seconds.toFixed(6)]),
    // a path that begins with a dash or holds a colon is still a path
    ...["-i", `file:${path}`],
  ];
}

/**
 * Restricts every input of a command line to the allowed decoders. Inputs that ffmpeg generates itself (lavfi) are
 * unchanged.
 */
export function allowDecoders(args: readonly string[], { decoders }: Pick<Codecs, "decoders">): string[] {
  return args.flatMap((argument, i) => {
    const isFile = argument === "-i" && args[i - 1] !== "lavfi";
    return isFile ? ["-codec_whitelist", decoders, argument] : [argument];
  });
}

/** The arguments that open a caption or watermark picture drawn by ourselves. */
export function openDrawing(path: string): string[] {
  return [
    ...["-protocol_whitelist", "file,pipe", "-format_whitelist", "png_pipe"],
    ...["-f", "png_pipe", "-i", `file:${path}`],
  ];
}

/** Containers whose clock ffmpeg starts at the first of the streams in use. */
const CLOCK_OF_STREAMS = /\b(mpegts|mpeg|ogg)\b/;

/** Returns whether picture and sound that are read separately have different clocks, unless both are in use. */
export function hasClockOfStreams(formatName: string): boolean {
  return CLOCK_OF_STREAMS.test(formatName);
}

/** The output that keeps another stream of the first input in use, so that its clock is that of both. */
export function keepClock({ formatName }: { formatName: string }, other: { index: number } | null): string[] {
  if (!other || !hasClockOfStreams(formatName)) return [];
  return ["-map", `0:${other.index}`, "-c", "copy", "-t", "0.1", "-f", "null", "-"];
}
