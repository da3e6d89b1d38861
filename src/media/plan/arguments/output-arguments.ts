/** The command lines that join streams to an output and take its thumbnail. Pure. */
import { openSource } from "./source-arguments.ts";

/** A stream to copy: number `index` of the file at `path`. */
export type CopiedStream = { path: string; index: number };

export const THUMBNAIL_AT_SECONDS = 1;
export const THUMBNAIL_PIXELS = 360;

/**
 * Removes data that cameras hide in H.264 streams, such as the location: SEI messages (6), filler (12) and NAL units that the
 * standard leaves unspecified. The decoded frames do not change.
 */
const DROP_HIDDEN_DATA = "filter_units=remove_types=0|6|12|24-31";

/** A picture that is copied from a source. */
export type SourcePicture = {
  /** When its first frame is shown. */
  firstFrameSeconds: number;
  /** Until when its last frame is shown. */
  endSeconds: number;
  /** The file ends that frame earlier. */
  isHeld: boolean;
};

/**
 * The arguments that copy one picture and at most one sound into an MP4 that starts playing before it is whole. `seconds`
 * ends both streams there; null leaves them as long as they are. `sourcePicture` describes a video stream that we did not
 * encode: all data that is not part of a frame is removed from it, and it is shown from the start to the end. Sound of the same
 * file is decoded too.
 */
export function outputArguments(
  picture: CopiedStream,
  sound: CopiedStream | null,
  options: { seconds: number | null; sourcePicture: SourcePicture | null; file: string },
): string[] {
  const isOneFile = sound?.path === picture.path;
  return [
    ...openSource(picture.path),
    ...(sound && !isOneFile ? openSource(sound.path) : []),
    ...["-map", `0:${picture.index}`],
    ...(sound ? ["-map", `${isOneFile ? 0 : 1}:${sound.index}`] : []),
    ...(options.sourcePicture ? ["-bsf:v", [DROP_HIDDEN_DATA, ...fillGaps(options.sourcePicture)].join(",")] : []),
    ...["-c", "copy", "-map_metadata", "-1", "-map_chapters", "-1"],
    ...(options.seconds === null ? [] : ["-t", options.seconds.toFixed(6)]),
    ...["-movflags", "+faststart", "-f", "mp4", `file:${options.file}`],
    ...(sound && isOneFile ? decodeSound(sound) : []),
  ];
}

/** Decodes a sound that is copied, for a report of what is damaged; how much of it must not end the run. */
function decodeSound({ index }: CopiedStream): string[] {
  return ["-max_error_rate", "1", "-map", `0:${index}`, "-f", "null", "-"];
}

/** Shows the first frame from the start on and the last one until the end, as pictures that are encoded do. */
function fillGaps({ firstFrameSeconds, endSeconds, isHeld }: SourcePicture): string[] {
  if (firstFrameSeconds <= 0 && !isHeld) return [];
  const isFirst = "eq(N,0)*gt(PTS,0)";
  const untilEnd = `${endSeconds.toFixed(6)}/TB-PTS`;
  // Matroska need not state how long the last frame is shown, or states a millisecond
  const last = isHeld ? untilEnd : `max(DURATION,${untilEnd})`;
  // the packet that is decoded last need not be the one that is shown last: the track ends with it all the same
  const duration = `if(eq(NEXT_DTS,NOPTS),${last},DURATION)`;
  return [`setts=pts='if(${isFirst},0,PTS)':dts='if(${isFirst},DTS-PTS,DTS)':duration='${duration}'`];
}

/**
 * The filters that make a frame what JPEG holds, at most so many pixels wide: full range, and a color matrix of its own, to
 * which the scale filter only gets by way of RGB. `matrix` is the frame's; "auto" believes what the frame says of itself.
 */
export function jpegFilters(maxPixelsWide: number, matrix: "bt709" | "auto"): string {
  const from = matrix === "auto" ? "" : `:in_color_matrix=${matrix}:in_range=tv`;
  return [
    `scale=w='min(${maxPixelsWide},iw)':h=-2${from},format=gbrp`,
    "scale=out_color_matrix=smpte170m:out_range=pc,format=yuvj420p",
  ].join(",");
}

/** The arguments that write the frame at `atSeconds` as a JPEG of at most 360 pixels width. */
export function thumbnailArguments(video: string, options: { atSeconds: number; file: string }): string[] {
  return [
    ...openSource(video, { startSeconds: options.atSeconds }),
    ...["-map", "0:v:0", "-frames:v", "1"],
    ...["-vf", jpegFilters(THUMBNAIL_PIXELS, "auto")],
    ...["-q:v", "4", "-update", "1", "-f", "image2", `file:${options.file}`],
  ];
}
