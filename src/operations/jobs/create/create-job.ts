import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import { isDefault, pickSettings, SETTING_NAMES, settingOf } from "#contract/job-settings/setting-values.ts";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import { sha256Of } from "#ground/checksum.ts";
import type { ActorContext } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { claimKeyForJob, keepJob } from "../../idempotency/claim-key.ts";
import { requireScope } from "../../tokens/find-token.ts";
import { readAcceptedSources } from "../../sources/prepare-sources.ts";
import { readJob } from "../read/read-job.ts";
import { runPure } from "../../thread/run-pure.ts";
import { insertJob } from "./insert-job.ts";
import { errorOf } from "./snapshot-sets.ts";

/**
 * All or nothing. Throws ClipmillError "invalid" with SPEC's message and title, "forbidden" for links without the
 * scope.
 */
export async function createJob(
  context: Context & ActorContext,
  body: unknown,
  accountId: string | null,
): Promise<WholeJob> {
  const input = await parse(context, body);
  const id = await context.db.transaction().execute((trx) => insertJob(trx, context, input, accountId));
  return await readCreated(context, id);
}

/** A repeated key returns the first job as it is now. Throws like `createJob`, and ClipmillError "key_reused". */
export async function createJobOnce(
  context: Context & ActorContext,
  body: unknown,
  { accountId, key }: { accountId: string; key: string },
): Promise<{ job: WholeJob; isReplayed: boolean }> {
  const input = await parse(context, body);
  const request = { accountId, key, digest: digestOf(input) };
  const { id, isReplayed } = await context.db.transaction().execute(async (trx) => {
    const earlier = await claimKeyForJob(trx, request);
    if (earlier !== null) return { id: earlier, isReplayed: true };
    const jobId = await insertJob(trx, context, input, accountId);
    await keepJob(trx, request, jobId);
    return { id: jobId, isReplayed: false };
  });
  return { job: await readCreated(context, id), isReplayed };
}

async function parse(context: Context & ActorContext, body: unknown): Promise<JobSettings> {
  const parsed = await runPure("parseCreateJob", body, await readAcceptedSources(context));
  if (!parsed.ok) throw errorOf(parsed.problem);
  if (parsed.input.link_domain_id !== null) requireScope(context.actor, "cloak");
  return parsed.input;
}

async function readCreated(context: Context, id: string): Promise<WholeJob> {
  const job = await readJob(context, id);
  if (!job) throw new Error(`Job ${id} disappeared right after it was created.`);
  return job;
}

/** Settings without a column count only if not the default: an upgrade must not change a repeated request's digest. */
function digestOf(input: JobSettings): string {
  const names = SETTING_NAMES.filter((name) => settingOf(name).stored === "column" || !isDefault(name, input[name]));
  return sha256Of(JSON.stringify(pickSettings(input, names)), "base64url");
}
