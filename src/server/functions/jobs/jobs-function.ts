import type { Hono } from "hono";
import type {
  CreateJobResponse,
  DeleteJobsResponse,
  JobEventsResponse,
  JobOutputsResponse,
  JobVideosResponse,
  ManifestResponse,
  JobResponse,
  RetryNowResponse,
  ReviewResponse,
} from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import { manifestToRequest } from "#contract/manifest/manifest-to-request.ts";
import { reviewSchema, reviewsSchema } from "#contract/jobs/outputs/review.ts";
import type { ActorContext } from "#operations/audit/actor.ts";
import { checkJobCaptions } from "#operations/captions/check-captions.ts";
import { readManifest } from "#operations/downloads/manifest/open-manifest.ts";
import { makeMissingLinks } from "#operations/jobs/links/make-missing-links.ts";
import { readLinks } from "#operations/jobs/links/read-links.ts";
import { bumpJob } from "#operations/jobs/order/bump-job.ts";
import { readFeedback } from "#operations/guests/read-feedback.ts";
import { shareJob } from "#operations/guests/share-job.ts";
import { deleteJobs } from "#operations/jobs/delete-jobs.ts";
import { holdJob } from "#operations/jobs/order/hold-job.ts";
import { listJobs, listJobsSchema } from "#operations/jobs/read/list-jobs.ts";
import { approveProof } from "#operations/jobs/proof/approve-proof.ts";
import { changeProof, mergeSettings } from "#operations/jobs/proof/change-proof.ts";
import { stopProof } from "#operations/jobs/proof/stop-proof.ts";
import { readDashboard } from "#operations/jobs/read/read-dashboard.ts";
import {
  readJob,
  readJobEvents,
  readJobOutputs,
  readJobVideos,
  readNewestJobEvents,
} from "#operations/jobs/read/read-job.ts";
import { readSourceLink } from "#operations/jobs/read/read-source-link.ts";
import { releaseJob } from "#operations/jobs/order/release-job.ts";
import { readApproved } from "#operations/jobs/review/read-approved.ts";
import { reviewOutputs } from "#operations/jobs/review/review-outputs.ts";
import { retryJob } from "#operations/jobs/retry-job.ts";
import { retryNow } from "#operations/jobs/order/retry-now.ts";
import { parseInput } from "#operations/parse-input.ts";
import { actorContextFor } from "../../actor-context.ts";
import { READS_OF_JOBS } from "../../auth/scopes.ts";
import { idempotent } from "../../requests/idempotent.ts";
import { limitBody, readJson } from "../../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";
import {
  approveSchema,
  changeJobSchema,
  dashboardSchema,
  deleteJobsSchema,
  jobEventsSchema,
  jobIdSchema,
  retryNowSchema,
  videoIdSchema,
} from "../requests.ts";
import { createCheckedJob } from "./create-checked-job.ts";

/** The largest job, with every character escaped in JSON. */
const MAX_CREATE_MB = 20;

type Request = Record<string, unknown>;

const CHANGES = {
  retry: retryJob,
  bump: bumpJob,
  hold: holdJob,
  release: releaseJob,
  stop: stopProof,
};

