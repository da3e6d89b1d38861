/** How the browser reaches the server: the addresses, the sign-in client, and a fetch that carries the session. */
// First of all: the sign-in client takes what it finds in the address out of it.
import "./arrival.ts";
import { AuthClient } from "@supabase/auth-js";

/** Any key is accepted; the session's token decides. */
export const apiKeyHeader = { apikey: "clipmill" };

export const baseUrls = {
  auth: `${location.origin}/auth/v1`,
  rest: `${location.origin}/rest/v1`,
  functions: `${location.origin}/functions/v1`,
  realtime: `${location.origin.replace(/^http/, "ws")}/realtime/v1`,
} as const;

export const auth = new AuthClient({
  url: baseUrls.auth,
  headers: apiKeyHeader,
  storageKey: "clipmill-auth",
  autoRefreshToken: true,
  persistSession: true,
  detectSessionInUrl: true,
});

/** The access token of the session, renewed first when it is about to end; null when signed out. */
export async function readAccessToken(): Promise<string | null> {
  const { data } = await auth.getSession();
  return data.session?.access_token ?? null;
}

/** fetch with the session's token. A session the server no longer knows is given up, which signs this browser out. */
export const fetchWithSession: typeof fetch = async (input, init) => {
  const token = await readAccessToken();
  const headers = new Headers(init?.headers);
  if (token) headers.set("authorization", `Bearer ${token}`);
  const response = await fetch(input, { ...init, headers });
  // Asking for the user makes the client drop a session that was revoked.
  if (response.status === 401 && token) await auth.getUser();
  return response;
};
