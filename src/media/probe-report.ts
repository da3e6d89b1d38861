/** What ffprobe's JSON says about a file. Pure. */
import { z } from "zod";

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
  hasSquarePixels: boolean;
  codec: string;
  profile: string | null;
  pixelFormat: string | null;
  framesPerSecond: number;
  isHdr: boolean;
  isInterlaced: boolean;
  hasAlpha: boolean;
  /** False for what was cut by copying between key frames: its beginning cannot be decoded. */
  startsWithKeyFrame: boolean;
  /** As ffprobe names them; null when the file does not say. */
  colorMatrix: string | null;
  colorPrimaries: string | null;
  colorTransfer: string | null;
  isFullRange: boolean;
};

export type AudioStream = {
  index: number;
  codec: string;
  profile: string | null;
  sampleRate: number;
  channels: number;
};

export type Probe = {
  formatName: string;
  durationSeconds: number;
  video: VideoStream | null;
  audio: AudioStream | null;
};

const number = z.coerce.number();
const streamSchema = z.object({
  index: z.number(),
  codec_type: z.string().optional(),
  codec_name: z.string().optional(),
  profile: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  pix_fmt: z.string().optional(),
  sample_aspect_ratio: z.string().optional(),
  field_order: z.string().optional(),
  color_range: z.string().optional(),
  color_space: z.string().optional(),
  color_transfer: z.string().optional(),
  color_primaries: z.string().optional(),
  avg_frame_rate: z.string().optional(),
  r_frame_rate: z.string().optional(),
  start_time: number.optional(),
  duration: number.optional(),
  sample_rate: number.optional(),
  channels: z.number().optional(),
  disposition: z.object({ attached_pic: z.number().optional(), default: z.number().optional() }).optional(),
  tags: z.record(z.string(), z.string()).optional(),
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).optional(),
});
type Stream = z.infer<typeof streamSchema>;

const reportSchema = z.object({
  packets: z.array(z.object({ stream_index: z.number(), flags: z.string() })).default([]),
  streams: z.array(streamSchema).default([]),
  format: z.object({
    format_name: z.string(),
    start_time: number.optional(),
    duration: number.optional(),
    tags: z.record(z.string(), z.string()).optional(),
  }),
});

/** Matches MP4-style still pictures: HEIC and AVIF are read by the demuxer of MP4. */
const STILL_PICTURE_BRAND = /^(avif|heic|heix|mif1|msf1)/;
const FULL_RANGE_FORMAT = /^yuvj/;
const ALPHA_FORMAT = /^(yuva|gbrap|rgba|bgra|argb|abgr|ya\d|pal8)/;
/** Anamorphic video stays below 3. */
const MOST_PIXEL_ASPECT = 5;

/** Reads ffprobe's report (format, streams and the first packets as JSON, parsed). `durationSeconds` is 0 where only reading through tells. */
export function readProbeReport(report: unknown): Probe {
  const { format, streams, packets } = reportSchema.parse(report);
  const isStillPicture = STILL_PICTURE_BRAND.test(format.tags?.["major_brand"] ?? "");
  const video = isStillPicture ? undefined : pick(streams.filter(isVideo));
  const audio = pick(streams.filter(isAudio));
  return {
    formatName: format.format_name,
    durationSeconds: durationOf(video ?? audio, format),
    video: video ? readVideo(video, packets.find(({ stream_index }) => stream_index === video.index)?.flags) : null,
    audio: audio ? readAudio(audio) : null,
  };
}

function isVideo(stream: Stream): boolean {
  const hasSize = (stream.width ?? 0) > 0 && (stream.height ?? 0) > 0;
  // a cover picture is a video stream to ffprobe
  const isCover = stream.disposition?.attached_pic === 1;
  return stream.codec_type === "video" && hasSize && !isCover && hasKnownCodec(stream);
}

function isAudio(stream: Stream): boolean {
  return stream.codec_type === "audio" && (stream.sample_rate ?? 0) > 0 && hasKnownCodec(stream);
}

/** Phones add streams of codecs that nobody else can decode: ffprobe gives them no name. */
function hasKnownCodec({ codec_name: name }: Stream): boolean {
  return name !== undefined && name !== "unknown" && name !== "none";
}

function pick(streams: Stream[]): Stream | undefined {
  return streams.find((stream) => stream.disposition?.default === 1) ?? streams[0];
}

