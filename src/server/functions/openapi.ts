import { prefetchSchema, preflightSchema } from "#contract/sources/preflight.ts";
import { createTokenSchema, revokeTokenSchema } from "#contract/api-tokens.ts";
/** Builds /openapi.json from the schemas that validate the functions' input. */
import { z } from "zod";
import { analyzeVideosSchema, generateCaptionsSchema } from "#contract/captions.ts";
import {
  addConnectionSchema,
  changeConnectionSchema,
  removeConnectionSchema,
  testFieldsSchema,
  testSavedSchema,
} from "#contract/connections/connection-requests.ts";
import {
  addDestinationSchema,
  changeDeliverySchema,
  changeDestinationSchema,
  deliverSchema,
  listDeliveriesSchema,
  listDeliveryFilesSchema,
  removeDestinationSchema,
  testDestinationFieldsSchema,
  testSavedDestinationSchema,
} from "#contract/destinations/destination-requests.ts";
import { createJobSchema } from "#contract/jobs/create-job.ts";
import { manifestSchema } from "#contract/manifest/manifest-to-request.ts";
import { createLinkSchema, revokeLinkSchema } from "#contract/jobs/guest-requests.ts";
import { FAILURE_CODES, FAILURE_STEPS } from "#contract/jobs/failures.ts";
import { reviewSchema, reviewsSchema } from "#contract/jobs/review.ts";
import { audioSetSchema, captionSetSchema } from "#contract/sets.ts";
import { saveSettingsSchema, testKeySchema } from "#contract/settings/save-settings.ts";
import { systemActionSchema } from "#contract/settings/system-action.ts";
import { jobTableSchema } from "#contract/table/job-table.ts";
import { checkCaptionsSchema } from "#operations/captions/check-captions.ts";
import { VERSION } from "#operations/fleet/version.ts";
import { listJobsSchema } from "#operations/jobs/read/list-jobs.ts";
import { changeLibraryFileSchema } from "#operations/library/change-library-file.ts";
import { deleteLibraryFileSchema, deleteLibraryFilesSchema } from "#operations/library/delete-library-files.ts";
import { publishSchema } from "./cloak-functions.ts";
import { previewSchema } from "#operations/previews/draw-preview.ts";
import {
  changeJobSchema,
  dashboardSchema,
  deleteJobsSchema,
  idempotencyKeySchema,
  jobIdSchema,
  retryNowSchema,
  videoIdSchema,
} from "./requests.ts";

type FunctionDoc = {
  summary: string;
  /** Accepted bodies; a request sends one of them. */
  takes: z.ZodType[];
  answers: string[];
};

const action = (name: string) => ({ action: z.literal(name) });
const readMethod = z.object({ method: z.literal("GET") });
const addMethod = { method: z.literal("POST") };

