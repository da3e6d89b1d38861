import { MAX_IMAGE_PIXELS_A_SIDE } from "#contract/library.ts";
import type { ImageHeader } from "../../images/image-header.ts";
import type { FrameRate, Size } from "../fit-size.ts";
import type { Shown } from "../render-plan.ts";

type CheckedImage = Pick<ImageHeader, "format" | "endBytes"> & { path: string };

/** Opens an image only up to its end: ffmpeg would start decoding later data before it takes the first picture. */
function openImage({ path, format, endBytes }: CheckedImage): string[] {
  return [
    ...["-protocol_whitelist", "file,pipe,subfile", "-format_whitelist", `${format}_pipe`],
    ...["-max_pixels", String(MAX_IMAGE_PIXELS_A_SIDE ** 2), "-err_detect", "crccheck+explode"],
    // The sources' allowlist excludes this decoder.
    ...["-f", `${format}_pipe`, "-noautorotate", "-codec_whitelist", format],
    ...["-i", `subfile,,start,0,end,${endBytes},,:${path}`],
  ];
}

/**
 * Multiplies the alpha by `opacity`. Scaling premultiplied colors keeps those of transparent pixels out of the edges.
 */
export function scaleImageArguments(
  image: CheckedImage,
  { size, opacity, file }: { size: Size; opacity: number; file: string },
): string[] {
  const filters = [
    "format=gbrap",
    "premultiply=inplace=1",
    `scale=${size.width}:${size.height}:flags=lanczos`,
    "unpremultiply=inplace=1",
    "format=rgba",
    ...(opacity < 1 ? [`colorchannelmixer=aa=${opacity.toFixed(4)}`] : []),
  ];
  return [
    ...["-xerror", ...openImage(image), "-vf", filters.join(",")],
    ...["-frames:v", "1", "-c:v", "png", "-update", "1", "-f", "image2", `file:${file}`],
  ];
}

/** `fades` follow the drawing's own filters; `enable` is an option of the overlay filter. */
type OverlayTiming = { fades: string[]; enable: string };

/** The first frame of a fade in is empty; the last one is full. */
export function showWhile(shown: Shown, rate: FrameRate): OverlayTiming {
  const { fromFrame, toFrame, fadeInFrames, fadeOutFrames } = shown;
  const fades = [
    ...(fadeInFrames > 0 ? [`fade=t=in:s=${fromFrame}:n=${fadeInFrames}:alpha=1`] : []),
    ...(fadeOutFrames > 0 ? [`fade=t=out:s=${toFrame - fadeOutFrames}:n=${fadeOutFrames}:alpha=1`] : []),
  ];
  // A drawing is a single frame, but a fade needs one per video frame.
  const repeat = [`loop=loop=${toFrame - 1}:size=1`, `settb=${rate.denominator}/${rate.numerator}`, "setpts=N"];
  return {
    fades: fades.length > 0 ? [...repeat, ...fades] : [],
    enable: `:enable='between(n,${fromFrame},${toFrame - 1})'`,
  };
}
