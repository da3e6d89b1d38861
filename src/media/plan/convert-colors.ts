/** The filters that bring any source's colours to bt709, limited range, 8 bit. Pure. */
import type { VideoStream } from "../probe-report.ts";

/** Lines up to which a source that names no colour matrix is taken for standard definition, as players do. */
const STANDARD_DEFINITION_LINES = 576;

/** ffprobe's names of colour matrices, in the words of zscale and of the scale filter. */
const MATRICES: Record<string, { zscale: string; scale: string }> = {
  bt709: { zscale: "709", scale: "bt709" },
  smpte170m: { zscale: "170m", scale: "smpte170m" },
  bt470bg: { zscale: "470bg", scale: "bt470" },
  fcc: { zscale: "fcc", scale: "fcc" },
  smpte240m: { zscale: "240m", scale: "smpte240m" },
  bt2020nc: { zscale: "2020_ncl", scale: "bt2020" },
  bt2020c: { zscale: "2020_ncl", scale: "bt2020" },
  gbr: { zscale: "gbr", scale: "auto" },
};

const TONE_MAPPING = [
  "zscale=transfer=linear:npl=203",
  "format=gbrpf32le",
  "zscale=primaries=bt709",
  "tonemap=tonemap=hable:desat=0",
  "zscale=transfer=bt709:matrix=bt709:range=tv",
];

/**
 * No filters for a source that is bt709 already. zscale is exact and quick; without it, the scale filter does the same a
 * little worse, and HDR stays too pale.
 */
export function convertColors(video: VideoStream, hasZscale: boolean): string[] {
  if (video.isHdr && hasZscale) return TONE_MAPPING;
  const matrix = matrixOf(video);
  if (matrix === "bt709" && !video.isFullRange) return [];
  const { zscale, scale } = MATRICES[matrix]!;
  const isFull = video.isFullRange || matrix === "gbr";
  return hasZscale
    ? [`zscale=matrixin=${zscale}:matrix=709:rangein=${isFull ? "full" : "limited"}:range=limited`]
    : [`scale=in_color_matrix=${scale}:in_range=${isFull ? "pc" : "tv"}:out_color_matrix=bt709:out_range=tv`];
}

function matrixOf(video: VideoStream): string {
  if (/rgb|bgr|gbr|pal8/.test(video.pixelFormat ?? "")) return "gbr";
  if (video.colorMatrix !== null && video.colorMatrix in MATRICES) return video.colorMatrix;
  return Math.min(video.codedHeight, video.codedWidth) <= STANDARD_DEFINITION_LINES ? "smpte170m" : "bt709";
}