const FUNCTIONS: Record<string, FunctionDoc> = {
  "/functions/v1/jobs": {
    summary: "Creates a job. With an action in the body or query, lists jobs or changes one.",
    takes: [
      createJobSchema.extend({
        action: z.literal("create").optional(),
        idempotency_key: idempotencyKeySchema,
        manifest: manifestSchema.optional(),
      }),
      listJobsSchema.extend(action("list")),
      dashboardSchema.extend(action("dashboard")),
      ...[
        "retry",
        "bump",
        "hold",
        "release",
        "approve",
        "stop",
        "videos",
        "outputs",
        "events",
        "manifest",
        "feedback",
        "approved",
      ].map((name) => jobIdSchema.extend(action(name))),
      videoIdSchema.extend(action("source")),
      retryNowSchema.extend(action("retry-now")),
      changeJobSchema.extend({ ...action("change"), settings: createJobSchema.partial() }),
      createLinkSchema.extend(action("share")),
      revokeLinkSchema.extend(action("share")),
      deleteJobsSchema.extend(action("delete")),
      z.object(action("review")).and(reviewSchema),
      reviewsSchema.extend(action("review")),
    ],
    answers: [
      ...["data", "warnings", "jobs", "total", "stats", "deleted", "refused", "success", "error"],
      ...["download_url", "files", "size_bytes", "url", "path"],
    ],
  },
  "/functions/v1/job-table": {
    summary:
      "Creates a job of the rows of a table, which is CSV or the address of a published sheet. With dry_run, returns the rows, every problem by row and column, and the plan. A table with problems creates no job: the error comes with them.",
    takes: [jobTableSchema.safeExtend({ idempotency_key: idempotencyKeySchema })],
    answers: ["rows", "problems", "plan", "warnings", "csv", "data", "error"],
  },
  "/functions/v1/vps-integration/cancel": {
    summary: "Cancels a job. If it cannot be cancelled, returns success false and the error.",
    takes: [jobIdSchema],
    answers: ["success", "error"],
  },
  "/functions/v1/caption-sets": {
    summary: "Lists all caption sets, newest first, or creates one.",
    takes: [readMethod, captionSetSchema.extend(addMethod)],
    answers: ["data"],
  },
  "/functions/v1/audio-sets": {
    summary: "Lists all audio sets, newest first, or creates one.",
    takes: [readMethod, audioSetSchema.extend(addMethod)],
    answers: ["data"],
  },
  "/functions/v1/check-captions": {
    summary: "Checks whether captions fit on a vertical video and whether fonts support all their characters.",
    takes: [checkCaptionsSchema],
    answers: ["problem", "warnings"],
  },
  "/functions/v1/generate-captions": {
    summary: "Generates captions that differ from each other and from the existing ones.",
    takes: [generateCaptionsSchema],
    answers: ["captions"],
  },
  "/functions/v1/analyze-video-captions": {
    summary:
      "Generates one caption per video and waits for all of them. With a batchId, reads, cancels or retries that batch.",
    takes: [analyzeVideosSchema],
    answers: ["captions", "results", "batchId", "isDone"],
  },
  "/functions/v1/settings": {
    summary: "Reads or saves settings and returns the current ones. For keys, returns only whether they are set.",
    takes: [readMethod, saveSettingsSchema.extend({ method: z.literal("POST").optional() })],
    answers: [...Object.keys(saveSettingsSchema.shape), "saved_defaults", "fixed_settings", "private_sources"],
  },
  "/functions/v1/test-key": {
    summary: "Tests a key, or the saved one, with its service.",
    takes: [testKeySchema],
    answers: ["isValid", "message"],
  },
  "/functions/v1/connections": {
    summary:
      "Lists, creates, replaces, deletes or tests connections to outside storage. Of secrets, returns only the last four characters.",
    takes: [
      z.object(action("list")),
      z.object(action("create")).and(addConnectionSchema),
      z.object(action("update")).and(changeConnectionSchema),
      removeConnectionSchema.extend(action("delete")),
      testSavedSchema.extend(action("test")),
      z.object(action("test")).and(testFieldsSchema),
    ],
    answers: ["data", "success", "isValid", "message"],
  },
  "/functions/v1/destinations": {
    summary:
      "Lists, creates, replaces, deletes or tests destinations: folders and buckets that the files of jobs are delivered to.",
    takes: [
      z.object(action("list")),
      z.object(action("create")).and(addDestinationSchema),
      z.object(action("update")).and(changeDestinationSchema),
      removeDestinationSchema.extend(action("delete")),
      testSavedDestinationSchema.extend(action("test")),
      z.object(action("test")).and(testDestinationFieldsSchema),
    ],
    answers: ["data", "folders", "success", "isValid", "message"],
  },
  "/functions/v1/deliveries": {
    summary:
      "Lists a job's deliveries, or the files of one. Delivers an ended job to a destination; retries or cancels a delivery.",
    takes: [
      listDeliveriesSchema.extend(readMethod.shape),
      listDeliveryFilesSchema.extend(readMethod.shape),
      deliverSchema,
      changeDeliverySchema,
    ],
    answers: ["data"],
  },
  "/functions/v1/sessions": {
    summary: "Lists the account's active sessions.",
    takes: [readMethod],
    answers: ["data"],
  },
  "/functions/v1/tokens": {
    summary:
      "Creates an API token of the account and returns its secret once; lists the account's tokens, or revokes one. Needs a signed-in session.",
    takes: [createTokenSchema, readMethod, revokeTokenSchema],
    answers: ["data", "token"],
  },

  "/functions/v1/cloak-env-validator": {
    summary: "Checks that publishing is configured and that the redirector accepts the publish token.",
    takes: [z.object({})],
    answers: ["isValid", "missing", "wrongUrl", "expectedUrl", "error"],
  },
  "/functions/v1/cloak-publisher": {
    summary:
      "Publishes all active routes, or an earlier version again. On failure, returns success false and the error.",
    takes: [publishSchema],
    answers: ["success", "message", "error"],
  },
  "/functions/v1/cloak-state": {
    summary: "Returns pending changes, the last 10 published versions, and the routes' health and redirect counts.",
    takes: [readMethod],
    answers: ["pendingCount", "differences", "pending", "lastPublishedAt", "versions", "health", "counts"],
  },
  "/functions/v1/preview": {
    summary: "Returns a frame of a video with a caption and a watermark, drawn as in a job.",
    takes: [previewSchema],
    answers: ["picture", "width", "height", "isOnVideo", "reason", "isPending"],
  },
  "/functions/v1/prefetch": {
    summary:
      "Fetches videos before their job starts, at low priority, for a minute after the last call. A later call of the same session and form replaces the list.",
    takes: [prefetchSchema],
    answers: ["isPrefetching"],
  },
  "/functions/v1/preflight": {
    summary:
      "Checks links before a job starts: name, length, size, sound, and what is wrong. Send pending links again.",
    takes: [preflightSchema],
    answers: ["videos"],
  },
  "/functions/v1/library": {
    summary:
      "Lists the files in Clipmill's library, changes the name or tags of one, or deletes files. To upload one, use POST /uploads?name=…&use=…, where use is video, music or image.",
    takes: [
      readMethod,
      changeLibraryFileSchema.safeExtend({ method: z.literal("PATCH") }),
      deleteLibraryFileSchema.extend({ method: z.literal("DELETE") }),
      deleteLibraryFilesSchema.extend({ method: z.literal("DELETE") }),
    ],
    answers: ["data", "isReady", "held"],
  },
  "/functions/v1/system": {
    summary: "Controls a worker or the queue and returns the state of both. GET returns the state only.",
    takes: [systemActionSchema],
    answers: ["workers", "queue", "version", "database", "storage"],
  },
  "/functions/v1/embedded-pages": {
    summary: "Returns the URLs of the Batch Scheduler and Warmup Robot pages; null if not set.",
    takes: [readMethod],
    answers: ["data"],
  },
};

