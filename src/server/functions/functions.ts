import { ACCOUNT_FUNCTIONS } from "./accounts/account-functions.ts";
import { CAPTION_FUNCTIONS } from "./captions/caption-functions.ts";
import { CLOAK_FUNCTIONS } from "./cloak-functions.ts";
import type { CallFunction } from "./define-call.ts";
import { CANCEL_FUNCTION } from "./jobs/change-job-calls.ts";
import { JOB_TABLE_FUNCTION } from "./jobs/create-job-calls.ts";
import { JOBS_FUNCTION } from "./jobs/jobs-function.ts";
import { SOURCE_FUNCTIONS } from "./jobs/source-functions.ts";
import { LIBRARY_FUNCTION } from "./library-function.ts";
import { SETS_FUNCTIONS } from "./sets-functions.ts";
import { CONNECTIONS_FUNCTION } from "./settings/connections-function.ts";
import { DESTINATION_FUNCTIONS } from "./settings/destinations-functions.ts";
import { SETTINGS_FUNCTIONS } from "./settings/settings-functions.ts";
import { SYSTEM_FUNCTIONS } from "./settings/system-functions.ts";
import { WEBHOOKS_FUNCTION } from "./settings/webhooks-function.ts";
import { WATCH_FOLDERS_FUNCTION } from "./watch-folders-function.ts";

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
  ...SYSTEM_FUNCTIONS,
  ...DESTINATION_FUNCTIONS,
  WATCH_FOLDERS_FUNCTION,
];
