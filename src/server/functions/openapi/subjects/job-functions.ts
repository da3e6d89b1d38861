import { z } from "zod";
import { createJobSchema } from "#contract/jobs/create-job.ts";
import { createLinkSchema, revokeLinkSchema } from "#contract/guests/guest-requests.ts";
import { reviewSchema, reviewsSchema } from "#contract/jobs/outputs/review.ts";
import { manifestSchema } from "#contract/manifest/manifest-to-request.ts";
import { prefetchSchema, preflightSchema } from "#contract/sources/preflight.ts";
import { jobTableSchema } from "#contract/table/job-table.ts";
import { listJobsSchema } from "#operations/jobs/read/list-jobs.ts";
import { previewSchema } from "#operations/previews/draw-preview.ts";
import {
  approveSchema,
  changeJobSchema,
  dashboardSchema,
  deleteJobsSchema,
  idempotencyKeySchema,
  jobEventsSchema,
  jobIdSchema,
  retryNowSchema,
  videoIdSchema,
} from "../../requests.ts";
import type { CallDoc, FunctionDocs } from "../function-doc.ts";

const action = (name: string) => ({ action: z.literal(name) });

function ofJob(name: string, answers: string, summary: string, isRepeatable = false): CallDoc {
  return { name, summary, takes: jobIdSchema.extend(action(name)), answers, isRepeatable };
}

const LINK = "https://drive.google.com/file/d/abc/view";

