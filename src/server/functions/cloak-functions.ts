import { z } from "zod";
import { CloakStateResponse, EnvironmentCheck, PublishResult } from "#contract/cloak/cloak-calls.ts";
import { checkEnvironment } from "#operations/cloak/check-environment.ts";
import { publishConfig } from "#operations/cloak/publishing/publish-config.ts";
import { readCloakState } from "#operations/cloak/read-cloak-state.ts";
import { type CallFunction, defineCall } from "./define-call.ts";

export const CLOAK_FUNCTIONS: CallFunction[] = [
  {
    path: "cloak-env-validator",
    summary: "Checks the environment variables for publishing.",
    scope: "cloak",
    ignoresBody: true,
    calls: [
      defineCall({
        name: "check",
        summary: "Checks that publishing is configured and that the redirector accepts the publish token.",
        when: {},
        isRead: true,
        answers: EnvironmentCheck,
        run: ({ redirector }) => checkEnvironment(redirector),
      }),
    ],
  },
  {
    path: "cloak-publisher",
    summary: "Publishes routes.",
    scope: "cloak",
    calls: [
      defineCall({
        name: "publish",
        summary:
          "Publishes all active routes, or an earlier version again. On failure, returns success false and the error.",
        when: {},
        takes: z.object({ version: z.int().min(1).optional().describe("Publishes this version again.") }),
        answers: PublishResult,
        isRepeatable: true,
        run: (context, { version }) => publishConfig(context, context.redirector, version ?? null),
      }),
    ],
  },
  {
    path: "cloak-state",
    summary: "Reads the publishing state.",
    scope: "cloak",
    ignoresBody: true,
    calls: [
      defineCall({
        name: "read",
        summary: "Returns pending changes, the last 10 published versions, and the routes' health and redirect counts.",
        when: {},
        isRead: true,
        takes: z.object({ method: z.literal("GET") }),
        answers: CloakStateResponse,
        runUnchecked: readCloakState,
      }),
    ],
  },
];
