/** An AI assistant that has only the address of `/mcp`: the official client with its OAuth flow. */
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import type { SupabaseClient } from "@supabase/supabase-js";
import type { AllowAuthorizationResponse } from "#contract/oauth.ts";

export const CALLBACK = "http://127.0.0.1:9/callback";

export type Assistant = OAuthClientProvider & {
  /** What is stored. */
  kept: {
    client?: StoredOAuthClientInformation;
    tokens?: StoredOAuthTokens;
    verifier?: string;
    discovered?: OAuthDiscoveryState;
  };
  /** The address that the browser opens; set by the first connection. */
  opened: URL | null;
};

export function createAssistant(redirectUrl = CALLBACK): Assistant {
  const kept: Assistant["kept"] = {};
  return {
    kept,
    opened: null,
    redirectUrl,
    clientMetadata: { client_name: "Test assistant", redirect_uris: [redirectUrl] },
    state: () => "a state/with=signs&more",
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier!,
    invalidateCredentials: () => {},
    saveDiscoveryState: (state) => void (kept.discovered = state),
    discoveryState: () => kept.discovered,
    redirectToAuthorization(address) {
      this.opened = address;
    },
  };
}

/** The test server, in the same process, replaces the global Response, which the client recognizes responses by. */
async function fetchAsGlobal(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  return new Response(response.body, response);
}

function openTransport(url: string, authProvider: Assistant): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider, fetch: fetchAsGlobal });
}

/** Discovers and registers. Returns the address that the browser opens. */
export async function startSignIn(url: string, assistant: Assistant): Promise<URL> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const failure: unknown = await client.connect(openTransport(url, assistant)).catch((error: unknown) => error);
  if (!(failure instanceof UnauthorizedError) || !assistant.opened) throw failure;
  return assistant.opened;
}

/** What the screen sends for an opened address. */
export function requestOf(address: URL): Record<string, string> {
  return Object.fromEntries(address.searchParams);
}

/** Allows access as the screen does. Returns the address that the assistant is called back with. */
export async function allow(session: SupabaseClient, address: URL, more: object = {}): Promise<URL> {
  const body = { action: "allow", ...requestOf(address), scopes: ["jobs:read"], ...more };
  const { data, error } = await session.functions.invoke<AllowAuthorizationResponse>("oauth", { body });
  if (error) throw error;
  return new URL(data!.redirect_url);
}

/** Exchanges the code of the address that the assistant is called back with, and connects. */
export async function finishSignIn(url: string, assistant: Assistant, calledBack: URL): Promise<Client> {
  await openTransport(url, assistant).finishAuth(calledBack.searchParams);
  return await connectAssistant(url, assistant);
}

export async function connectAssistant(url: string, assistant: Assistant): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(openTransport(url, assistant));
  return client;
}
