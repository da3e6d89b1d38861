import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { sha256Of } from "#ground/checksum.ts";
import { repeat } from "#ground/repeat.ts";
import type { Changing } from "#operations/audit/actor.ts";
import { claimKey, keepAnswer, releaseKey, touchAttempt } from "#operations/idempotency/claim-key.ts";
import { parseInput } from "#operations/parse-input.ts";
import { idempotencyKeySchema } from "../functions/requests.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { readJson } from "./read-json.ts";

const TOUCH_MS = 5_000;

type Options = {
  /** False for reads and for responses with a secret, which must not be stored. */
  isRepeatable?: (request: Record<string, unknown>) => boolean;
  /** Identifies equal requests; by default, the query and the JSON body. */
  read?: (c: Context<ServerEnv>) => Promise<Record<string, unknown>>;
};

/**
 * Runs a request with an Idempotency-Key once, on any server; repeated ones get its first success. Failed requests can
 * be sent again. Place it after `limitBody`.
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
      markReplayed(c);
      return c.body(claim.answer, 200, { "Content-Type": "application/json" });
    }
    const { attempt } = claim;
    c.set("attempt", attempt);
    const touch = (): Promise<void> => touchAttempt(server.db, attempt);
    // The next touch makes up for a missed one.
    const touching = repeat(touch, { everyMs: TOUCH_MS, firstMs: TOUCH_MS, onError: () => {} });
    try {
      await next();
      const answer = c.res.ok ? await c.res.clone().text() : null;
      if (answer !== null && !isFailure(answer)) await keepAnswer(server.db, attempt, answer);
      else await releaseKey(server.db, attempt);
    } finally {
      void touching.stop();
    }
  });
}

export function markReplayed(c: Context<ServerEnv>): void {
  c.header("Idempotency-Replayed", "true");
}

/** Some functions report failures with status 200. */
function isFailure(answer: string): boolean {
  return (JSON.parse(answer) as { success?: boolean }).success === false;
}

/** Stores the response in the change's transaction: a killed server cannot make the change twice. */
export async function keepAnswerWith(c: Context<ServerEnv>, { trx }: Changing, answer: object): Promise<void> {
  const attempt = c.get("attempt");
  if (attempt) await keepAnswer(trx, attempt, JSON.stringify(answer));
}
