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
  watermarkImage: string | null;
};

/** Returns the parsed values that a preview shows, with valid video links only. */
export function toPreviewInput(form: JobForm, read: ReadForm): PreviewInput {
  return {
    videos: read.videos.valid,
    captions: read.captions,
    look: readFields(form, previewSettingNames()),
    timing: readFields(form, CAPTION_TIMING),
    watermark: read.watermark,
    watermarkImage: read.watermarkImage,
  };
}

/** Returns null if there is nothing to preview. `scrubber` is a time and whether the caption is shown then. */
export function toPreviewRequest(
  request: PreviewInput,
  at: { caption: number; video: number; scrubber?: { atSeconds: number; isShown: boolean } | null },
): PreviewRequest | null {
  const caption = request.captions[at.caption] ?? null;
  const video = request.videos[at.video] ?? null;
  const { watermark, watermarkImage } = request;
  if (video === null && caption === null && watermark === null && watermarkImage === null) return null;
  const drawn = { ...request.look, watermark_text: watermark, watermark_image: watermarkImage };
  const { atSeconds, isShown } = at.scrubber ?? { atSeconds: null, isShown: true };
  return { input_video: video, at_seconds: atSeconds, caption: isShown ? caption : null, ...drawn };
}
