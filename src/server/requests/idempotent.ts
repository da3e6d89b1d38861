import type { Context } from "hono";
import { z } from "zod";
import { sha256Of } from "#ground/checksum.ts";
import { repeat } from "#ground/repeat.ts";
import type { Changing } from "#operations/audit/write-audit.ts";
import { claimKey, keepResponse, releaseKey, touchAttempt } from "#operations/idempotency/claim-key.ts";
import { parseInput } from "#operations/parse-input.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";

const TOUCH_MS = 5_000;

const keySchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .nullish()
  .transform((key) => key ?? null);

/** Returns the header, or null. A created job's key can also be in the body. Throws ClipmillError "invalid". */
export function readKey(c: Context<ServerEnv>, keyOfBody?: unknown): string | null {
  return parseInput(keySchema, keyOfBody ?? c.req.header("idempotency-key"));
}

/**
 * Runs a request with an Idempotency-Key once, on any server; repeated ones get its first success. Requests are equal
 * if their path, query and `body` are. Failed requests can be sent again. Not for responses with a secret, which must
 * not be stored.
 */
export async function runOnce(
  server: ServerContext,
  c: Context<ServerEnv>,
  body: Record<string, unknown>,
  run: () => Promise<Response>,
): Promise<Response> {
  const key = readKey(c);
  if (key === null) return await run();
  const digest = sha256Of(JSON.stringify([c.req.path, c.req.query(), body]), "base64url");
  const claim = await claimKey(server.db, { accountId: c.get("operator").account.id, key, digest });
  if ("response" in claim) {
    markReplayed(c);
    return c.body(claim.response, 200, { "Content-Type": "application/json" });
  }
  const { attempt } = claim;
  c.set("attempt", attempt);
  const touch = (): Promise<void> => touchAttempt(server.db, attempt);
  // The next touch makes up for a missed one.
  const touching = repeat(touch, { everyMs: TOUCH_MS, firstMs: TOUCH_MS, onError: () => {} });
  try {
    const response = await run().catch(async (error: unknown) => {
      await releaseKey(server.db, attempt);
      throw error;
    });
    const text = response.ok ? await response.clone().text() : null;
    if (text !== null && !isFailure(text)) await keepResponse(server.db, attempt, text);
    else await releaseKey(server.db, attempt);
    return response;
  } finally {
    void touching.stop();
  }
}

export function markReplayed(c: Context<ServerEnv>): void {
  c.header("Idempotency-Replayed", "true");
}

/** Some functions report failures with status 200. */
function isFailure(response: string): boolean {
  return (JSON.parse(response) as { success?: boolean }).success === false;
}

/** Stores the response in the change's transaction: a killed server cannot make the change twice. */
export async function keepResponseWith(c: Context<ServerEnv>, { trx }: Changing, response: object): Promise<void> {
  const attempt = c.get("attempt");
  if (attempt) await keepResponse(trx, attempt, JSON.stringify(response));
}
