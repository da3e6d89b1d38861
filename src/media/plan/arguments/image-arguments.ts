/** Builds the command lines that scale images from the library. Pure. */
import { MAX_IMAGE_PIXELS_A_SIDE } from "#contract/library.ts";
import type { ImageHeader } from "../../images/image-header.ts";
import type { Size } from "../fit-size.ts";

type CheckedImage = Pick<ImageHeader, "format" | "endBytes"> & { path: string };

/**
 * Returns the arguments that open a still image from outside, up to its end: decoding starts on what follows before the
 * first picture is taken.
 */
function openImage({ path, format, endBytes }: CheckedImage): string[] {
  return [
    ...["-protocol_whitelist", "file,pipe,subfile", "-format_whitelist", `${format}_pipe`],
    ...["-max_pixels", String(MAX_IMAGE_PIXELS_A_SIDE ** 2), "-err_detect", "crccheck+explode"],
    // its decoder is not among those of sources
    ...["-f", `${format}_pipe`, "-noautorotate", "-codec_whitelist", format],
    ...["-i", `subfile,,start,0,end,${endBytes},,:${path}`],
  ];
}

/**
 * Returns the arguments that write an image as an RGBA PNG of another size. Its alpha is multiplied by `opacity`.
 * Scaling premultiplied colors keeps those of transparent pixels out of the edges.
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
