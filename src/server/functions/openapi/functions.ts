import { CLOAK_FUNCTIONS } from "./cloak-functions.ts";
import { DESTINATION_FUNCTIONS } from "./destination-functions.ts";
import type { FunctionDocs } from "./function-doc.ts";
import { JOB_FUNCTIONS } from "./job-functions.ts";
import { LIBRARY_FUNCTIONS } from "./library-functions.ts";
import { SET_FUNCTIONS } from "./set-functions.ts";
import { OUTGOING_FUNCTIONS } from "./outgoing-functions.ts";
import { SETTINGS_FUNCTIONS } from "./settings-functions.ts";
import { WATCH_FUNCTIONS } from "./watch-functions.ts";

/** Every function of the API. */
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
