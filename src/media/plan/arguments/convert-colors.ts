import type { VideoStream } from "../../probe/probe-report.ts";

/**
 * Without a named matrix, players assume BT.709 from this stored size on (before rotation), and BT.601 below it: mpv's
 * `mp_csp_guess_colorspace`, and the same height in VLC. Portrait video of 540x960 counts as high definition.
 */
const HIGH_DEFINITION = { width: 1_280, height: 577 };
/** Editors write BT.709; only standard-definition television sizes are BT.601. */
const EDITING_CODECS = new Set(["prores", "cfhd", "dnxhd"]);
const TELEVISION_LINES = new Set([480, 486, 576]);

const MATRICES: Record<string, { zscale: string; scale: string }> = {
  bt709: { zscale: "709", scale: "bt709" },
  smpte170m: { zscale: "170m", scale: "smpte170m" },
  bt470bg: { zscale: "470bg", scale: "bt470" },
  fcc: { zscale: "fcc", scale: "fcc" },
  // zscale's names for it differ by version, and some are wrong; this is its number (ITU-T H.273, table 4).
  smpte240m: { zscale: "7", scale: "smpte240m" },
  bt2020nc: { zscale: "2020_ncl", scale: "bt2020" },
  bt2020c: { zscale: "2020_ncl", scale: "bt2020" },
  gbr: { zscale: "gbr", scale: "auto" },
};

/** Wider than bt709's, in zscale's names. Phones and cameras use them for SDR video too. */
const WIDE_PRIMARIES: Record<string, string> = { bt2020: "2020", smpte431: "smpte431", smpte432: "smpte432" };

/**
 * Reference white of HDR is 203 nits (BT.2408). Mobius keeps the lowest three tenths, so skin and mid gray match SDR
 * video.
 */
const TONE_MAPPING = [
  "zscale=transfer=linear:npl=203",
  "format=gbrpf32le",
  "zscale=primaries=bt709",
  "tonemap=tonemap=mobius:param=0.3:desat=0",
  "zscale=transfer=bt709:matrix=bt709:range=tv",
];

/** Composites transparency over black, like players. */
const FLATTEN = ["format=gbrap", "premultiply=inplace=1", "format=gbrp"];

/** Empty for bt709 sources. Without zscale, colors are slightly less accurate, and HDR stays too pale. */
export function convertColors(video: VideoStream, hasZscale: boolean): string[] {
  if (video.hasMixedColors) return [];
  if (video.hasAlpha) return [...toRgb(video), ...FLATTEN, ...convertMatrix("gbr", true, hasZscale)];
  if (hasZscale && video.isHdr) return [nameHdrColors(video), ...TONE_MAPPING];
  const matrix = matrixOf(video);
  const isFull = video.isFullRange || matrix === "gbr";
  const wide = WIDE_PRIMARIES[video.colorPrimaries ?? ""];
  if (hasZscale && wide) return [narrowPrimaries(wide, matrix, isFull)];
  return matrix === "bt709" && !isFull ? [] : convertMatrix(matrix, isFull, hasZscale);
}

/**
 * For colors that change mid-stream: options for a scale filter that reads each frame's own colors, and filters before
 * it. The scale filter treats yuvj as full range, so zscale converts that.
 */
export function convertMixedColors(video: VideoStream, hasZscale: boolean): { first: string[]; options: string[] } {
  if (!video.hasMixedColors) return { first: [], options: [] };
  if (hasZscale && video.pixelFormat?.startsWith("yuvj")) {
    const from = MATRICES[matrixOf(video)]!.zscale;
    return { first: [`zscale=matrixin=${from}:matrix=709:range=limited`, "format=yuv420p"], options: [] };
  }
  return { first: [], options: ["in_color_matrix=auto", "out_color_matrix=bt709", "out_range=tv"] };
}

/** zscale rejects frames with incomplete color data, and some files name only the transfer function. */
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

/** Otherwise ffmpeg assumes BT.601 for all pictures that name no matrix. */
function toRgb(video: VideoStream): string[] {
  const matrix = matrixOf(video);
  if (matrix === "gbr") return [];
  return [`scale=in_color_matrix=${MATRICES[matrix]!.scale}:in_range=${video.isFullRange ? "pc" : "tv"}`];
}

function rangeName(isFull: boolean): string {
  return isFull ? "full" : "limited";
}

function matrixOf(video: VideoStream, unnamed?: string): string {
  if (/rgb|bgr|gbr|pal8/.test(video.pixelFormat ?? "")) return "gbr";
  if (video.colorMatrix !== null && video.colorMatrix in MATRICES) return video.colorMatrix;
  if (unnamed) return unnamed;
  return isHighDefinition(video) ? "bt709" : "smpte170m";
}

function isHighDefinition({ codec, codedWidth, codedHeight }: VideoStream): boolean {
  if (EDITING_CODECS.has(codec)) return !TELEVISION_LINES.has(codedHeight);
  return codedWidth >= HIGH_DEFINITION.width || codedHeight >= HIGH_DEFINITION.height;
}
