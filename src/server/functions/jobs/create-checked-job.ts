import type { Context } from "hono";
import type { CreateJobResponse } from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import { checkJobCaptions } from "#operations/captions/check-captions.ts";
import { createJob, createJobOnce } from "#operations/jobs/create/create-job.ts";
import { parseInput } from "#operations/parse-input.ts";
import { actorContextFor } from "../../actor-context.ts";
import { markReplayed } from "../../requests/idempotent.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";
import { idempotencyKeySchema } from "../requests.ts";

/** Throws like `createJobOnce`, and ClipmillError "invalid" if the captions do not fit. */
export async function createCheckedJob(
  server: ServerContext,
  c: Context<ServerEnv>,
  settings: Record<string, unknown>,
  keyOfBody: unknown,
): Promise<Response> {
  const key = parseInput(idempotencyKeySchema, keyOfBody ?? c.req.header("idempotency-key"));
  const context = actorContextFor(server, c);
  const { problem, warnings } = await checkJobCaptions(context, context.captionMeasure, settings, c.req.raw.signal);
  if (problem) throw new ClipmillError("invalid", problem.description, { title: problem.title });
  const { id: accountId } = c.get("operator").account;
  if (key === null) {
    return c.json({ data: await createJob(context, settings, accountId), warnings } satisfies CreateJobResponse);
  }
  const { job, isReplayed } = await createJobOnce(context, settings, { accountId, key });
  if (isReplayed) markReplayed(c);
  return c.json({ data: job, warnings } satisfies CreateJobResponse);
}
