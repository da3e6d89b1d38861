import type { WholeJob } from "#contract/jobs/jobs.ts";
import type { ActorContext } from "../../audit/actor.ts";
import type { Context } from "../../context.ts";
import { requireScope } from "../../tokens/require-scope.ts";
import { readAcceptedSources } from "../../sources/accepted-sources.ts";
import { findRequestedJob, rememberRequest } from "./job-request.ts";
import { readJob } from "../read/read-job.ts";
import { runPure } from "../../thread/run-pure.ts";
import { insertJob } from "./insert-job.ts";
import { refusal } from "./snapshot-sets.ts";

/**
 * All or nothing. A repeated idempotency key returns the first job. Throws ClipmillError "invalid" with SPEC's message
 * and title, "conflict" if another request used the key, "forbidden" for links without the scope.
 */
export async function createJob(
  context: Context & ActorContext,
  body: unknown,
  accountId: string | null,
  idempotencyKey: string | null = null,
): Promise<WholeJob> {
  const parsed = await runPure("parseCreateJob", body, await readAcceptedSources(context));
  if (!parsed.ok) throw refusal(parsed.problem);
  if (parsed.input.link_domain_id !== null) requireScope(context.actor, "cloak");
  const id = await context.db.transaction().execute(async (trx) => {
    const earlier = idempotencyKey && (await findRequestedJob(trx, idempotencyKey, parsed.input));
    if (earlier) return earlier;
    const jobId = await insertJob(trx, context, parsed.input, accountId);
    if (idempotencyKey) await rememberRequest(trx, idempotencyKey, parsed.input, jobId);
    return jobId;
  });
  const job = await readJob(context, id);
  if (!job) throw new Error(`Job ${id} disappeared right after it was created.`);
  return job;
}
