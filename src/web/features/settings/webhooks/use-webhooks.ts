import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Webhook } from "#contract/webhooks/webhooks.ts";
import { listWebhooks, webhooksKey } from "../../../api/functions/settings/webhooks.ts";

const POLL_MS = 5_000;

/** Polls while deliveries are pending; refetches on focus. */
export function useWebhooks() {
  return useQuery({
    queryKey: webhooksKey,
    queryFn: ({ signal }) => listWebhooks(signal),
    refetchOnWindowFocus: "always",
    refetchInterval: ({ state }) => (state.data?.some(({ pending }) => pending > 0) ? POLL_MS : false),
  });
}

export function useWebhookList() {
  const client = useQueryClient();
  const change = (to: (list: Webhook[]) => Webhook[]): void => {
    client.setQueryData<Webhook[]>(webhooksKey, (list) => list && to(list));
  };
  return {
    add: (added: Webhook) => change((list) => [...list, added]),
    put: (saved: Webhook) => change((list) => list.map((one) => (one.id === saved.id ? saved : one))),
    drop: (id: string) => change((list) => list.filter((one) => one.id !== id)),
    /** Also refetches open logs. */
    refetch: () => client.invalidateQueries({ queryKey: webhooksKey }),
  };
}
