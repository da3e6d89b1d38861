import { QueryClient } from "@tanstack/react-query";
import { CallError } from "../api/functions/call-error.ts";

/** How often a read that got no answer, or a server's error, is tried again before the screen says so. */
const RETRIES = 2;

/** The cache of what the server said. One for each sign-in, so that nothing outlives a session. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Live changes may have been missed, however fresh the last answer is.
        refetchOnReconnect: "always",
        retry: (failures, error) => failures < RETRIES && isPassing(error),
      },
      mutations: { networkMode: "always" },
    },
  });
}

function isPassing(error: Error): boolean {
  return !(error instanceof CallError) || error.status === 0 || error.status >= 500;
}
