import { sql, type Transaction } from "kysely";
import { parseCreateJob } from "#contract/jobs/create-job.ts";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import { ClipmillError } from "#contract/errors.ts";
import { filesOfVideo } from "#contract/jobs/video-settings.ts";
import type { Preset } from "#contract/presets/presets.ts";
import type { AcceptedSources } from "#contract/sources/accepted-sources.ts";
import { fillJobName } from "#contract/watch-folders/job-name-pattern.ts";
import type { Tables } from "#database/tables.ts";
import type { ActorContext } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { insertJob } from "../../jobs/create/insert-job.ts";
import { readPreset } from "../../presets/change-presets.ts";
import { readAcceptedSources } from "../../sources/prepare-sources.ts";
import { WATCHER } from "../watch-context.ts";
import { isCopyDeleted } from "./deleted-copies.ts";
import { pauseItself } from "./pause-folder.ts";
import { lockFolder } from "./record-listing.ts";

const FILES_PER_JOB = 1_000;

type StartContext = Pick<Context, "db" | "queue" | "hosts">;

/**
 * A job and its files' rows change in one transaction under the folder's lock, so each file is in exactly one job.
 * Pauses a folder whose preset cannot start a job.
 */
export async function startJobs(context: StartContext, folderId: string, fileIds: readonly string[]): Promise<void> {
  const accepted = await readAcceptedSources(context);
  for (;;) {
    const taken = await startJob({ ...context, actor: WATCHER }, folderId, fileIds, accepted);
    if (taken === 0) return;
  }
}

async function startJob(
  context: StartContext & ActorContext,
  folderId: string,
  fileIds: readonly string[],
  accepted: AcceptedSources,
): Promise<number> {
  try {
    return await context.db.transaction().execute((trx) => takeNext(trx, context, folderId, fileIds, accepted));
  } catch (error) {
    if (!(error instanceof ClipmillError) || !["invalid", "not_found", "too_large"].includes(error.code)) throw error;
    await context.db.transaction().execute((trx) => pauseItself(trx, folderId, cannotStart(error.message)));
    return 0;
  }
}

async function takeNext(
  trx: Transaction<Tables>,
  context: Pick<Context, "queue" | "hosts"> & ActorContext,
  folderId: string,
  fileIds: readonly string[],
  accepted: AcceptedSources,
): Promise<number> {
  const folder = await lockFolder(trx, folderId);
  if (!folder) return 0;
  const preset = folder.preset_id === null ? null : await readPreset(trx, folder.preset_id);
  if (!preset) {
    await pauseItself(trx, folderId, "Its preset was deleted. Choose another one.");
    return 0;
  }
  const files = await trx
    .selectFrom("watch_files")
    .select(["id", "name", "link", "subtitles_link"])
    .where("folder_id", "=", folderId)
    .where("id", "=", sql<string>`any(${fileIds}::uuid[])`)
    .where("state", "=", "seen")
    .where("link", "is not", null)
    .where((where) => where.not(isCopyDeleted))
    .orderBy("name")
    .orderBy("id")
    .limit(folder.grouping === "file" ? 1 : mostFiles(preset.settings))
    .execute();
  if (files.length === 0) return 0;
  const name = { folder: folder.name, file: files[0]!.name, count: files.length, now: new Date() };
  const body = {
    ...preset.settings,
    job_name: fillJobName(folder.job_name, name),
    // Each file is a video of its own.
    input_videos: files.map((file) => file.link),
    ...(files.some((file) => file.subtitles_link !== null) && { rows: files.map(toRow) }),
  };
  const parsed = parseCreateJob(body, accepted);
  if (!parsed.ok) throw new ClipmillError("invalid", parsed.problem.description);
  const jobId = await insertJob(trx, context, parsed.input, folder.created_by);
  await trx
    .updateTable("watch_files")
    .set({ state: "taken", job_id: jobId, taken_at: sql<string>`now()`, reason_code: null, reason: null })
    .where(
      "id",
      "in",
      files.map(({ id }) => id),
    )
    .execute();
  return files.length;
}

function toRow({ link, subtitles_link: subtitles }: { link: string | null; subtitles_link: string | null }) {
  return { link, ...(subtitles !== null && { settings: { subtitles } }) };
}

/** Without segments, this many fit in a job. */
function mostFiles(settings: Preset["settings"]): number {
  return Math.max(1, Math.min(FILES_PER_JOB, Math.floor(JOB_LIMITS.outputs / filesOfVideo(settings))));
}

function cannotStart(why: string): string {
  return `The preset cannot start a job: ${why.replace(/\.$/, "")}. Change the preset or choose another one, then resume.`;
}
