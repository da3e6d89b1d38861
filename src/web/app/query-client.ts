import { QueryClient } from "@tanstack/react-query";
import { CallError } from "../api/functions/call-error.ts";

/** For requests without a response or with a 5xx. */
const RETRIES = 2;

/** Call once per sign-in, so that no data outlives a session. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Fresh data may have missed live changes.
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
