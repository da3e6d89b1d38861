import type { Hono } from "hono";
import { withPlatformDefaults } from "#contract/jobs/outputs/platforms.ts";
import type { CheckCaptionsResponse } from "#contract/calls.ts";
import { type AnalyzeVideosResponse, analyzeVideosSchema, type GenerateCaptionsResponse } from "#contract/captions.ts";
import { cancelCaptionBatch } from "#operations/captions/batches/cancel-caption-batch.ts";
import { checkCaptions, checkCaptionsSchema } from "#operations/captions/check-captions.ts";
import { generateCaptions } from "#operations/captions/generate-captions.ts";
import { readCaptionBatch, waitForCaptionBatch } from "#operations/captions/batches/read-caption-batch.ts";
import { retryCaptionBatch } from "#operations/captions/batches/retry-caption-batch.ts";
import { startCaptionBatch } from "#operations/captions/batches/start-caption-batch.ts";
import { parseInput } from "#operations/parse-input.ts";
import { actorContextFor } from "../../actor-context.ts";
import { idempotent } from "../../requests/idempotent.ts";
import { limitBody, readJson } from "../../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";

/** 10,000 captions of 2,000 characters, of three bytes in many scripts. */
const MAX_GENERATE_MB = 64;

/** 1 MB of captions, with six bytes per character in JSON. */
const MAX_CHECK_MB = 7;

/** Disconnecting aborts checking and generating captions, but not a batch. */
export function addCaptionFunctions(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post("/check-captions", limitBody(MAX_CHECK_MB), async (c) => {
    const request = parseInput(checkCaptionsSchema, withPlatformDefaults(await readJson(c)));
    const checked = await checkCaptions(server.captionMeasure, request, c.req.raw.signal);
    return c.json(checked satisfies CheckCaptionsResponse);
  });

  app.post("/generate-captions", limitBody(MAX_GENERATE_MB), idempotent(server), async (c) => {
    const body = await readJson(c);
    // Aborts the OpenAI request when the browser disconnects.
    const { captions, rounds, use } = await generateCaptions(actorContextFor(server, c), body, c.req.raw.signal);
    const facts = { requestId: c.get("requestId"), model: server.openAi.model, count: captions.length, rounds };
    server.log.info({ ...facts, ...use }, "captions generated");
    return c.json({ captions } satisfies GenerateCaptionsResponse);
  });

  app.post("/analyze-video-captions", limitBody(1), async (c) => {
    const { videoLinks, batchId: given, wait, action } = parseInput(analyzeVideosSchema, await readJson(c));
    const context = actorContextFor(server, c);
    const batchId = given ?? (await startCaptionBatch(context, videoLinks ?? [], c.get("operator").account.id));
    if (action === "cancel") await cancelCaptionBatch(context, batchId);
    if (action === "retry") await retryCaptionBatch(context, batchId);
    const answer = wait
      ? await waitForCaptionBatch(server, batchId, c.req.raw.signal)
      : await readCaptionBatch(server, batchId);
    return c.json(answer satisfies AnalyzeVideosResponse);
  });
}
