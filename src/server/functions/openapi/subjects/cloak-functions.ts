import { z } from "zod";
import { publishSchema } from "../../cloak-functions.ts";
import type { FunctionDocs } from "../function-doc.ts";

export const CLOAK_FUNCTIONS: FunctionDocs = {
  "/functions/v1/cloak-env-validator": {
    summary: "Checks the environment variables for publishing.",
    calls: [
      {
        name: "check",
        summary: "Checks that publishing is configured and that the redirector accepts the publish token.",
        takes: z.object({}),
        answers: "EnvironmentCheck",
      },
    ],
  },
  "/functions/v1/cloak-publisher": {
    summary: "Publishes routes.",
    calls: [
      {
        name: "publish",
        summary:
          "Publishes all active routes, or an earlier version again. On failure, returns success false and the error.",
        takes: publishSchema,
        answers: "PublishResult",
        isRepeatable: true,
      },
    ],
  },
  "/functions/v1/cloak-state": {
    summary: "Reads the publishing state.",
    calls: [
      {
        name: "read",
        summary: "Returns pending changes, the last 10 published versions, and the routes' health and redirect counts.",
        takes: z.object({ method: z.literal("GET") }),
        answers: "CloakStateResponse",
      },
    ],
  },
};
