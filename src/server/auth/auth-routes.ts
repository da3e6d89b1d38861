import { type Context, Hono } from "hono";
import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import { AuthError } from "#operations/accounts/auth-error.ts";
import { refreshSession } from "#operations/accounts/refresh-session.ts";
import { type SignedIn, signIn } from "#operations/accounts/sign-in.ts";
import { SIGN_OUT_SCOPES, signOut } from "#operations/accounts/sign-out.ts";
import { clientAddress } from "../client-address.ts";
import type { Fault } from "../error-response.ts";
import { handleError } from "../handle-error.ts";
import { limitBody, readJson } from "../read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { clearRefreshCookie, handOutRefreshToken, readRefreshToken } from "./refresh-cookie.ts";
import { refuseOtherSites } from "./refuse-other-sites.ts";
import { requireOperator } from "./require-operator.ts";
import { toSessionBody, toUserBody } from "./session-body.ts";

const API_VERSION = "2024-01-01";

const passwordSchema = z.object({ email: z.string().min(1), password: z.string().min(1) });
const refreshSchema = z.object({ refresh_token: z.string().min(1).max(500) });
const scopeSchema = z.enum(SIGN_OUT_SCOPES).catch("global");

/** The sign-in protocol under /auth/v1 (PROTOCOL 1): password and refresh tokens, the user, sign-out. */
export function authRoutes(server: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.onError(handleError(server.log, authErrorBody));
  app.use(refuseOtherSites, limitBody(1));

  app.post("/token", async (c) => {
    const body = await readJson(c);
    const grantType = c.req.query("grant_type") ?? "";
    switch (grantType) {
      case "password":
        return answerSession(server, c, await signInWithPassword(server, c, body));
      case "refresh_token":
        return answerSession(server, c, await refresh(server, c, body));
      default:
        throw new AuthError("validation_failed", "This way of signing in is not supported.");
    }
  });

  app.get("/user", requireOperator(server), (c) => c.json(toUserBody(c.get("operator").account)));

  app.post("/logout", requireOperator(server), async (c) => {
    const { account, sessionId } = c.get("operator");
    const scope = scopeSchema.parse(c.req.query("scope"));
    await signOut(server, { accountId: account.id, sessionId }, scope);
    if (scope !== "others") clearRefreshCookie(server, c);
    return c.body(null, 204);
  });

  app.all("*", () => {
    throw new ClipmillError("not_found", "This call is not supported.");
  });
  return app;
}

function signInWithPassword(server: ServerContext, c: Context<ServerEnv>, body: unknown): Promise<SignedIn> {
  const credentials = passwordSchema.safeParse(body);
  if (!credentials.success) throw new AuthError("validation_failed", "Please enter your email and your password.");
  return signIn(server, {
    ...credentials.data,
    address: clientAddress(c),
    userAgent: c.req.header("user-agent") ?? null,
  });
}

function refresh(server: ServerContext, c: Context<ServerEnv>, body: unknown): Promise<SignedIn> {
  const request = refreshSchema.safeParse(body);
  const token = request.success ? readRefreshToken(server, c, request.data.refresh_token) : null;
  if (!token) throw new AuthError("refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found");
  return refreshSession(server, token);
}

async function answerSession(server: ServerContext, c: Context<ServerEnv>, signedIn: SignedIn): Promise<Response> {
  const refreshToken = handOutRefreshToken(server, c, signedIn.refreshToken);
  return c.json(await toSessionBody(server.accessTokens, signedIn, refreshToken));
}

/** Both forms of the protocol's errors: the client says by a header which one it reads. */
function authErrorBody(fault: Fault, c: Context<ServerEnv>): Response {
  if (c.req.header("x-supabase-api-version") === API_VERSION) {
    c.header("X-Supabase-Api-Version", API_VERSION);
    return c.json({ code: fault.code, message: fault.sentence }, fault.status);
  }
  return c.json({ code: fault.status, error_code: fault.code, msg: fault.sentence }, fault.status);
}
