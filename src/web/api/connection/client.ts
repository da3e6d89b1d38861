// Must come first: the sign-in client removes link parameters from the URL.
import "./arrival.ts";
import { AuthClient } from "@supabase/auth-js";

/** Any key works; the session token decides. */
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

/** Renews a token about to expire; returns null when signed out. */
export async function readAccessToken(): Promise<string | null> {
  const { data } = await auth.getSession();
  return data.session?.access_token ?? null;
}
