import type { CreateJobResponse } from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Account } from "#operations/accounts/account.ts";
import type { ActorContext } from "#operations/audit/actor.ts";
import { checkJobCaptions } from "#operations/captions/check-captions.ts";
import { createJob } from "#operations/jobs/create/create-job.ts";
import type { ServerContext } from "../../server-context.ts";

/** Throws like `createJob`, and ClipmillError "invalid" if the captions do not fit. */
export async function createCheckedJob(
  context: ServerContext & ActorContext,
  account: Account,
  job: Record<string, unknown>,
  idempotencyKey: string | null,
  signal: AbortSignal,
): Promise<CreateJobResponse> {
  const { problem, warnings } = await checkJobCaptions(context, context.captionMeasure, job, signal);
  if (problem) throw new ClipmillError("invalid", problem.description, { title: problem.title });
  return { data: await createJob(context, job, account.id, idempotencyKey), warnings };
}
