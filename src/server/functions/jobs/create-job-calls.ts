import { z } from "zod";
import { CreateJobResponse } from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import { createJobSchema } from "#contract/jobs/create-job.ts";
import { withoutReplaced } from "#contract/jobs/rows.ts";
import { manifestSchema, manifestToRequest } from "#contract/manifest/manifest.ts";
import {
  type JobTableError,
  type JobTableRequest,
  JobTableResponse,
  jobTableSchema,
} from "#contract/table/job-table.ts";
import { MAX_CHECKED_LINKS } from "#contract/sources/preflight.ts";
import type { TableProblem } from "#contract/table/table.ts";
import { checkJobCaptions } from "#operations/captions/check-captions.ts";
import { createJob, createJobOnce } from "#operations/jobs/create/create-job.ts";
import { forecastTable, readPlannedCaptions } from "#operations/jobs/table/forecast-table.ts";
import { readJobTable } from "#operations/jobs/table/read-job-table.ts";
import { parseInput } from "#operations/parse-input.ts";
import { asFields, hasLinks, scopeOfLinks } from "../../auth/scopes.ts";
import { toPublicError, toProblem } from "../../requests/error-response.ts";
import { markReplayed, readKey } from "../../requests/idempotent.ts";
import { type CallContext, type CallFunction, defineCall, type Fields } from "../define-call.ts";

/** The largest job or table, with every character escaped in JSON. */
export const MAX_CREATE_MB = 20;

const LINK = "https://drive.google.com/file/d/abc/view";
/** In a body, like the header. */
const idempotencyKey = z.string().trim().min(1).max(200).nullish();

export const createJobCall = defineCall({
  name: "create",
  summary: "Creates a job from links, from rows, or from an earlier job's manifest.",
  when: { action: [undefined, "create"] },
  scope: (body) => scopeOfLinks(hasLinks(body) || hasLinks(asFields(body.manifest).request)),
  takes: createJobSchema.extend({ idempotency_key: idempotencyKey, manifest: manifestSchema.optional() }),
  answers: CreateJobResponse,
  isRepeatable: "own",
  limitMb: MAX_CREATE_MB,
  ignoresQuery: true,
  example: {
    job_name: "Monday batch",
    input_videos: [LINK],
    captions_enabled: true,
    custom_captions: ["First caption", "Second caption"],
    variants_per_video: 2,
  },
  // Large jobs are checked in a thread.
  runUnchecked: (context, { action: _action, idempotency_key: key, manifest, ...own }) =>
    createCheckedJob(
      context,
      manifest === undefined ? own : { ...withoutReplaced(manifestToRequest(manifest), own), ...own },
      key,
    ),
});

export const JOB_TABLE_FUNCTION: CallFunction = {
  path: "job-table",
  summary: "Creates a job from a table: CSV text or the address of a published sheet.",
  scope: ({ settings }) => scopeOfLinks(hasLinks(settings)),
  calls: [
    defineCall({
      name: "check",
      summary: "Returns the rows, every problem by row and column, and the plan, without creating a job.",
      when: { dry_run: true },
      isRead: true,
      takes: jobTableSchema,
      answers: JobTableResponse,
      run: async (context, request) => {
        const table = await readJobTable(context, request, context.signal);
        const job = { ...request.settings, rows: table.rows, job_name: "Table" };
        const { problem, warnings } = await checkJobCaptions(context, context.captionMeasure, job, context.signal);
        const problems = problem
          ? [{ row: 0, column: "", message: `${problem.description}.` }, ...table.problems]
          : table.problems;
        if (!request.forecast || problems.length > 0) return { ...table, problems, warnings };
        const forecast = await forecastOf(context, request, table.rows);
        const captions = await readPlannedCaptions(context, { settings: request.settings, rows: table.rows });
        return { ...table, problems, captions, warnings, ...(forecast && { forecast }) };
      },
    }),
    defineCall({
      name: "create",
      summary: "Creates a job. If the table has problems, returns all of them and creates no job.",
      when: {},
      takes: jobTableSchema.safeExtend({ idempotency_key: idempotencyKey }),
      answers: CreateJobResponse,
      isRepeatable: "own",
      limitMb: MAX_CREATE_MB,
      example: {
        csv: `link,caption,sku\n${LINK},Harbor,A-1\n`,
        mapping: { sku: "pass" },
        settings: { job_name: "Products", captions_enabled: true, name_pattern: "{row.sku}" },
      },
      runUnchecked: async (context, { idempotency_key: key, ...body }) => {
        const request = parseInput(jobTableSchema, body);
        const table = await readJobTable(context, request, context.signal);
        if (table.problems.length > 0) return reject(context, table.problems);
        return await createCheckedJob(context, { ...request.settings, rows: table.rows }, key);
      },
    }),
  ],
};

/** Null if it would check too many links, or no worker here can check them. Throws like `forecastTable`. */
async function forecastOf(
  context: CallContext,
  { settings }: Pick<JobTableRequest, "settings">,
  rows: JobTableResponse["rows"],
): Promise<JobTableResponse["forecast"] | null> {
  const { preflight, operator, signal } = context;
  const links = [...new Set(rows.map(({ link }) => link))];
  if (!preflight || links.length > MAX_CHECKED_LINKS) return null;
  const { videos } = await preflight(links, { accountId: operator.account.id, signal });
  return await forecastTable(context, { settings, rows }, videos);
}

/** Throws like `createJobOnce`, and ClipmillError "invalid" if the captions do not fit. */
async function createCheckedJob(
  context: CallContext,
  settings: Fields,
  keyOfBody: unknown,
): Promise<CreateJobResponse> {
  const key = readKey(context.c, keyOfBody);
  const { problem, warnings } = await checkJobCaptions(context, context.captionMeasure, settings, context.signal);
  if (problem) throw new ClipmillError("invalid", problem.description, { title: problem.title });
  const { id: accountId } = context.operator.account;
  if (key === null) return { data: await createJob(context, settings, accountId), warnings };
  const { job, isReplayed } = await createJobOnce(context, settings, { accountId, key });
  if (isReplayed) markReplayed(context.c);
  return { data: job, warnings };
}

function reject({ c }: CallContext, problems: TableProblem[]): Response {
  const error = toPublicError(new ClipmillError("invalid", describe(problems)));
  return c.json({ ...toProblem(error), problems } satisfies JobTableError, error.status);
}

function describe(problems: readonly TableProblem[]): string {
  const { row, column, message } = problems[0]!;
  const place = [row > 0 && `row ${row}`, column !== "" && `column "${column}"`].filter((part) => part !== false);
  const first = place.length > 0 ? `${place.join(", ")}: ${message}` : message;
  return problems.length === 1
    ? `The table has a problem: ${first}`
    : `The table has ${problems.length.toLocaleString("en")} problems. The first: ${first}`;
}
