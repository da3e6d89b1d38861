/** What each call that may change something is written down as. */
import type { Act } from "#operations/audit/write-audit-entries.ts";

/** A call that has succeeded. Body and answer are parsed only for who wants them. */
type AuditedCall = {
  /** Of the route's pattern, such as id and table. */
  param: (name: string) => string;
  query: Record<string, string>;
  body: () => Promise<Fields>;
  answer: () => Promise<Fields>;
  /** The rows that were written, where the handler knows them better than the answer. */
  writtenIds: readonly string[];
};

export type Fields = Record<string, unknown>;

type Describe = (call: AuditedCall) => Act | null | Promise<Act | null>;

/** A call that leaves everything as it was. */
const changesNothing: Describe = () => null;
const signsIn: Describe = () => ({ action: "account.sign-in" });

/** By method and pattern. What is missing here is still written down, under its method and pattern. */
export const AUDITED_CALLS: Record<string, Describe> = {
  "POST /auth/v1/token": ({ query }) => (query.grant_type === "password" ? { action: "account.sign-in" } : null),
  "POST /auth/v1/signup": () => ({ action: "account.sign-up" }),
  // A mail is sent at most; what its link does is written down when it is opened.
  "POST /auth/v1/recover": changesNothing,
  "POST /auth/v1/otp": changesNothing,
  "POST /auth/v1/resend": changesNothing,
  "POST /auth/v1/verify": signsIn,
  "GET /auth/v1/verify": signsIn,
  "PUT /auth/v1/user": () => ({ action: "account.change" }),
  "POST /auth/v1/logout": () => ({ action: "account.sign-out" }),
  "POST /auth/v1/factors": async ({ answer }) => act("second-step.add", (await answer()).id),
  "POST /auth/v1/factors/:id/challenge": changesNothing,
  "POST /auth/v1/factors/:id/verify": ({ param }) => act("second-step.pass", param("id")),
  "DELETE /auth/v1/factors/:id": ({ param }) => act("second-step.remove", param("id")),

  "POST /rest/v1/:table": writesRows("add"),
  "PATCH /rest/v1/:table": writesRows("change"),
  "DELETE /rest/v1/:table": writesRows("delete"),

  "POST /functions/v1/jobs": describeJobsCall,
  "POST /functions/v1/vps-integration/cancel": async ({ answer, body }) =>
    (await answer()).success === true ? act("job.cancel", (await body()).jobId) : null,
  "POST /functions/v1/caption-sets": addsUnlessRead("caption_sets.add"),
  "POST /functions/v1/audio-sets": addsUnlessRead("audio_sets.add"),
  "POST /functions/v1/settings": async ({ body }) => {
    const { method, ...given } = await body();
    // Names alone: what is saved may be a key.
    return method === "GET" ? null : { action: "settings.save", subjects: Object.keys(given) };
  },
  "POST /functions/v1/test-key": changesNothing,
  "POST /functions/v1/sessions": changesNothing,
  "POST /functions/v1/library": async ({ body }) => {
    const { method, id } = await body();
    return method === "DELETE" ? act("library.delete", id) : null;
  },
  "POST /uploads": async ({ answer }) => act("library.upload", idOfData(await answer())),
  // Workers by name: their ids say nothing once they have ended.
  "POST /functions/v1/system": async ({ body, writtenIds }) => {
    const { action } = await body();
    return typeof action === "string" ? act(SYSTEM_ACTS[action] ?? `system.${action}`, ...writtenIds) : null;
  },
  "POST /functions/v1/preview": changesNothing,
  "POST /functions/v1/check-captions": changesNothing,
  "POST /functions/v1/embedded-pages": changesNothing,
  "POST /functions/v1/cloak-env-validator": changesNothing,
  "POST /functions/v1/cloak-state": changesNothing,
  "POST /functions/v1/cloak-publisher": async ({ answer, body }) =>
    (await answer()).success === true ? act("cloak.publish", (await body()).version) : null,
  "POST /functions/v1/generate-captions": () => ({ action: "captions.generate" }),
  "POST /functions/v1/analyze-video-captions": async ({ answer, body }) => {
    const { batchId, action } = await body();
    if (batchId === undefined) return act("captions.start", (await answer()).batchId);
    return typeof action === "string" ? act(`captions.${action}`, batchId) : null;
  },
};

const SYSTEM_ACTS: Record<string, string> = {
  "pause-worker": "worker.pause",
  "resume-worker": "worker.resume",
  "drain-worker": "worker.drain",
  "forget-worker": "worker.forget",
  "set-concurrency": "worker.set-concurrency",
  "pause-queue": "queue.pause",
  "resume-queue": "queue.resume",
};

const READING_ACTIONS = new Set(["list", "dashboard", "videos", "outputs", "events"]);

/** An action that is not known to read is taken for one that changes something. */
async function describeJobsCall({ query, body, answer }: AuditedCall): Promise<Act | null> {
  const request = { ...(await body()), ...query };
  const action = typeof request.action === "string" ? request.action : "create";
  if (READING_ACTIONS.has(action)) return null;
  if (action === "create") return act("job.create", idOfData(await answer()));
  const { deleted, success } = await answer();
  // A refusal changed nothing.
  if (action !== "delete") return success === false ? null : act(`job.${action}`, request.jobId);
  return Array.isArray(deleted) && deleted.length > 0 ? act("job.delete", ...(deleted as unknown[])) : null;
}

function addsUnlessRead(action: string): Describe {
  return async ({ body, answer }) => ((await body()).method === "GET" ? null : act(action, idOfData(await answer())));
}

function writesRows(verb: string): Describe {
  return ({ param, writtenIds }) =>
    writtenIds.length > 0 ? { action: `${param("table")}.${verb}`, subjects: [...writtenIds] } : null;
}

function act(action: string, ...subjects: unknown[]): Act {
  return { action, subjects: subjects.filter((subject) => subject !== undefined && subject !== null).map(String) };
}

function idOfData({ data }: Fields): unknown {
  return typeof data === "object" && data !== null && "id" in data ? data.id : undefined;
}
