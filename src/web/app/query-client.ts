import { QueryClient } from "@tanstack/react-query";
import { CallError } from "../api/functions/call-error.ts";

/** Retries of a read that got no response or a 5xx before the screen shows the error. */
const RETRIES = 2;

/** Creates the query cache. Each sign-in gets its own, so that no data outlives a session. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Live changes may have been missed even when the data is still fresh.
        refetchOnReconnect: "always",
        retry: (failures, error) => failures < RETRIES && isTransient(error),
      },
      mutations: { networkMode: "always" },
    },
  });
}

function isTransient(error: Error): boolean {
  return !(error instanceof CallError) || error.status === 0 || error.status >= 500;
}
