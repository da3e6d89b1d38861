import { renderClip, type ClipRequest } from "#tests/support/media/render-clip.ts";
import type { RenderedOutput } from "#media/render/render.ts";

export const MODES = ["drawn", "copied", "segments", "replaced"] as const;
export type Mode = (typeof MODES)[number];

const DRAWN = { captions: ["Hey"], captionLook: { size: "small" }, watermark: "@clip" } as const;
/** No beep is near the cut. */
const SEGMENT_SHARE = 0.4;

export function isDrawnOn(mode: Mode): boolean {
  return mode === "drawn" || mode === "segments";
}

/** Uses draft quality. Returns the outputs in playback order. */
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
