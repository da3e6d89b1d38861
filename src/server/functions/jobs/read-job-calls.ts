import { z } from "zod";
import {
  ApprovedResponse,
  DashboardResponse,
  JobEventsResponse,
  JobOutputsResponse,
  JobVideosResponse,
  ListJobsResponse,
  ManifestResponse,
  MeasuredWorkResponse,
  SourceLinkResponse,
} from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import { FeedbackResponse } from "#contract/guests/guests.ts";
import { JobLinks } from "#contract/links/job-links.ts";
import { readManifest } from "#operations/downloads/manifest/open-manifest.ts";
import { readFeedback } from "#operations/guests/read-guest-view.ts";
import { readLinks } from "#operations/jobs/links/read-links.ts";
import { listJobs, listJobsSchema } from "#operations/jobs/read/list-jobs.ts";
import { readDashboard } from "#operations/jobs/read/read-dashboard.ts";
import {
  readJob,
  readJobEvents,
  readJobOutputs,
  readJobVideos,
  readNewestJobEvents,
  readSourceLink,
} from "#operations/jobs/read/read-job.ts";
import { readMeasuredWork } from "#operations/jobs/read/read-measured-work.ts";
import { readApproved } from "#operations/jobs/review/review-outputs.ts";
import { type Call, type CallContext, defineCall } from "../define-call.ts";

const MAX_NEWEST_EVENTS = 1_000;

export const jobIdSchema = z.object({ jobId: z.uuid({ error: "The job ID is missing or not valid." }) });

const READ = { scope: "jobs:read", isRead: true } as const;

export const READ_JOB_CALLS: Call[] = [
  defineCall({
    ...READ,
    name: "list",
    summary: "Lists jobs, newest first, as light rows.",
    takes: listJobsSchema,
    answers: ListJobsResponse,
    example: { action: "list", page: "1", limit: "10" },
    run: listJobs,
  }),
  defineCall({
    ...READ,
    name: "dashboard",
    summary: "Returns the newest jobs and the dashboard's figures. GET without an action returns the same.",
    takes: z.object({ since: z.iso.datetime({ offset: true }).optional().describe("The start of today.") }),
    answers: DashboardResponse,
    run: (context, { since }) => readDashboard(context, since === undefined ? midnight() : new Date(since)),
  }),
  defineCall({
    ...READ,
    name: "measured-work",
    summary: "Returns how fast the newest completed job was, for forecasts.",
    takes: z.object({}),
    answers: MeasuredWorkResponse,
    run: async (context) => ({ data: await readMeasuredWork(context) }),
  }),
  defineCall({
    ...READ,
    name: "videos",
    summary: "Lists the videos of a job.",
    takes: jobIdSchema,
    answers: JobVideosResponse,
    run: async (context, { jobId }) => existing(context, jobId, { data: await readJobVideos(context, jobId) }),
  }),
  defineCall({
    ...READ,
    name: "outputs",
    summary: "Lists the files of a job, with signed links.",
    takes: jobIdSchema,
    answers: JobOutputsResponse,
    run: async (context, { jobId }) => existing(context, jobId, { data: await readJobOutputs(context, jobId) }),
  }),
  defineCall({
    ...READ,
    name: "events",
    summary: "Lists the status changes of a job and its videos, oldest first: all, or the newest `limit`.",
    takes: jobIdSchema.extend({ limit: z.coerce.number().int().min(1).max(MAX_NEWEST_EVENTS).optional() }),
    answers: JobEventsResponse,
    run: async (context, { jobId, limit }) => {
      if (limit !== undefined) return existing(context, jobId, await readNewestJobEvents(context, jobId, limit));
      const data = await readJobEvents(context, jobId);
      return existing(context, jobId, { data, total: data.length });
    },
  }),
  defineCall({
    ...READ,
    name: "manifest",
    summary: "Returns the manifest of an ended job.",
    takes: jobIdSchema,
    answers: ManifestResponse,
    run: async (context, { jobId }) => ({ data: await readManifest(context, jobId) }),
  }),
  defineCall({
    ...READ,
    name: "feedback",
    summary: "Lists the guest links of a job and the comments of guests.",
    takes: jobIdSchema,
    answers: FeedbackResponse,
    run: async (context, { jobId }) => ({ data: await readFeedback(context, jobId) }),
  }),
  defineCall({
    ...READ,
    name: "approved",
    summary: "Returns a link to a zip of the approved files.",
    takes: jobIdSchema,
    answers: ApprovedResponse,
    run: (context, { jobId }) => readApproved(context, jobId),
  }),
  defineCall({
    ...READ,
    name: "links",
    summary: "Lists the links of a job's files with their clicks, in total and on each of the last 30 days (UTC).",
    takes: jobIdSchema,
    answers: JobLinks,
    run: (context, { jobId }) => readLinks(context, jobId),
  }),
  defineCall({
    ...READ,
    name: "source",
    summary: "Returns a signed link to a video's source.",
    takes: z.object({ videoId: z.uuid({ error: "The video ID is missing or not valid." }) }),
    answers: SourceLinkResponse,
    run: (context, { videoId }) => readSourceLink(context, videoId),
  }),
];

/** Throws ClipmillError "not_found" for an unknown job, whose list is also empty. */
async function existing<Response extends { data: unknown[] }>(
  context: CallContext,
  jobId: string,
  response: Response,
): Promise<Response> {
  if (response.data.length === 0 && !(await readJob(context, jobId))) {
    throw new ClipmillError("not_found", "The job does not exist.");
  }
  return response;
}

/** The server's. */
function midnight(): Date {
  const time = new Date();
  time.setHours(0, 0, 0, 0);
  return time;
}
