import type { ClipmillError } from "#contract/errors.ts";
import { ALLOWED_CODECS } from "./formats/codecs.ts";
import type { LongFrame } from "../health/frame-timing.ts";
import type { Loss } from "./find-losses.ts";
import type { InputReport, ReportedStream } from "./input-report.ts";
import type { PixelAspectChange } from "./read-pixel-aspects.ts";
import type { FrameShape, Shapes } from "./read-shapes.ts";

export type VideoStream = {
  index: number;
  /** As displayed: after rotation, with square pixels. */
  width: number;
  height: number;
  codedWidth: number;
  codedHeight: number;
  /** Clockwise: 0, 90, 180 or 270. */
  rotation: number;
  /** The container rotates, mirrors or crops the picture; ffmpeg does this before any filter. */
  isPlaced: boolean;
  /** Filters that rotate the picture upright, where ffmpeg's own would not survive a change mid-stream. */
  turn: string[] | null;
  /** Width of a stored pixel divided by its height. */
  pixelAspect: number;
  /** From the start on; empty if constant. */
  pixelAspects: PixelAspectChange[];
  hasSquarePixels: boolean;
  codec: string;
  pixelFormat: string | null;
  /** Rate of evenly spaced frames, or one that loses no frame. */
  framesPerSecond: number;
  timing: VideoTiming;
  isHdr: boolean;
  isInterlaced: boolean;
  hasAlpha: boolean;
  /** Decodes the transparency, unlike ffmpeg's own decoder; null if that one is enough. */
  alphaDecoder: string | null;
  /** False for clips cut between keyframes by copying: their start cannot be decoded. */
  startsWithKeyFrame: boolean;
  /** An edit list hides frames after the first one shown; a copy would show them. */
  hidesFrames: boolean;
  /** ffmpeg's names; null if unstated. */
  colorMatrix: string | null;
  colorPrimaries: string | null;
  colorTransfer: string | null;
  isFullRange: boolean;
  /** False if anything changes mid-stream, even just the coding of frames. Such a stream is encoded, not copied. */
  isUniform: boolean;
  hasMixedColors: boolean;
  /** Lost or damaged before they reached the file. */
  losses: Loss[];
};

/** In seconds from the start of the file. */
type VideoTiming = {
  /** Time of the first output frame; sound is shifted by the same amount. */
  offsetSeconds: number;
  firstFrameSeconds: number;
  /** How long the last frame is shown. */
  lastFrameLasts: number;
  /** The part of `lastFrameLasts` that only waits for the sound to end. */
  heldSeconds: number;
  longFrames: LongFrame[];
  /** A gap after the first sound packet, too short to be heard; present only when reading starts later. */
  soundGapSeconds: number;
};

export type AudioStream = {
  index: number;
  codec: string;
  profile: string | null;
  sampleRate: number;
  channels: number;
  /** From its first sample on. A video's sound can be shorter than its picture. */
  durationSeconds: number;
  losses: Loss[];
};

export type Probe = {
  formatName: string;
  durationSeconds: number;
  /** True for transport streams joined without adjusting their timestamps: they cannot be seeked by time. */
  hasSeveralClocks?: boolean;
  video: VideoStream | null;
  audio: AudioStream | null;
  /** Why the video's own sound cannot be decoded; `audio` then only shares the clock, or is null. */
  soundError?: ClipmillError | null;
};

/** From the header only. Packets determine the length and whether the first frame is a keyframe. */
export type Description = {
  formatName: string;
  video: DescribedVideo | null;
  audio: DescribedAudio | null;
  /** Codecs of the streams skipped because they are not allowed; null if a stream was chosen. */
  unsupportedVideo: string | null;
  unsupportedAudio: string | null;
};

export type DescribedAudio = Omit<AudioStream, "durationSeconds" | "losses">;
export type DescribedVideo = Omit<VideoStream, "timing" | "startsWithKeyFrame" | "hidesFrames" | "losses">;

/** Still pictures in MP4 containers: the MP4 demuxer reads HEIC and AVIF. */
const STILL_PICTURE_BRAND = /^(avif|heic|heix|mif1|msf1)/;
const FULL_RANGE_FORMAT = /^yuvj/;
const ALPHA_FORMAT = /^(yuva|gbrap|rgba|bgra|argb|abgr|ya\d|pal8)/;
/** By codec, for WebM. */
const ALPHA_DECODERS: Partial<Record<string, string>> = { vp8: "libvpx", vp9: "libvpx-vp9" };
/** Anamorphic video stays below 3. */
export const MAX_PIXEL_ASPECT = 5;
/** Above this, ffmpeg found no rate and states the container's clock. */
const MAX_REPORTED_RATE = 240;
const FIELD_ORDER = /^(?:top|bottom) (?:coded )?first/;

