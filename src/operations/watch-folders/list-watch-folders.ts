import { type Kysely, sql } from "kysely";
import type { z } from "zod";
import {
  WATCH_FILE_STATES,
  WATCH_LIMITS,
  type WatchFile,
  type WatchFileState,
  type WatchFolder,
} from "#contract/watch-folders/watch-folders.ts";
import type { listWatchFilesSchema } from "#contract/watch-folders/watch-requests.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";

const FIELDS = [
  ...([
    "id",
    "name",
    "kind",
    "place",
    "connection_id",
    "preset_id",
    "job_name",
    "grouping",
    "interval_seconds",
    "settle_seconds",
  ] as const),
  ...(["existing", "paused_at", "pause_reason", "last_check_at", "last_fault", "version"] as const),
  ...(["created_at", "updated_at"] as const),
] as const;

/** No server has checked a folder that has been due for this long. */
const UNCHECKED_SECONDS = 300;
const UNCHECKED = "No running server has this folder. Create it on a server, or remove this watch folder.";

export async function listWatchFolders({ db }: Pick<Context, "db">, onlyId?: string): Promise<WatchFolder[]> {
  const rows = await db
    .selectFrom("watch_folders")
    .select(FIELDS.map((name) => `watch_folders.${name}` as const))
    .select((eb) =>
      eb.selectFrom("presets").select("presets.name").whereRef("presets.id", "=", "preset_id").as("preset_name"),
    )
    .select((eb) =>
      eb
        .selectFrom("connections")
        .select("connections.name")
        .whereRef("connections.id", "=", "connection_id")
        .as("connection_name"),
    )
    .select(
      sql<boolean>`kind = 'local' and paused_at is null
        and next_check_at < now() - make_interval(secs => ${UNCHECKED_SECONDS}::int)`.as("is_unchecked"),
    )
    .$if(onlyId !== undefined, (query) => query.where("watch_folders.id", "=", onlyId!))
    .orderBy(sql`lower(watch_folders.name)`)
    .execute();
  const counts = await countFiles(db);
  return rows.map(({ is_unchecked: isUnchecked, ...folder }) => {
    const last_fault = isUnchecked ? UNCHECKED : folder.last_fault;
    return Object.assign(folder, { last_fault, files: counts.get(folder.id) ?? noFiles() });
  });
}

async function countFiles(db: Kysely<Tables>): Promise<Map<string, Record<WatchFileState, number>>> {
  const rows = await db
    .selectFrom("watch_files")
    .select((eb) => ["folder_id", "state", eb.fn.countAll<number>().as("count")])
    .groupBy(["folder_id", "state"])
    .execute();
  const counts = new Map<string, Record<WatchFileState, number>>();
  for (const { folder_id: id, state, count } of rows)
    counts.set(id, { ...(counts.get(id) ?? noFiles()), [state]: count });
  return counts;
}

function noFiles(): Record<WatchFileState, number> {
  return Object.fromEntries(WATCH_FILE_STATES.map((state) => [state, 0])) as Record<WatchFileState, number>;
}

/** Newest first, up to 100 after the given one. */
export async function listWatchFiles(
  { db }: Pick<Context, "db">,
  { id, state, after }: z.output<typeof listWatchFilesSchema>,
): Promise<WatchFile[]> {
  const rows = await db
    .selectFrom("watch_files")
    .leftJoin("jobs", "jobs.id", "watch_files.job_id")
    .select(["watch_files.id", "name", "size_bytes", "state", "reason", "first_seen_at", "taken_at", "missing_since"])
    .select(["jobs.id as job_id", "jobs.job_name", "jobs.status as job_status"])
    .where("folder_id", "=", id)
    .$if(Boolean(state), (query) => query.where("state", "=", state!))
    .$if(Boolean(after), (query) =>
      query.where(
        sql<boolean>`exists (select from watch_files as earlier where earlier.id = ${after}::uuid and
          (watch_files.first_seen_at, earlier.id) < (earlier.first_seen_at, watch_files.id))`,
      ),
    )
    .orderBy("first_seen_at", "desc")
    .orderBy("watch_files.id")
    .limit(WATCH_LIMITS.filesPerPage)
    .execute();
  return rows.map(({ job_id, job_name, job_status, missing_since: missingSince, ...file }) => {
    const job = job_id === null ? null : { id: job_id, name: job_name!, status: job_status! };
    return Object.assign(file, { job, is_missing: missingSince !== null });
  });
}
