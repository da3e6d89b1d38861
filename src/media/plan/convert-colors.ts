/** The filters that bring any source's colours to bt709, limited range, 8 bit. Pure. */
import type { VideoStream } from "../probe-report.ts";

/** Lines up to which a source that names no colour matrix is taken for standard definition, as players do. */
const STANDARD_DEFINITION_LINES = 576;

/** Maps ffmpeg's color matrix names to those of zscale and the scale filter. */
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

/** Primaries wider than bt709's, in the words of zscale: phones and cameras film plain video with them too. */
const WIDE_PRIMARIES: Record<string, string> = { bt2020: "2020", smpte431: "smpte431", smpte432: "smpte432" };

/**
 * Reference white of HDR is 203 nits (BT.2408). Mobius leaves everything up to three tenths of it as it is, so that skin and
 * mid gray stay where they are in plain video, and rolls the rest off; hable would darken all of it.
 */
const TONE_MAPPING = [
  "zscale=transfer=linear:npl=203",
  "format=gbrpf32le",
  "zscale=primaries=bt709",
  "tonemap=tonemap=mobius:param=0.3:desat=0",
  "zscale=transfer=bt709:matrix=bt709:range=tv",
];

/** Lays what can be seen through over black, as players show it. */
const FLATTEN = ["format=gbrap", "premultiply=inplace=1", "format=gbrp"];

/**
 * No filters for a source that is bt709 already. zscale is exact and quick; without it, the scale filter does the same a
 * little worse, and HDR stays too pale.
 */
export function convertColors(video: VideoStream, hasZscale: boolean): string[] {
  if (video.hasAlpha) return [...FLATTEN, ...convertMatrix("gbr", true, hasZscale)];
  if (hasZscale && video.isHdr) return [nameHdrColors(video), ...TONE_MAPPING];
  const matrix = matrixOf(video);
  const isFull = video.isFullRange || matrix === "gbr";
  const wide = WIDE_PRIMARIES[video.colorPrimaries ?? ""];
  if (hasZscale && wide) return [narrowPrimaries(wide, matrix, isFull)];
  return matrix === "bt709" && !isFull ? [] : convertMatrix(matrix, isFull, hasZscale);
}

/** zscale refuses frames that don't say all of it, and some files name the transfer function alone. */
function nameHdrColors(video: VideoStream): string {
  const primaries = video.colorPrimaries ?? "bt2020";
  const matrix = matrixOf(video, "bt2020nc");
  const range = video.isFullRange ? "pc" : "tv";
  return `setparams=range=${range}:colorspace=${matrix}:color_primaries=${primaries}:color_trc=${video.colorTransfer}`;
}

function narrowPrimaries(wide: string, matrix: string, isFull: boolean): string {
  const from = `matrixin=${MATRICES[matrix]!.zscale}:primariesin=${wide}:transferin=709:rangein=${rangeName(isFull)}`;
  return `zscale=${from}:matrix=709:primaries=709:transfer=709:range=limited`;
}

function convertMatrix(matrix: string, isFull: boolean, hasZscale: boolean): string[] {
  const { zscale, scale } = MATRICES[matrix]!;
  return hasZscale
    ? [`zscale=matrixin=${zscale}:matrix=709:rangein=${rangeName(isFull)}:range=limited`]
    : [`scale=in_color_matrix=${scale}:in_range=${isFull ? "pc" : "tv"}:out_color_matrix=bt709:out_range=tv`];
}

function rangeName(isFull: boolean): string {
  return isFull ? "full" : "limited";
}

/** The source's matrix; where it names none, `unnamed` or what players take it for. */
function matrixOf(video: VideoStream, unnamed?: string): string {
  if (/rgb|bgr|gbr|pal8/.test(video.pixelFormat ?? "")) return "gbr";
  if (video.colorMatrix !== null && video.colorMatrix in MATRICES) return video.colorMatrix;
  if (unnamed) return unnamed;
  return Math.min(video.codedHeight, video.codedWidth) <= STANDARD_DEFINITION_LINES ? "smpte170m" : "bt709";
}
