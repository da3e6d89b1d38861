import { type Context, Hono } from "hono";
import { OPENID_ARRIVAL, OPENID_PATHS } from "#contract/sign-in.ts";
import { OpenIdError, type OpenIdFailure } from "#integrations/open-id-provider.ts";
import { AuthError } from "#operations/accounts/auth-error.ts";
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
    return redirecting(server, c, returnTo, async ({ provider }) => {
      const redirectUri = requestOrigin(server, c) + OPENID_PATHS.callback;
      const maxAgeSeconds = c.req.query("prove") === "true" ? 0 : MAX_AGE_SECONDS;
      const { url, checks } = await provider.start(redirectUri, maxAgeSeconds);
      await keepStart(server, c, { ...checks, returnTo });
      return c.redirect(url.href, 303);
    });
  });

  app.get(pathOf("callback"), async (c) => {
    const start = await takeStart(server, c);
    const returnTo = start?.returnTo ?? redirectOfLink(server, c);
    return redirecting(server, c, returnTo, async ({ name, provider, rules }) => {
      await server.throttles.openId.count(attemptOf(c));
      const query = new URL(c.req.url).searchParams;
      if (!start || query.get("state") !== start.state) throw staleSignIn();
      const tokens = await provider.finish(query, start);
      const identity = readIdentity(tokens, rules);
      const userAgent = c.req.header("user-agent") ?? null;
      const request = { identity, providerName: name, userAgent };
      const signedIn = await signInWithOpenId(server, request).catch(async (error: unknown) => {
        if (error instanceof AuthError) await noteRejected(server, c, identity.email);
        throw error;
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
    const url = await server.openId.provider.signOutUrl({ idToken, returnTo }).catch((error: unknown) => {
      // The person is already signed out here.
      server.log.warn({ ...factsOf(error) }, "could not sign out at the OpenID provider");
      return null;
    });
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
    if (error instanceof AuthError) return redirectWithError(c, returnTo, error);
    if (!(error instanceof OpenIdError)) throw error;
    server.log.warn(factsOf(error), "an OpenID sign-in failed");
    return redirectWithError(c, returnTo, explain(error, server.openId!.name));
  }
}

function attemptOf(c: Context<ServerEnv>) {
  return { account: "", address: clientAddress(c) };
}

function factsOf(error: unknown): Record<string, unknown> {
  return error instanceof OpenIdError ? { failure: error.failure, ...error.facts } : { err: error };
}

function staleSignIn(): AuthError {
  return new AuthError("bad_oauth_state", "This sign-in has expired, or was started in another tab. Sign in again.");
}

const SENTENCES: Record<Exclude<OpenIdFailure, "expired">, (name: string) => string> = {
  unreachable: (name) => `${name} could not be reached. Try again in a moment.`,
  denied: (name) => `${name} did not sign you in.`,
  rejected_client: (name) => `${name} rejected Clipmill's client ID or secret. Ask your administrator.`,
  invalid: (name) => `The response of ${name} is not valid. Ask your administrator.`,
};

function explain({ failure }: OpenIdError, name: string): AuthError {
  return failure === "expired" ? staleSignIn() : new AuthError("bad_oauth_callback", SENTENCES[failure](name));
}

/** Of a person who is signed in at the provider, but may not sign in here. */
async function noteRejected(server: ServerContext, c: Context<ServerEnv>, email: string): Promise<void> {
  const known = await server.db.selectFrom("accounts").select("id").where("email", "=", email).executeTakeFirst();
  const account = { id: known?.id ?? null, email };
  await server.noteFailedProof(server, { action: "account.sign-in-failed", account, address: clientAddress(c) });
}
