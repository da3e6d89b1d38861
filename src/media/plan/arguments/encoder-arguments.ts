import type { Codec, Quality } from "#contract/jobs/jobs.ts";
import type { Encoder } from "#contract/settings/system.ts";

/** Bump whenever the same request would produce a different stream. */
export const ENGINE_VERSION = 10;

/** Three B-frames in turn, without deciding where they pay off: smaller than the preset's, for less CPU. */
const FIXED_B_FRAMES = "bframes=3:b-adapt=0:b-pyramid=none:weightb=0:scenecut=0:rc-lookahead=8";
/**
 * Chosen by CPU, size, VMAF, XPSNR and banding: docs/decisions/0030. `npm run bench encoder-settings` measures them.
 */
export const RATE_CONTROL: Record<Quality, readonly string[]> = {
  draft: ["-preset", "ultrafast", "-crf", "24", "-x264-params", "8x8dct=1"],
  standard: [
    ...["-preset", "veryfast", "-crf", "21.2", "-x264-params"],
    `${FIXED_B_FRAMES}:subme=1:me=dia:analyse=i8x8,i4x4:aq-strength=0.9:deadzone-inter=18:deadzone-intra=9`,
  ],
  high: ["-preset", "faster", "-crf", "19"],
};
/** Keeps headers independent of the content, so that stretches can be joined. */
const JOINABLE = "stitchable=1";
/** The first ten frames of an encode are about 1 dB worse. Measured by `npm run bench seams`. */
const BETTER_START = "zones=0,9,b=1.15";

/** Chosen by CPU, size and VMAF: docs/decisions/0068. */
const HEVC_RATE_CONTROL: Record<Quality, readonly string[]> = {
  draft: ["-preset", "ultrafast", "-crf", "22"],
  standard: ["-preset", "superfast", "-crf", "22"],
  high: ["-preset", "fast", "-crf", "20"],
};
/**
 * Closed groups of pictures with all headers in the file's index, so that streams can be joined. Their bytes do not depend
 * on the number of threads or on the source, and say nothing about the encoder.
 */
const HEVC_JOINABLE = "open-gop=0:scenecut=0:repeat-headers=0:info=0:frame-threads=1:wpp=1:chromaloc=0:log-level=error";

type Asked = { quality: Quality; threads: number; followsSeam: boolean; kbps: number | null; codec: Codec };

type PictureEncoder = {
  device: readonly string[];
  finish: string;
  /** Tuned to about the same quality in all encoders. */
  encode: (asked: Asked) => readonly string[];
  /** Streams with equal arguments have equal headers, so that they can be joined. */
  isJoinable: boolean;
  /** In pixels; other sizes are encoded in software. */
  sides: { least: number; most: number };
};

/** Near the software encoder's quantizer; VideoToolbox counts upward, from 1 to 100. */
const QUANTISER: Record<Quality, number> = { draft: 27, standard: 23, high: 19 };
const VIDEOTOOLBOX_QUALITY: Record<Quality, number> = { draft: 55, standard: 65, high: 75 };
const VAAPI_DEVICE = "/dev/dri/renderD128";
/** H.264 encoders of older GPUs reject other sizes, or fail at them. */
const HARDWARE = { device: [], finish: "null", isJoinable: false, sides: { least: 160, most: 4_096 } };

/**
 * Not measured on GPUs: `clipmill encoder` compares them with software. Forced keyframes must be IDR frames, because
 * pictures are split there.
 */
