/** Builds /openapi.json from the schemas that validate the functions' input. */
import { z } from "zod";
import { analyzeVideosSchema, generateCaptionsSchema } from "#contract/captions.ts";
import { createJobSchema } from "#contract/jobs/create-job.ts";
import { FAILURE_CODES, FAILURE_STEPS } from "#contract/jobs/failures.ts";
import { audioSetSchema, captionSetSchema } from "#contract/sets.ts";
import { saveSettingsSchema, testKeySchema } from "#contract/settings/save-settings.ts";
import { systemActionSchema } from "#contract/settings/system-action.ts";
import { checkCaptionsSchema } from "#operations/captions/check-captions.ts";
import { VERSION } from "#operations/fleet/version.ts";
import { listJobsSchema } from "#operations/jobs/read/list-jobs.ts";
import { deleteLibraryFileSchema } from "#operations/library/delete-library-file.ts";
import { publishSchema } from "./cloak-functions.ts";
import { previewSchema } from "#operations/previews/draw-preview.ts";
import { dashboardSchema, deleteJobsSchema, idempotencyKeySchema, jobIdSchema, retryNowSchema } from "./requests.ts";

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
    summary: "Creates a job; with an action, lists jobs or acts on one. The action may stand in the query, too.",
    takes: [
      createJobSchema.extend({ action: z.literal("create").optional(), idempotency_key: idempotencyKeySchema }),
      listJobsSchema.extend(action("list")),
      dashboardSchema.extend(action("dashboard")),
      ...["retry", "bump", "hold", "release", "videos", "outputs", "events"].map((name) =>
        jobIdSchema.extend(action(name)),
      ),
      retryNowSchema.extend(action("retry-now")),
      deleteJobsSchema.extend(action("delete")),
    ],
    answers: ["data", "warnings", "jobs", "total", "stats", "deleted", "refused", "success", "error"],
  },
  "/functions/v1/vps-integration/cancel": {
    summary: "Cancels a job. A refusal is an answer with success false.",
    takes: [jobIdSchema],
    answers: ["success", "error"],
  },
  "/functions/v1/caption-sets": {
    summary: "All caption sets, newest first, or one more.",
    takes: [readMethod, captionSetSchema.extend(addMethod)],
    answers: ["data"],
  },
  "/functions/v1/audio-sets": {
    summary: "All audio sets, newest first, or one more.",
    takes: [readMethod, audioSetSchema.extend(addMethod)],
    answers: ["data"],
  },
  "/functions/v1/check-captions": {
    summary: "Says whether captions fit on an upright video, and which of their characters no font has.",
    takes: [checkCaptionsSchema],
    answers: ["problem", "warnings"],
  },
  "/functions/v1/generate-captions": {
    summary: "Writes captions that differ from each other and from those there are.",
    takes: [generateCaptionsSchema],
    answers: ["captions"],
  },
  "/functions/v1/analyze-video-captions": {
    summary: "Writes one caption per video and waits for them; or tells of, waits for or cancels a batch begun before.",
    takes: [analyzeVideosSchema],
    answers: ["captions", "results", "batchId", "isDone"],
  },
  "/functions/v1/settings": {
    summary: "Saves what it is given and answers what there is now. Of keys it tells only whether they are set.",
    takes: [readMethod, saveSettingsSchema.extend({ method: z.literal("POST").optional() })],
    answers: [...Object.keys(saveSettingsSchema.shape), "saved_defaults", "fixed_settings"],
  },
  "/functions/v1/test-key": {
    summary: "Shows a key, or the saved one, to its service and says what that makes of it.",
    takes: [testKeySchema],
    answers: ["isValid", "message"],
  },
  "/functions/v1/sessions": {
    summary: "Where the account is signed in.",
    takes: [readMethod],
    answers: ["data"],
  },

  "/functions/v1/cloak-env-validator": {
    summary: "Whether publishing can work: settings are there, and a redirector that knows the token answers.",
    takes: [z.object({})],
    answers: ["isValid", "missing", "wrongUrl", "expectedUrl", "error"],
  },
  "/functions/v1/cloak-publisher": {
    summary: "Publishes all active routes, or again what an earlier version held. A refusal has success false.",
    takes: [publishSchema],
    answers: ["success", "message", "error"],
  },
  "/functions/v1/cloak-state": {
    summary: "What is pending, the last 10 published versions, and the routes' health and counts.",
    takes: [readMethod],
    answers: ["pendingCount", "differences", "pending", "lastPublishedAt", "versions", "health", "counts"],
  },
  "/functions/v1/preview": {
    summary: "A frame of a video with a caption and a watermark, as a job would draw them.",
    takes: [previewSchema],
    answers: ["picture", "width", "height", "isOnVideo", "reason", "isPending"],
  },
  "/functions/v1/library": {
    summary: "The files of Clipmill's own library, or one less. POST /uploads?name=…&use=video takes a file in.",
    takes: [readMethod, deleteLibraryFileSchema.extend({ method: z.literal("DELETE") })],
    answers: ["data", "isReady"],
  },
  "/functions/v1/system": {
    summary:
      "Tells a worker or the queue what to do. By GET: the workers and the queue as they are, which a POST answers, too.",
    takes: [systemActionSchema],
    answers: ["workers", "queue", "version", "database", "storage"],
  },
  "/functions/v1/embedded-pages": {
    summary: "The addresses of the pages that Batch Scheduler and Warmup Robot show; null where none is set.",
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

export function describeFunctions(): Record<string, unknown> {
  const paths = Object.entries(FUNCTIONS).map(([path, doc]) => [path, { post: describeFunction(doc) }]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Clipmill",
      version: VERSION,
      description: "The functions. docs/API.md describes tables and live updates.",
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
      200: describeAnswer("What was asked for.", fields),
      default: describeAnswer("A refusal, in one sentence.", { error: { type: "string" }, title: { type: "string" } }),
    },
  };
}

function describeAnswer(description: string, properties: Record<string, unknown>): Record<string, unknown> {
  return { description, content: { "application/json": { schema: { type: "object", properties } } } };
}
