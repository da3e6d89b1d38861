import type { Hono } from "hono";
import type {
  DeleteJobsResponse,
  JobEventsResponse,
  JobOutputsResponse,
  JobVideosResponse,
  JobResponse,
  RetryNowResponse,
} from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import { bumpJob } from "#operations/jobs/order/bump-job.ts";
import { deleteJobs } from "#operations/jobs/delete-jobs.ts";
import { holdJob } from "#operations/jobs/order/hold-job.ts";
import { listJobs, listJobsSchema } from "#operations/jobs/read/list-jobs.ts";
import { readDashboard } from "#operations/jobs/read/read-dashboard.ts";
import { readJob, readJobEvents, readJobOutputs, readJobVideos } from "#operations/jobs/read/read-job.ts";
import { releaseJob } from "#operations/jobs/order/release-job.ts";
import { retryJob } from "#operations/jobs/retry-job.ts";
import { retryNow } from "#operations/jobs/order/retry-now.ts";
import { parseInput } from "#operations/parse-input.ts";
import { actorContextFor } from "../../actor-context.ts";
import { limitBody, readJson } from "../../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";
import { createCheckedJob } from "./create-checked-job.ts";
import { dashboardSchema, deleteJobsSchema, idempotencyKeySchema, jobIdSchema, retryNowSchema } from "../requests.ts";

/** The captions and links of the largest job, with every character escaped in JSON. */
const MAX_CREATE_MB = 20;

type Request = Record<string, unknown>;

/** Actions that return the job's new state. */
const CHANGES = { retry: retryJob, bump: bumpJob, hold: holdJob, release: releaseJob };

/** Adds the function jobs, which creates a job unless `action` in the query or body selects another action. */
export function addJobsFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post("/jobs", limitBody(MAX_CREATE_MB), async (c) => {
    const body = await readJson(c);
    const request: Request = { ...body, ...c.req.query() };
    const context = actorContextFor(server, c);
    switch (request.action) {
      case undefined:
      case "create": {
        const { action: _action, idempotency_key: key, ...job } = body;
        const idempotencyKey = parseInput(idempotencyKeySchema, key ?? c.req.header("idempotency-key"));
        return c.json(
          await createCheckedJob(context, c.get("operator").account, job, idempotencyKey, c.req.raw.signal),
        );
      }
      case "retry":
      case "bump":
      case "hold":
      case "release": {
        const change = CHANGES[request.action];
        return c.json({ data: await change(context, parseInput(jobIdSchema, request).jobId) } satisfies JobResponse);
      }
      case "retry-now": {
        const { jobId, ...which } = parseInput(retryNowSchema, request);
        return c.json((await retryNow(context, jobId, which)) satisfies RetryNowResponse);
      }
      case "delete": {
        const { jobIds } = parseInput(deleteJobsSchema, request);
        return c.json((await deleteJobs(context, jobIds)) satisfies DeleteJobsResponse);
      }
      default:
        return c.json(await read(server, request));
    }
  });

  app.get("/jobs", async (c) => c.json(await read(server, c.req.query())));
}

function read(server: ServerContext, request: Request) {
  switch (request.action) {
    case "list":
      return listJobs(server, parseInput(listJobsSchema, request));
    case "dashboard":
      return readDashboard(server, sinceOf(request));
    case "videos":
      return readOfJob<JobVideosResponse["data"][number]>(server, request, readJobVideos);
    case "outputs":
      return readOfJob<JobOutputsResponse["data"][number]>(server, request, readJobOutputs);
    case "events":
      return readOfJob<JobEventsResponse["data"][number]>(server, request, readJobEvents);
    default:
      throw new ClipmillError("invalid", "Unknown action for the function jobs.");
  }
}

async function readOfJob<Item>(
  server: ServerContext,
  request: Request,
  readItems: (context: ServerContext, jobId: string) => Promise<Item[]>,
): Promise<{ data: Item[] }> {
  const { jobId } = parseInput(jobIdSchema, request);
  const data = await readItems(server, jobId);
  // An unknown job also has an empty list.
  if (data.length === 0 && !(await readJob(server, jobId))) {
    throw new ClipmillError("not_found", "The job does not exist.");
  }
  return { data };
}

/** Returns the start of today: as sent by the browser, otherwise the server's midnight. */
function sinceOf(request: Request): Date {
  const { since } = parseInput(dashboardSchema, request);
  if (since) return new Date(since);
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  return midnight;
}
