import { FunctionsClient, FunctionsHttpError } from "@supabase/functions-js";
import { CallError, readCallError, UNREACHABLE } from "./call-error.ts";
import { apiKeyHeader, baseUrls } from "../connection/client.ts";
import { fetchWithSession } from "../connection/fetch-with-session.ts";

const functions = new FunctionsClient(baseUrls.functions, { headers: apiKeyHeader, customFetch: fetchWithSession });

/**
 * `name` may include a path and a query ("vps-integration/cancel", "jobs?action=list"). GET requests have no body.
 * Throws CallError.
 */
export async function callFunction<T>(
  name: string,
  body?: Record<string, unknown>,
  options: { method?: "GET" | "POST"; signal?: AbortSignal | undefined } = {},
): Promise<T> {
  const { data, error } = await functions.invoke<T>(name, {
    method: options.method ?? "POST",
    ...(body && { body }),
    ...(options.signal && { signal: options.signal }),
  });
  if (error instanceof FunctionsHttpError) throw await readCallError(error.context as Response);
  if (error instanceof SyntaxError) throw new CallError(200, "The server returned an unreadable response. Try again.");
  if (error) throw new CallError(0, UNREACHABLE);
  return data as T;
}
