/** The filters that bring any source's colors to bt709, limited range, 8 bit. Pure. */
import type { VideoStream } from "../../probe/probe-report.ts";

/**
 * From this size on, players take a source that names no color matrix for high definition (BT.709), below it for standard
 * definition (BT.601): mpv's `mp_csp_guess_colorspace`, and the same height in VLC. Portrait video of 540x960 is high
 * definition to them. Sizes are as stored, before rotation.
 */
const HIGH_DEFINITION = { width: 1_280, height: 577 };
/** Editors write them, from BT.709; only the sizes of television in standard definition are BT.601. */
const EDITING_CODECS = new Set(["prores", "cfhd", "dnxhd"]);
const TELEVISION_LINES = new Set([480, 486, 576]);

/** Maps ffmpeg's color matrix names to those of zscale and the scale filter. */
const MATRICES: Record<string, { zscale: string; scale: string }> = {
  bt709: { zscale: "709", scale: "bt709" },
  smpte170m: { zscale: "170m", scale: "smpte170m" },
  bt470bg: { zscale: "470bg", scale: "bt470" },
  fcc: { zscale: "fcc", scale: "fcc" },
  // zscale has no short name for it
  smpte240m: { zscale: "smpte240m", scale: "smpte240m" },
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
  if (video.hasMixedColors) return [];
  if (video.hasAlpha) return [...FLATTEN, ...convertMatrix("gbr", true, hasZscale)];
  if (hasZscale && video.isHdr) return [nameHdrColors(video), ...TONE_MAPPING];
  const matrix = matrixOf(video);
  const isFull = video.isFullRange || matrix === "gbr";
  const wide = WIDE_PRIMARIES[video.colorPrimaries ?? ""];
  if (hasZscale && wide) return [narrowPrimaries(wide, matrix, isFull)];
  return matrix === "bt709" && !isFull ? [] : convertMatrix(matrix, isFull, hasZscale);
}

/**
 * Colors that change mid-stream: returns the options of a scale filter that reads each frame's own, and what comes before it.
 * The scale filter takes yuvj for full range whatever a frame says, so zscale reads those.
 */
export function convertMixedColors(video: VideoStream, hasZscale: boolean): { first: string[]; options: string[] } {
  if (!video.hasMixedColors) return { first: [], options: [] };
  if (hasZscale && video.pixelFormat?.startsWith("yuvj")) {
    const from = MATRICES[matrixOf(video)]!.zscale;
    return { first: [`zscale=matrixin=${from}:matrix=709:range=limited`, "format=yuv420p"], options: [] };
  }
  return { first: [], options: ["in_color_matrix=auto", "out_color_matrix=bt709", "out_range=tv"] };
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
  return isHighDefinition(video) ? "bt709" : "smpte170m";
}

function isHighDefinition({ codec, codedWidth, codedHeight }: VideoStream): boolean {
  if (EDITING_CODECS.has(codec)) return !TELEVISION_LINES.has(codedHeight);
  return codedWidth >= HIGH_DEFINITION.width || codedHeight >= HIGH_DEFINITION.height;
}
