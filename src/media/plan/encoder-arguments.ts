/** How pictures are encoded: the one place that knows the encoder's settings. Pure. */
import type { Quality } from "#contract/jobs.ts";

/** Changes whenever the same request would give another stream than before: streams kept on disk are then made anew. */
export const ENGINE_VERSION = 1;

/** Chosen by VMAF, size and CPU over clips of five kinds; docs/decisions/0011 has the figures, `npm run bench:quality` makes them. */
export const RATE_CONTROL: Record<Quality, readonly string[]> = {
  draft: ["-preset", "superfast", "-crf", "24"],
  standard: ["-preset", "veryfast", "-crf", "21", "-x264-params", "subme=1"],
  high: ["-preset", "faster", "-crf", "19"],
};

/** The arguments that encode a picture as H.264 high, yuv420p, bt709. */
export function encoderArguments(quality: Quality, threads: number): string[] {
  return [
    ...["-c:v", "libx264", ...RATE_CONTROL[quality], "-profile:v", "high", "-pix_fmt", "yuv420p"],
    ...["-threads", String(threads)],
    ...["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"],
  ];
}
