import type { JobOutput, JobVideo } from "#contract/jobs/jobs.ts";

const TIMES = { updated_at: "2026-11-20T21:12:30.000Z", created_at: "2026-11-20T21:12:00.000Z" };

export function testVideo(differences: Partial<JobVideo> = {}): JobVideo {
  return {
    id: "video",
    job_id: "job",
    position: 0,
    link: "https://drive.google.com/file/d/1x8Qm4tB0v/view",
    name: null,
    clips: null,
    status: "Processing",
    stage: null,
    progress: 0,
    attempts: 1,
    error_message: null,
    error_code: null,
    error_step: null,
    error_tail: null,
    waits_for: null,
    waiting_since: null,
    next_try_at: null,
    duration_seconds: null,
    started_at: null,
    ended_at: null,
    ...TIMES,
    ...differences,
  };
}

export function testOutput(differences: Partial<JobOutput> = {}): JobOutput {
  return {
    id: "output",
    job_id: "job",
    video_id: "video",
    variant: 0,
    segment: 0,
    name: "001-v1.mp4",
    status: "Completed",
    progress: 100,
    caption: null,
    track: null,
    start_seconds: null,
    end_seconds: null,
    duration_seconds: null,
    width: null,
    height: null,
    size_bytes: null,
    sha256: null,
    error_message: null,
    error_code: null,
    error_step: null,
    error_tail: null,
    warnings: [],
    conformance: null,
    verdict: null,
    reason: null,
    reviewed_at: null,
    link: null,
    media_url: null,
    thumbnail_url: null,
    cover_url: null,
    subtitles_url: null,
    ...TIMES,
    ...differences,
  };
}
