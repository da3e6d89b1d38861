import { type ClipSettings, countClips } from "#contract/jobs/outputs/count-files.ts";
import { filesOfVideo, settingsOfVideo } from "#contract/jobs/video-settings.ts";
import type { Job, JobOutput, JobVideo } from "#contract/jobs/jobs.ts";
import type { Slat } from "../../../ui/states/strip.tsx";
import type { OutputsByVideo } from "./outputs-by-video.ts";

type Settings = ClipSettings &
  Pick<
    Job,
    "variants_per_video" | "format" | "formats" | "languages" | "subtitle_languages" | "subtitles_enabled" | "rows"
  >;

/** Estimates while the number of clips depends on an unknown video length. */
export function filesOf(
  job: Settings,
  video: Pick<JobVideo, "duration_seconds" | "position" | "status">,
  outputs: readonly JobOutput[],
): { files: number; isExact: boolean } {
  // Until the approval, a video may have only the files of its sample.
  if (outputs.length > 0 && video.status !== "Queued") return { files: outputs.length, isExact: true };
  const settings = settingsOfVideo(job, job.rows?.[video.position]?.settings ?? null);
  const { clips, isExact } = countClips(video.duration_seconds, settings);
  return { files: Math.max(outputs.length, filesOfVideo(settings) * clips), isExact };
}

export type FileCounts = { done: number; failed: number; toDo: number; isExact: boolean };

/** Counts all files of a failed video as failed unless completed. */
export function countFiles(job: Settings, videos: readonly JobVideo[], groups: OutputsByVideo): FileCounts {
  const counts = { done: 0, failed: 0, toDo: 0, isExact: true };
  for (const video of videos) {
    const outputs = groups[video.id] ?? [];
    const { files, isExact } = filesOf(job, video, outputs);
    const done = outputs.filter((output) => output.status === "Completed").length;
    const failed =
      video.status === "Failed" ? files - done : outputs.filter((output) => output.status === "Failed").length;
    counts.done += done;
    counts.failed += failed;
    counts.toDo += files - done - failed;
    counts.isExact &&= isExact;
  }
  return counts;
}

/** Returns one slat per file in video order; none above `limit`. */
export function fileSlats(job: Settings, videos: readonly JobVideo[], groups: OutputsByVideo, limit: number): Slat[] {
  const slats: Slat[] = [];
  for (const video of videos) {
    const outputs = groups[video.id] ?? [];
    const fallback: Slat = video.status === "Failed" ? "failed" : "todo";
    for (const output of outputs) slats.push(slatOf(output, fallback));
    slats.push(...Array<Slat>(filesOf(job, video, outputs).files - outputs.length).fill(fallback));
    if (slats.length > limit) return [];
  }
  return slats;
}

function slatOf(output: JobOutput, fallback: Slat): Slat {
  if (output.status === "Completed") return "done";
  if (output.status === "Failed") return "failed";
  return output.status === "Processing" && fallback === "todo" ? { running: output.progress / 100 } : fallback;
}
