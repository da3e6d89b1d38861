import { CallError, UNREACHABLE } from "./functions/call-error.ts";
import { apiKeyHeader, baseUrls, fetchWithSession } from "./connection/client.ts";

/** Loads the PostgREST client on first use; the first screens read through functions. */
export async function openTables() {
  const { PostgrestClient } = await import("@supabase/postgrest-js");
  // The query cache already retries; doing so twice would delay an error to half a minute.
  return new PostgrestClient(baseUrls.rest, { headers: apiKeyHeader, fetch: fetchWithSession, retry: false });
}

/** Returns the rows. Throws CallError for a refused read. */
export function requireRows(response: { data: unknown; error: { message: string } | null; status: number }): unknown {
  if (!response.error) return response.data;
  throw new CallError(response.status, response.status === 0 ? UNREACHABLE : response.error.message);
}
