/** Signs people in at one OpenID provider: OpenID Connect Core 1.0, Authorization Code with PKCE (RFC 7636). */
import type { Configuration, CustomFetchOptions, ServerMetadata } from "openid-client";
import { codeOf } from "#ground/error-code.ts";

export type OpenIdClient = {
  issuer: string;
  clientId: string;
  /** Null for a public client. */
  clientSecret: string | null;
  /** Separated by spaces. */
  scopes: string;
};

/** What the callback must match. */
type OpenIdChecks = { state: string; nonce: string; codeVerifier: string; redirectUri: string };

export type OpenIdTokens = {
  /** Of the ID token and the user info, where the ID token takes precedence. */
  claims: Record<string, unknown> & { iss: string; sub: string };
  idToken: string;
};

export type OpenIdFailure =
  /** Down, slow, or does not respond like a provider. */
  | "unreachable"
  /** The provider, or the person at its screen, said no. */
  | "denied"
  /** The code has expired, was used before, or belongs to another sign-in. */
  | "expired"
  /** The provider rejected the client ID or its secret. */
  | "rejected_client"
  /** A signature or a claim is wrong. */
  | "invalid";

/** `facts` goes to the log: never tokens, codes or secrets. */
export class OpenIdError extends Error {
  override readonly name = "OpenIdError";
  readonly failure: OpenIdFailure;
  readonly facts: Record<string, unknown>;

  constructor(failure: OpenIdFailure, facts: Record<string, unknown> = {}) {
    super(`OpenID sign-in failed: ${failure}`);
    this.failure = failure;
    this.facts = facts;
  }
}

export type OpenIdProvider = {
  /**
   * Returns where to send the browser, and what its return must match. `maxAgeSeconds` is how long ago the person may
   * have entered a password there; 0 asks for it again. Throws OpenIdError.
   */
  start(redirectUri: string, maxAgeSeconds: number): Promise<{ url: URL; checks: OpenIdChecks }>;
  /** `query` is that of the callback. Throws OpenIdError. */
  finish(query: URLSearchParams, checks: OpenIdChecks): Promise<OpenIdTokens>;
  /** Returns null if the provider does not offer to sign people out. Throws OpenIdError. */
  signOutUrl(request: { idToken: string; returnTo: string }): Promise<URL | null>;
};

/** A person waits for up to four requests. */
const TIMEOUT_SECONDS = 8;
const MAX_RESPONSE_BYTES = 1024 * 1024;
const METADATA_MS = 5 * 60_000;

/** Contacts the provider only for a sign-in, so that the server starts without it. `timeoutSeconds` is per request. */
export function createOpenIdProvider(client: OpenIdClient, timeoutSeconds = TIMEOUT_SECONDS): OpenIdProvider {
  let known: { metadata: Promise<ServerMetadata>; untilMs: number } | null = null;

  /** Shared by concurrent sign-ins; a failure is not kept. */
  function readMetadata(): Promise<ServerMetadata> {
    if (known && performance.now() < known.untilMs) return known.metadata;
    const metadata = discover(client, timeoutSeconds);
    const current = { metadata, untilMs: performance.now() + METADATA_MS };
    known = current;
    metadata.catch(() => {
      if (known === current) known = null;
    });
    return metadata;
  }

  /** A new configuration fetches the provider's keys, so that a rotation takes effect immediately. */
  async function configure(): Promise<{ oidc: typeof import("openid-client"); config: Configuration }> {
    const oidc = await import("openid-client");
    const metadata = await readMetadata();
    const config = new oidc.Configuration(metadata, client.clientId, {}, authenticate(oidc, client, metadata));
    config.timeout = timeoutSeconds;
    config[oidc.customFetch] = fetchBounded;
    oidc.enableNonRepudiationChecks(config);
    if (isPlain(client.issuer)) oidc.allowInsecureRequests(config);
    return { oidc, config };
  }

  return {
    start: (redirectUri, maxAgeSeconds) =>
      explained(async () => {
        const { oidc, config } = await configure();
        const state = oidc.randomState();
        const nonce = oidc.randomNonce();
        const codeVerifier = oidc.randomPKCECodeVerifier();
        const url = oidc.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: client.scopes,
          state,
          nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: "S256",
          // Also makes the provider report when it last asked for the password (Core section 3.1.2.1).
          max_age: String(maxAgeSeconds),
        });
        return { url, checks: { state, nonce, codeVerifier, redirectUri } };
      }),

    finish: (query, { state, nonce, codeVerifier, redirectUri }) =>
      explained(async () => {
        const { oidc, config } = await configure();
        const callback = new URL(redirectUri);
        callback.search = query.toString();
        const tokens = await oidc.authorizationCodeGrant(config, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims()!;
        // Providers return most claims here instead of in the ID token (Core section 5.4).
        const more = config.serverMetadata().userinfo_endpoint
          ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
          : {};
        return { claims: { ...more, ...claims }, idToken: tokens.id_token! };
      }),

    signOutUrl: ({ idToken, returnTo }) =>
      explained(async () => {
        const { oidc, config } = await configure();
        if (!config.serverMetadata().end_session_endpoint) return null;
        return oidc.buildEndSessionUrl(config, { id_token_hint: idToken, post_logout_redirect_uri: returnTo });
      }),
  };
}

