import type { Transaction } from "kysely";
import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import { MAX_RETRIES } from "#contract/jobs/jobs.ts";
import type { Tables } from "#database/tables.ts";
import type { ActorContext } from "../../audit/actor.ts";
import { writeAudit } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { recordLibraryUses } from "../../library/hold-library-files.ts";
import { enqueueVideos } from "../videos/enqueue-videos.ts";
import { insertVideos } from "./insert-videos.ts";
import { prepareJob, toJobColumns } from "./prepare-job.ts";

/** Returns the job's id. Throws like prepareJob. */
export async function insertJob(
  trx: Transaction<Tables>,
  { queue, actor }: Pick<Context, "queue"> & ActorContext,
  input: JobSettings,
  accountId: string | null,
): Promise<string> {
  const { snapshot, fileIds } = await prepareJob(trx, input);
  const job = await trx
    .insertInto("jobs")
    .values({
      ...toJobColumns(snapshot),
      current_video: null,
      max_retries: MAX_RETRIES,
      proof_state: snapshot.proof_count > 0 ? "making" : null,
      created_by: accountId,
      start_tag: (eb) => eb.selectFrom("queue_clock").select("virtual_time"),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const videos = await insertVideos(trx, job.id, snapshot);
  await recordLibraryUses(trx, job.id, fileIds);
  const fresh = videos.map(({ id }) => ({ id, attempts: 0 }));
  await enqueueVideos({ queue }, trx, job.id, fresh);
  await writeAudit(trx, actor, { action: "job.create", subjects: [job.id] });
  return job.id;
}
