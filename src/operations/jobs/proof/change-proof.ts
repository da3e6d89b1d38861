import { sql, type Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { rowsOfLinks, withoutReplaced } from "#contract/jobs/rows.ts";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import { pickSettings, SETTING_NAMES } from "#contract/job-settings/setting-values.ts";
import type { Tables } from "#database/tables.ts";
import type { ActorContext } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { recordLibraryUses } from "../../library/library-uses.ts";
import { requireScope } from "../../tokens/find-token.ts";
import { readAcceptedSources } from "../../sources/prepare-sources.ts";
import { runPure } from "../../thread/run-pure.ts";
import { insertVideos } from "../create/insert-job.ts";
import { prepareJob, toJobColumns } from "../create/prepare-job.ts";
import { errorOf } from "../create/snapshot-sets.ts";
import { cleanFolderName } from "../job-folders.ts";
import { readJob } from "../read/read-job.ts";
import { enqueueVideos } from "../videos/requeue-failed.ts";
import { decideProof } from "./decide-proof.ts";
import { keepFiles } from "./kept-files.ts";
import { UNMEASURED } from "./wait-for-approval.ts";

const NOT_FOUND = "The job does not exist.";
const OTHER_FOLDER = "A job's output folder cannot be changed. Create another job instead.";

type Settings = Record<string, unknown>;

/** Throws ClipmillError "not_found". */
export async function mergeSettings(
  context: Pick<Context, "db" | "links">,
  jobId: string,
  settings: Settings,
): Promise<Settings> {
  const job = await readJob(context, jobId);
  if (!job) throw new ClipmillError("not_found", NOT_FOUND);
  const merged = { ...withoutReplaced(pickSettings(job, SETTING_NAMES), settings), ...settings };
  const { input_videos: links, rows } = settings;
  // Other links without rows: each link keeps its row.
  if (!Array.isArray(links) || rows !== undefined) return merged;
  return { ...merged, rows: rowsOfLinks(links as string[], job.rows) };
}

/**
 * Makes the samples again, reusing files with the same content. `proof_count` 0 approves the job. Throws ClipmillError
 * "invalid", "not_found", "conflict", or "forbidden" for links without the scope.
 */
export async function changeProof(
  context: Context & ActorContext,
  jobId: string,
  settings: Settings,
): Promise<WholeJob> {
  const merged = await mergeSettings(context, jobId, settings);
  const parsed = await runPure("parseCreateJob", merged, await readAcceptedSources(context));
  if (!parsed.ok) throw errorOf(parsed.problem);
  // Also if the links stay as they are: their targets can depend on the rows.
  if (parsed.input.link_domain_id !== null) requireScope(context.actor, "cloak");
  return decideProof(context, jobId, "job.change", async (trx) => {
    const old = await readOld(trx, jobId);
    requireSameFolder(old.folder, parsed.input);
    if (!(await context.queue.videos.forget(trx, old.videoIds))) return false;
    const { snapshot, combinations, fileIds } = await prepareJob(trx, context, parsed.input);
    await keepFiles(trx, jobId);
    await trx.deleteFrom("job_videos").where("job_id", "=", jobId).execute();
    await trx.deleteFrom("library_uses").where("job_id", "=", jobId).execute();
    await trx
      .updateTable("jobs")
      .set({
        ...toJobColumns(snapshot, combinations),
        ...UNMEASURED,
        proof_state: snapshot.proof_count > 0 ? "making" : "approved",
        progress: 0,
        current_video: 1,
        updated_at: sql<string>`now()`,
      })
      .where("id", "=", jobId)
      .execute();
    // New attempts have other numbers, so that they do not overwrite the kept files.
    const videos = await insertVideos(trx, jobId, snapshot, combinations, old.attempts);
    await recordLibraryUses(trx, jobId, fileIds);
    const fresh = videos.map(({ id }) => ({ id, attempts: old.attempts }));
    await enqueueVideos(context, trx, jobId, fresh);
    return true;
  });
}

async function readOld(
  trx: Transaction<Tables>,
  jobId: string,
): Promise<{ folder: string | null; videoIds: string[]; attempts: number }> {
  const { output_folder: folder } = await trx
    .selectFrom("jobs")
    .select("output_folder")
    .where("id", "=", jobId)
    .executeTakeFirstOrThrow();
  const videos = await trx.selectFrom("job_videos").select(["id", "attempts"]).where("job_id", "=", jobId).execute();
  return {
    folder,
    videoIds: videos.map(({ id }) => id),
    attempts: videos.reduce((most, { attempts }) => Math.max(most, attempts), 0),
  };
}

/** Finished files stay in the old folder, and a deletion removes only one. */
function requireSameFolder(folder: string | null, { output_folder: wanted }: JobSettings): void {
  const cleaned = wanted ? cleanFolderName(wanted) : null;
  if (cleaned !== folder) throw new ClipmillError("invalid", OTHER_FOLDER);
}
