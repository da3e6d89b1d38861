import { randomBytes } from "node:crypto";
import { link, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { crc32 } from "node:zlib";
import type { Insertable } from "kysely";
import { JOB_DEFAULTS } from "#contract/jobs/jobs.ts";
import { toStored } from "#operations/jobs/read/stored-settings.ts";
import { migrate } from "#database/migrate.ts";
import { openDatabase } from "#database/open-database.ts";
import type { JobsTable } from "#database/tables.ts";
import { foldersOf } from "#operations/jobs/job-folders.ts";

const DISTINCT = 5;

/** Links random files instead of encoding, which would take too long. No program may use the data directory. */
export async function writeFinishedJob(dataDir: string, count: number, bytesEach: number): Promise<void> {
  const database = await openDatabase({ dataDir });
  try {
    await migrate(database.db);
    const job = await database.db
      .insertInto("jobs")
      .values(COMPLETED_JOB)
      .returning(["id", "output_folder"])
      .executeTakeFirstOrThrow();
    const first = { job_id: job.id, position: 0, link: COMPLETED_JOB.input_videos[0]!, status: "Completed" } as const;
    const video = await database.db.insertInto("job_videos").values(first).returning("id").executeTakeFirstOrThrow();
    const folder = foldersOf(job).outputs;
    const checksums = await writeFiles(path.join(dataDir, "files", folder), count, bytesEach);
    const outputs = checksums.map((checksum, variant) => ({
      job_id: job.id,
      video_id: video.id,
      variant,
      segment: 0,
      name: nameOf(variant),
      status: "Completed" as const,
      storage_key: `${folder}/${nameOf(variant)}`,
      size_bytes: bytesEach,
      crc32: checksum,
    }));
    await database.db.insertInto("job_outputs").values(outputs).execute();
  } finally {
    await database.close();
  }
}

const COMPLETED_JOB = {
  ...toStored(JOB_DEFAULTS),
  job_name: "Large",
  status: "Completed",
  input_videos: ["https://drive.google.com/file/d/abc/view"],
  error_message: null,
  current_video: null,
  total_videos: 1,
  max_retries: 3,
  created_by: null,
  processing_started_at: null,
} satisfies Insertable<JobsTable>;

function nameOf(variant: number): string {
  return `${String(variant).padStart(4, "0")}.mp4`;
}

async function writeFiles(folder: string, count: number, bytesEach: number): Promise<number[]> {
  await mkdir(folder, { recursive: true });
  const checksums: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const file = path.join(folder, nameOf(i));
    if (i >= DISTINCT) await link(path.join(folder, nameOf(i % DISTINCT)), file);
    else {
      const bytes = randomBytes(bytesEach);
      await writeFile(file, bytes);
      checksums.push(crc32(bytes));
    }
  }
  return Array.from({ length: count }, (_, i) => checksums[i % DISTINCT]!);
}
