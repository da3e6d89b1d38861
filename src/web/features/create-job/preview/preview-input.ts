import type { PreviewRequest } from "#contract/calls.ts";
import type { JobRow, PreviewSettings, RowSettings, StreamSettings } from "#contract/job-settings/job-settings.ts";
import { previewSettingNames } from "#contract/job-settings/setting-values.ts";
import { withSwitches } from "#contract/jobs/video-settings.ts";
import type { JobForm, ReadForm } from "../draft/job-form.ts";
import { CAPTION_TIMING, readFields } from "../setting-fields.ts";

export type PreviewInput = {
  videos: readonly string[];
  captions: readonly string[];
  look: PreviewSettings;
  timing: StreamSettings<"timing">;
  watermark: string | null;
  watermarkImage: string | null;
  /** Overrides, one row per video; empty without any. */
  rows: readonly JobRow[];
};

export function toPreviewInput(form: JobForm, read: ReadForm): PreviewInput {
  return {
    videos: read.videos.valid,
    captions: read.captions,
    look: readFields(form, previewSettingNames()),
    timing: readFields(form, CAPTION_TIMING),
    watermark: read.watermark,
    watermarkImage: read.watermarkImage,
    rows: read.rows,
  };
}

export function inputOfVideo(input: PreviewInput, video: number): PreviewInput {
  const { settings } = input.rows[video] ?? {};
  if (!settings) return input;
  const own = withSwitches(settings);
  const captions = own.custom_captions ?? input.captions;
  const isMarked = own.watermark_enabled !== false;
  return {
    ...input,
    captions: own.captions_enabled === false ? [] : captions,
    look: withOwn(input.look, own),
    timing: withOwn(input.timing, own),
    watermark: isMarked ? valueOr(own.watermark_text, input.watermark) : null,
    watermarkImage: isMarked ? valueOr(own.watermark_image, input.watermarkImage) : null,
  };
}

function withOwn<Settings extends object>(settings: Settings, own: RowSettings): Settings {
  const given = Object.entries(own).filter(([name]) => name in settings);
  return given.length === 0 ? settings : { ...settings, ...(Object.fromEntries(given) as Partial<Settings>) };
}

function valueOr<Value>(own: Value | undefined, value: Value): Value {
  return own === undefined ? value : own;
}

/** Returns null if there is nothing to preview. `isShown`: the caption is visible at that time. */
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
