import { z } from "zod";
import {
  CancelJobResponse,
  CreateJobResponse,
  DeleteJobsResponse,
  JobResponse,
  RetryNowResponse,
  ReviewResponse,
} from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import { createLinkSchema, revokeLinkSchema, ShareResponse } from "#contract/guests/guests.ts";
import { shownSamples, type WholeJob } from "#contract/jobs/jobs.ts";
import { createJobSchema } from "#contract/jobs/create-job.ts";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import { reviewSchema, reviewsSchema } from "#contract/jobs/outputs/review.ts";
import { MakeLinksResponse } from "#contract/links/job-links.ts";
import { checkJobCaptions } from "#operations/captions/check-captions.ts";
import { shareJob, unshareJob } from "#operations/guests/share-job.ts";
import { cancelJob } from "#operations/jobs/cancel-job.ts";
import { deleteJobs } from "#operations/jobs/delete-jobs.ts";
import { makeMissingLinks } from "#operations/jobs/links/make-links.ts";
import { bumpJob, holdJob, releaseJob } from "#operations/jobs/order/change-waiting-job.ts";
import { retryNow } from "#operations/jobs/order/retry-now.ts";
import { approveProof } from "#operations/jobs/proof/approve-proof.ts";
import { changeProof, mergeSettings } from "#operations/jobs/proof/change-proof.ts";
import { stopProof } from "#operations/jobs/proof/decide-proof.ts";
import { retryJob } from "#operations/jobs/retry-job.ts";
import { reviewOutputs } from "#operations/jobs/review/review-outputs.ts";
import { parseInput } from "#operations/parse-input.ts";
import { hasLinks, scopeOfLinks } from "../../auth/scopes.ts";
import { type Call, type CallContext, type CallFunction, defineCall, PRESENT } from "../define-call.ts";
import { jobIdSchema } from "./read-job-calls.ts";

const MAX_REASON = 10_000;

const changeSchema = jobIdSchema.extend({
  settings: z.record(z.string(), z.unknown(), { error: "The settings must be a JSON object." }),
});

export const CHANGE_JOB_CALLS: Call[] = [
  changeJob("retry", "Queues the failed videos of an ended job again.", retryJob),
  defineCall({
    name: "retry-now",
    summary: "Retries waiting videos now and queues failed ones again.",
    takes: jobIdSchema.extend({
      videoId: z.uuid({ error: "The video ID is not valid." }).optional(),
      reason: z.string().max(MAX_REASON).optional().describe("Only videos with this `error_message`."),
    }),
    answers: RetryNowResponse,
    isRepeatable: true,
    run: (context, { jobId, ...which }) => retryNow(context, jobId, which),
  }),
  changeJob("bump", "Runs the waiting videos of a job next.", bumpJob),
  changeJob("hold", "Keeps the waiting videos of a job from starting.", holdJob),
  changeJob("release", "Releases a held job.", releaseJob),
  defineCall({
    name: "approve",
    summary:
      "Approves the samples of a job and starts the rest. With samples, only if they are still the current ones.",
    takes: jobIdSchema.extend({
      samples: shownSamples.optional().describe("The IDs of the samples that you saw; 409 if they have changed."),
    }),
    answers: JobResponse,
    isRepeatable: true,
    run: async (context, { jobId, samples }) => ({ data: await approveProof(context, jobId, { samples }) }),
  }),
  changeJob("stop", "Ends a job that awaits approval, keeping its samples.", stopProof),
  defineCall({
    name: "make-links",
    summary: "Makes the links that files of a completed job lack, for example after activating their domain.",
    scope: () => scopeOfLinks(true),
    takes: jobIdSchema,
    answers: MakeLinksResponse,
    isRepeatable: true,
    run: (context, { jobId }) => makeMissingLinks(context, jobId),
  }),
  defineCall({
    name: "change",
    summary:
      "Changes settings of a job that awaits approval and makes its samples again. Files that stay valid are kept.",
    scope: ({ settings }) => scopeOfLinks(hasLinks(settings)),
    takes: jobIdSchema.extend({ settings: createJobSchema.partial() }),
    answers: CreateJobResponse,
    isRepeatable: true,
    // The settings are checked together with the job's others.
    runUnchecked: async (context, request) => {
      const { jobId, settings } = parseInput(changeSchema, request);
      const merged = await mergeSettings(context, jobId, settings);
      const { problem, warnings } = await checkJobCaptions(context, context.captionMeasure, merged, context.signal);
      if (problem) throw new ClipmillError("invalid", problem.description, { title: problem.title });
      return { data: await changeProof(context, jobId, settings), warnings };
    },
  }),
  defineCall({
    name: "unshare",
    summary: "Revokes a guest link.",
    when: { action: "share", revoke: PRESENT },
    takes: revokeLinkSchema,
    answers: ShareResponse,
    run: unshareJob,
  }),
  defineCall({
    name: "share",
    summary: "Creates a guest link to the samples of a job. Only this response contains the link.",
    takes: createLinkSchema,
    answers: ShareResponse,
    run: (context, request) => shareJob(context, context.operator.account.id, request),
  }),
  defineCall({
    name: "review-all",
    summary: "Approves or rejects several files.",
    when: { action: "review", reviews: PRESENT },
    takes: reviewsSchema,
    answers: ReviewResponse,
    isRepeatable: true,
    run: async (context, { reviews }) => ({ data: await reviewOutputs(context, reviews) }),
  }),
  defineCall({
    name: "review",
    summary: "Approves or rejects a file.",
    takes: reviewSchema,
    answers: ReviewResponse,
    isRepeatable: true,
    run: async (context, review) => ({ data: await reviewOutputs(context, [review]) }),
  }),
  defineCall({
    name: "delete",
    summary: "Deletes ended jobs and their files. Unfinished jobs are rejected.",
    scope: ({ delete_links: deletesLinks }) => scopeOfLinks(deletesLinks === true),
    takes: z.object({
      jobIds: z.array(z.uuid()).min(1).max(JOB_LIMITS.deletedAtOnce),
      delete_links: z.boolean().default(false).describe("Also deletes the jobs' routes."),
    }),
    answers: DeleteJobsResponse,
    isRepeatable: true,
    run: (context, { jobIds, delete_links: deletesLinks }) => deleteJobs(context, jobIds, { deletesLinks }),
  }),
];

export const CANCEL_FUNCTION: CallFunction = {
  path: "vps-integration/cancel",
  summary: "Cancels a job.",
  group: "jobs",
  scope: "jobs:write",
  calls: [
    defineCall({
      name: "cancel",
      summary: "Cancels a job. If it cannot be canceled, returns success false and the error, with status 200.",
      when: {},
      takes: jobIdSchema,
      answers: CancelJobResponse,
      isRepeatable: true,
      runUnchecked: async (context, body) => {
        const request = jobIdSchema.safeParse(body);
        if (!request.success) return { success: false, error: request.error.issues[0]!.message };
        return await cancelJob(context, request.data.jobId);
      },
    }),
  ],
};

function changeJob(
  name: string,
  summary: string,
  change: (context: CallContext, jobId: string) => Promise<WholeJob>,
): Call {
  return defineCall({
    name,
    summary,
    takes: jobIdSchema,
    answers: JobResponse,
    isRepeatable: true,
    run: async (context, { jobId }) => ({ data: await change(context, jobId) }),
  });
}
