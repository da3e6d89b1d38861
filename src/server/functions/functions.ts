import { z } from "zod";
import { ChangeLibraryFileResponse, DeleteLibraryFilesResponse, LibraryResponse } from "#contract/calls.ts";
import { CloakStateResponse, EnvironmentCheck, PublishResult } from "#contract/cloak/cloak.ts";
import { checkEnvironment } from "#operations/cloak/check-environment.ts";
import { publishConfig } from "#operations/cloak/publishing/publish-config.ts";
import { readCloakState } from "#operations/cloak/read-cloak-state.ts";
import {
  changeLibraryFile,
  changeLibraryFileSchema,
  deleteLibraryFile,
  deleteLibraryFiles,
  deleteLibraryFileSchema,
  deleteLibraryFilesSchema,
} from "#operations/library/change-library-file.ts";
import { listLibrary } from "#operations/library/to-library-file.ts";
import { ACCOUNT_FUNCTIONS } from "./accounts/account-functions.ts";
import { OAUTH_FUNCTION } from "./accounts/oauth-function.ts";
import { CAPTION_FUNCTIONS } from "./captions/caption-functions.ts";
import { type CallFunction, defineCall, PRESENT } from "./define-call.ts";
import { CANCEL_FUNCTION } from "./jobs/change-job-calls.ts";
import { JOB_TABLE_FUNCTION } from "./jobs/create-job-calls.ts";
import { JOBS_FUNCTION } from "./jobs/jobs-function.ts";
import { SOURCE_FUNCTIONS } from "./jobs/source-functions.ts";
import { SETS_FUNCTIONS } from "./sets-functions.ts";
import { CONNECTIONS_FUNCTION } from "./settings/connections-function.ts";
import { DESTINATION_FUNCTIONS } from "./settings/destinations-functions.ts";
import { SETTINGS_FUNCTIONS } from "./settings/settings-functions.ts";
import { SYSTEM_FUNCTIONS } from "./settings/system-functions.ts";
import { WEBHOOKS_FUNCTION } from "./settings/webhooks-function.ts";
import { TRANSCRIPTS_FUNCTION } from "./transcripts-function.ts";
import { WATCH_FOLDERS_FUNCTION } from "./watch-folders-function.ts";

const CLOAK_FUNCTIONS: CallFunction[] = [
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

/** /uploads adds files. */
const LIBRARY_FUNCTION: CallFunction = {
  path: "library",
  summary: "Lists, changes or deletes the files of the library. POST /uploads adds one.",
  scope: "library",
  unknown: "method: must be GET, PATCH or DELETE",
  calls: [
    defineCall({
      name: "list",
      summary: "Lists all files, newest first.",
      when: { method: "GET" },
      isRead: true,
      answers: LibraryResponse,
      run: (context) => listLibrary(context),
    }),
    defineCall({
      name: "change",
      summary: "Changes the name or tags of a file.",
      when: { method: "PATCH" },
      takes: changeLibraryFileSchema,
      answers: ChangeLibraryFileResponse,
      run: async (context, request) => ({ data: await changeLibraryFile(context, request) }),
    }),
    defineCall({
      name: "delete-all",
      summary:
        "Deletes files and lists the remaining ones. Files in use by an unfinished job, caption batch, preset, brand kit or audio set are kept: `held` lists them, with what uses them.",
      when: { method: "DELETE", ids: PRESENT },
      takes: deleteLibraryFilesSchema,
      answers: DeleteLibraryFilesResponse,
      run: async (context, { ids }) => {
        const held = await deleteLibraryFiles(context, ids);
        return { ...(await listLibrary(context)), held };
      },
    }),
    defineCall({
      name: "delete",
      summary: "Deletes a file and lists the remaining ones. Returns 409 for a file in use.",
      when: { method: "DELETE" },
      takes: deleteLibraryFileSchema,
      answers: LibraryResponse,
      run: async (context, { id }) => {
        await deleteLibraryFile(context, id);
        return await listLibrary(context);
      },
    }),
  ],
};

/** Routing, scopes, idempotency, the API document, docs/API.md and the typed client follow from this list. */
export const FUNCTIONS: readonly CallFunction[] = [
  JOBS_FUNCTION,
  JOB_TABLE_FUNCTION,
  CANCEL_FUNCTION,
  ...SOURCE_FUNCTIONS,
  ...SETS_FUNCTIONS,
  ...CAPTION_FUNCTIONS,
  LIBRARY_FUNCTION,
  ...CLOAK_FUNCTIONS,
  ...SETTINGS_FUNCTIONS,
  CONNECTIONS_FUNCTION,
  WEBHOOKS_FUNCTION,
  ...ACCOUNT_FUNCTIONS,
  OAUTH_FUNCTION,
  ...SYSTEM_FUNCTIONS,
  ...DESTINATION_FUNCTIONS,
  WATCH_FOLDERS_FUNCTION,
  TRANSCRIPTS_FUNCTION,
];