/** Prefers the default streams among those with allowed codecs. `decoders` are this ffmpeg's. */
export function describeInput(report: InputReport, decoders: readonly string[] = []): Description {
  const isStillPicture = STILL_PICTURE_BRAND.test(report.majorBrand);
  const video = pick(
    isStillPicture ? [] : report.streams.filter(isVideo),
    ({ width, height }) => width > 0 && height > 0,
  );
  const audio = pick(report.streams.filter(isAudio), ({ sampleRate }) => sampleRate > 0);
  return {
    formatName: report.formatName,
    video: video.chosen ? readVideo(video.chosen, decoders) : null,
    audio: audio.chosen ? readAudio(audio.chosen) : null,
    unsupportedVideo: video.skipped,
    unsupportedAudio: audio.skipped,
  };
}

function isVideo(stream: ReportedStream): boolean {
  return stream.type === "video" && !stream.isAttachedPicture && hasKnownCodec(stream);
}

function isAudio(stream: ReportedStream): boolean {
  return stream.type === "audio" && hasKnownCodec(stream);
}

/** ffmpeg cannot name some streams, such as phones' proprietary ones. */
function hasKnownCodec({ codec }: ReportedStream): boolean {
  return codec !== "unknown" && codec !== "none";
}

function isAllowed({ codec }: ReportedStream): boolean {
  return ALLOWED_CODECS.has(codec);
}

/** Without a decoder, some containers reveal only the codec, not size or rate. */
function pick(
  streams: ReportedStream[],
  isDescribed: (stream: ReportedStream) => boolean,
): { chosen: ReportedStream | null; skipped: string | null } {
  const usable = streams.filter((stream) => isAllowed(stream) && isDescribed(stream));
  const chosen = usable.find(({ isDefault }) => isDefault) ?? usable[0] ?? null;
  const skipped = chosen ? undefined : streams.find((stream) => !isAllowed(stream));
  return { chosen, skipped: skipped?.codec ?? null };
}

function readVideo(stream: ReportedStream, decoders: readonly string[]): DescribedVideo {
  const { width: codedWidth, height: codedHeight, pixelFormat, pictureFacts } = stream;
  const rotation = rotationOf(stream);
  const colors = colorsOf(pictureFacts);
  const alphaDecoder = decoders.find((name) => stream.hasAlphaTag && name === ALPHA_DECODERS[stream.codec]) ?? null;
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
    hasAlpha: alphaDecoder !== null || ALPHA_FORMAT.test(pixelFormat ?? ""),
    alphaDecoder,
    ...colors,
    isFullRange: pictureFacts.includes("pc") || FULL_RANGE_FORMAT.test(pixelFormat ?? ""),
    // Placeholders until the frames are read.
    turn: null,
    pixelAspects: [],
    isUniform: false,
    hasMixedColors: false,
  };
}

/** If the size changes, the largest counts: streams from meetings and adaptive downloads start small. */
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

function seenSize(
  { width: codedWidth, height: codedHeight }: Pick<FrameShape, "width" | "height">,
  pixelAspect: number,
  rotation: number,
): Pick<VideoStream, "width" | "height" | "codedWidth" | "codedHeight" | "pixelAspect" | "hasSquarePixels"> {
  // Pixels are only stretched, so that no detail is lost.
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

/** Details other than colors: range, bit depth, field order, chroma location. */
const NO_COLOR = /^(?:tv|pc|\d+ bpc|progressive|(?:top|bottom) .*|left|center|topleft|lossless)$/;

/** Parses "bt2020nc/bt2020/smpte2084", or "bt709" if all three are the same. */
function colorsOf(facts: string[]): Pick<VideoStream, "colorMatrix" | "colorPrimaries" | "colorTransfer"> {
  const [matrix, primaries = matrix, transfer = matrix] = facts.find((fact) => !NO_COLOR.test(fact))?.split("/") ?? [];
  return { colorMatrix: known(matrix), colorPrimaries: known(primaries), colorTransfer: known(transfer) };
}

function known(name: string | undefined): string | null {
  return name === undefined || name === "unknown" || name === "unspecified" ? null : name;
}

function pixelAspectOf({ pixelAspect }: ReportedStream): number {
  return pixelAspect >= 1 / MAX_PIXEL_ASPECT && pixelAspect <= MAX_PIXEL_ASPECT ? pixelAspect : 1;
}

function rotationOf({ matrixRotation, rotateTag }: ReportedStream): number {
  const clockwise = matrixRotation === null ? (rotateTag ?? 0) : -matrixRotation;
  return (((Math.round((Number.isFinite(clockwise) ? clockwise : 0) / 90) * 90) % 360) + 360) % 360;
}

/** Prefers the rate that fits all timestamps. Only used where packets give no rate, as with a single frame. */
function frameRateOf({ averageRate: average, baseRate: base }: ReportedStream): number {
  return [base, average].find((rate) => rate > 0 && rate <= MAX_REPORTED_RATE) ?? 30;
}

function readAudio({ index, codec, profile, sampleRate, channels }: ReportedStream): DescribedAudio {
  return { index, codec, profile, sampleRate, channels };
}
