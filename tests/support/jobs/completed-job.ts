import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import { JOB_DEFAULTS } from "#contract/jobs/jobs.ts";
import type { Context } from "#operations/context.ts";
import { outputKeyOf } from "#operations/jobs/job-folders.ts";
import { toStored } from "#operations/jobs/read/stored-settings.ts";
import { endVideo } from "#operations/jobs/videos/end-video.ts";

const LINK = "https://drive.google.com/file/d/abc/view";

export type StoredFile = { name: string; sha256: string; sizeBytes: number };

type Options = {
  settings?: Partial<JobSettings>;
  /** In bytes, one per file. */
  sizes: readonly number[];
};

/** Completes a job like a rendered one, with random files. `folder` holds the files before they are stored. */
export async function completeJob(
  context: Pick<Context, "db" | "queue" | "storage">,
  folder: string,
  { settings = {}, sizes }: Options,
): Promise<{ id: string; files: StoredFile[] }> {
  const { db, storage } = context;
  const job = await db
    .insertInto("jobs")
    .values({
      ...toStored({ ...JOB_DEFAULTS, job_name: "A job", input_videos: [LINK], ...settings }),
      ...{ status: "Processing", current_video: 1, total_videos: 1, max_retries: 3 },
    })
    .returning(["id", "output_folder"])
    .executeTakeFirstOrThrow();
  const video = await db
    .insertInto("job_videos")
    .values({ job_id: job.id, position: 0, link: LINK, name: "clip.mp4", status: "Processing", attempts: 1 })
    .returning("id")
    .executeTakeFirstOrThrow();
  const files: StoredFile[] = [];
  for (const [variant, size] of sizes.entries()) {
    const name = `001-v${variant + 1}-clip.mp4`;
    const local = path.join(folder, `${job.id}-${variant}`);
    await writeFile(local, randomBytes(size));
    const key = outputKeyOf(job, name, 1);
    const { sha256, sizeBytes, crc32 } = await storage.put(key, local);
    await db
      .insertInto("job_outputs")
      .values({
        ...{ job_id: job.id, video_id: video.id, variant, segment: 0, name, name_key: name, status: "Completed" },
        ...{ storage_key: key, size_bytes: sizeBytes, crc32, sha256 },
      })
      .execute();
    files.push({ name, sha256, sizeBytes });
  }
  await endVideo(context, { jobId: job.id, videoId: video.id, attempt: 1 }, { status: "Completed" });
  return { id: job.id, files };
}
