import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import type { DomainStatus } from "#contract/cloak/cloak.ts";
import {
  addDomain,
  addRoute,
  changeRoute,
  deleteDomain,
  deleteRoute,
  setDomainStatus,
  type ListedDomain,
  type ListedRoute,
} from "../../api/functions/cloak.ts";
import { showToast } from "../../ui/toasts/toast-list.ts";
import { cloakKeys } from "./use-cloak-data.ts";

type CloakWrite<Input> = {
  write: (input: Input) => Promise<void>;
  done: string;
  failed: string;
  /** Optimistic cache update, before the refetch. */
  apply?: (client: QueryClient, input: Input) => void;
};

const writes = {
  addDomain: { write: addDomain, done: "Domain added successfully", failed: "Failed to add domain" },
  setDomainStatus: {
    write: setDomainStatus,
    done: "Domain status updated successfully",
    failed: "Failed to update domain status",
    apply: applyStatus,
  },
  deleteDomain: {
    write: deleteDomain,
    done: "Domain deleted successfully",
    failed: "Failed to delete domain",
    apply: (client: QueryClient, id: string) => {
      client.setQueryData<ListedDomain[]>(cloakKeys.domains, (domains) => domains?.filter((row) => row.id !== id));
    },
  },
  addRoute: { write: addRoute, done: "Route added successfully", failed: "Failed to add route" },
  changeRoute: { write: changeRoute, done: "Route updated successfully", failed: "Failed to update route" },
  deleteRoute: {
    write: deleteRoute,
    done: "Route deleted successfully",
    failed: "Failed to delete route",
    apply: (client: QueryClient, id: string) => {
      client.setQueriesData<ListedRoute[]>({ queryKey: cloakKeys.allRoutes }, (routes) =>
        routes?.filter((row) => row.id !== id),
      );
    },
  },
};

export const useAddDomain = () => useCloakWrite(writes.addDomain);
/** Optimistic for the domain; its routes change with the refetch. */
export const useSetDomainStatus = () => useCloakWrite(writes.setDomainStatus);
/** Optimistic for the domain; its routes disappear with the refetch. */
export const useDeleteDomain = () => useCloakWrite(writes.deleteDomain);
export const useAddRoute = () => useCloakWrite(writes.addRoute);
export const useChangeRoute = () => useCloakWrite(writes.changeRoute);
/** Optimistic in all lists. */
export const useDeleteRoute = () => useCloakWrite(writes.deleteRoute);

function useCloakWrite<Input>({ write, done, failed, apply }: CloakWrite<Input>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: write,
    onSuccess: (_data, input) => {
      apply?.(client, input);
      showToast({ title: done, variant: "success" });
    },
    onError: (error) => showToast({ title: failed, description: error.message, variant: "destructive" }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: cloakKeys.lists });
      void client.invalidateQueries({ queryKey: cloakKeys.state });
    },
  });
}

function applyStatus(client: QueryClient, { id, status }: { id: string; status: DomainStatus }): void {
  client.setQueryData<ListedDomain[]>(cloakKeys.domains, (domains) =>
    domains?.map((row) => (row.id === id ? { ...row, status } : row)),
  );
}