export const JOB_FUNCTIONS: FunctionDocs = {
  "/functions/v1/jobs": {
    summary: "Creates a job. With an action in the body or query, lists jobs or changes one.",
    calls: [
      {
        name: "create",
        summary: "Creates a job from links, from rows, or from an earlier job's manifest.",
        takes: createJobSchema.extend({
          action: z.literal("create").optional(),
          idempotency_key: idempotencyKeySchema,
          manifest: manifestSchema.optional(),
        }),
        answers: "CreateJobResponse",
        isRepeatable: true,
        example: {
          job_name: "Monday batch",
          input_videos: [LINK],
          captions_enabled: true,
          custom_captions: ["First caption", "Second caption"],
          variants_per_video: 2,
        },
      },
      {
        name: "list",
        summary: "Lists jobs, newest first, as light rows.",
        takes: listJobsSchema.extend(action("list")),
        answers: "ListJobsResponse",
        example: { action: "list", page: "1", limit: "10" },
      },
      {
        name: "dashboard",
        summary: "Returns the newest jobs and the dashboard's figures. GET without an action returns the same.",
        takes: dashboardSchema.extend(action("dashboard")),
        answers: "DashboardResponse",
      },
      ofJob("videos", "JobVideosResponse", "Lists the videos of a job."),
      ofJob("outputs", "JobOutputsResponse", "Lists the files of a job, with signed links."),
      {
        name: "events",
        summary: "Lists the status changes of a job and its videos, oldest first: all, or the newest `limit`.",
        takes: jobEventsSchema.extend(action("events")),
        answers: "JobEventsResponse",
      },
      ofJob("manifest", "ManifestResponse", "Returns the manifest of an ended job."),
      ofJob("feedback", "FeedbackResponse", "Lists the guest links of a job and the comments of guests."),
      ofJob("approved", "ApprovedResponse", "Returns a link to a zip of the approved files."),
      ofJob("links", "JobLinks", "Lists the links of a job's files with their clicks."),
      {
        name: "source",
        summary: "Returns a signed link to a video's source.",
        takes: videoIdSchema.extend(action("source")),
        answers: "SourceLinkResponse",
      },
      ofJob("retry", "JobResponse", "Queues the failed videos of an ended job again.", true),
      {
        name: "retry-now",
        summary: "Retries waiting videos now and queues failed ones again.",
        takes: retryNowSchema.extend(action("retry-now")),
        answers: "RetryNowResponse",
        isRepeatable: true,
      },
      ofJob("bump", "JobResponse", "Runs the waiting videos of a job next.", true),
      ofJob("hold", "JobResponse", "Keeps the waiting videos of a job from starting.", true),
      ofJob("release", "JobResponse", "Releases a held job.", true),
      {
        name: "approve",
        summary:
          "Approves the samples of a job and starts the rest. With samples, only if they are still the current ones.",
        takes: approveSchema.extend(action("approve")),
        answers: "JobResponse",
        isRepeatable: true,
      },
      ofJob("stop", "JobResponse", "Ends a job that awaits approval, keeping its samples.", true),
      ofJob("make-links", "MakeLinksResponse", "Makes the links that files of a completed job lack.", true),
      {
        name: "change",
        summary: "Changes settings of a job that awaits approval and makes its samples again.",
        takes: changeJobSchema.extend({ ...action("change"), settings: createJobSchema.partial() }),
        answers: "CreateJobResponse",
        isRepeatable: true,
      },
      {
        name: "share",
        summary: "Creates a guest link to the samples of a job. Only this response contains the link.",
        takes: createLinkSchema.extend(action("share")),
        answers: "ShareResponse",
      },
      {
        name: "unshare",
        summary: "Revokes a guest link.",
        takes: revokeLinkSchema.extend(action("share")),
        answers: "ShareResponse",
      },
      {
        name: "review",
        summary: "Approves or rejects a file.",
        takes: z.object(action("review")).and(reviewSchema),
        answers: "ReviewResponse",
        isRepeatable: true,
      },
      {
        name: "review-all",
        summary: "Approves or rejects several files.",
        takes: reviewsSchema.extend(action("review")),
        answers: "ReviewResponse",
        isRepeatable: true,
      },
      {
        name: "delete",
        summary: "Deletes ended jobs and their files.",
        takes: deleteJobsSchema.extend(action("delete")),
        answers: "DeleteJobsResponse",
        isRepeatable: true,
      },
    ],
  },
  "/functions/v1/job-table": {
    summary: "Creates a job from a table: CSV text or the address of a published sheet.",
    calls: [
      {
        name: "create",
        summary: "Creates a job. If the table has problems, returns all of them and creates no job.",
        takes: jobTableSchema.safeExtend({ idempotency_key: idempotencyKeySchema }),
        answers: "CreateJobResponse",
        isRepeatable: true,
        example: {
          csv: `link,caption,sku\n${LINK},Harbor,A-1\n`,
          mapping: { sku: "pass" },
          settings: { job_name: "Products", captions_enabled: true, name_pattern: "{row.sku}" },
        },
      },
      {
        name: "check",
        summary: "Returns the rows, every problem by row and column, and the plan, without creating a job.",
        takes: jobTableSchema.and(z.object({ dry_run: z.literal(true) })),
        answers: "JobTableResponse",
      },
    ],
  },
  "/functions/v1/vps-integration/cancel": {
    summary: "Cancels a job.",
    group: "jobs",
    calls: [
      {
        name: "cancel",
        summary: "Cancels a job. If it cannot be canceled, returns success false and the error.",
        takes: jobIdSchema,
        answers: "CancelJobResponse",
        isRepeatable: true,
      },
    ],
  },
  "/functions/v1/preview": {
    summary: "Renders a frame of a video with a caption and a watermark.",
    calls: [
      {
        name: "draw",
        summary: "Returns a frame of a video with a caption and a watermark, drawn as in a job.",
        takes: previewSchema,
        answers: "PreviewResponse",
      },
    ],
  },
  "/functions/v1/preflight": {
    summary: "Checks links before a job starts.",
    calls: [
      {
        name: "check",
        summary: "Returns name, length, size, sound and problems of each link. Send pending links again.",
        takes: preflightSchema,
        answers: "PreflightResponse",
        example: { links: [LINK] },
      },
    ],
  },
  "/functions/v1/prefetch": {
    summary: "Fetches videos before their job starts.",
    calls: [
      {
        name: "start",
        summary:
          "Fetches videos at low priority, for a minute after the last call. A later call of the same session and form replaces the list.",
        takes: prefetchSchema,
        answers: "PrefetchResponse",
      },
    ],
  },
};
