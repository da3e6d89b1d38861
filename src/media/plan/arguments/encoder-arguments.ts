/** Holds all encoder settings for pictures. Pure. */
import type { Quality } from "#contract/jobs/jobs.ts";

/** Bump whenever the same request would produce a different stream: cached streams are then encoded again. */
export const ENGINE_VERSION = 8;

/**
 * Three B-frames in turn, without deciding where they pay or which of them others refer to: smaller than the preset's, for
 * less CPU. Scene cuts need no keyframe, so they are not searched for.
 */
const FIXED_B_FRAMES = "bframes=3:b-adapt=0:b-pyramid=none:weightb=0:scenecut=0:rc-lookahead=8";
/** Chosen by CPU, size, VMAF, XPSNR and banding: docs/decisions/0030. `npm run bench encoder-settings` measures them. */
export const RATE_CONTROL: Record<Quality, readonly string[]> = {
  draft: ["-preset", "ultrafast", "-crf", "24", "-x264-params", "8x8dct=1"],
  standard: [
    ...["-preset", "veryfast", "-crf", "21.2", "-x264-params"],
    `${FIXED_B_FRAMES}:subme=1:me=dia:analyse=i8x8,i4x4:aq-strength=0.9:deadzone-inter=18:deadzone-intra=9`,
  ],
  high: ["-preset", "faster", "-crf", "19"],
};
/** Keeps headers independent of the content, so that stretches of a picture can be joined. */
const JOINABLE = "stitchable=1";
/** The first ten frames of an encode are about 1 dB worse than the rest. Measured by `npm run bench seams`. */
const BETTER_START = "zones=0,9,b=1.15";

/**
 * Values of ENCODER: the software encoder or a GPU's. GPU encoders are experimental: their quality is not measured, and
 * they are used only if a test frame succeeds at startup.
 */
export const ENCODERS = ["software", "h264_nvenc", "h264_qsv", "h264_vaapi", "h264_videotoolbox"] as const;
export type Encoder = (typeof ENCODERS)[number];
type HardwareEncoder = Exclude<Encoder, "software">;

/** About the quantizer the software encoder settles at; VideoToolbox counts upward, from 1 to 100. */
const QUANTISER: Record<Quality, number> = { draft: 27, standard: 23, high: 19 };
const VIDEOTOOLBOX_QUALITY: Record<Quality, number> = { draft: 55, standard: 65, high: 75 };
const VAAPI_DEVICE = "/dev/dri/renderD128";

/** Returns the arguments that encode a picture as H.264 high, yuv420p, bt709; better at its start after a seam. */
export function encoderArguments(
  quality: Quality,
  threads: number,
  encoder: Encoder = "software",
  followsSeam = false,
): string[] {
  const options = followsSeam ? `${JOINABLE}:${BETTER_START}` : JOINABLE;
  return [
    ...(encoder === "software"
      ? [
          "-c:v",
          "libx264",
          ...RATE_CONTROL[quality],
          "-x264opts",
          options,
          "-pix_fmt",
          "yuv420p",
          "-threads",
          String(threads),
        ]
      : ["-c:v", encoder, ...hardwareRateControl(encoder, quality)]),
    ...["-profile:v", "high", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"],
    ...["-color_range", "tv"],
  ];
}

function hardwareRateControl(encoder: HardwareEncoder, quality: Quality): string[] {
  const quantiser = String(QUANTISER[quality]);
  switch (encoder) {
    case "h264_nvenc":
      return ["-preset", "p5", "-rc", "vbr", "-cq", quantiser, "-b:v", "0", "-forced-idr", "1", "-pix_fmt", "yuv420p"];
    case "h264_qsv":
      return ["-global_quality", quantiser, "-pix_fmt", "nv12"];
    case "h264_vaapi":
      return ["-rc_mode", "CQP", "-qp", quantiser];
    case "h264_videotoolbox":
      return ["-q:v", String(VIDEOTOOLBOX_QUALITY[quality]), "-pix_fmt", "yuv420p"];
  }
}

/** Returns whether streams of an encoder with equal parameters have equal headers, so that they can be joined. */
export function isJoinable(encoder: Encoder): boolean {
  return encoder === "software";
}

/** Returns the filter that passes frames to the encoder. */
export function finishFilter(encoder: Encoder): string {
  return encoder === "h264_vaapi" ? "format=nv12,hwupload" : "null";
}

/** Returns the arguments before the inputs that select the encoder's device. */
export function deviceArguments(encoder: Encoder): string[] {
  return encoder === "h264_vaapi" ? ["-vaapi_device", VAAPI_DEVICE] : [];
}
