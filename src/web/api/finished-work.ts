import type { JobOutput, JobVideo } from "#contract/jobs/jobs.ts";
import { COUNTED_SETTINGS } from "#contract/jobs/outputs/count-files.ts";
import { countWork, WORK_SETTINGS, type Work } from "#contract/jobs/outputs/count-work.ts";
import { withSwitches } from "#contract/jobs/video-settings.ts";
import { listJobs, readJobColumns } from "./jobs.ts";
import { openTables, requireRows } from "./tables.ts";

/** A sample shows the speed as well as all videos. */
const MEASURED_VIDEOS = 20;

/** Returns a sample of the newest completed job; empty without such a job. */
export async function readFinishedWork(signal: AbortSignal): Promise<{
  videos: Pick<JobVideo, "id" | "started_at" | "ended_at">[];
  outputs: Pick<JobOutput, "duration_seconds" | "size_bytes">[];
  work: Work | null;
}> {
  const { jobs } = await listJobs({ page: "1", limit: "1", status: "Completed" }, signal);
  if (!jobs[0]) return { videos: [], outputs: [], work: null };
  const job = await readJobColumns(jobs[0].id, ["rows", ...COUNTED_SETTINGS, ...WORK_SETTINGS]);
  const tables = await openTables();
  const videos = requireRows(
    await tables
      .from("job_videos")
      .select("id,link,clips,duration_seconds,started_at,ended_at")
      .eq("job_id", jobs[0].id)
      .order("position")
      .limit(MEASURED_VIDEOS)
      .abortSignal(signal),
  ) as Pick<JobVideo, "id" | "link" | "clips" | "duration_seconds" | "started_at" | "ended_at">[];
  const outputs = await tables
    .from("job_outputs")
    .select("duration_seconds,size_bytes")
    .in(
      "video_id",
      videos.map(({ id }) => id),
    )
    .abortSignal(signal);
  const counted = videos.map(({ link, duration_seconds: durationSeconds }, position) => {
    const settings = job.rows[position]?.settings;
    return { link, durationSeconds, row: settings ? withSwitches(settings) : null };
  });
  return {
    videos,
    outputs: requireRows(outputs) as Pick<JobOutput, "duration_seconds" | "size_bytes">[],
    // Its videos share clips, which only the form's plan knows.
    work: videos.some(({ clips }) => clips !== null) ? null : countWork(job, counted),
  };
}