/** The failure columns of `job_videos` and `job_outputs`; null unless the row has failed. */
const FAILURE = {
  type: "object",
  properties: {
    error_message: { type: ["string", "null"] },
    error_code: { enum: [...FAILURE_CODES, null] },
    error_step: { enum: [...FAILURE_STEPS, null] },
    error_tail: { type: ["string", "null"] },
  },
};

/** Returns the OpenAPI 3.1 document. Describes every function as a POST; reads have the body `{"method": "GET"}`. */
export function describeFunctions(): Record<string, unknown> {
  const paths = Object.entries(FUNCTIONS).map(([path, doc]) => [path, { post: describeFunction(doc) }]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Clipmill",
      version: VERSION,
      description: "Clipmill's functions. docs/API.md describes tables and live updates.",
    },
    components: {
      securitySchemes: { session: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      schemas: { Failure: FAILURE },
    },
    security: [{ session: [] }],
    paths: Object.fromEntries(paths) as unknown,
  };
}

function describeFunction({ summary, takes, answers }: FunctionDoc): Record<string, unknown> {
  const schemas = takes.map((schema) => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  const fields = Object.fromEntries(answers.map((field) => [field, {}]));
  return {
    summary,
    requestBody: {
      content: { "application/json": { schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas } } },
    },
    responses: {
      200: describeAnswer("Success.", fields),
      default: describeAnswer("Error, with a one-sentence message.", {
        error: { type: "string" },
        title: { type: "string" },
      }),
    },
  };
}

function describeAnswer(description: string, properties: Record<string, unknown>): Record<string, unknown> {
  return { description, content: { "application/json": { schema: { type: "object", properties } } } };
}
