import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { sha256Of } from "#ground/checksum.ts";
import type { Changing } from "#operations/audit/actor.ts";
import { claimKey, keepAnswer, releaseKey, touchAttempt } from "#operations/idempotency/claim-key.ts";
import { parseInput } from "#operations/parse-input.ts";
import { idempotencyKeySchema } from "../functions/requests.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { readJson } from "./read-json.ts";

const TOUCH_MS = 5_000;

type Options = {
  /** False for reads, and for calls whose answer has a secret, which must not be stored. */
  isRepeatable?: (request: Record<string, unknown>) => boolean;
  /** What makes two requests the same. Default: the query and the JSON body. */
  read?: (c: Context<ServerEnv>) => Promise<Record<string, unknown>>;
};

/**
 * With an Idempotency-Key, runs a request once and answers repeated ones with its first success, on any server. Place it
 * after `limitBody`. A failed request can be sent again.
 */
export function idempotent(server: ServerContext, { isRepeatable = () => true, read = readJson }: Options = {}) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    const key = parseInput(idempotencyKeySchema, c.req.header("idempotency-key"));
    if (key === null) return next();
    const body = await read(c);
    const query = c.req.query();
    if (!isRepeatable({ ...body, ...query })) return next();
    const digest = sha256Of(JSON.stringify([c.req.path, query, body]), "base64url");
    const claim = await claimKey(server.db, { accountId: c.get("operator").account.id, key, digest });
    if ("answer" in claim) {
      c.header("Idempotency-Replayed", "true");
      return c.body(claim.answer, 200, { "Content-Type": "application/json" });
    }
    const { attempt } = claim;
    c.set("attempt", attempt);
    const touching = setInterval(() => {
      // A missed touch is made up for by the next one.
      touchAttempt(server.db, attempt).catch(() => {});
    }, TOUCH_MS);
    try {
      await next();
      if (c.res.ok) await keepAnswer(server.db, attempt, await c.res.clone().text());
      else await releaseKey(server.db, attempt);
    } finally {
      clearInterval(touching);
    }
  });
}

/** Keeps a request's answer in the transaction of its change, so that a killed server cannot make the change twice. */
export async function keepAnswerWith(c: Context<ServerEnv>, { trx }: Changing, answer: object): Promise<void> {
  const attempt = c.get("attempt");
  if (attempt) await keepAnswer(trx, attempt, JSON.stringify(answer));
}
