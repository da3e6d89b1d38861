import { openSource, WITHOUT_TAGS } from "./source-arguments.ts";

export const THUMBNAIL_AT_SECONDS = 1;
export const THUMBNAIL_PIXELS = 360;

/**
 * Removes data that cameras hide in H.264 streams, such as the location: SEI messages (6), filler (12) and unspecified
 * NAL units. Decoded frames do not change.
 */
const DROP_HIDDEN_DATA = "filter_units=remove_types=0|6|12|24-31";

export type SourcePicture = {
  firstFrameSeconds: number;
  endSeconds: number;
  /** The last frame is held beyond its end in the file. */
  isHeld: boolean;
};

/**
 * Copies a picture, and at most one sound, into an MP4 without any other data. An output has its index in front, which
 * takes a second pass. The sound is also decoded, to find damage.
 */
export function copyArguments(
  path: string,
  streams: { picture: number; sound: number | null },
  { shown, isOutput, file }: { shown: SourcePicture; isOutput: boolean; file: string },
): string[] {
  const { picture, sound } = streams;
  return [
    ...openSource(path),
    ...["-map", `0:${picture}`, ...(sound === null ? [] : ["-map", `0:${sound}`])],
    ...["-bsf:v", [DROP_HIDDEN_DATA, ...fillGaps(shown)].join(",")],
    ...["-c", "copy", ...WITHOUT_TAGS],
    ...(isOutput ? ["-movflags", "+faststart"] : []),
    ...["-f", "mp4", `file:${file}`],
    ...(sound === null ? [] : decodeSound(sound)),
  ];
}

/** Only reports damage; no amount of it may end the run. */
function decodeSound(index: number): string[] {
  return ["-max_error_rate", "1", "-map", `0:${index}`, "-f", "null", "-"];
}

/** Shows the first frame from the start and the last one until the end. */
function fillGaps({ firstFrameSeconds, endSeconds, isHeld }: SourcePicture): string[] {
  if (firstFrameSeconds <= 0 && !isHeld) return [];
  const isFirst = "eq(N,0)*gt(PTS,0)";
  const untilEnd = `${endSeconds.toFixed(6)}/TB-PTS`;
  // Matroska may omit the last frame's duration or state one millisecond.
  const last = isHeld ? untilEnd : `max(DURATION,${untilEnd})`;
  // The last packet decoded need not be the last one shown, but the track still ends with it.
  const duration = `if(eq(NEXT_DTS,NOPTS),${last},DURATION)`;
  return [`setts=pts='if(${isFirst},0,PTS)':dts='if(${isFirst},DTS-PTS,DTS)':duration='${duration}'`];
}

/**
 * JPEG needs full range and its own color matrix, which the scale filter reaches only through RGB. `matrix` is the
 * frame's; "auto" uses the one the frame states.
 */
export function jpegFilters(maxPixelsWide: number, matrix: "bt709" | "auto"): string {
  const from = matrix === "auto" ? "" : `:in_color_matrix=${matrix}:in_range=tv`;
  return [
    `scale=w='min(${maxPixelsWide},iw)':h=-2${from},format=gbrp`,
    "scale=out_color_matrix=smpte170m:out_range=pc,format=yuvj420p",
  ].join(",");
}

/** Writes the frame at that time, or with `isLast` the last one after it, in full size. */
export function coverArguments(
  video: string,
  { atSeconds, isLast, pixelsWide, file }: { atSeconds: number; isLast: boolean; pixelsWide: number; file: string },
): string[] {
  return [
    ...["-threads", "1"],
    ...openSource(video, { startSeconds: atSeconds }),
    ...["-map", "0:v:0", ...(isLast ? [] : ["-frames:v", "1"])],
    ...["-vf", jpegFilters(pixelsWide, "auto")],
    ...["-q:v", "2", "-update", "1", "-f", "image2", `file:${file}`],
  ];
}

/** At most 360 pixels wide. Unless `isExact`, skips frames that no other frame refers to, and writes the next one. */
export function thumbnailArguments(
  video: string,
  { atSeconds, isExact, file }: { atSeconds: number; isExact: boolean; file: string },
): string[] {
  return [
    // More threads would read ahead.
    ...["-threads", "1", ...(isExact ? [] : ["-skip_frame", "noref"])],
    ...openSource(video, { startSeconds: atSeconds }),
    ...["-map", "0:v:0", "-frames:v", "1"],
    ...["-vf", jpegFilters(THUMBNAIL_PIXELS, "auto")],
    ...["-q:v", "4", "-update", "1", "-f", "image2", `file:${file}`],
  ];
}
