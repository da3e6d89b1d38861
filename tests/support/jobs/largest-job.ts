import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import { JOB_LIMITS } from "#contract/jobs/jobs.ts";

const CAPTIONS = 1_000;
const CAPTION_CHARACTERS = Math.floor(JOB_LIMITS.captionBytes / CAPTIONS);

/** About 3 MB of links and captions, whatever the number of videos. */
export function largestJob(name: string, videos: number = JOB_LIMITS.videos): CreateJobRequest {
  const characters = Math.min(
    JOB_LIMITS.linkCharacters,
    Math.floor(JOB_LIMITS.linkBytes / (videos + JOB_LIMITS.tracks)),
  );
  return {
    job_name: name,
    input_videos: links("video", videos, characters),
    captions_enabled: true,
    custom_captions: Array.from({ length: CAPTIONS }, (_, i) => filled(`Caption ${i} `, CAPTION_CHARACTERS)),
    audio_enabled: true,
    custom_audio_links: links("track", JOB_LIMITS.tracks, characters),
  };
}

function links(name: string, count: number, characters: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    filled(`https://drive.google.com/file/d/${name}${i}/view?usp=`, characters),
  );
}

function filled(beginning: string, characters: number): string {
  return beginning.padEnd(characters, "abc ".repeat(8).replaceAll(" ", beginning.startsWith("https") ? "d" : " "));
}
