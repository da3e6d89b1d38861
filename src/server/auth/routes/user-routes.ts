import type { Hono } from "hono";
import { z } from "zod";
import { listFactors } from "#operations/accounts/second-step/factor.ts";
import { readAccount } from "#operations/accounts/account.ts";
import { SIGN_OUT_SCOPES, signOut } from "#operations/accounts/sign-in/sign-out.ts";
import { signUp } from "#operations/accounts/sign-in/sign-up.ts";
import { updateAccount } from "#operations/accounts/update-account.ts";
import { actorContextFor } from "../../actor-context.ts";
import { clientAddress } from "../../requests/client-address.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";
import { answerSession } from "../sessions/answer-session.ts";
import { email, name, readBody, secret, text } from "../auth-input.ts";
import { redirectOfMail } from "../redirect-target.ts";
import { clearRefreshCookie } from "../sessions/refresh-cookie.ts";
import { requireOperator, requireSession } from "../require-operator.ts";
import { toUserBody } from "../sessions/session-body.ts";

const MAX_METADATA = 50;

const signUpSchema = z.object({ email, password: secret });
const scopeSchema = z.enum(SIGN_OUT_SCOPES).catch("global");
const metadataSchema = z
  .record(name, z.union([text, z.number(), z.boolean(), z.null()]))
  .refine((metadata) => Object.keys(metadata).length <= MAX_METADATA);
const changeSchema = z.object({
  email: email.nullish(),
  password: secret.nullish(),
  current_password: secret.nullish(),
  nonce: z.string().max(100).nullish(),
  data: metadataSchema.nullish(),
});

/**
 * /user, /signup and /logout (PROTOCOL 1.1). Reading the user and signing out accept a session without its second step.
 */
export function addUserRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get("/user", requireSession(server), async (c) => {
    const { account } = c.get("operator");
    return c.json(toUserBody(account, await listFactors(server.db, account.id)));
  });

  app.put("/user", requireOperator(server), async (c) => {
    const { account, sessionId } = c.get("operator");
    const change = await readBody(c, changeSchema, "The account change is not valid.");
    const requester = { accountId: account.id, sessionId, address: clientAddress(c) };
    await updateAccount(server, requester, {
      email: change.email ?? undefined,
      password: change.password ?? undefined,
      currentPassword: change.current_password ?? undefined,
      nonce: change.nonce ?? undefined,
      metadata: change.data ?? undefined,
      redirectTo: redirectOfMail(server, c),
    });
    return c.json(toUserBody(await readAccount(server, account.id), await listFactors(server.db, account.id)));
  });

  app.post("/signup", async (c) => {
    const credentials = await readBody(c, signUpSchema, "Enter your email and a password.");
    const result = await signUp(server, {
      ...credentials,
      address: clientAddress(c),
      userAgent: c.req.header("user-agent") ?? null,
      redirectTo: redirectOfMail(server, c),
    });
    return "signedIn" in result ? answerSession(server, c, result.signedIn) : c.json(toUserBody(result.waiting, []));
  });

  app.post("/logout", requireSession(server), async (c) => {
    const { account, sessionId } = c.get("operator");
    const scope = scopeSchema.parse(c.req.query("scope"));
    await signOut(actorContextFor(server, c), { accountId: account.id, sessionId }, scope);
    if (scope !== "others") clearRefreshCookie(server, c);
    return c.body(null, 204);
  });
}
