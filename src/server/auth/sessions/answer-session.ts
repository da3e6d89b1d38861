import type { Context } from "hono";
import type { SignedIn } from "#operations/accounts/sign-in/signed-in.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";
import { deliverRefreshToken } from "./refresh-cookie.ts";
import { toSessionBody } from "./session-body.ts";

export async function answerSession(
  server: ServerContext,
  c: Context<ServerEnv>,
  signedIn: SignedIn,
): Promise<Response> {
  c.set("operator", { account: signedIn.account, sessionId: signedIn.sessionId });
  const refreshToken = deliverRefreshToken(server, c, signedIn.refreshToken);
  return c.json(await toSessionBody(server.accessTokens, signedIn, refreshToken));
}
