import { CallError, UNREACHABLE } from "./functions/call-error.ts";
import { apiKeyHeader, baseUrls, fetchWithSession } from "./connection/client.ts";

/** The tables, through PostgREST's own client. Loaded on first use: the first screens read through functions. */
export async function openTables() {
  const { PostgrestClient } = await import("@supabase/postgrest-js");
  // Reads are tried again by the query cache; twice over, an error would show after half a minute.
  return new PostgrestClient(baseUrls.rest, { headers: apiKeyHeader, fetch: fetchWithSession, retry: false });
}

/** The rows of an answer; a refused read becomes a CallError. */
export function requireRows(answer: { data: unknown; error: { message: string } | null; status: number }): unknown {
  if (!answer.error) return answer.data;
  throw new CallError(answer.status, answer.status === 0 ? UNREACHABLE : answer.error.message);
}
