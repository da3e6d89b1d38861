/** Summarizes a file before it is used. Pure. */
import { ALLOWED_CODECS } from "./formats/codecs.ts";
import type { LongFrame } from "../health/frame-timing.ts";
import type { Loss } from "./find-losses.ts";
import type { InputReport, ReportedStream } from "./input-report.ts";
import type { PixelAspectChange } from "./read-pixel-aspects.ts";
import type { FrameShape, Shapes } from "./read-shapes.ts";

export type VideoStream = {
  /** Number of the stream in the file, for `-map`. */
  index: number;
  /** As it is seen: after rotation, with square pixels. */
  width: number;
  height: number;
  /** As it is stored. */
  codedWidth: number;
  codedHeight: number;
  /** Clockwise, 0, 90, 180 or 270. */
  rotation: number;
  /** The container turns, mirrors or crops the picture, which ffmpeg does before any filter. */
  isPlaced: boolean;
  /** The filters that turn it upright, where ffmpeg's own would not survive a change mid-stream; null elsewhere. */
  turn: string[] | null;
  /** Width of a stored pixel divided by its height. */
  pixelAspect: number;
  /** Where that changes, from the start on; empty if it does not. */
  pixelAspects: PixelAspectChange[];
  hasSquarePixels: boolean;
  codec: string;
  pixelFormat: string | null;
  /** Frames are shown at equal distances, or can be without losing one. */
  framesPerSecond: number;
  timing: VideoTiming;
  isHdr: boolean;
  isInterlaced: boolean;
  hasAlpha: boolean;
  /** False for what was cut by copying between key frames: its beginning cannot be decoded. */
  startsWithKeyFrame: boolean;
  /** An edit list leaves out frames after the first that is shown: a copy would show them. */
  hidesFrames: boolean;
  /** ffmpeg's names; null if the file does not state them. */
  colorMatrix: string | null;
  colorPrimaries: string | null;
  colorTransfer: string | null;
  isFullRange: boolean;
  /** False if anything changes mid-stream, even if only how frames are coded. Such a stream is encoded, not copied. */
  isUniform: boolean;
  /** The range or the matrix changes mid-stream. */
  hasMixedColors: boolean;
  /** Stretches whose frames were lost or damaged before they reached the file. */
  losses: Loss[];
};

/** In seconds from where the file starts. */
type VideoTiming = {
  /** Where the first output frame lies; sound is moved along with it. */
  offsetSeconds: number;
  firstFrameSeconds: number;
  /** How long the last frame is shown. */
  lastFrameLasts: number;
  /** How much of that only because a player keeps showing it while sound goes on. */
  heldSeconds: number;
  longFrames: LongFrame[];
  /** A gap after the first packet of sound, too short to be heard: it is only there where reading starts later. */
  soundGapSeconds: number;
};

export type AudioStream = {
  index: number;
  codec: string;
  profile: string | null;
  sampleRate: number;
  channels: number;
  /** Stretches whose sound was lost before it reached the file. */
  losses: Loss[];
};

export type Probe = {
  formatName: string;
  durationSeconds: number;
  /** True for transport streams that were joined without adjusting their timestamps: seeking by time does not work. */
  hasSeveralClocks?: boolean;
  video: VideoStream | null;
  audio: AudioStream | null;
};

/** A file's facts before its packets are read, which determine its length and whether its first frame is a keyframe. */
export type Description = {
  formatName: string;
  video: DescribedVideo | null;
  audio: DescribedAudio | null;
  /** Codecs of the video and audio streams that were skipped because they are not allowed; null if one was chosen. */
  refusedVideo: string | null;
  refusedAudio: string | null;
};

export type DescribedAudio = Omit<AudioStream, "losses">;
export type DescribedVideo = Omit<VideoStream, "timing" | "startsWithKeyFrame" | "hidesFrames" | "losses">;

/** Matches MP4-style still pictures: HEIC and AVIF are read by the demuxer of MP4. */
const STILL_PICTURE_BRAND = /^(avif|heic|heix|mif1|msf1)/;
const FULL_RANGE_FORMAT = /^yuvj/;
const ALPHA_FORMAT = /^(yuva|gbrap|rgba|bgra|argb|abgr|ya\d|pal8)/;
/** Anamorphic video stays below 3. */
export const MAX_PIXEL_ASPECT = 5;
/** ffmpeg states a container's clock where it finds no rate. */
const MAX_REPORTED_RATE = 240;
const FIELD_ORDER = /^(?:top|bottom) (?:coded )?first/;

/** Returns the video and audio stream to use: the default ones among those with allowed codecs. */
export function describeInput(report: InputReport): Description {
  const isStillPicture = STILL_PICTURE_BRAND.test(report.majorBrand);
  const video = pick(
    isStillPicture ? [] : report.streams.filter(isVideo),
    ({ width, height }) => width > 0 && height > 0,
  );
  const audio = pick(report.streams.filter(isAudio), ({ sampleRate }) => sampleRate > 0);
  return {
    formatName: report.formatName,
    video: video.chosen ? readVideo(video.chosen) : null,
    audio: audio.chosen ? readAudio(audio.chosen) : null,
    refusedVideo: video.refused,
    refusedAudio: audio.refused,
  };
}

function isVideo(stream: ReportedStream): boolean {
  return stream.type === "video" && !stream.isAttachedPicture && hasKnownCodec(stream);
}

function isAudio(stream: ReportedStream): boolean {
  return stream.type === "audio" && hasKnownCodec(stream);
}

