import { parseCreateJob } from "#contract/jobs/create-job.ts";
import { sizeProblem } from "#contract/jobs/size-problem.ts";
import { type WholeJob, MAX_RETRIES } from "#contract/jobs/jobs.ts";
import type { ActorContext } from "../../audit/actor.ts";
import { writeAudit } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { recordLibraryUses } from "../../library/hold-library-files.ts";
import { readAcceptedSources } from "../../sources/accepted-sources.ts";
import { findRequestedJob, rememberRequest } from "./job-request.ts";
import { readJob } from "../read/read-job.ts";
import { insertVideos } from "./insert-videos.ts";
import { prepareJob, toJobColumns } from "./prepare-job.ts";
import { refusal } from "./snapshot-sets.ts";

/**
 * Creates a job with its videos and tasks, all or nothing; captions and links are copied into it. A repeated request
 * with the same idempotency key returns the first job. Throws ClipmillError "invalid" with SPEC's message (and its
 * title), and "conflict" if another request used the key.
 */
export async function createJob(
  context: Context & ActorContext,
  body: unknown,
  accountId: string | null,
  idempotencyKey: string | null = null,
): Promise<WholeJob> {
  const parsed = parseCreateJob(body, await readAcceptedSources(context));
  if (!parsed.ok) throw refusal(parsed.problem);
  const id = await context.db.transaction().execute(async (trx) => {
    const earlier = idempotencyKey && (await findRequestedJob(trx, idempotencyKey, parsed.input));
    if (earlier) return earlier;
    const { snapshot, fileIds } = await prepareJob(trx, parsed.input);
    const { virtual_time: now } = await trx.selectFrom("queue_clock").select("virtual_time").executeTakeFirstOrThrow();
    const job = await trx
      .insertInto("jobs")
      .values({
        ...toJobColumns(snapshot),
        current_video: null,
        max_retries: MAX_RETRIES,
        proof_state: snapshot.proof_count > 0 ? "making" : null,
        created_by: accountId,
        start_tag: now,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const videos = await insertVideos(trx, job.id, snapshot);
    await recordLibraryUses(trx, job.id, fileIds);
    const tasks = videos.map((video, place) => ({ videoId: video.id, jobId: job.id, startTag: now + place }));
    await context.queue.videos.enqueue(trx, tasks);
    await writeAudit(trx, context.actor, { action: "job.create", subjects: [job.id] });
    if (idempotencyKey) await rememberRequest(trx, idempotencyKey, parsed.input, job.id);
    return job.id;
  });
  const job = await readJob(context, id);
  if (!job) throw new Error(`Job ${id} disappeared right after it was created.`);
  return job;
}
