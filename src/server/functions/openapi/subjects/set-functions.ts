import { z } from "zod";
import { analyzeVideosSchema, generateCaptionsSchema } from "#contract/captions.ts";
import { audioSetSchema, captionSetSchema } from "#contract/sets.ts";
import { checkCaptionsSchema } from "#operations/captions/check-captions.ts";
import type { FunctionDocs } from "../function-doc.ts";

const readMethod = z.object({ method: z.literal("GET") });
const addMethod = { method: z.literal("POST").optional() };

export const SET_FUNCTIONS: FunctionDocs = {
  "/functions/v1/caption-sets": {
    summary: "Lists or creates caption sets.",
    calls: [
      {
        name: "list",
        summary: "Lists all caption sets, newest first.",
        takes: readMethod,
        answers: "CaptionSetsResponse",
      },
      {
        name: "create",
        summary: "Creates a caption set.",
        takes: captionSetSchema.extend(addMethod),
        answers: "CaptionSetResponse",
        isRepeatable: true,
        example: { method: "POST", name: "Greetings", captions: ["Hello", "Hi"] },
      },
    ],
  },
  "/functions/v1/audio-sets": {
    summary: "Lists or creates audio sets.",
    calls: [
      {
        name: "list",
        summary: "Lists all audio sets, newest first.",
        takes: readMethod,
        answers: "AudioSetsResponse",
      },
      {
        name: "create",
        summary: "Creates an audio set.",
        takes: audioSetSchema.extend(addMethod),
        answers: "AudioSetResponse",
        isRepeatable: true,
      },
    ],
  },
  "/functions/v1/check-captions": {
    summary: "Checks captions before a job starts.",
    calls: [
      {
        name: "check",
        summary: "Checks whether captions fit on a video and whether fonts support all their characters.",
        takes: checkCaptionsSchema,
        answers: "CheckCaptionsResponse",
      },
    ],
  },
  "/functions/v1/generate-captions": {
    summary: "Generates captions.",
    calls: [
      {
        name: "generate",
        summary: "Generates captions that differ from each other and from the existing ones.",
        takes: generateCaptionsSchema,
        answers: "GenerateCaptionsResponse",
        isRepeatable: true,
      },
    ],
  },
  "/functions/v1/analyze-video-captions": {
    summary: "Generates a caption per video.",
    calls: [
      {
        name: "analyze",
        summary:
          "Generates one caption per video and waits for all of them. With a batchId, reads, cancels or retries that batch.",
        takes: analyzeVideosSchema,
        answers: "AnalyzeVideosResponse",
      },
    ],
  },
};