/** Returns false for streams that ffmpeg cannot name: phones add proprietary ones. */
function hasKnownCodec({ codec }: ReportedStream): boolean {
  return codec !== "unknown" && codec !== "none";
}

function isAllowed({ codec }: ReportedStream): boolean {
  return ALLOWED_CODECS.has(codec);
}

/** Some containers leave it to the decoder to find size and rate: without one, only the codec is known. */
function pick(
  streams: ReportedStream[],
  isDescribed: (stream: ReportedStream) => boolean,
): { chosen: ReportedStream | null; refused: string | null } {
  const usable = streams.filter((stream) => isAllowed(stream) && isDescribed(stream));
  const chosen = usable.find(({ isDefault }) => isDefault) ?? usable[0] ?? null;
  const refused = chosen ? undefined : streams.find((stream) => !isAllowed(stream));
  return { chosen, refused: refused?.codec ?? null };
}

function readVideo(stream: ReportedStream): DescribedVideo {
  const { width: codedWidth, height: codedHeight, pixelFormat, pictureFacts } = stream;
  const rotation = rotationOf(stream);
  const colors = colorsOf(pictureFacts);
  return {
    index: stream.index,
    ...seenSize({ width: codedWidth, height: codedHeight }, pixelAspectOf(stream), rotation),
    rotation,
    isPlaced: stream.isPlaced,
    codec: stream.codec,
    pixelFormat,
    framesPerSecond: frameRateOf(stream),
    isHdr: ["smpte2084", "arib-std-b67"].includes(colors.colorTransfer ?? ""),
    isInterlaced: pictureFacts.some((fact) => FIELD_ORDER.test(fact)),
    hasAlpha: ALPHA_FORMAT.test(pixelFormat ?? ""),
    ...colors,
    isFullRange: pictureFacts.includes("pc") || FULL_RANGE_FORMAT.test(pixelFormat ?? ""),
    // until its frames have been read
    turn: null,
    pixelAspects: [],
    isUniform: false,
    hasMixedColors: false,
  };
}

/**
 * Returns a stream with what its frames say. Where their size changes, the largest decides: streams from meetings and adaptive
 * downloads start small.
 */
export function applyShapes(video: DescribedVideo, { shapes, ...changes }: Shapes): DescribedVideo {
  const [first, ...others] = shapes.toSorted((a, b) => b.width * b.height - a.width * a.height);
  if (!first) return { ...video, ...changes };
  return {
    ...video,
    ...seenSize(first, video.pixelAspect, video.rotation),
    ...changes,
    hasMixedColors: others.some(({ range, matrix }) => range !== first.range || matrix !== first.matrix),
    colorMatrix: known(first.matrix),
    isFullRange: first.range === "pc" || FULL_RANGE_FORMAT.test(first.pixelFormat),
  };
}

/** Returns a frame's size as it is seen, next to the size it is stored in. */
function seenSize(
  { width: codedWidth, height: codedHeight }: Pick<FrameShape, "width" | "height">,
  pixelAspect: number,
  rotation: number,
): Pick<VideoStream, "width" | "height" | "codedWidth" | "codedHeight" | "pixelAspect" | "hasSquarePixels"> {
  // pixels are stretched, never squeezed: nothing of the source is lost
  const width = pixelAspect > 1 ? Math.round(codedWidth * pixelAspect) : codedWidth;
  const height = pixelAspect < 1 ? Math.round(codedHeight / pixelAspect) : codedHeight;
  const isTurned = rotation % 180 !== 0;
  return {
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    codedWidth,
    codedHeight,
    pixelAspect,
    hasSquarePixels: pixelAspect === 1,
  };
}

/** Details that are not colors: range, bit depth, field order, chroma location. */
const NO_COLOR = /^(?:tv|pc|\d+ bpc|progressive|(?:top|bottom) .*|left|center|topleft|lossless)$/;

/** Matrix, primaries and transfer function: "bt2020nc/bt2020/smpte2084", or "bt709" if all three are the same. */
function colorsOf(facts: string[]): Pick<VideoStream, "colorMatrix" | "colorPrimaries" | "colorTransfer"> {
  const [matrix, primaries = matrix, transfer = matrix] = facts.find((fact) => !NO_COLOR.test(fact))?.split("/") ?? [];
  return { colorMatrix: known(matrix), colorPrimaries: known(primaries), colorTransfer: known(transfer) };
}

function known(name: string | undefined): string | null {
  return name === undefined || name === "unknown" || name === "unspecified" ? null : name;
}

/** Width of a pixel over its height; 1 where the file does not say, or says what no camera makes. */
function pixelAspectOf({ pixelAspect }: ReportedStream): number {
  return pixelAspect >= 1 / MAX_PIXEL_ASPECT && pixelAspect <= MAX_PIXEL_ASPECT ? pixelAspect : 1;
}

/** Returns the rotation in quarter turns, clockwise. */
function rotationOf({ matrixRotation, rotateTag }: ReportedStream): number {
  const clockwise = matrixRotation === null ? (rotateTag ?? 0) : -matrixRotation;
  return (((Math.round((Number.isFinite(clockwise) ? clockwise : 0) / 90) * 90) % 360) + 360) % 360;
}

/** The rate that fits all timestamps, if ffmpeg has found one, or the average: what packets do not tell, as of a single frame. */
function frameRateOf({ averageRate: average, baseRate: base }: ReportedStream): number {
  return [base, average].find((rate) => rate > 0 && rate <= MAX_REPORTED_RATE) ?? 30;
}

function readAudio({ index, codec, profile, sampleRate, channels }: ReportedStream): DescribedAudio {
  return { index, codec, profile, sampleRate, channels };
}
