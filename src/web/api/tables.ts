import { CallError, UNREACHABLE } from "./functions/call-error.ts";
import { apiKeyHeader, baseUrls, fetchWithSession } from "./connection/client.ts";

/** Opens the PostgREST client. Loaded on first use, because the first screens read through functions. */
export async function openTables() {
  const { PostgrestClient } = await import("@supabase/postgrest-js");
  // The query cache already retries reads; retrying here too would delay an error to half a minute.
  return new PostgrestClient(baseUrls.rest, { headers: apiKeyHeader, fetch: fetchWithSession, retry: false });
}

/** Returns the rows of a response. Throws CallError for a refused one. */
export function requireRows(response: { data: unknown; error: { message: string } | null; status: number }): unknown {
  if (!response.error) return response.data;
  throw new CallError(response.status, response.status === 0 ? UNREACHABLE : response.error.message);
}
