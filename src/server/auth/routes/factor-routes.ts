import type { Context, Hono } from "hono";
import { z } from "zod";
import { AuthError } from "#operations/accounts/auth-error.ts";
import { challengeFactor, verifyFactor } from "#operations/accounts/second-step/verify-factor.ts";
import { enrollFactor, removeFactor } from "#operations/accounts/second-step/enroll-factor.ts";
import { actorContextFor } from "../../actor-context.ts";
import { clientAddress } from "../../requests/client-address.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";
import { respondWithSession } from "../sessions/refresh-cookie.ts";
import { name, readBody, secret } from "../auth-input.ts";
import { requireOperator, requireSession } from "../require-operator.ts";

const ISSUER = "Clipmill";

const enrollSchema = z.object({
  factor_type: z.string(),
  friendly_name: name.nullish(),
  issuer: name.nullish(),
  current_password: secret.nullish(),
  nonce: z.string().max(100).nullish(),
});
const codeSchema = z.object({ challenge_id: z.uuid(), code: secret });

/** PROTOCOL 1.1. Only challenge and verify accept a session without its second step. */
export function addFactorRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post("/factors", requireOperator(server), async (c) => {
    const body = await readBody(c, enrollSchema, "The request to add a second step is not valid.");
    if (body.factor_type !== "totp") {
      throw new AuthError("mfa_phone_enroll_not_enabled", "Only authenticator apps are supported as a second step.");
    }
    const { account, sessionId } = c.get("operator");
    const requester = { accountId: account.id, email: account.email, sessionId, address: clientAddress(c) };
    const factor = await enrollFactor(server, requester, {
      friendlyName: body.friendly_name ?? "",
      issuer: body.issuer || ISSUER,
      currentPassword: body.current_password ?? undefined,
      nonce: body.nonce ?? undefined,
    });
    const { id, friendlyName, secret, uri, qrCode } = factor;
    return c.json({ id, type: "totp", friendly_name: friendlyName, totp: { qr_code: qrCode, secret, uri } });
  });

  app.post("/factors/:id/challenge", requireSession(server), async (c) => {
    const { id, expiresAt } = await challengeFactor(server, c.get("operator").account.id, factorId(c));
    return c.json({ id, type: "totp", expires_at: Math.floor(Date.parse(expiresAt) / 1000) });
  });

  app.post("/factors/:id/verify", requireSession(server), async (c) => {
    const body = await readBody(c, codeSchema, "The code is missing or not valid.");
    const { account, sessionId } = c.get("operator");
    const proof = {
      accountId: account.id,
      email: account.email,
      sessionId,
      factorId: factorId(c),
      challengeId: body.challenge_id,
      code: body.code,
      address: clientAddress(c),
    };
    return respondWithSession(server, c, await verifyFactor(server, proof));
  });

  app.delete("/factors/:id", requireOperator(server), async (c) => {
    const id = factorId(c);
    const { account, sessionId } = c.get("operator");
    await removeFactor(actorContextFor(server, c), { accountId: account.id, sessionId }, id);
    return c.json({ id });
  });
}

function factorId(c: Context<ServerEnv>): string {
  const id = z.uuid().safeParse(c.req.param("id"));
  if (!id.success) throw new AuthError("mfa_factor_not_found", "This second step no longer exists.");
  return id.data;
}
