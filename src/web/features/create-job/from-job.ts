import type { WholeJob } from "#contract/jobs.ts";
import type { GeneratorForm } from "./generator-form.ts";
import type { JobForm } from "./job-form.ts";
import { textOfItems } from "./set-text.ts";

/** The form that asks for what `job` asked for, to be edited. The generator is no part of a job and stays as it is. */
export function formFromJob(job: WholeJob, generator: GeneratorForm): JobForm {
  return {
    jobName: job.job_name,
    videoLinks: textOfItems(job.input_videos),
    variants: String(job.variants_per_video),
    captionsEnabled: job.captions_enabled,
    captions: textOfItems(job.custom_captions),
    captionSetId: job.caption_set_id ?? "",
    captionStyle: job.caption_style,
    captionPosition: job.caption_position,
    captionSize: job.caption_size,
    audioEnabled: job.audio_enabled,
    audioLinks: textOfItems(job.custom_audio_links),
    audioSetId: job.audio_set_id ?? "",
    audioMode: job.audio_mode,
    videoGain: job.video_gain,
    musicGain: job.music_gain,
    loopAudio: job.loop_audio,
    watermarkEnabled: job.watermark_enabled,
    watermarkText: job.watermark_text ?? "",
    segmentation: job.segmentation_type ?? "off",
    segmentSeconds: String(job.segment_duration),
    quality: job.quality,
    downloadEnabled: job.download_enabled,
    outputFolder: job.output_folder ?? "",
    generator,
  };
}
