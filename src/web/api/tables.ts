import { CallError, UNREACHABLE } from "./functions/call-error.ts";
import { apiKeyHeader, baseUrls, fetchWithSession } from "./connection/client.ts";

/** Loads the PostgREST client on first use; the first screens use functions. */
export async function openTables() {
  const { PostgrestClient } = await import("@supabase/postgrest-js");
  // The query cache already retries; retrying twice would delay errors to half a minute.
  return new PostgrestClient(baseUrls.rest, { headers: apiKeyHeader, fetch: fetchWithSession, retry: false });
}

/** Throws CallError if the request failed. */
export function requireRows(response: { data: unknown; error: { message: string } | null; status: number }): unknown {
  if (!response.error) return response.data;
  throw new CallError(response.status, response.status === 0 ? UNREACHABLE : response.error.message);
}
