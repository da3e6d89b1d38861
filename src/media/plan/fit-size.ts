/** The filters that bring frames of any size and pixel shape to one size. Pure. */
import { MOST_PIXEL_ASPECT, type VideoStream } from "../probe-report.ts";

type Size = { width: number; height: number };

/**
 * Returns the filters that make every frame as large as the output, whatever size it has: frames of another shape are
 * letterboxed. Size and shape may change mid-stream, so each frame is measured; frames that fit already pass untouched.
 * `colors` are further options of the scale filter.
 */
export function fitSize(video: VideoStream, plan: Size, colors: readonly string[] = []): string[] {
  const stored = storedSize(video);
  // one line or column too many: cropping it keeps the rest sharp
  const isCropped = video.hasSquarePixels && stored.width >= plan.width && stored.height >= plan.height;
  if (!isCropped) return fitInto(plan, 1, colors);
  const isLarger = stored.width > plan.width || stored.height > plan.height;
  return [...fitInto(stored, 1, colors), ...(isLarger ? [`crop=${plan.width}:${plan.height}:0:0`] : [])];
}

/** Returns the filters that hold interlaced frames to their stored size: filters that join fields need all frames alike. */
export function holdSize(video: VideoStream): string[] {
  const isTurned = video.rotation % 180 !== 0;
  return fitInto(storedSize(video), isTurned ? 1 / video.pixelAspect : video.pixelAspect, ["interl=-1"]);
}

function storedSize({ codedWidth, codedHeight, rotation }: VideoStream): Size {
  const isTurned = rotation % 180 !== 0;
  return { width: isTurned ? codedHeight : codedWidth, height: isTurned ? codedWidth : codedHeight };
}

/** Fits frames into a box whose pixels have the given shape. A hundredth of distortion is better than black lines. */
function fitInto({ width, height }: Size, pixelAspect: number, options: readonly string[]): string[] {
  const usable = `if(between(sar,1/${MOST_PIXEL_ASPECT},${MOST_PIXEL_ASPECT}),sar,1)`;
  const shape = `st(0,iw/ih*${usable}/${pixelAspect.toFixed(6)})`;
  const along = (full: number, fitted: string) =>
    `'${shape};if(lt(abs(${fitted}-${full}),2+${full}/100),${full},clip(round(${fitted}),2,${full}))'`;
  const scale = [`w=${along(width, `${height}*ld(0)`)}`, `h=${along(height, `${width}/ld(0)`)}`, "eval=frame"];
  return [
    `scale=${[...scale, ...options].join(":")}`,
    `pad=w=${width}:h=${height}:x=(ow-iw)/2:y=(oh-ih)/2:eval=frame`,
  ];
}
