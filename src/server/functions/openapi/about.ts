export const ABOUT = `Scripts can do everything that the screens can. The current paths are version 1 of the API.

## Authentication
Send an API token (\`clm_…\`, created in Settings) or the access token of a session as \`Authorization: Bearer …\`. Each operation states its scope in \`x-scope\`; a missing scope returns 403. Sign-in (\`/auth/v1\`) uses the protocol of \`@supabase/supabase-js\`. Sign-in and guest pages are not described here.

## Functions
Some functions have several calls: select one with \`action\` or \`method\` in the body. \`x-calls\` lists them with their scope and the types of request and response. \`action\` can also be in the query.

## Errors
Functions, uploads and downloads return problem objects: \`error\` is a human-readable sentence, \`code\` is stable, \`remedy\` says what to do. Tables return PostgREST errors.

## Idempotency
Idempotent calls accept an \`Idempotency-Key\` header. For 24 hours, the same key with the same request returns the first successful response, with the header \`Idempotency-Replayed: true\`. Reusing a key with a different request returns 422 \`key_reused\`. Retrying while the first request is in progress returns 409 \`in_progress\`. Keys belong to an account. A failed request can be sent again with its key. A created job keeps its key as long as it exists, and a repeated request returns the job as it is now.

## Rate limits
Each API token can send 3,000 requests per minute to each server. \`RateLimit-Policy\` and \`RateLimit\` state the limit and the remaining requests. Above the limit, responses have status 429 and \`Retry-After\`.

## Live updates
\`/realtime/v1/websocket\` implements the protocol of \`@supabase/supabase-js\` (Phoenix channels over a WebSocket). Join with \`postgres_changes\` on \`jobs\`, \`job_videos\` or \`job_outputs\`, optionally with the filter \`id=eq.…\` or \`job_id=eq.…\`. Joining requires the scope \`jobs:read\`. Rows of jobs with lists larger than 16 kB omit the lists. Refetch after a lost connection, because nothing is replayed. \`x-realtime\` has the details.`;

export const TAGS = [
  { name: "Functions", description: "Calls that change something, and reads that combine several tables." },
  { name: "Files", description: "Uploads to the library and downloads by signed links." },
  { name: "Tables", description: "Rows, using the PostgREST protocol." },
];

/** OpenAPI cannot describe live updates. */
export const REALTIME = {
  path: "/realtime/v1/websocket",
  protocol: "Phoenix channels (supabase-js), vsn 1.0.0 or 2.0.0",
  scope: "jobs:read",
  events: ["INSERT", "UPDATE", "DELETE"],
  tables: ["jobs", "job_videos", "job_outputs"],
  filters: ["id=eq.<id>", "job_id=eq.<id>"],
};