/** Without an `action` in the query or body, POST creates a job, and GET reads the dashboard (SPEC section 7). */
export function addJobsFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  const repeatable = idempotent(server, {
    // A created job keeps its key itself. The response to share has a secret link.
    isRepeatable: ({ action }) => !isCreation(action) && action !== "share" && !READS_OF_JOBS.has(action),
  });

  app.post("/jobs", limitBody(MAX_CREATE_MB), repeatable, async (c) => {
    const body = await readJson(c);
    const request: Request = { ...body, ...c.req.query() };
    const context = actorContextFor(server, c);
    if (isCreation(request.action)) {
      const { action: _action, idempotency_key: key, manifest, ...own } = body;
      const settings = manifest === undefined ? own : { ...manifestToRequest(manifest), ...own };
      return await createCheckedJob(server, c, settings, key);
    }
    switch (request.action) {
      case "retry":
      case "bump":
      case "hold":
      case "release":
      case "stop": {
        const change = CHANGES[request.action];
        return c.json({ data: await change(context, parseInput(jobIdSchema, request).jobId) } satisfies JobResponse);
      }
      case "approve": {
        const { jobId, samples } = parseInput(approveSchema, request);
        return c.json({ data: await approveProof(context, jobId, { samples }) } satisfies JobResponse);
      }
      case "retry-now": {
        const { jobId, ...which } = parseInput(retryNowSchema, request);
        return c.json((await retryNow(context, jobId, which)) satisfies RetryNowResponse);
      }
      case "change": {
        const { jobId, settings } = parseInput(changeJobSchema, request);
        return c.json(await change(context, jobId, settings, c.req.raw.signal));
      }
      case "share":
        return c.json(await shareJob(context, c.get("operator").account.id, request));
      case "review": {
        const reviews =
          "reviews" in request ? parseInput(reviewsSchema, request).reviews : [parseInput(reviewSchema, request)];
        return c.json({ data: await reviewOutputs(context, reviews) } satisfies ReviewResponse);
      }
      case "delete": {
        const { jobIds, delete_links: deletesLinks } = parseInput(deleteJobsSchema, request);
        return c.json((await deleteJobs(context, jobIds, { deletesLinks })) satisfies DeleteJobsResponse);
      }
      case "make-links":
        return c.json(await makeMissingLinks(context, parseInput(jobIdSchema, request).jobId));
      default:
        return c.json(await read(server, request));
    }
  });

  app.get("/jobs", async (c) => c.json(await read(server, { action: "dashboard", ...c.req.query() })));
}

function isCreation(action: unknown): boolean {
  return action === undefined || action === "create";
}

async function change(
  context: ServerContext & ActorContext,
  jobId: string,
  settings: Request,
  signal: AbortSignal,
): Promise<CreateJobResponse> {
  const merged = await mergeSettings(context, jobId, settings);
  const { problem, warnings } = await checkJobCaptions(context, context.captionMeasure, merged, signal);
  if (problem) throw new ClipmillError("invalid", problem.description, { title: problem.title });
  return { data: await changeProof(context, jobId, settings), warnings };
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
    case "manifest":
      return readManifestOfJob(server, request);
    case "feedback":
      return readFeedback(server, parseInput(jobIdSchema, request).jobId).then((data) => ({ data }));
    case "approved":
      return readApproved(server, parseInput(jobIdSchema, request).jobId);
    case "links":
      return readLinks(server, parseInput(jobIdSchema, request).jobId);
    case "source":
      return readSourceLink(server, parseInput(videoIdSchema, request).videoId);
    case "events":
      return readEventsOfJob(server, request);
    default:
      throw new ClipmillError("invalid", "Unknown action for the function jobs.");
  }
}

async function readManifestOfJob(server: ServerContext, request: Request): Promise<ManifestResponse> {
  return { data: await readManifest(server, parseInput(jobIdSchema, request).jobId) };
}

async function readEventsOfJob(server: ServerContext, request: Request): Promise<JobEventsResponse> {
  const { jobId, limit } = parseInput(jobEventsSchema, request);
  if (limit !== undefined) return existing(server, jobId, await readNewestJobEvents(server, jobId, limit));
  const { data } = await readOfJob(server, request, readJobEvents);
  return { data, total: data.length };
}

async function readOfJob<Item>(
  server: ServerContext,
  request: Request,
  readItems: (context: ServerContext, jobId: string) => Promise<Item[]>,
): Promise<{ data: Item[] }> {
  const { jobId } = parseInput(jobIdSchema, request);
  return existing(server, jobId, { data: await readItems(server, jobId) });
}

/** Throws ClipmillError "not_found" for an unknown job, whose list is also empty. */
async function existing<Response extends { data: unknown[] }>(
  server: ServerContext,
  jobId: string,
  response: Response,
): Promise<Response> {
  if (response.data.length === 0 && !(await readJob(server, jobId))) {
    throw new ClipmillError("not_found", "The job does not exist.");
  }
  return response;
}

/** Falls back to the server's midnight. */
function sinceOf(request: Request): Date {
  const { since } = parseInput(dashboardSchema, request);
  if (since) return new Date(since);
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  return midnight;
}
