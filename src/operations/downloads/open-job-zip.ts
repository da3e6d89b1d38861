import { createHash } from "node:crypto";
import type { Selectable } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { JobsTable } from "#database/tables.ts";
import { cleanFileName } from "#storage/clean-name.ts";
import type { ByteRange, Storage } from "#storage/storage.ts";
import type { Context } from "../context.ts";
import type { Download } from "./download.ts";
import { uniqueNames } from "./unique-names.ts";
import { layOutZip, type ZipLayout } from "./zip-layout.ts";

type Entry = { name: string; sizeBytes: number; crc32: number; storageKey: string };

/** All completed outputs of a job, or the approved ones. */
export type ZipContents = "all" | "approved";

/** Opens a completed job's outputs as one zip, in a folder named after the job. Throws ClipmillError "not_found". */
export async function openJobZip(
  context: Pick<Context, "db" | "storage">,
  jobId: string,
  contents: ZipContents = "all",
): Promise<Download> {
  const job = await context.db
    .selectFrom("jobs")
    .select(["id", "job_name", "updated_at"])
    .where("id", "=", jobId)
    .where("status", "=", "Completed")
    .where("download_enabled", "=", true)
    .where("files_deleted_at", "is", null)
    .executeTakeFirst();
  const entries = job ? await readEntries(context, job, contents) : [];
  if (!job || entries.length === 0) throw new ClipmillError("not_found", "There is no zip for this job.");
  const modifiedAt = new Date(job.updated_at);
  const layout = layOutZip(entries, modifiedAt);
  return {
    fileName: `${job.id}-${contents === "all" ? "outputs" : contents}.zip`,
    type: "application/zip",
    sizeBytes: layout.sizeBytes,
    etag: `"${job.id}-${modifiedAt.getTime()}-${layout.sizeBytes}${contents === "all" ? "" : `-${digestOf(entries)}`}"`,
    storageKey: null,
    read: (range) => readZip(context.storage, layout, entries, range),
  };
}

async function readEntries(
  context: Pick<Context, "db">,
  job: Pick<Selectable<JobsTable>, "id" | "job_name">,
  contents: ZipContents,
): Promise<Entry[]> {
  const rows = await context.db
    .selectFrom("job_outputs")
    .innerJoin("job_videos", "job_videos.id", "job_outputs.video_id")
    .select(["job_outputs.name", "job_outputs.size_bytes", "job_outputs.crc32", "job_outputs.storage_key"])
    .where("job_outputs.job_id", "=", job.id)
    .where("job_outputs.status", "=", "Completed")
    .$if(contents === "approved", (query) => query.where("job_outputs.verdict", "=", "approved"))
    .orderBy("job_videos.position")
    .orderBy("job_outputs.variant")
    .orderBy("job_outputs.segment")
    .execute();
  // Jobs with the same name must not mix when extracted side by side.
  const folder = `${cleanFileName(job.job_name, "Job")}-${job.id.slice(0, 8)}`;
  const names = uniqueNames(rows.map((row) => row.name));
  return rows.map((row, i) => {
    const { size_bytes: sizeBytes, crc32, storage_key: storageKey } = row;
    if (sizeBytes === null || crc32 === null || storageKey === null) {
      throw new Error(`A completed output of job ${job.id} lacks its size, checksum or file.`);
    }
    return { name: `${folder}/${names[i]!}`, sizeBytes, crc32, storageKey };
  });
}

/** Verdicts change no time, and files of equal size may take each other's place. */
function digestOf(entries: readonly Entry[]): string {
  return createHash("sha256")
    .update(entries.map(({ storageKey }) => storageKey).join("\n"))
    .digest("hex")
    .slice(0, 16);
}

/** Reads only the range: resuming near the end skips earlier files. */
async function* readZip(
  storage: Storage,
  layout: ZipLayout,
  entries: Entry[],
  range: ByteRange,
): AsyncGenerator<Uint8Array> {
  for (const part of layout.parts) {
    const start = Math.max(range.start - part.start, 0);
    const end = Math.min(range.end - part.start, part.length - 1);
    if (start > end) continue;
    if ("bytes" in part) yield part.bytes.subarray(start, end + 1);
    else yield* await storage.read(entries[part.entry]!.storageKey, { start, end });
  }
}
