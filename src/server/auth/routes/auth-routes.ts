import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import { readAccount } from "#operations/accounts/account.ts";
import { AuthError } from "#operations/accounts/auth-error.ts";
import { listFactors } from "#operations/accounts/second-step/enroll-factor.ts";
import { refreshSession } from "#operations/accounts/sessions/refresh-session.ts";
import { SIGN_OUT_SCOPES, signIn, signOut } from "#operations/accounts/sign-in/sign-in.ts";
import { signUp } from "#operations/accounts/sign-in/sign-up.ts";
import type { SignedIn } from "#operations/accounts/sign-in/signed-in.ts";
import { updateAccount } from "#operations/accounts/update-account.ts";
import { actorContextFor } from "../../actor-context.ts";
import { clientAddress } from "../../requests/client-address.ts";
import { handleError } from "../../requests/error-response.ts";
import { limitBody } from "../../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";
import { authErrorBody, email, name, readBody, redirectOfMail, secret, text } from "../auth-input.ts";
import { requireOperator, requireSession } from "../require-operator.ts";
import { respondWithSession, clearRefreshCookie, readRefreshToken } from "../sessions/refresh-cookie.ts";
import { toUserBody } from "../sessions/session-body.ts";
import { addFactorRoutes } from "./factor-routes.ts";
import { addMailRoutes } from "./mail-routes.ts";
import { openIdRoutes } from "./open-id-routes.ts";

const READING = new Set(["GET", "HEAD", "OPTIONS"]);

/** Other sites' pages could use the operator's cookie. */
const rejectOtherSites = createMiddleware<ServerEnv>(async (c, next) => {
  const site = c.req.header("sec-fetch-site");
  const isOther = site === "cross-site" || site === "same-site";
  if (isOther && !READING.has(c.req.method)) {
    throw new ClipmillError("unauthorized", "Cross-site requests are not allowed.");
  }
  await next();
});

/** Serves PROTOCOL 1. */
export function authRoutes(server: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.onError(handleError(server.log, authErrorBody));
  app.use(rejectOtherSites, limitBody(1));
  addTokenRoutes(app, server);
  addUserRoutes(app, server);
  addMailRoutes(app, server);
  addFactorRoutes(app, server);
  app.route("/", openIdRoutes(server));
  app.all("*", () => {
    throw new ClipmillError("not_found", "This endpoint is not supported.");
  });
  return app;
}

const passwordSchema = z.object({ email, password: secret });
const refreshSchema = z.object({ refresh_token: secret });

/** POST /token (PROTOCOL 1.1), for passwords and refresh tokens. Throws AuthError for other grant types. */
function addTokenRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post("/token", async (c) => {
    const grantType = c.req.query("grant_type") ?? "";
    switch (grantType) {
      case "password":
        return respondWithSession(server, c, await signInWithPassword(server, c));
      case "refresh_token":
        return respondWithSession(server, c, await refresh(server, c));
      case "pkce":
        // Mail links carry the session itself: no codes to exchange.
        throw new AuthError("flow_state_not_found", "The authorization code flow is not supported.");
      default:
        throw new AuthError("validation_failed", "This grant type is not supported.");
    }
  });
}

async function signInWithPassword(server: ServerContext, c: Context<ServerEnv>): Promise<SignedIn> {
  const credentials = await readBody(c, passwordSchema, "Enter your email and your password.");
  return signIn(server, {
    ...credentials,
    address: clientAddress(c),
    userAgent: c.req.header("user-agent") ?? null,
  });
}

async function refresh(server: ServerContext, c: Context<ServerEnv>): Promise<SignedIn> {
  const sentence = "The refresh token is missing.";
  const token = readRefreshToken(server, c, (await readBody(c, refreshSchema, sentence)).refresh_token);
  if (!token) throw new AuthError("refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found");
  return refreshSession(server, token);
}

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
function addUserRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
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
    return "signedIn" in result
      ? respondWithSession(server, c, result.signedIn)
      : c.json(toUserBody(result.waiting, []));
  });

  app.post("/logout", requireSession(server), async (c) => {
    const { account, sessionId } = c.get("operator");
    const scope = scopeSchema.parse(c.req.query("scope"));
    await signOut(actorContextFor(server, c), { accountId: account.id, sessionId }, scope);
    if (scope !== "others") clearRefreshCookie(server, c);
    return c.body(null, 204);
  });
}
