/** How a source's frames are brought to the size and rate of an output. */
import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import { FORMAT_SIZES } from "#contract/jobs/outputs/formats.ts";
import type { Probe } from "../probe/probe-report.ts";
import { requireVideo } from "../render/required-streams.ts";
import { cropOf } from "./fill-frame.ts";
import { outputFrameRate, type Size } from "./fit-size.ts";
import { followFaces } from "./focus/follow-faces.ts";
import { keyframeFrames } from "./platform-encoding.ts";
import type { FramePlan, Framing, MediaFile } from "./render-plan.ts";

type FramingSettings = StreamSettings<"framing">;

/** Without settings, frames keep their size. Throws ClipmillError "not_a_video" without a picture. */
export function planFrames(source: Probe, settings?: FramingSettings): FramePlan {
  const video = requireVideo(source);
  const frameRate = outputFrameRate(video.framesPerSecond);
  const keyframes = keyframeFrames(settings?.platform ?? null, frameRate);
  const size = settings && settings.format !== "source" ? FORMAT_SIZES[settings.format] : ownSize(video);
  const common = { width: size.width, height: size.height, frameRate, keyframeFrames: keyframes };
  return bringTo(common, { probe: source }, settings);
}

/** Brings a source's frames to the size and rate of the video's. */
export function bringTo(
  common: Omit<FramePlan, "framing" | "offsetSeconds">,
  { probe, faces }: Pick<MediaFile, "probe" | "faces">,
  settings?: FramingSettings,
): FramePlan {
  const video = requireVideo(probe);
  const fixed = frameTo(common, ownSize(video), settings);
  const framing = fixed && faces && settings?.fit_focus === "face" ? followFaces(fixed, faces, video, common) : fixed;
  return { ...common, framing, offsetSeconds: video.timing.offsetSeconds };
}

/** True if something of the source's frames is cut off, by a crop that may move. */
export function isCropped(source: Probe, size: Size, settings: FramingSettings): boolean {
  return settings.format !== "source" && settings.fit === "crop" && cropOf(requireVideo(source), size) !== null;
}

function ownSize(video: Size): Size {
  return { width: toEven(video.width), height: toEven(video.height) };
}

function frameTo({ width, height }: Size, own: Size, settings?: FramingSettings): Framing | null {
  if (!settings || (own.width === width && own.height === height)) return null;
  // The video keeps its size, so this is an intro or an end card, of which nothing should be cut off.
  if (settings.format === "source") return { fit: "blur", focusX: 0.5, focusY: 0.5 };
  // The focus only affects a crop, and equal pictures must have equal keys.
  const isCropped = settings.fit === "crop";
  const [focusX, focusY] = isCropped ? [settings.fit_focus_x, settings.fit_focus_y] : [0.5, 0.5];
  return { fit: settings.fit, focusX, focusY };
}

function toEven(pixels: number): number {
  return Math.max(2, pixels - (pixels % 2));
}
