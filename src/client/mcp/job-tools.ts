import { randomUUID } from "node:crypto";
import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import { jobTitle } from "#contract/jobs/jobs.ts";
import { sha256Of } from "#ground/checksum.ts";
import { cancelJob, checkTable, createJobOfTable, forecastTable, pageOf, retryJob } from "../calls.ts";
import { describeCheck, type Toolbox } from "./tool-result.ts";
import { jobId, newJob } from "./tool-schemas.ts";
import { resolveSettings } from "./tool-settings.ts";

/** Destinations can post files publicly, and link settings make routes on a public domain. */
const STARTS_JOBS = { readOnlyHint: false, destructiveHint: false, openWorldHint: true } as const;
const DELIVERS =
  "Depending on its settings, finished files are delivered or posted publicly, and public links are made.";

function explainReusedKey(cause: unknown): never {
  if (!(cause instanceof ClipmillError) || cause.code !== "key_reused") throw cause;
  throw new ClipmillError(
    "key_reused",
    "The same call created a job before, and its preset has changed since. Find it with list_jobs, or set again to true to create another.",
    { cause },
  );
}

export function addJobTools({ server, api, asResult }: Toolbox): void {
  server.registerTool(
    "create_job",
    {
      annotations: { ...STARTS_JOBS, idempotentHint: true },
      description: `Create a job, and return its ID and when it was created. With dry_run, create nothing and return the same as check_job. The same call returns the same job, unless again is true. ${DELIVERS}`,
      inputSchema: newJob.extend({ dry_run: z.boolean().default(false), again: z.boolean().default(false) }),
    },
    ({ name, csv, preset: wanted, settings: given, dry_run: isDryRun, again }) =>
      asResult(async () => {
        const { preset, typed, settings } = await resolveSettings(api, wanted, given);
        const checked = await (isDryRun ? forecastTable : checkTable)(api, { csv, settings });
        if (isDryRun || checked.problems.length > 0) return { ...describeCheck(checked), is_created: false };
        // As typed, not as resolved today: a changed preset must not make a second job.
        const parts = again ? randomUUID() : JSON.stringify([name, preset?.id ?? null, typed, csv]);
        const idempotency_key = `cli-${sha256Of(parts)}`;
        const body = { csv, settings: { ...settings, job_name: name }, idempotency_key };
        const { data: job, warnings } = await createJobOfTable(api, body).catch(explainReusedKey);
        const { id, status, created_at } = job;
        return {
          ...{ id, name: jobTitle(job), status, created_at, page: pageOf(api.server, id), warnings },
          is_created: true,
          // Settings that an older server does not know.
          ignored_settings: Object.keys(settings).filter((field) => !(field in job)),
        };
      }),
  );

  server.registerTool(
    "retry_job",
    {
      annotations: STARTS_JOBS,
      description: `Retry the failed videos of an ended job. ${DELIVERS}`,
      inputSchema: z.strictObject({ job_id: jobId }),
    },
    ({ job_id: id }) => asResult(async () => ({ id, status: (await retryJob(api, id)).status })),
  );

  server.registerTool(
    "cancel_job",
    {
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
      description: "Cancel a job. Its unfinished videos are lost.",
      inputSchema: z.strictObject({ job_id: jobId }),
    },
    ({ job_id: id }) =>
      asResult(async () => {
        await cancelJob(api, id);
        return { id, status: "Cancelled" };
      }),
  );
}