/** Seconds from where the file's time begins to the end of the stream; the whole file's where the stream does not say. */
function durationOf(stream: Stream | undefined, format: z.infer<typeof reportSchema>["format"]): number {
  const fileStart = finite(format.start_time ?? 0);
  const fileDuration = finite(format.duration ?? 0);
  // a program stream names times too seldom to tell where its picture ends
  if (/\bmpeg\b/.test(format.format_name)) return 0;
  if (stream?.duration !== undefined && stream.duration > 0)
    return stream.duration + Math.max(0, finite(stream.start_time ?? 0) - fileStart);
  const end = secondsOf(stream?.tags?.["DURATION"] ?? stream?.tags?.["DURATION-eng"]) || fileDuration;
  if (!/\bmatroska\b/.test(format.format_name)) return Math.max(0, end);
  // Matroska names the time at which it ends; it may begin at any time, and before zero with what its sound's encoder put in front
  const unheard = stream?.codec_type === "audio" ? Math.abs(fileStart) : Math.max(0, fileStart);
  return Math.max(0, unheard < end ? end - unheard : end);
}

/** "00:00:02.500000000" in seconds. */
function secondsOf(text: string | undefined): number | undefined {
  const match = /^(\d+):(\d+):(\d+(?:\.\d+)?)$/.exec(text ?? "");
  return match ? Number(match[1]) * 3_600 + Number(match[2]) * 60 + Number(match[3]) : undefined;
}

function readVideo(stream: Stream, firstPacketFlags: string | undefined): VideoStream {
  const codedWidth = stream.width ?? 0;
  const codedHeight = stream.height ?? 0;
  const pixelAspect = pixelAspectOf(stream);
  const rotation = rotationOf(stream);
  // pixels are stretched, never squeezed: nothing of the source is lost
  const width = pixelAspect > 1 ? Math.round(codedWidth * pixelAspect) : codedWidth;
  const height = pixelAspect < 1 ? Math.round(codedHeight / pixelAspect) : codedHeight;
  const isTurned = rotation % 180 !== 0;
  return {
    index: stream.index,
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    codedWidth,
    codedHeight,
    rotation,
    hasSquarePixels: pixelAspect === 1,
    codec: stream.codec_name ?? "unknown",
    profile: stream.profile ?? null,
    pixelFormat: stream.pix_fmt ?? null,
    framesPerSecond: frameRateOf(stream),
    isHdr: ["smpte2084", "arib-std-b67"].includes(stream.color_transfer ?? ""),
    isInterlaced: ["tt", "bb", "tb", "bt"].includes(stream.field_order ?? ""),
    hasAlpha: ALPHA_FORMAT.test(stream.pix_fmt ?? ""),
    startsWithKeyFrame: firstPacketFlags?.startsWith("K") ?? true,
    colorMatrix: known(stream.color_space),
    colorPrimaries: known(stream.color_primaries),
    colorTransfer: known(stream.color_transfer),
    isFullRange: stream.color_range === "pc" || FULL_RANGE_FORMAT.test(stream.pix_fmt ?? ""),
  };
}

function known(name: string | undefined): string | null {
  return name === undefined || name === "unknown" || name === "unspecified" ? null : name;
}

/** Width of a pixel over its height; 1 where the file does not say, or says what no camera makes. */
function pixelAspectOf(stream: Stream): number {
  const aspect = ratioOf(stream.sample_aspect_ratio?.replace(":", "/"));
  return aspect >= 1 / MOST_PIXEL_ASPECT && aspect <= MOST_PIXEL_ASPECT ? aspect : 1;
}

/** ffprobe's angle is counter-clockwise; the old tag's is clockwise. */
function rotationOf(stream: Stream): number {
  const matrix = stream.side_data_list?.find((data) => data.rotation !== undefined)?.rotation;
  const clockwise = matrix === undefined ? Number(stream.tags?.["rotate"] ?? 0) : -matrix;
  return (((Math.round((Number.isFinite(clockwise) ? clockwise : 0) / 90) * 90) % 360) + 360) % 360;
}

/**
 * The average rate, or the base rate where the average is a little below it: a phone's 30 frames with a few missing average
 * 29.4, and resampling to that would drop a frame every second or so.
 */
function frameRateOf(stream: Stream): number {
  const average = ratioOf(stream.avg_frame_rate);
  const base = ratioOf(stream.r_frame_rate);
  if (average === 0) return base > 0 && base <= 240 ? base : 30;
  return average >= 0.8 * base && average < base ? base : average;
}

function readAudio(stream: Stream): AudioStream {
  return {
    index: stream.index,
    codec: stream.codec_name ?? "unknown",
    profile: stream.profile ?? null,
    sampleRate: stream.sample_rate ?? 0,
    channels: stream.channels ?? 0,
  };
}

/** "30000/1001" as a number; 0 when it is none. */
function ratioOf(text: string | undefined): number {
  const [above, below] = (text ?? "").split("/").map(Number);
  const ratio = (above ?? 0) / (below ?? 1);
  return Number.isFinite(ratio) && ratio > 0 ? ratio : 0;
}

function finite(seconds: number): number {
  return Number.isFinite(seconds) ? seconds : 0;
}
