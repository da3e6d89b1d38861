import type { TokenScope } from "#contract/api-tokens.ts";

/** In the form's order. */
export const SCOPE_LABELS: Record<TokenScope, string> = {
  "jobs:read": "See jobs and download files",
  "jobs:write": "Create, change and delete jobs, and generate captions",
  sets: "Caption sets and audio sets",
  library: "Library and uploads",
  cloak: "Domains, routes and publishing",
  settings: "Settings",
  admin: "Workers, queue and audit log",
  worker: "Renders videos as a worker",
};