const PICTURE_ENCODERS: Record<Encoder, PictureEncoder> = {
  software: {
    device: [],
    finish: "null",
    isJoinable: true,
    sides: { least: 0, most: Number.POSITIVE_INFINITY },
    encode: (asked) => [
      ...(asked.codec === "hevc" ? encodeHevc(asked) : encodeH264(asked)),
      ...["-pix_fmt", "yuv420p", "-threads", String(asked.threads)],
    ],
  },
  h264_nvenc: {
    ...HARDWARE,
    encode: ({ quality, codec }) => [
      ...["-c:v", `${codec}_nvenc`, "-preset", "p5", "-rc", "vbr", "-cq", String(QUANTISER[quality]), "-b:v", "0"],
      ...["-forced-idr", "1", "-pix_fmt", "yuv420p"],
    ],
  },
  h264_qsv: {
    ...HARDWARE,
    encode: ({ quality, codec }) => [
      ...[
        "-c:v",
        `${codec}_qsv`,
        "-global_quality",
        String(QUANTISER[quality]),
        "-forced_idr",
        "1",
        "-pix_fmt",
        "nv12",
      ],
    ],
  },
  h264_vaapi: {
    ...HARDWARE,
    device: ["-vaapi_device", VAAPI_DEVICE],
    finish: "format=nv12,hwupload",
    encode: ({ quality, codec }) => ["-c:v", `${codec}_vaapi`, "-rc_mode", "CQP", "-qp", String(QUANTISER[quality])],
  },
  h264_videotoolbox: {
    ...HARDWARE,
    encode: ({ quality, codec }) => [
      ...["-c:v", `${codec}_videotoolbox`, "-q:v", String(VIDEOTOOLBOX_QUALITY[quality]), "-pix_fmt", "yuv420p"],
    ],
  },
};

function encodeH264({ quality, followsSeam, kbps }: Asked): string[] {
  return [
    ...["-c:v", "libx264", ...(kbps === null ? RATE_CONTROL[quality] : atRate(RATE_CONTROL[quality], kbps))],
    ...["-x264opts", followsSeam ? `${JOINABLE}:${BETTER_START}` : JOINABLE],
  ];
}

function encodeHevc({ quality, threads, kbps }: Asked): string[] {
  const rateControl = HEVC_RATE_CONTROL[quality];
  return [
    ...["-c:v", "libx265", ...(kbps === null ? rateControl : atRate(rateControl, kbps)), "-forced-idr", "1"],
    ...["-x265-params", `${HEVC_JOINABLE}:pools=${threads}`],
  ];
}

/** The same settings at an average bit rate, which no two seconds exceed together. */
function atRate(rateControl: readonly string[], kbps: number): string[] {
  const place = rateControl.indexOf("-crf");
  const rate = ["-b:v", `${kbps}k`, "-maxrate", `${kbps}k`, "-bufsize", `${2 * kbps}k`];
  return rateControl.toSpliced(place, 2, ...rate);
}

/**
 * H.264 high or HEVC main, yuv420p, bt709. `followsSeam` improves the start. `kbps` replaces the quality's bit rate; only
 * the software encoder takes it.
 */
export function encoderArguments(
  quality: Quality,
  threads: number,
  encoder: Encoder = "software",
  { followsSeam = false, kbps = null, codec = "h264" }: Partial<Pick<Asked, "followsSeam" | "kbps" | "codec">> = {},
): string[] {
  return [
    ...PICTURE_ENCODERS[encoder].encode({ quality, threads, followsSeam, kbps, codec }),
    // Apple's players need this tag.
    ...(codec === "hevc" ? ["-profile:v", "main", "-tag:v", "hvc1"] : ["-profile:v", "high"]),
    ...["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"],
    ...["-color_range", "tv"],
  ];
}

export function isJoinable(encoder: Encoder): boolean {
  return PICTURE_ENCODERS[encoder].isJoinable;
}

export function acceptsSize(encoder: Encoder, { width, height }: { width: number; height: number }): boolean {
  const { least, most } = PICTURE_ENCODERS[encoder].sides;
  return Math.min(width, height) >= least && Math.max(width, height) <= most;
}

export function finishFilter(encoder: Encoder): string {
  return PICTURE_ENCODERS[encoder].finish;
}

export function deviceArguments(encoder: Encoder): readonly string[] {
  return PICTURE_ENCODERS[encoder].device;
}
