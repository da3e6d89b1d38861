/** The parts of the form that a preview shows. */
import type { PreviewRequest } from "#contract/calls.ts";
import type { PreviewSettings, StreamSettings } from "#contract/job-settings/job-settings.ts";
import { previewSettingNames } from "#contract/job-settings/setting-values.ts";
import type { JobForm, ReadForm } from "../draft/job-form.ts";
import { CAPTION_TIMING, readFields } from "../setting-fields.ts";

export type PreviewInput = {
  videos: readonly string[];
  captions: readonly string[];
  look: PreviewSettings;
  timing: StreamSettings<"timing">;
  watermark: string | null;
};

/** Returns the parsed values that a preview shows, with valid video links only. */
export function toPreviewInput(form: JobForm, read: ReadForm): PreviewInput {
  return {
    videos: read.videos.valid,
    captions: read.captions,
    look: readFields(form, previewSettingNames()),
    timing: readFields(form, CAPTION_TIMING),
    watermark: read.watermark,
  };
}

/** Returns null if there is nothing to preview. `isCaptionShown` is false at a time without the caption. */
export function toPreviewRequest(
  request: PreviewInput,
  at: { caption: number; video: number; isCaptionShown?: boolean },
): PreviewRequest | null {
  const caption = request.captions[at.caption] ?? null;
  const video = request.videos[at.video] ?? null;
  if (video === null && caption === null && request.watermark === null) return null;
  const drawn = { ...request.look, watermark_text: request.watermark };
  return { input_video: video, caption: at.isCaptionShown === false ? null : caption, ...drawn };
}
