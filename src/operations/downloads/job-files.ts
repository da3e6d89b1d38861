import type { Kysely } from "kysely";
import { cleanFileName, nameWithoutExtension } from "#contract/clean-name.ts";
import type { Tables } from "#database/tables.ts";
import { OUTPUT_ROUTE } from "../jobs/links/make-links.ts";
import { OUTPUT_SRT } from "../jobs/videos/output-subtitles.ts";

export type JobFile = Awaited<ReturnType<ReturnType<typeof selectJobFiles>["execute"]>>[number] & {
  /** Redirects of its link; absent if not counted. */
  clicks?: number | null;
};

export function selectJobFiles(db: Kysely<Tables>, jobId: string) {
  return db
    .selectFrom("job_outputs")
    .innerJoin("job_videos", "job_videos.id", "job_outputs.video_id")
    .select([
      "job_outputs.name",
      "job_outputs.variant",
      "job_outputs.segment",
      "job_outputs.caption",
      "job_outputs.track",
      "job_outputs.track_link",
      "job_outputs.start_seconds",
      "job_outputs.end_seconds",
      "job_outputs.duration_seconds",
      "job_outputs.width",
      "job_outputs.height",
      "job_outputs.size_bytes",
      "job_outputs.crc32",
      "job_outputs.sha256",
      "job_outputs.storage_key",
      "job_outputs.cover",
      "job_outputs.warnings",
      "job_outputs.conformance",
      "job_videos.position",
      "job_videos.link",
      "job_videos.row_settings",
      "job_videos.row_pass",
      "job_videos.clips",
      OUTPUT_ROUTE.as("route"),
      OUTPUT_SRT.as("srt"),
    ])
    .where("job_outputs.job_id", "=", jobId)
    .where("job_outputs.status", "=", "Completed")
    .orderBy("job_videos.position")
    .orderBy("job_outputs.variant")
    .orderBy("job_outputs.segment");
}

const EXTENSION = /\.[A-Za-z0-9]{1,8}$/;

/** Of the cover of a file with that name. */
export function coverName(name: string): string {
  return `${nameWithoutExtension(name)}.jpg`;
}

/** Cleans names, and numbers those that are equal ignoring case. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const clean = cleanFileName(name, "output.mp4");
    const extension = EXTENSION.exec(clean)?.[0] ?? "";
    const stem = clean.slice(0, clean.length - extension.length);
    let unique = clean;
    for (let n = 2; taken.has(unique.toLowerCase()); n += 1) unique = `${stem} (${n})${extension}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}
