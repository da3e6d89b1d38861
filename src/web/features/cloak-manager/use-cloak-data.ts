import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import type { CloakStateResponse, PendingChange } from "#contract/cloak/cloak.ts";
import { listDomains, listRoutes, readCloakState } from "../../api/functions/cloak.ts";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { rememberPublishState } from "./publishing/publish-state.ts";
import { readEnvironment } from "./publishing/read-environment.ts";

export const cloakKeys = {
  lists: ["cloak-lists"],
  domains: ["cloak-lists", "domains"],
  allRoutes: ["cloak-lists", "routes"],
  routes: (domainId: string | null) => ["cloak-lists", "routes", domainId],
  state: ["cloak-state"],
  environment: ["cloak-environment"],
} as const;

export type PendingState = { count: number; pending: readonly PendingChange[] };

/** For health, counts and other operators' changes. */
const REFRESH_MS = 15_000;

/** Shows a toast on failure, except when offline with data on screen. */
export function useDomains() {
  return useToastOnError(
    useQuery({ queryKey: cloakKeys.domains, queryFn: ({ signal }) => listDomains(signal), ...failOffline }),
    "Failed to load domains",
  );
}

/** Reads all domains' routes for null. Shows a toast on failure, except when offline with data on screen. */
export function useRoutes(domainId: string | null) {
  return useToastOnError(
    useQuery({
      queryKey: cloakKeys.routes(domainId),
      queryFn: ({ signal }) => listRoutes(domainId, signal),
      ...failOffline,
    }),
    "Failed to load routes",
  );
}

/** Returns a failed check as data with `isValid: false`, not as an error. */
export function useEnvironment() {
  return useQuery({
    queryKey: cloakKeys.environment,
    queryFn: ({ signal }) => readEnvironment(signal),
    ...failOffline,
  });
}

export function useCloakState() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: cloakKeys.state,
    queryFn: ({ signal }) => readCloakState(signal),
    refetchInterval: REFRESH_MS,
    ...failOffline,
  });
  const { data } = query;
  useEffect(() => {
    if (!data) return;
    rememberPublishState({
      lastPublishedAt: data.lastPublishedAt,
      hasUnpublishedChanges: data.pendingCount > 0,
      pendingChangeCount: data.pendingCount,
    });
  }, [data]);

  const change = useChange(data);
  const seen = useRef(change);
  useEffect(() => {
    // Something changed, here or elsewhere.
    if (seen.current && seen.current !== change) void client.invalidateQueries({ queryKey: cloakKeys.lists });
    seen.current = change;
  }, [client, change]);
  return { ...query, change };
}

/** Returns the same object until the pending changes differ. */
function useChange(state: CloakStateResponse | undefined): PendingState | undefined {
  const { pendingCount, pending } = state ?? {};
  return useMemo(
    () => (pendingCount === undefined || !pending ? undefined : { count: pendingCount, pending }),
    [pendingCount, pending],
  );
}

/** Makes offline reads fail visibly instead of waiting. */
const failOffline = { networkMode: "always", refetchOnWindowFocus: "always" } as const;

function useToastOnError<Query extends { error: Error | null; data: unknown }>(query: Query, title: string): Query {
  const toast = useToast();
  const { error } = query;
  const hasData = query.data !== undefined;
  useEffect(() => {
    // Offline, the data stays and the header shows the lost connection.
    if (error && (navigator.onLine || !hasData)) {
      toast.show({ title, description: error.message, variant: "destructive" });
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- one toast for each failure
  }, [error, title, toast]);
  return query;
}
