/** What of the job screen shows in a preview. */
import type { PreviewRequest } from "#contract/calls.ts";
import type { PreviewSettings } from "#contract/job-settings/job-settings.ts";
import { previewSettingNames } from "#contract/job-settings/setting-values.ts";
import type { JobForm, ReadForm } from "../draft/job-form.ts";
import { readFields } from "../setting-fields.ts";

export type PreviewWish = {
  /** The links of the videos. */
  videos: readonly string[];
  captions: readonly string[];
  look: PreviewSettings;
  watermark: string | null;
};

export function toPreviewWish(form: JobForm, read: ReadForm): PreviewWish {
  return {
    videos: read.videos.valid,
    captions: read.captions,
    look: readFields(form, previewSettingNames()),
    watermark: read.watermark,
  };
}

/** Returns the request for one caption on one video, or null if there is nothing to preview yet. */
export function toPreviewRequest(wish: PreviewWish, at: { caption: number; video: number }): PreviewRequest | null {
  const caption = wish.captions[at.caption] ?? null;
  const video = wish.videos[at.video] ?? null;
  if (video === null && caption === null && wish.watermark === null) return null;
  return { input_video: video, caption, ...wish.look, watermark_text: wish.watermark };
}
