import { type Context, Hono } from "hono";
import { OPENID_ARRIVAL, OPENID_PATHS } from "#contract/accounts/sign-in.ts";
import { AuthError } from "#operations/accounts/auth-error.ts";
import { askProvider, staleSignIn } from "#operations/accounts/openid/ask-provider.ts";
import { type OpenIdSignIn, signInWithOpenId } from "#operations/accounts/openid/open-id-sign-in.ts";
import { readIdentity } from "#operations/accounts/openid/read-identity.ts";
import { clientAddress } from "../../requests/client-address.ts";
import { requestOrigin } from "../../requests/request-origin.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";
import { redirectOfLink, redirectWithError } from "../auth-input.ts";
import { keepIdToken, keepStart, takeIdToken, takeStart } from "../sessions/open-id-cookies.ts";
import { deliverRefreshToken } from "../sessions/refresh-cookie.ts";

/** As long as a session may be idle: the provider asks for the password at least as often. */
const MAX_AGE_SECONDS = 30 * 86_400;

/**
 * Pages that the browser opens to sign in at the OpenID provider, and to sign out there. Each redirects: errors go to the
 * page that the person came from, with one sentence, and the session into the cookie.
 */
export function openIdRoutes(server: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();

  app.get(pathOf("start"), (c) => {
    const returnTo = redirectOfLink(server, c);
    return redirecting(server, c, returnTo, async (openId) => {
      const redirectUri = requestOrigin(server, c) + OPENID_PATHS.callback;
      const maxAgeSeconds = c.req.query("prove") === "true" ? 0 : MAX_AGE_SECONDS;
      const { url, checks } = await askProvider(server, openId, (provider) =>
        provider.start(redirectUri, maxAgeSeconds),
      );
      await keepStart(server, c, { ...checks, returnTo });
      return c.redirect(url.href, 303);
    });
  });

  app.get(pathOf("callback"), async (c) => {
    const start = await takeStart(server, c);
    const returnTo = start?.returnTo ?? redirectOfLink(server, c);
    return redirecting(server, c, returnTo, async (openId) => {
      await server.throttles.openId.count(attemptOf(c));
      const query = new URL(c.req.url).searchParams;
      if (!start || query.get("state") !== start.state) throw staleSignIn();
      const tokens = await askProvider(server, openId, (provider) => provider.finish(query, start));
      const identity = readIdentity(tokens, openId.rules);
      const signedIn = await signInWithOpenId(server, {
        identity,
        providerName: openId.name,
        replacedTokenHash: start.tokenHash,
        address: clientAddress(c),
        userAgent: c.req.header("user-agent") ?? null,
      });
      c.set("operator", { account: signedIn.account, sessionId: signedIn.sessionId });
      deliverRefreshToken(server, c, signedIn.refreshToken);
      keepIdToken(server, c, tokens.idToken);
      await server.throttles.openId.forgive(attemptOf(c));
      return c.redirect(`${returnTo}#${OPENID_ARRIVAL}`, 303);
    });
  });

  // Without the cookie, which other sites' requests lack, nothing happens at the provider.
  app.get(pathOf("signOut"), async (c) => {
    const returnTo = `${requestOrigin(server, c)}/`;
    const idToken = takeIdToken(server, c);
    if (!server.openId || idToken === null) return c.redirect(returnTo, 303);
    const request = { idToken, returnTo };
    // While the provider is down, the person is signed out here.
    const url = await askProvider(server, server.openId, (provider) => provider.signOutUrl(request)).catch(
      (error: unknown) => {
        if (error instanceof AuthError) return null;
        throw error;
      },
    );
    return c.redirect(url?.href ?? returnTo, 303);
  });
  return app;
}

function pathOf(page: keyof typeof OPENID_PATHS): string {
  return OPENID_PATHS[page].replace("/auth/v1", "");
}

/** Turns errors into a redirect to `returnTo`. */
async function redirecting(
  server: ServerContext,
  c: Context<ServerEnv>,
  returnTo: string,
  respond: (openId: OpenIdSignIn) => Promise<Response>,
): Promise<Response> {
  try {
    if (!server.openId) throw new AuthError("provider_disabled", "No identity provider is set up on this server.");
    return await respond(server.openId);
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    return redirectWithError(c, returnTo, error);
  }
}

function attemptOf(c: Context<ServerEnv>) {
  return { account: "", address: clientAddress(c) };
}
