/** What the screen reads from the server. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import type { CloakStateResponse, PendingChange } from "#contract/cloak/cloak-calls.ts";
import { listDomains, listRoutes, readCloakState } from "../../api/functions/cloak.ts";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { rememberPublishState } from "./publishing/publish-state.ts";
import { readEnvironment } from "./publishing/read-environment.ts";

/** The names of what the query cache holds. */
export const cloakKeys = {
  lists: ["cloak-lists"],
  domains: ["cloak-lists", "domains"],
  allRoutes: ["cloak-lists", "routes"],
  routes: (domainId: string | null) => ["cloak-lists", "routes", domainId],
  state: ["cloak-state"],
  environment: ["cloak-environment"],
} as const;

/** Pending changes. */
export type PendingState = { count: number; pending: readonly PendingChange[] };

/** Health and counts, and what another operator changed, are read again this often while the screen is in sight. */
const REFRESH_MS = 15_000;

export function useDomains() {
  return useToastOnError(
    useQuery({ queryKey: cloakKeys.domains, queryFn: ({ signal }) => listDomains(signal), ...honest }),
    "Failed to load domains",
  );
}

export function useRoutes(domainId: string | null) {
  return useToastOnError(
    useQuery({
      queryKey: cloakKeys.routes(domainId),
      queryFn: ({ signal }) => listRoutes(domainId, signal),
      ...honest,
    }),
    "Failed to load routes",
  );
}

/** Whether the server is set up to publish. */
export function useEnvironment() {
  return useQuery({ queryKey: cloakKeys.environment, queryFn: ({ signal }) => readEnvironment(signal), ...honest });
}

/** What is pending and what was published, by the server's word. */
export function useCloakState() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: cloakKeys.state,
    queryFn: ({ signal }) => readCloakState(signal),
    refetchInterval: REFRESH_MS,
    ...honest,
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
    // Someone, possibly another user, made a change.
    if (seen.current && seen.current !== change) void client.invalidateQueries({ queryKey: cloakKeys.lists });
    seen.current = change;
  }, [client, change]);
  return { ...query, change };
}

/** The same object as long as no domain or route changes, as far as is known; undefined until something is. */
function useChange(state: CloakStateResponse | undefined): PendingState | undefined {
  const { pendingCount, pending } = state ?? {};
  return useMemo(
    () => (pendingCount === undefined || !pending ? undefined : { count: pendingCount, pending }),
    [pendingCount, pending],
  );
}

/** A read without a connection fails, and says so, instead of waiting without a word. */
const honest = { networkMode: "always", refetchOnWindowFocus: "always" } as const;

function useToastOnError<Query extends { error: Error | null; data: unknown }>(query: Query, title: string): Query {
  const toast = useToast();
  const { error } = query;
  const hasData = query.data !== undefined;
  useEffect(() => {
    // What is on screen stays, and the header says that the connection is lost.
    if (error && (navigator.onLine || !hasData)) {
      toast.show({ title, description: error.message, variant: "destructive" });
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- one toast for each failure
  }, [error, title, toast]);
  return query;
}
