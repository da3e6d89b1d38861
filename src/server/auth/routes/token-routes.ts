import type { Context, Hono } from "hono";
import { z } from "zod";
import { AuthError } from "#operations/accounts/auth-error.ts";
import { refreshSession } from "#operations/accounts/sessions/refresh-session.ts";
import { signIn } from "#operations/accounts/sign-in/sign-in.ts";
import type { SignedIn } from "#operations/accounts/sign-in/signed-in.ts";
import { clientAddress } from "../../requests/client-address.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";
import { answerSession } from "../sessions/answer-session.ts";
import { email, readBody, secret } from "../auth-input.ts";
import { readRefreshToken } from "../sessions/refresh-cookie.ts";

const passwordSchema = z.object({ email, password: secret });
const refreshSchema = z.object({ refresh_token: secret });

/** POST /token (PROTOCOL 1.1), for passwords and refresh tokens. Throws AuthError for other grant types. */
export function addTokenRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post("/token", async (c) => {
    const grantType = c.req.query("grant_type") ?? "";
    switch (grantType) {
      case "password":
        return answerSession(server, c, await signInWithPassword(server, c));
      case "refresh_token":
        return answerSession(server, c, await refresh(server, c));
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
