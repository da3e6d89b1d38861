/** What of the job screen shows in a preview. */
import type { PreviewRequest } from "#contract/calls.ts";
import type { JobForm, ReadForm } from "../job-form.ts";

export type PreviewWish = {
  /** The link of the first video, if there is one. */
  video: string | null;
  captions: readonly string[];
  look: Pick<PreviewRequest, "caption_style" | "caption_position" | "caption_size">;
  watermark: string | null;
};

export function toPreviewWish(form: JobForm, read: ReadForm): PreviewWish {
  return {
    video: read.videos.valid[0] ?? null,
    captions: read.captions,
    look: {
      caption_style: form.captionStyle,
      caption_position: form.captionPosition,
      caption_size: form.captionSize,
    },
    watermark: read.watermark,
  };
}

/** The request for one of its captions; null when there is nothing to see yet. */
export function toPreviewRequest(wish: PreviewWish, captionIndex: number): PreviewRequest | null {
  const caption = wish.captions[captionIndex] ?? null;
  if (wish.video === null && caption === null && wish.watermark === null) return null;
  return { input_video: wish.video, caption, ...wish.look, watermark_text: wish.watermark };
}