/** Only for a provider on this machine, see OIDC_ISSUER. */
function isPlain(issuer: string): boolean {
  return issuer.startsWith("http:");
}

async function discover({ issuer, clientId }: OpenIdClient, timeout: number): Promise<ServerMetadata> {
  const oidc = await import("openid-client");
  const config = await oidc.discovery(new URL(issuer), clientId, undefined, undefined, {
    timeout,
    [oidc.customFetch]: fetchBounded,
    ...(isPlain(issuer) && { execute: [oidc.allowInsecureRequests] }),
  });
  return config.serverMetadata();
}

/** HTTP Basic is the default, and the only method that every provider must support (Core section 9). */
function authenticate(
  oidc: typeof import("openid-client"),
  { clientSecret }: OpenIdClient,
  { token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] }: ServerMetadata,
) {
  if (clientSecret === null) return oidc.None();
  return methods.includes("client_secret_basic")
    ? oidc.ClientSecretBasic(clientSecret)
    : oidc.ClientSecretPost(clientSecret);
}

/** Redirects are not followed. Throws OpenIdError for a provider that cannot be reached, or sends too much. */
async function fetchBounded(url: string, options: CustomFetchOptions): Promise<Response> {
  // fetch throws a TypeError for everything but a timeout, and the library does not explain it.
  const response = await fetch(url, options as RequestInit).catch((error: unknown) => {
    if (!(error instanceof TypeError)) throw error;
    throw new OpenIdError("unreachable", { reason: codeOf(error.cause) });
  });
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > MAX_RESPONSE_BYTES) throw new OpenIdError("unreachable", { reason: "too large" });
    parts.push(part);
  }
  const { status, headers } = response;
  return new Response(bytes > 0 ? Buffer.concat(parts) : null, { status, headers });
}

async function explained<Result>(task: () => Promise<Result>): Promise<Result> {
  try {
    return await task();
  } catch (error) {
    throw await explain(error);
  }
}

/** The provider's own codes are of any length. */
function shorten(code: string): string {
  return code.slice(0, 100);
}

const REJECTED_CLIENT = new Set(["invalid_client", "unauthorized_client"]);
const UNREACHABLE = new Set([
  "OAUTH_TIMEOUT",
  "OAUTH_PARSE_ERROR",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
]);

/** Keeps codes only: the library's errors contain tokens. Rethrows errors that are not the provider's. */
async function explain(error: unknown): Promise<OpenIdError> {
  if (error instanceof OpenIdError) return error;
  if (error instanceof Error && error.cause instanceof OpenIdError) return error.cause;
  const { AuthorizationResponseError, ResponseBodyError } = await import("openid-client");
  if (error instanceof AuthorizationResponseError) return new OpenIdError("denied", { reason: shorten(error.error) });
  if (error instanceof ResponseBodyError) {
    const reason = shorten(error.error);
    const { status } = error;
    if (reason === "invalid_grant") return new OpenIdError("expired", { reason });
    return new OpenIdError(REJECTED_CLIENT.has(reason) ? "rejected_client" : "invalid", { reason, status });
  }
  const reason = codeOf(error);
  if (!reason?.startsWith("OAUTH_")) throw error;
  return new OpenIdError(UNREACHABLE.has(reason) ? "unreachable" : "invalid", { reason });
}
