import { CLOAK_FUNCTIONS } from "./subjects/cloak-functions.ts";
import { DESTINATION_FUNCTIONS } from "./subjects/destination-functions.ts";
import type { FunctionDocs } from "./function-doc.ts";
import { JOB_FUNCTIONS } from "./subjects/job-functions.ts";
import { LIBRARY_FUNCTIONS } from "./subjects/library-functions.ts";
import { SET_FUNCTIONS } from "./subjects/set-functions.ts";
import { OUTGOING_FUNCTIONS } from "./subjects/outgoing-functions.ts";
import { SETTINGS_FUNCTIONS } from "./subjects/settings-functions.ts";
import { WATCH_FUNCTIONS } from "./subjects/watch-functions.ts";

export const FUNCTIONS: FunctionDocs = {
  ...JOB_FUNCTIONS,
  ...SET_FUNCTIONS,
  ...LIBRARY_FUNCTIONS,
  ...CLOAK_FUNCTIONS,
  ...SETTINGS_FUNCTIONS,
  ...DESTINATION_FUNCTIONS,
  ...OUTGOING_FUNCTIONS,
  ...WATCH_FUNCTIONS,
};
