/** Columns of a job with one video and default settings, to insert without its videos. */
export const PLAIN_JOB = {
  input_videos: ["a"],
  custom_captions: [],
  custom_audio_links: [],
  audio_mode: "replace" as const,
  watermark_enabled: false,
  variants_per_video: 1,
  video_gain: 1,
  music_gain: 1,
  loop_audio: true,
  segment_duration: 30,
  download_enabled: true,
  caption_style: "outline" as const,
  caption_position: "bottom" as const,
  caption_size: "medium" as const,
  quality: "standard" as const,
  total_videos: 1,
};
