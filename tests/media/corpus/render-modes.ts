/** The ways in which a clip is rendered: everything is drawn on it, nothing is, it is cut, or its sound is replaced. */
import { renderClip, type ClipRequest } from "#tests/support/media/render-clip.ts";
import type { RenderedOutput } from "#media/render/render.ts";

export const MODES = ["drawn", "copied", "segments", "replaced"] as const;
export type Mode = (typeof MODES)[number];

const DRAWN = { captions: ["Hey"], captionLook: { size: "small" }, watermark: "@clip" } as const;
/** Two clips of unlike length: the border is at two fifths, where nothing beeps. */
const SEGMENT_SHARE = 0.4;

/** Returns whether a caption and a watermark are on the outputs of a mode. */
export function isDrawnOn(mode: Mode): boolean {
  return mode === "drawn" || mode === "segments";
}

/** Renders `source` in one mode into `folder`, in draft quality; returns the outputs in the order of their play. */
export function renderInMode(
  mode: Mode,
  options: { folder: string; source: string; seconds: number; music: string },
): Promise<RenderedOutput[]> {
  const { folder, source, seconds, music } = options;
  const drawn = { ...DRAWN, captions: [...DRAWN.captions] };
  const requests: Record<Mode, Partial<ClipRequest>> = {
    drawn,
    copied: {},
    segments: { ...drawn, segmentation: { type: "multiple", segmentSeconds: seconds * SEGMENT_SHARE } },
    replaced: { tracks: [music], settings: { audio_mode: "replace", loop_audio: true } },
  };
  const { settings, ...request } = requests[mode];
  return renderClip(folder, { source, settings: { quality: "draft", ...settings }, ...request });
}
