import { CheckCaptionsResponse } from "#contract/calls.ts";
import {
  AnalyzeVideosResponse,
  analyzeVideosSchema,
  GenerateCaptionsResponse,
  generateCaptionsSchema,
} from "#contract/captions.ts";
import { withPlatformDefaults } from "#contract/jobs/outputs/platforms.ts";
import { cancelCaptionBatch, retryCaptionBatch } from "#operations/captions/batches/retry-caption-batch.ts";
import {
  readCaptionBatch,
  waitForCaptionBatch,
  startCaptionBatch,
} from "#operations/captions/batches/start-caption-batch.ts";
import { checkCaptions, checkCaptionsSchema } from "#operations/captions/check-captions.ts";
import { generateCaptions } from "#operations/captions/generate-captions.ts";
import { parseInput } from "#operations/parse-input.ts";
import { type CallFunction, defineCall } from "../define-call.ts";

/** 10,000 captions of 2,000 characters, of three bytes in many scripts. */
const MAX_GENERATE_MB = 64;

/** 1 MB of captions, with six bytes per character in JSON. */
const MAX_CHECK_MB = 7;

/** Disconnecting aborts checking and generating captions, but not a batch. */
export const CAPTION_FUNCTIONS: CallFunction[] = [
  {
    path: "check-captions",
    summary: "Checks captions before a job starts.",
    scope: "jobs:write",
    calls: [
      defineCall({
        name: "check",
        summary:
          "Checks whether captions, at most 1 MB of text, fit on a video and whether fonts support all their characters.",
        when: {},
        isRead: true,
        takes: checkCaptionsSchema,
        answers: CheckCaptionsResponse,
        limitMb: MAX_CHECK_MB,
        runUnchecked: ({ captionMeasure, signal }, body) =>
          checkCaptions(captionMeasure, parseInput(checkCaptionsSchema, withPlatformDefaults(body)), signal),
      }),
    ],
  },
  {
    path: "generate-captions",
    summary: "Generates captions.",
    scope: "jobs:write",
    calls: [
      defineCall({
        name: "generate",
        summary: "Generates captions that differ from each other and from the existing ones.",
        when: {},
        takes: generateCaptionsSchema,
        answers: GenerateCaptionsResponse,
        isRepeatable: true,
        limitMb: MAX_GENERATE_MB,
        runUnchecked: async (context, body) => {
          // Aborts the OpenAI request when the browser disconnects.
          const { captions, model, rounds, use } = await generateCaptions(context, body, context.signal);
          const requestId = context.c.get("requestId");
          const facts = { requestId, model, count: captions.length, rounds };
          context.log.info({ ...facts, ...use }, "captions generated");
          return { captions };
        },
      }),
    ],
  },
  {
    path: "analyze-video-captions",
    summary: "Generates a caption per video.",
    scope: "jobs:write",
    calls: [
      defineCall({
        name: "analyze",
        summary:
          "Generates one caption per video and waits for all of them. With a batchId, reads, cancels or retries that batch.",
        when: {},
        takes: analyzeVideosSchema,
        answers: AnalyzeVideosResponse,
        run: async (context, { videoLinks, batchId: given, wait, action }) => {
          const batchId = given ?? (await startCaptionBatch(context, videoLinks ?? [], context.operator.account.id));
          if (action === "cancel") await cancelCaptionBatch(context, batchId);
          if (action === "retry") await retryCaptionBatch(context, batchId);
          return wait
            ? await waitForCaptionBatch(context, batchId, context.signal)
            : await readCaptionBatch(context, batchId);
        },
      }),
    ],
  },
];
