import { JOB_DEFAULTS, type WholeJob } from "#contract/jobs/jobs.ts";

/** Returns a job with the given fields overridden. */
export function testJob(differences: Partial<WholeJob> = {}): WholeJob {
  return {
    ...JOB_DEFAULTS,
    id: "7f3a91c2-0000-4000-8000-000000000000",
    job_name: "Harbor hotel walkthroughs",
    status: "Processing",
    queue_position: null,
    input_videos: ["https://drive.google.com/file/d/1x8Qm4tB0v/view"],
    captions_enabled: true,
    custom_captions: ["Wait for the pour"],
    audio_enabled: true,
    custom_audio_links: ["https://drive.google.com/file/d/2y9Rn5uC1w/view"],
    audio_mode: "mix",
    variants_per_video: 4,
    folder_link: null,
    download_url: null,
    manifest_url: null,
    error_message: null,
    progress: 0,
    seconds_left: null,
    current_video: 1,
    total_videos: 1,
    failed_videos: null,
    waiting_videos: null,
    retry_count: 0,
    max_retries: 3,
    processing_started_at: "2026-11-20T21:12:00.000Z",
    files_kept_until: null,
    proof_state: null,
    awaiting_approval: false,
    held_at: null,
    updated_at: "2026-11-20T21:12:30.000Z",
    created_at: "2026-11-20T21:11:00.000Z",
    ...differences,
  };
}
