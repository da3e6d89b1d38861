import { CallError, UNREACHABLE } from "./functions/call-error.ts";
import { apiKeyHeader, baseUrls } from "./connection/client.ts";
import { fetchWithSession } from "./connection/fetch-with-session.ts";

const NOT_LOADED = "Part of this page could not be loaded. Reload the page.";

/**
 * Loads the PostgREST client on first use; the first screens use functions. Throws CallError if the load fails, or
 * offline without trying: after a failed load, Chromium does not load a module again until the page is reloaded.
 */
export async function openTables() {
  if (!navigator.onLine) throw new CallError(0, UNREACHABLE);
  const { PostgrestClient } = await import("@supabase/postgrest-js").catch(() => {
    throw new CallError(0, NOT_LOADED);
  });
  // The query cache already retries; retrying twice would delay errors to half a minute.
  return new PostgrestClient(baseUrls.rest, { headers: apiKeyHeader, fetch: fetchWithSession, retry: false });
}

/** Throws CallError if the request failed. */
export function requireRows(response: { data: unknown; error: { message: string } | null; status: number }): unknown {
  if (!response.error) return response.data;
  throw new CallError(response.status, response.status === 0 ? UNREACHABLE : response.error.message);
}
