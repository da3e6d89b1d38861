import type { CreateJobRequest } from "#contract/create-job.ts";
import { JOB_LIMITS, type WholeJob } from "#contract/jobs.ts";

const SUFFIX = " (Rerun)";
const DEFAULT_NAME = "Rerun Job";

/** What to send to make the job again: its settings as they were, with a name that says so. */
export function rerunRequest(job: WholeJob): CreateJobRequest {
  return {
    job_name: rerunName(job.job_name),
    input_videos: job.input_videos,
    captions_enabled: job.captions_enabled,
    caption_set_id: job.caption_set_id,
    custom_captions: job.custom_captions,
    caption_style: job.caption_style,
    caption_position: job.caption_position,
    caption_size: job.caption_size,
    audio_enabled: job.audio_enabled,
    audio_set_id: job.audio_set_id,
    custom_audio_links: job.custom_audio_links,
    audio_mode: job.audio_mode,
    watermark_enabled: job.watermark_enabled,
    watermark_text: job.watermark_text,
    variants_per_video: job.variants_per_video,
    video_gain: job.video_gain,
    music_gain: job.music_gain,
    loop_audio: job.loop_audio,
    segment_duration: job.segment_duration,
    segmentation_type: job.segmentation_type,
    quality: job.quality,
    download_enabled: job.download_enabled,
    output_folder: job.output_folder,
  };
}

function rerunName(name: string): string {
  if (name === "") return DEFAULT_NAME;
  return `${name.slice(0, JOB_LIMITS.nameCharacters - SUFFIX.length)}${SUFFIX}`;
}
