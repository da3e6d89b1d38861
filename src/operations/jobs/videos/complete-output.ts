import { type Selectable, sql, type Transaction } from "kysely";
import type { ConformanceReport } from "#contract/jobs/outputs/conformance.ts";
import type { Warning } from "#contract/jobs/outputs/warnings.ts";
import type { JobOutputsTable, StoredCover, Tables } from "#database/tables.ts";
import type { Context } from "../../context.ts";
import { isWantedByWebhook } from "../../outgoing/write-event.ts";
import { writeOutputEvent } from "../../outgoing/write-output-event.ts";
import { NO_FAILURE } from "../failures/failure-columns.ts";

export type CompletedOutput = {
  id: string;
  /** Of this output: others may share its file, but not its caption. */
  warnings: Warning[];
  /** A job's outputs with the same key share a file. */
  contentKey: string;
  storageKey: string;
  thumbnailKey: string;
  /** Null if the job wants none, or the file has no frame that can be decoded. */
  cover: StoredCover | null;
  durationSeconds: number;
  width: number;
  height: number;
  sizeBytes: number;
  crc32: number;
  /** In hex; null for a file older than the column. */
  sha256: string | null;
  /** Null without a platform. */
  conformance: ConformanceReport | null;
};

export type StoredOutput = Omit<CompletedOutput, "id" | "warnings" | "contentKey">;

/**
 * Records the file, or that of another output of the job with the same content. Returns its storage key, or null
 * without changes if a later attempt owns the video or it has ended. Idempotent.
 */
export function completeOutput(
  context: Pick<Context, "db" | "queue">,
  attemptRef: { jobId: string; videoId: string; attempt: number },
  output: CompletedOutput,
): Promise<string | null> {
  return context.db.transaction().execute(async (trx) => {
    const { id, warnings, contentKey, ...own } = output;
    // Two videos may produce the same file at the same time.
    const lock = sql`pg_advisory_xact_lock(hashtextextended(${`${attemptRef.jobId} ${contentKey}`}, 0))`;
    const current = await trx
      .selectFrom("job_videos")
      .select(["id", lock.as("lock"), isWantedByWebhook("output.completed").as("isEventWanted")])
      .where("id", "=", attemptRef.videoId)
      .where("attempts", "=", attemptRef.attempt)
      .where("status", "=", "Processing")
      // The next attempt starts afterwards, and finds the file.
      .forShare()
      .executeTakeFirst();
    if (!current) return readRecorded(trx, output);
    const isNew = current.isEventWanted && (await isIncomplete(trx, id));
    const updated = await trx
      .with("file", () => storedOrOwn(attemptRef.jobId, contentKey, own))
      .updateTable("job_outputs")
      .from("file")
      .set((eb) => ({
        ...NO_FAILURE,
        status: "Completed",
        progress: 100,
        content_key: contentKey,
        ...Object.fromEntries(FILE_COLUMNS.map((column) => [column, eb.ref(`file.${column}`)])),
        warnings: JSON.stringify(warnings),
        updated_at: sql<string>`now()`,
      }))
      .where("job_outputs.id", "=", id)
      .where((eb) =>
        eb.or([
          eb("job_outputs.status", "in", ["Queued", "Processing"]),
          eb("job_outputs.storage_key", "=", eb.ref("file.storage_key")),
        ]),
      )
      .returning("file.storage_key")
      .executeTakeFirst();
    if (!updated) return null;
    if (isNew) await writeOutputEvent(context, trx, id);
    return updated.storage_key;
  });
}

const FILE_COLUMNS = [
  "storage_key",
  "thumbnail_key",
  "cover",
  "duration_seconds",
  "width",
  "height",
  "size_bytes",
  "crc32",
  "sha256",
  "conformance",
] as const;
type FileColumns = Pick<Selectable<JobOutputsTable>, (typeof FILE_COLUMNS)[number]>;
const columns = sql.join(FILE_COLUMNS.map((column) => sql.ref(column)));

function storedOrOwn(jobId: string, contentKey: string, own: StoredOutput) {
  const [cover, conformance] = [own.cover, own.conformance].map((value) => value && JSON.stringify(value));
  return sql<FileColumns>`(
    with stored as (
      select ${columns} from job_outputs
      where job_id = ${jobId} and content_key = ${contentKey} and storage_key is not null limit 1
    )
    select ${columns} from stored
    union all
    select ${own.storageKey}, ${own.thumbnailKey}, ${cover}::jsonb, ${own.durationSeconds}::float8, ${own.width}::integer,
      ${own.height}::integer, ${own.sizeBytes}::bigint, ${own.crc32}::bigint, ${own.sha256}, ${conformance}::jsonb
    where not exists (select from stored))`;
}

/** An output recorded twice has one event. */
async function isIncomplete(trx: Transaction<Tables>, outputId: string): Promise<boolean> {
  const output = await trx
    .selectFrom("job_outputs")
    .select("id")
    .where("id", "=", outputId)
    .where("status", "<>", "Completed")
    .executeTakeFirst();
  return output !== undefined;
}

export async function findStoredOutput(
  { db }: Pick<Context, "db">,
  jobId: string,
  contentKey: string,
): Promise<StoredOutput | null> {
  const { rows } = await sql<StoredOutput>`
    select storage_key as "storageKey", thumbnail_key as "thumbnailKey", cover, duration_seconds as "durationSeconds",
      width, height, size_bytes::float8 as "sizeBytes", crc32::float8 as crc32, sha256, conformance
    from job_outputs where job_id = ${jobId} and content_key = ${contentKey} and storage_key is not null
    limit 1`.execute(db);
  return rows[0] ?? null;
}

async function readRecorded(trx: Transaction<Tables>, output: CompletedOutput): Promise<string | null> {
  const recorded = await trx
    .selectFrom("job_outputs")
    .select("storage_key")
    .where("id", "=", output.id)
    .where((eb) => eb.or([eb("storage_key", "=", output.storageKey), eb("content_key", "=", output.contentKey)]))
    .executeTakeFirst();
  return recorded?.storage_key ?? null;
}
